#include "race/block_log.h"

namespace npu::machine {
namespace {

bool conflicts(const BlockAccess& earlier, const BlockAccess& access) {
  if (earlier.block < 0 || earlier.block == access.block) return false;
  if (earlier.is_atomic && access.is_atomic) return false;
  return !(earlier.is_locked && access.is_locked);
}

// A block's own accesses become one that is protected by what protects all of them.
void remember(BlockAccess (&kept)[2], const BlockAccess& access) {
  BlockAccess& place = kept[0].block < 0 || kept[0].block == access.block ? kept[0] : kept[1];
  const bool is_own = place.block == access.block;
  const BlockAccess before = place;
  place = access;
  place.is_atomic &= !is_own || before.is_atomic;
  place.is_locked &= !is_own || before.is_locked;
}

}  // namespace

std::optional<BlockAccess> BlockLog::enter(int64_t first, int64_t last,
                                           const BlockAccess& access) {
  std::optional<BlockAccess> found;
  segments_.change(first, last, [&](State& state, int64_t, int64_t) {
    if (!found) found = find_conflict(state, access);
    remember(access.is_write ? state.writes : state.reads, access);
  });
  return found;
}

std::optional<BlockAccess> BlockLog::find_conflict(const State& state, const BlockAccess& access) {
  for (const BlockAccess& write : state.writes) {
    if (conflicts(write, access)) return write;
  }
  if (!access.is_write) return std::nullopt;
  for (const BlockAccess& read : state.reads) {
    if (conflicts(read, access)) return read;
  }
  return std::nullopt;
}

}  // namespace npu::machine
