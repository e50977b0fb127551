#include "race/block_log.h"

#include <algorithm>
#include <iterator>

namespace npu::machine {
namespace {

bool conflicts(const BlockAccess& earlier, const BlockAccess& access) {
  if (earlier.block < 0 || earlier.block == access.block) return false;
  if (earlier.is_atomic && access.is_atomic) return false;
  return !(earlier.is_locked && access.is_locked);
}

}  // namespace

std::optional<BlockAccess> BlockLog::enter(int64_t first, int64_t last,
                                           const BlockAccess& access) {
  if (first >= last) return std::nullopt;
  split_at(first);
  split_at(last);
  std::optional<BlockAccess> found;
  int64_t at = first;
  for (auto it = segments_.lower_bound(first); at < last; ++it) {
    const int64_t next = it == segments_.end() ? last : std::min(it->first, last);
    if (at < next) it = segments_.emplace_hint(it, at, Segment{next, {}, {}});
    if (!found) found = find_conflict(it->second, access);
    remember(it->second, access);
    at = it->second.last;
  }
  return found;
}

std::optional<BlockAccess> BlockLog::find_conflict(const Segment& segment,
                                                   const BlockAccess& access) {
  if (conflicts(segment.write, access)) return segment.write;
  if (!access.is_write) return std::nullopt;
  for (const BlockAccess& read : segment.reads) {
    if (conflicts(read, access)) return read;
  }
  return std::nullopt;
}

void BlockLog::remember(Segment& segment, const BlockAccess& access) {
  if (access.is_write) {
    segment.write = access;
  } else if (segment.reads[0].block < 0 || segment.reads[0].block == access.block) {
    segment.reads[0] = access;
  } else {
    segment.reads[1] = access;
  }
}

void BlockLog::split_at(int64_t byte) {
  auto it = segments_.upper_bound(byte);
  if (it == segments_.begin()) return;
  --it;
  if (it->first == byte || it->second.last <= byte) return;
  Segment tail = it->second;
  it->second.last = byte;
  segments_.emplace_hint(std::next(it), byte, tail);
}

}  // namespace npu::machine
