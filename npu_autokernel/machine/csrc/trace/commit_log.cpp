#include "trace/commit_log.h"

#include "trace/describe.h"

namespace npu::machine {
namespace {

std::string pad(std::string text, size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text + " ";
}

constexpr size_t kLineWidth = 9;         // "line 1234"
constexpr size_t kSourceLineWidth = 18;  // "line 1234 (src 56)"

}  // namespace

std::string CommitLog::describe_place(uint32_t line) const {
  const std::string place = "line " + std::to_string(line);
  if (program_.source_lines.empty()) return pad(place, kLineWidth);
  const uint32_t source = program_.source_line(line);
  return pad(source == 0 ? place : place + " (src " + std::to_string(source) + ")",
             kSourceLineWidth);
}

void CommitLog::observe(const CoreId& core, const Instruction& instruction) {
  ++instruction_count_;
  if (lines_.size() >= most_lines_) return;
  std::string line = "block " + std::to_string(core.block) + " " + pad(core_name(core), 7) +
                     describe_place(instruction.operation->line) +
                     pad(pipe_name(instruction.pipe()), 7) +
                     pad(opcode_name(instruction.opcode()), 13) + describe_operands(instruction);
  line.erase(line.find_last_not_of(' ') + 1);
  lines_.push_back(std::move(line));
}

}  // namespace npu::machine
