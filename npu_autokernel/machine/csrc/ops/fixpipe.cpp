// L0C fractals -> rows in GM (or plain rows in L1, or in a vector core's UB), rounded to the type
// that is written.
#include <algorithm>
#include <cstring>

#include "ops/fractals.h"
#include "ops/gm_rows.h"
#include "ops/operands.h"

namespace npu::machine {
namespace {

// Element [0, 0] of the rows, or null with a fault.
uint8_t* locate_rows(ExecutionContext& context, const MemoryView& target) {
  if (target.space == MemorySpace::kGm) {
    if (!check_gm_write(context, target)) return nullptr;
    const GmElements rows = gm_elements(context, target);
    context.counters.gm_bytes_written += target.element_count() * rows.width;
    return rows.buffer->data + rows.first;
  }
  ChipElements elements;
  const bool is_ub = target.space == MemorySpace::kUb && context.neighbours.vectors[0];
  const MemorySpace space = is_ub ? MemorySpace::kUb : MemorySpace::kL1;
  return locate(context, target, space, Access::kWrite, elements) ? elements.bytes : nullptr;
}

void write_sums(uint8_t* out, const MemoryView& target, const uint8_t* source, int64_t count,
                bool relu) {
  if (target.type == ElementType::kI32) {
    int64_t values[kFractalRows];
    kernels().load_int[type_index(ElementType::kI32)](values, source, 1, count);
    for (int64_t i = 0; relu && i < count; ++i) values[i] = std::max<int64_t>(values[i], 0);
    kernels().store_int[type_index(ElementType::kI32)](out, target.strides[1], values, count);
    return;
  }
  float values[kFractalRows];
  std::memcpy(values, source, static_cast<size_t>(count) * sizeof(float));
  for (int64_t i = 0; relu && i < count; ++i) values[i] = values[i] < 0 ? 0 : values[i];
  kernels().store_float[type_index(target.type)](out, target.strides[1], values, count);
}

// As many rows and columns as the target has, from the given ones on.
bool write_part(const Instruction& instruction, ExecutionContext& context, const FractalMatrix& c,
                int64_t first_row, int64_t first_column) {
  const MemoryView& target = instruction.output(0);
  const int64_t rows = target.sizes[0], columns = target.sizes[1];
  if (first_row + rows > c.rows || first_column + columns > c.columns) {
    return context.fail(fault_code::kOutOfBoundsRead, "the rows exceed the fractals");
  }
  if (first_column % c.c0 != 0) {
    return context.fail(fault_code::kUnsupportedOp, "columns split inside of a fractal");
  }
  uint8_t* first = locate_rows(context, target);
  if (!first) return false;
  const int64_t width = bytes_of(target.type);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; column += c.c0) {
      const int64_t at = row * target.strides[0] + column * target.strides[1];
      const int64_t block = (first_column + column) / c.c0;
      write_sums(first + at * width, target, c.at(c.row_start(first_row + row, block)),
                 std::min(c.c0, columns - column), instruction.operation->relu);
    }
  }
  return true;
}

// The second half, for the second vector core.
bool write_second_half(const Instruction& instruction, ExecutionContext& context,
                       const FractalMatrix& c) {
  const MemoryView& target = instruction.output(0);
  if (!context.neighbours.vectors[1] || target.space != MemorySpace::kUb) {
    return context.fail(fault_code::kIllegalOperand, "rows for two vector cores");
  }
  context.neighbours.vector = 1;
  const Operation& operation = *instruction.operation;
  const bool is_written =
      write_part(instruction, context, c, operation.splits_rows ? target.sizes[0] : 0,
                 operation.splits_columns ? target.sizes[1] : 0);
  context.neighbours.vector = 0;
  return is_written;
}

}  // namespace

bool execute_fixpipe(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& target = instruction.output(0);
  FractalMatrix c;
  if (!locate_fractals(context, instruction.input(0), MemorySpace::kL0c, Access::kRead, c)) {
    return false;
  }
  if (target.rank != 2) return context.fail(fault_code::kIllegalOperand, "expected rows");
  const bool is_integer = c.type == ElementType::kI32;
  if (!is_integer && c.type != ElementType::kF32) return unsupported_type(context, c.type);
  if (is_integer ? target.type != ElementType::kI32 : !is_float(target.type)) {
    return unsupported_type(context, target.type);
  }
  if (target.is_empty()) return true;
  if (!write_part(instruction, context, c, 0, 0)) return false;
  const Operation& operation = *instruction.operation;
  const bool splits = operation.splits_rows || operation.splits_columns;
  return !splits || write_second_half(instruction, context, c);
}

}  // namespace npu::machine
