#include "race/gm_log.h"

#include <algorithm>

#include "race/byte_runs.h"

namespace npu::machine {
namespace {

constexpr size_t kMaxDeferred = 4096;

bool overlap(ByteSpan left, ByteSpan right) {
  return left.first < right.last && right.first < left.last;
}

bool overlap_any(const std::vector<ByteSpan>& spans, ByteSpan span) {
  return std::any_of(spans.begin(), spans.end(),
                     [&](ByteSpan other) { return overlap(other, span); });
}

void widen(ByteSpan& span, ByteSpan by) {
  if (by.first >= by.last) return;
  span = span.first < span.last
             ? ByteSpan{std::min(span.first, by.first), std::max(span.last, by.last)}
             : by;
}

ByteSpan reach_of(const GmPlace& place) {
  const ByteSpan span = span_of(place.view);
  return {place.address + std::max<int64_t>(span.first, 0),
          place.address + std::min(span.last, place.size)};
}

}  // namespace

void GmLog::begin_block(int64_t block) {
  lanes_.clear();
  block_ = block;
}

std::optional<GmConflict> GmLog::enter(const GmPlace& place, const GmAccess& access,
                                       const HappensBefore& order,
                                       const AccessLog::Excuse& is_excused) {
  const ByteSpan reach = reach_of(place);
  if (!access.lane.is_write) {
    if (!may_defer(place, reach)) return enter_runs(place, access, order, is_excused);
    if (deferred_.size() == kMaxDeferred) enter_deferred({0, INT64_MAX}, order);
    deferred_.push_back({place, access, reach});
    widen(read_[static_cast<size_t>(place.view.buffer)], reach);
    return std::nullopt;
  }
  widen(written_[static_cast<size_t>(place.view.buffer)], reach);
  if (overlap_any(read_, reach)) enter_deferred(reach, order);
  return enter_runs(place, access, order, is_excused);
}

// A read of one row costs less than setting it aside.
bool GmLog::may_defer(const GmPlace& place, ByteSpan reach) const {
  return place.view.rank > 1 && !overlap_any(written_, reach);
}

// Nothing in the reach of a deferred read has been written, so it conflicts with nothing.
void GmLog::enter_deferred(ByteSpan written, const HappensBefore& order) {
  const auto kept = std::partition(deferred_.begin(), deferred_.end(),
                                   [&](const DeferredRead& read) {
                                     return !overlap(read.reach, written);
                                   });
  for (auto read = kept; read != deferred_.end(); ++read) {
    enter_runs(read->place, read->access, order, nullptr);
  }
  deferred_.erase(kept, deferred_.end());
}

std::optional<GmConflict> GmLog::enter_runs(const GmPlace& place, const GmAccess& access,
                                            const HappensBefore& order,
                                            const AccessLog::Excuse& is_excused) {
  std::optional<GmConflict> found;
  for_each_byte_run(place.view, [&](int64_t first, int64_t last) {
    first = place.address + std::max<int64_t>(first, 0);
    last = place.address + std::min(last, place.size);
    auto conflict = enter_run(first, last, place.is_shared, access, order, is_excused);
    if (!found) found = std::move(conflict);
  });
  return found;
}

std::optional<GmConflict> GmLog::enter_run(int64_t first, int64_t last, bool is_shared,
                                           const GmAccess& access, const HappensBefore& order,
                                           const AccessLog::Excuse& is_excused) {
  if (access.block.block == block_) {
    const auto inside = lanes_.enter(first, last, access.lane, order, is_excused);
    if (inside) return GmConflict{inside->earlier, {}, {inside->first, inside->last}};
  }
  if (!is_shared) return std::nullopt;
  const auto across = blocks_.enter(first, last, access.block);
  if (across) return GmConflict{std::nullopt, *across, {first, last}};
  return std::nullopt;
}

}  // namespace npu::machine
