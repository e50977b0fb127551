#include "memory.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace npu::machine {
namespace {

// SplitMix64: cheap bytes that differ between seeds.
uint64_t next_random(uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

ChipMemory::ChipMemory(const SocNumbers& soc, const int64_t (&footprint_bytes)[kMemorySpaceCount],
                       bool with_shadow)
    : has_shadow_(with_shadow) {
  const int64_t sizes[kMemorySpaceCount] = {0, soc.ub_bytes, soc.l1_bytes, soc.l0c_bytes};
  for (int i = 0; i < kMemorySpaceCount; ++i) {
    Space& space = spaces_[i];
    space.size = sizes[i];
    // Loads pad rows in front of and behind a view: leave nothing unpoisoned near the footprint.
    const int64_t reach = footprint_bytes[i] > 0 ? std::min(footprint_bytes[i], sizes[i]) + 4096 : 0;
    space.footprint = std::min(reach, sizes[i]);
    // Kernels may read a few bytes past a row's end when unpacking bits.
    space.bytes.resize(static_cast<size_t>(space.footprint > 0 ? sizes[i] : 0));
    if (space.bytes.empty()) space.size = 0;
    if (with_shadow) space.shadow.resize(space.bytes.size());
  }
}

void ChipMemory::poison(uint64_t poison_seed) {
  for (Space& space : spaces_) {
    if (space.footprint == 0) continue;
    const auto count = static_cast<size_t>(space.footprint);
    if (poison_seed == 0) {
      std::memset(space.bytes.data(), kPoisonByte, count);
    } else {
      uint64_t state = poison_seed;
      for (size_t i = 0; i + 8 <= count; i += 8) {
        const uint64_t word = next_random(state);
        std::memcpy(space.bytes.data() + i, &word, 8);
      }
    }
    if (has_shadow_) space.shadow.forget(count);
  }
}

void ChipMemory::exchange_with_shadow() {
  for (Space& space : spaces_) std::swap(space.bytes, space.shadow.bits());
}

}  // namespace npu::machine
