// What an instruction reads and writes, as plain facts: the elements of each operand, one by one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instruction.h"

namespace npu::machine {

// Elements of `bits` bits each, the first at `first_bit` of the place, walked by strides in bits.
struct OperandAccess {
  std::string place;
  bool is_write = false;
  bool is_atomic = false;
  int64_t first_bit = 0;
  int64_t bits = 0;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
};

// Inputs, outputs and temporary buffers (written). The output of a padded load has its padding.
std::vector<OperandAccess> list_accesses(const Instruction& instruction);

}  // namespace npu::machine
