#include "race/access_log.h"

#include <algorithm>
#include <iterator>

namespace npu::machine {
namespace {

bool conflicts(const MemoryAccess& earlier, const MemoryAccess& access,
               const HappensBefore& order) {
  if (earlier.lane < 0 || (earlier.is_atomic && access.is_atomic)) return false;
  if (earlier.lane == access.lane && earlier.number == access.number) return false;
  // S waits for what it reads before it issues what uses it, so nothing overtakes a scalar read.
  const bool is_scalar_read = !earlier.is_write && pipe_of_lane(earlier.lane) == Pipe::kScalar;
  if (is_scalar_read && core_of_lane(earlier.lane) == core_of_lane(access.lane)) return false;
  if (earlier.is_write && access.rewrites &&
      core_of_lane(earlier.lane) != core_of_lane(access.lane)) {
    return false;
  }
  return !order.is_ordered(earlier.lane, earlier.number, access.lane);
}

}  // namespace

std::optional<Conflict> AccessLog::enter(int64_t first, int64_t last, const MemoryAccess& access,
                                         const HappensBefore& order, const Excuse& is_excused) {
  if (first >= last) return std::nullopt;
  split_at(first);
  split_at(last);
  std::optional<Conflict> found;
  for (auto it = first_from(first); it != segments_.end() && it->first < last && !found; ++it) {
    const auto earlier = find_conflict(it->second, access, order, is_excused);
    if (earlier) found = Conflict{*earlier, it->first, it->second.last};
  }
  access.is_write ? enter_write(first, last, access) : enter_read(first, last, access);
  return found;
}

void AccessLog::split_at(int64_t byte) {
  auto it = segments_.upper_bound(byte);
  if (it == segments_.begin()) return;
  --it;
  if (it->first == byte || it->second.last <= byte) return;
  Segment tail = it->second;
  it->second.last = byte;
  segments_.emplace_hint(std::next(it), byte, std::move(tail));
}

AccessLog::Segments::iterator AccessLog::first_from(int64_t byte) {
  return segments_.lower_bound(byte);
}

std::optional<MemoryAccess> AccessLog::find_conflict(const Segment& segment,
                                                     const MemoryAccess& access,
                                                     const HappensBefore& order,
                                                     const Excuse& is_excused) {
  const auto counts = [&](const MemoryAccess& earlier) {
    return conflicts(earlier, access, order) && !(is_excused && is_excused(earlier, access));
  };
  if (counts(segment.write)) return segment.write;
  if (!access.is_write) return std::nullopt;
  for (const MemoryAccess& read : segment.reads) {
    if (counts(read)) return read;
  }
  return std::nullopt;
}

// Joins the reads of every segment in the range and fills the gaps between them.
void AccessLog::enter_read(int64_t first, int64_t last, const MemoryAccess& access) {
  int64_t at = first;
  for (auto it = first_from(first); at < last; ++it) {
    const int64_t next = it == segments_.end() ? last : std::min(it->first, last);
    if (at < next) {
      it = segments_.emplace_hint(it, at, Segment{next, {}, {access}});
      at = next;
      continue;
    }
    auto& reads = it->second.reads;
    const auto same = std::find_if(reads.begin(), reads.end(), [&](const MemoryAccess& read) {
      return read.lane == access.lane;
    });
    if (same == reads.end()) {
      reads.push_back(access);
    } else {
      const uint32_t stores_before = same->stores_before;
      *same = access;
      same->stores_before = stores_before;
    }
    at = it->second.last;
  }
}

void AccessLog::enter_write(int64_t first, int64_t last, const MemoryAccess& access) {
  auto end = first_from(first);
  while (end != segments_.end() && end->first < last) ++end;
  segments_.erase(first_from(first), end);
  segments_.emplace(first, Segment{last, access, {}});
}

}  // namespace npu::machine
