// GM rows -> L1 fractals. What lies outside of the argument reads as in a load.
#include <algorithm>
#include <cstring>

#include "ops/fractals.h"
#include "ops/gm_rows.h"

namespace npu::machine {

bool execute_nd2nz(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  FractalMatrix matrix;
  if (!locate_fractals(context, instruction.output(0), MemorySpace::kL1, Access::kWrite, matrix)) {
    return false;
  }
  if (source.space != MemorySpace::kGm || source.rank != 2 || source.type != matrix.type) {
    return context.fail(fault_code::kIllegalOperand, "expected rows in gm");
  }
  const int64_t rows = source.sizes[0], columns = source.sizes[1];
  if (rows > matrix.rows || columns > matrix.columns) {
    return context.fail(fault_code::kOutOfBoundsWrite, "the rows do not fit the fractals");
  }
  const GmReach reach = check_gm_read(context, source);
  if (reach == GmReach::kFault) return false;
  const GmElements gm = gm_elements(context, source);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; column += matrix.c0) {
      const int64_t count = std::min(matrix.c0, columns - column);
      uint8_t* target = matrix.at(matrix.row_start(row, column / matrix.c0));
      const int64_t at = row * source.strides[0] + column * source.strides[1];
      if (reach == GmReach::kInside && source.strides[1] == 1) {
        std::memcpy(target, gm.buffer->data + gm.first + at * gm.width,
                    static_cast<size_t>(count * gm.width));
      } else {
        load_guarded_row(context, gm, at, source.strides[1], target, gm.width, count);
      }
      // The instruction fills the last block of a row with zeros.
      std::memset(target + count * gm.width, 0, static_cast<size_t>((matrix.c0 - count) * gm.width));
    }
  }
  context.counters.gm_bytes_read += source.element_count() * gm.width;
  return true;
}

}  // namespace npu::machine
