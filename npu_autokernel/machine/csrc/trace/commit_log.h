// The commit log: one line per instruction, in the order of issue.
#pragma once

#include <string>
#include <vector>

#include "instruction.h"
#include "program.h"

namespace npu::machine {

class CommitLog final : public InstructionObserver {
 public:
  CommitLog(const Program& program, size_t most_lines)
      : program_(program), most_lines_(most_lines) {}

  void begin_block(int64_t) override {}
  void observe(const CoreId& core, const Instruction& instruction) override;
  void end_core(const CoreId&, uint32_t) override {}
  void end_block(int64_t) override {}

  // Of the first `most_lines` instructions.
  const std::vector<std::string>& lines() const { return lines_; }
  int64_t instruction_count() const { return instruction_count_; }

 private:
  std::string describe_place(uint32_t line) const;

  const Program& program_;
  size_t most_lines_;
  int64_t instruction_count_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace npu::machine
