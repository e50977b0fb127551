#include "race/access_log.h"

namespace npu::machine {
namespace {

bool conflicts(const MemoryAccess& earlier, const MemoryAccess& access,
               const HappensBefore& order) {
  if (earlier.lane < 0 || !(earlier.is_write || access.is_write)) return false;
  if (earlier.is_atomic && access.is_atomic) return false;
  if (earlier.lane == access.lane && earlier.number == access.number) return false;
  if (earlier.is_write && access.rewrites &&
      core_of_lane(earlier.lane) != core_of_lane(access.lane)) {
    return false;
  }
  return !order.is_ordered(earlier.lane, earlier.number, access.lane);
}

bool replaces(const MemoryAccess& access, const MemoryAccess& earlier) {
  return earlier.lane == access.lane && earlier.is_atomic == access.is_atomic;
}

}  // namespace

std::optional<Conflict> AccessLog::enter(int64_t first, int64_t last, const MemoryAccess& access,
                                         const HappensBefore& order, const Excuse& is_excused) {
  std::optional<Conflict> found;
  segments_.change(first, last, [&](State& state, int64_t from, int64_t to) {
    if (!found) {
      const auto earlier = find_conflict(state, access, order, is_excused);
      if (earlier) found = {*earlier, from, to};
    }
    state.remember(access);
  });
  return found;
}

std::optional<MemoryAccess> AccessLog::find_conflict(const State& state,
                                                     const MemoryAccess& access,
                                                     const HappensBefore& order,
                                                     const Excuse& is_excused) {
  const auto counts = [&](const MemoryAccess& earlier) {
    return conflicts(earlier, access, order) && !(is_excused && is_excused(earlier, access));
  };
  if (counts(state.write)) return state.write;
  if (counts(state.since)) return state.since;
  for (const MemoryAccess& earlier : state.more_since) {
    if (counts(earlier)) return earlier;
  }
  return std::nullopt;
}

void AccessLog::State::remember(const MemoryAccess& access) {
  if (access.is_write && !access.is_atomic) {
    write = access;
    since = MemoryAccess();
    more_since.clear();
    return;
  }
  if (since.lane < 0) since = access;
  MemoryAccess* own = replaces(access, since) ? &since : nullptr;
  for (MemoryAccess& earlier : more_since) {
    if (replaces(access, earlier)) own = &earlier;
  }
  if (!own) {
    more_since.push_back(access);
  } else if (access.number >= own->number) {  // reads of GM may come late
    const uint32_t stores_before = own->stores_before;
    *own = access;
    own->stores_before = stores_before;
  }
}

}  // namespace npu::machine
