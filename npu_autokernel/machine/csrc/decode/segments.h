// Operand segments of an op with operandSegmentSizes.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "mlir/ast.h"
#include "mlir/type.h"

namespace npu::machine {

struct Segment {
  size_t first = 0;
  size_t count = 0;
};

// nullopt: no such property, or it does not match the operands.
inline std::optional<std::vector<Segment>> segments_of(const mlir::Op& op) {
  const mlir::Attribute* attribute = op.property("operandSegmentSizes");
  const auto sizes = attribute ? mlir::read_integer_array(attribute->value) : std::nullopt;
  if (!sizes) return std::nullopt;
  std::vector<Segment> segments;
  size_t first = 0;
  for (int64_t size : *sizes) {
    if (size < 0 || static_cast<size_t>(size) > op.operands.size() - first) return std::nullopt;
    segments.push_back({first, static_cast<size_t>(size)});
    first += static_cast<size_t>(size);
  }
  if (first != op.operands.size()) return std::nullopt;
  return segments;
}

}  // namespace npu::machine
