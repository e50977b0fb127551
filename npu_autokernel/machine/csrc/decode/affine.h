// Affine maps -> integer steps.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "program.h"

namespace npu::machine {

// What lowering needs from its caller.
struct AffineTarget {
  std::function<int32_t(int64_t)> constant;                        // slot of a constant
  std::function<int32_t(StepKind, int32_t, int32_t)> emit_binary;  // slot of a op b
};

// Slots of the map's results for operand slots (dims, then symbols); nullopt: not a valid map.
std::optional<std::vector<int32_t>> lower_affine_map(std::string_view map,
                                                     const std::vector<int32_t>& operands,
                                                     const AffineTarget& target);

}  // namespace npu::machine
