// The memories of the machine: per core UB, L1 and L0C, shared GM buffers.
//
// On-chip memory starts poisoned at each block. With checking on, every byte also has a shadow
// that says whether it was written since. GM buffers are the caller's; reads just outside of one
// (the guard zone) give poison and are counted, since the compiler speculates there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  void mark_written(const MemoryView& view, bool written = true);
  // The first byte of the view that was never written, or -1.
  int64_t find_unwritten(const MemoryView& view) const;

 private:
  struct Space {
    int64_t size = 0;
    int64_t footprint = 0;
    std::vector<uint8_t> bytes;
    std::vector<uint8_t> written;  // one byte per byte; empty without shadow
  };
  Space spaces_[kMemorySpaceCount];
  bool has_shadow_;
};

// `origin`: what the program calls byte `origin` is data[0]. Only the workspace uses it, where one
// block's share stands in for the whole.
struct GmBuffer {
  uint8_t* data = nullptr;
  int64_t size = 0;
  int64_t origin = 0;
};

struct GmMemory {
  std::vector<GmBuffer> buffers;  // by argument ordinal
  int64_t guard_bytes = 0;

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

std::string space_name(MemorySpace space);

}  // namespace npu::machine
