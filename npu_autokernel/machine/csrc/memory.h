// The memories of the machine: per core UB, L1 and L0C, shared GM buffers.
//
// On-chip memory starts poisoned at each block. With checking on, it also has a shadow that says
// what was written since; so has the workspace, and all else in GM counts as written. GM buffers
// are the caller's; reads just outside of one (the guard zone) give poison and are counted, since
// the compiler speculates there.
#pragma once

#include <cstdint>
#include <vector>

#include "shadow.h"
#include "soc.h"
#include "types.h"

namespace npu::machine {

constexpr uint8_t kPoisonByte = 0xff;  // NaN as a float, -1 as an integer

class ChipMemory {
 public:
  // footprint_bytes: the part of each space that the program can reach; the rest is not poisoned.
  ChipMemory(const SocNumbers& soc, const int64_t (&footprint_bytes)[kMemorySpaceCount],
             bool with_shadow);

  // poison_seed 0: every byte kPoisonByte; else bytes that depend on the seed.
  void poison(uint64_t poison_seed);

  uint8_t* data(MemorySpace space) { return spaces_[static_cast<int>(space)].bytes.data(); }
  int64_t size(MemorySpace space) const { return spaces_[static_cast<int>(space)].size; }
  bool contains(const MemoryView& view, ByteSpan span) const {
    return span.first >= 0 && span.last <= size(view.space);
  }

  bool has_shadow() const { return has_shadow_; }
  Shadow& shadow(MemorySpace space) { return spaces_[static_cast<int>(space)].shadow; }
  // The shadow in place of the data, and back: what runs meanwhile works on shadow bits.
  void exchange_with_shadow();

 private:
  struct Space {
    int64_t size = 0;
    int64_t footprint = 0;
    std::vector<uint8_t> bytes;
    Shadow shadow;  // empty without checking
  };
  Space spaces_[kMemorySpaceCount];
  bool has_shadow_;
};

// `origin`: what the program calls byte `origin` is data[0]. Only the workspace uses it, where one
// block's share stands in for the whole. Without a shadow, all of it counts as written.
struct GmBuffer {
  uint8_t* data = nullptr;
  int64_t size = 0;
  int64_t origin = 0;
  Shadow* shadow = nullptr;
};

struct GmMemory {
  std::vector<GmBuffer> buffers;  // by argument ordinal
  int64_t guard_bytes = 0;
  OriginTable origins;  // of the garbage on all cores of a block

  // Byte position inside the buffer of view's byte `byte`.
  int64_t position(const MemoryView& view, int64_t byte) const {
    return byte - buffers[view.buffer].origin;
  }
  bool contains(const MemoryView& view, ByteSpan span) const {
    const GmBuffer& buffer = buffers[view.buffer];
    return span.first >= buffer.origin && span.last - buffer.origin <= buffer.size;
  }
  bool in_guard(const MemoryView& view, ByteSpan span) const {
    const GmBuffer& buffer = buffers[view.buffer];
    return span.first - buffer.origin >= -guard_bytes &&
           span.last - buffer.origin <= buffer.size + guard_bytes;
  }
};

}  // namespace npu::machine
