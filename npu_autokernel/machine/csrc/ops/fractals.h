// Matrices stored as fractals: how the cube sees L1 and L0C.
//
// A fractal view [N1, M1, 16, C0] holds a matrix of M1*16 rows and N1*C0 columns; C0 is 32 bytes of
// elements in L1 and 16 elements in L0C. The 950 also has fractals of 32 rows of int8.
#pragma once

#include <algorithm>

#include "ops/context.h"

namespace npu::machine {

constexpr int64_t kFractalRows = 16;

// A matrix stored as fractals, located in its memory.
struct FractalMatrix {
  uint8_t* bytes = nullptr;
  ElementType type = ElementType::kF32;
  int64_t rows = 0, columns = 0, c0 = 0;
  int64_t fractal_rows = kFractalRows;
  int64_t strides[4] = {};

  // Position, in elements, of row `row` of column block `block`.
  int64_t row_start(int64_t row, int64_t block) const {
    return block * strides[0] + row / fractal_rows * strides[1] + row % fractal_rows * strides[2];
  }
  uint8_t* at(int64_t element) const { return bytes + element * bytes_of(type); }
};

inline bool locate_fractals(ExecutionContext& context, const MemoryView& view, MemorySpace space,
                            Access access, FractalMatrix& matrix) {
  ChipElements elements;
  if (!locate(context, view, space, access, elements)) return false;
  const bool is_tall = space == MemorySpace::kL1 && view.type == ElementType::kI8 &&
                       view.rank == 4 && view.sizes[2] == 2 * kFractalRows;
  if (view.rank != 4 || (view.sizes[2] != kFractalRows && !is_tall) ||
      view.type == ElementType::kI1 || view.strides[3] != 1) {
    return context.fail(fault_code::kIllegalOperand, "expected a view of fractals");
  }
  const int64_t c0 = space == MemorySpace::kL0c ? 16 : 32 / bytes_of(view.type);
  if (view.sizes[3] != c0) {
    return context.fail(fault_code::kIllegalOperand, "fractals of another width");
  }
  matrix.bytes = elements.bytes;
  matrix.type = view.type;
  matrix.fractal_rows = view.sizes[2];
  matrix.rows = view.sizes[1] * matrix.fractal_rows;
  matrix.columns = view.sizes[0] * c0;
  matrix.c0 = c0;
  std::copy(view.strides, view.strides + 4, matrix.strides);
  return true;
}

// `count` columns from `column` on, within a block of columns, of one row of a fractal view.
inline MemoryView row_of_fractals(const MemoryView& view, const FractalMatrix& matrix, int64_t row,
                                  int64_t column, int64_t count) {
  MemoryView part = view;
  part.offset += matrix.row_start(row, column / matrix.c0);
  part.rank = 1;
  part.sizes[0] = count;
  part.strides[0] = 1;
  return part;
}

// The sizes of a product, of the instructions of the mmadL1 macro.
struct MmadShape {
  int64_t m, k, n;
  bool is_empty() const { return m <= 0 || k <= 0 || n <= 0; }
};

inline MmadShape shape_of(const Instruction& instruction) {
  return {instruction.scalars[0].integer, instruction.scalars[1].integer,
          instruction.scalars[2].integer};
}

}  // namespace npu::machine
