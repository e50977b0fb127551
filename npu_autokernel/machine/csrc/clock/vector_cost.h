// What one vector instruction costs: startup + repeats x cycles per repeat x bank conflicts.
#pragma once

#include "clock/constants.h"
#include "instruction.h"

namespace npu::machine {

// Cycles that `instruction` occupies the vector pipe.
double vector_cycles(const Instruction& instruction, const ClockConstants& constants);

// Times a repeat takes longer because its 32-byte blocks, `stride_blocks` apart, share bank groups.
double block_stride_conflict(int64_t stride_blocks);

// Extra cycles per repeat for reading two inputs and writing a result, given their UB addresses.
double bank_conflict_cycles(int64_t first, int64_t second, int64_t result,
                            const ClockConstants& constants);

}  // namespace npu::machine
