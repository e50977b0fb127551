// Whoever looks at a run in the middle: called after each instruction, in the order of issue.
#pragma once

#include "instruction.h"

namespace npu::machine {

class Core;

class Stepper {
 public:
  virtual ~Stepper() = default;
  // The core stands still and may be looked at. Throwing ends the run.
  virtual void after_instruction(Core& core, const Instruction& instruction) = 0;
};

}  // namespace npu::machine
