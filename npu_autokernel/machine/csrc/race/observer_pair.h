// Two observers of one run.
#pragma once

#include "instruction.h"

namespace npu::machine {

class ObserverPair : public InstructionObserver {
 public:
  ObserverPair(InstructionObserver& first, InstructionObserver& second)
      : first_(first), second_(second) {}

  void begin_block(int64_t block) override {
    first_.begin_block(block);
    second_.begin_block(block);
  }
  void observe(const CoreId& core, const Instruction& instruction) override {
    first_.observe(core, instruction);
    second_.observe(core, instruction);
  }
  void end_core(const CoreId& core, uint32_t scalar_ops_after) override {
    first_.end_core(core, scalar_ops_after);
    second_.end_core(core, scalar_ops_after);
  }
  void end_block(int64_t block) override {
    first_.end_block(block);
    second_.end_block(block);
  }

 private:
  InstructionObserver& first_;
  InstructionObserver& second_;
};

}  // namespace npu::machine
