#include "decode/source_lines.h"

#include <string_view>

#include "mlir/location.h"

namespace npu::machine {
namespace {

void enter_lines(const mlir::Op& op, std::string_view file, std::vector<uint32_t>& lines) {
  if (op.line >= lines.size()) lines.resize(op.line + 1);
  if (lines[op.line] == 0) lines[op.line] = mlir::find_line(op.location, file);
  for (const mlir::Region& region : op.regions) {
    for (const mlir::Op& inner : region.ops) enter_lines(inner, file, lines);
  }
}

}  // namespace

std::vector<uint32_t> list_source_lines(const mlir::Op& module) {
  std::vector<uint32_t> lines;
  for (const mlir::Region& region : module.regions) {
    for (const mlir::Op& function : region.ops) {
      const std::string_view file = mlir::find_file(function.location);
      if (!file.empty()) enter_lines(function, file, lines);
    }
  }
  return lines;
}

}  // namespace npu::machine
