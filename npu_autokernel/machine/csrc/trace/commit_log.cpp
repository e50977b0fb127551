#include "trace/commit_log.h"

#include "trace/describe.h"

namespace npu::machine {
namespace {

std::string pad(std::string text, size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text + " ";
}

}  // namespace

void CommitLog::observe(const CoreId& core, const Instruction& instruction) {
  ++instruction_count_;
  if (lines_.size() >= most_lines_) return;
  std::string line = "block " + std::to_string(core.block) + " " + pad(core_name(core), 7) +
                     pad("line " + std::to_string(instruction.operation->line), 9) +
                     pad(pipe_name(instruction.pipe()), 7) +
                     pad(opcode_name(instruction.opcode()), 13) + describe_operands(instruction);
  line.erase(line.find_last_not_of(' ') + 1);
  lines_.push_back(std::move(line));
}

}  // namespace npu::machine
