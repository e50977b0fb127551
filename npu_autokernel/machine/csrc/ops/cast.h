// The rows of vcast, for whoever converts elements.
#pragma once

#include "ops/operands.h"

namespace npu::machine {

struct CastPlan {
  const RowOperand* source;
  const RowOperand* output;
  RoundMode mode;
  bool is_unsigned;  // the integer side
};

// Converts `count` elements that lie side by side, from the first of each operand on.
void cast_row(const CastPlan& plan, int64_t count);

}  // namespace npu::machine
