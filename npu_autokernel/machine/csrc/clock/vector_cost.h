// What one vector instruction costs: startup + repeats x cycles per repeat x bank conflicts.
#pragma once

#include "clock/constants.h"
#include "instruction.h"

namespace npu::machine {

// Cycles that `instruction` occupies the vector pipe.
double vector_cycles(const Instruction& instruction, const ClockConstants& constants);

}  // namespace npu::machine
