#include "decode/source_lines.h"

#include <string_view>

#include "mlir/location.h"

namespace npu::machine {
namespace {

void enter_lines(const mlir::Op& op, std::string_view file, std::vector<uint32_t>& lines) {
  if (op.line >= lines.size()) lines.resize(op.line + 1);
  const auto position = mlir::find_position(op.location, file);
  if (position && lines[op.line] == 0) lines[op.line] = position->line;
  for (const mlir::Region& region : op.regions) {
    for (const mlir::Op& inner : region.ops) enter_lines(inner, file, lines);
  }
}

}  // namespace

std::vector<uint32_t> list_source_lines(const mlir::Op& module) {
  std::vector<uint32_t> lines;
  for (const mlir::Region& region : module.regions) {
    for (const mlir::Op& function : region.ops) {
      const auto definition = mlir::find_position(function.location, {});
      if (definition) enter_lines(function, definition->file, lines);
    }
  }
  return lines;
}

}  // namespace npu::machine
