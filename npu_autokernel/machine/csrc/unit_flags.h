// The unit flags of one cube core: which tiles of L0C hold sums that nothing has taken yet.
//
// With its unit flag on, a product waits until fixpipe has taken what its tile held, and with an
// update leaves the tile full; fixpipe waits until the tile is full, and with an update leaves it
// empty. On the chip that happens block by block, here tile by tile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "instruction.h"

namespace npu::machine {

// Where the tile starts in L0C: a product's output, what fixpipe reads.
inline int64_t unit_flag_tile(const Instruction& instruction) {
  const MemoryView& tile = instruction.opcode() == Opcode::kMmad ? instruction.output(0)
                                                                 : instruction.input(0);
  return tile.base_byte + tile.offset * bytes_of(tile.type);
}

class UnitFlags {
 public:
  void clear() { full_.clear(); }
  bool any_full() const { return !full_.empty(); }

  bool may_run(const Instruction& instruction) const {
    const bool is_product = instruction.opcode() == Opcode::kMmad;
    return is_ignored(instruction) || (find(instruction) == full_.end()) == is_product;
  }

  void run(const Instruction& instruction) {
    if (is_ignored(instruction) || instruction.unit_flag != UnitFlag::kWithUpdate) return;
    if (instruction.opcode() == Opcode::kMmad) {
      full_.push_back(unit_flag_tile(instruction));
    } else {
      full_.erase(find(instruction));
    }
  }

 private:
  // The library leaves an empty product before it comes to the flag.
  static bool is_ignored(const Instruction& instruction) {
    if (instruction.unit_flag == UnitFlag::kDisabled) return true;
    if (instruction.opcode() != Opcode::kMmad) return instruction.output(0).is_empty();
    const Scalar* shape = instruction.scalars;
    return shape[0].integer <= 0 || shape[1].integer <= 0 || shape[2].integer <= 0;
  }

  std::vector<int64_t>::const_iterator find(const Instruction& instruction) const {
    return std::find(full_.begin(), full_.end(), unit_flag_tile(instruction));
  }

  std::vector<int64_t> full_;
};

}  // namespace npu::machine
