#include "memory.h"

#include <algorithm>
#include <cstring>

#include "loop_nest.h"

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
    if (with_shadow) space.written.resize(space.bytes.size());
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
    std::fill(space.written.begin(), space.written.end(), uint8_t{0});
  }
}

void ChipMemory::mark_written(const MemoryView& view, bool written) {
  std::vector<uint8_t>& shadow = spaces_[static_cast<int>(view.space)].written;
  const uint8_t value = written ? 1 : 0;
  LoopNest nest(view);
  nest.add(view);
  nest.for_each_row([&](const int64_t* offsets, const int64_t* strides, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t element = view.offset + offsets[0] + i * strides[0];
      if (view.is_bit_packed()) {
        shadow[view.base_byte + (element >> 3)] = value;
      } else {
        const int64_t width = bytes_of(view.type);
        std::memset(shadow.data() + view.base_byte + element * width, value, width);
      }
    }
    return true;
  });
}

int64_t ChipMemory::find_unwritten(const MemoryView& view) const {
  const std::vector<uint8_t>& shadow = spaces_[static_cast<int>(view.space)].written;
  int64_t found = -1;
  LoopNest nest(view);
  nest.add(view);
  nest.for_each_row([&](const int64_t* offsets, const int64_t* strides, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t element = view.offset + offsets[0] + i * strides[0];
      const int64_t width = view.is_bit_packed() ? 1 : bytes_of(view.type);
      const int64_t byte = view.base_byte + (view.is_bit_packed() ? element >> 3 : element * width);
      for (int64_t k = 0; k < width; ++k) {
        if (!shadow[byte + k]) {
          found = byte + k;
          return false;
        }
      }
    }
    return true;
  });
  return found;
}

std::string space_name(MemorySpace space) {
  switch (space) {
    case MemorySpace::kGm: return "gm";
    case MemorySpace::kUb: return "ub";
    case MemorySpace::kL1: return "l1";
    default: return "l0c";
  }
}

}  // namespace npu::machine
