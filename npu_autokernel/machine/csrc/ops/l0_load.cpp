// L1 fractals -> L0A and L0B, a row in L1 -> the bias table.
//
// Panels in L0 are kept as float (int32 for int8), row major, ready for the matmul kernel.
#include <algorithm>
#include <cstring>
#include <utility>

#include "half.h"
#include "ops/fractals.h"
#include "ops/operands.h"

namespace npu::machine {
namespace {

// Columns [block * c0, ...) of a row as numbers of the panel's kind.
void widen_block(const FractalMatrix& matrix, int64_t row, int64_t block, int64_t count,
                 float* floats, int32_t* integers) {
  const uint8_t* source = matrix.at(matrix.row_start(row, block));
  if (matrix.type != ElementType::kI8) {
    kernels().load_float[type_index(matrix.type)](floats, source, 1, count);
    return;
  }
  const auto* bytes = reinterpret_cast<const int8_t*>(source);
  for (int64_t i = 0; i < count; ++i) integers[i] = bytes[i];
}

// HF32 keeps 11 bits of the mantissa, rounded to nearest even.
float round_to_hf32(float value) {
  const uint32_t bits = bits_of_float(value);
  if ((bits & 0x7f800000u) == 0x7f800000u) return value;
  return float_of_bits((bits + 0x7ffu + ((bits >> 12) & 1u)) & ~0xfffu);
}

template <typename T>
std::vector<T> transpose(const std::vector<T>& panel, int64_t rows, int64_t columns) {
  std::vector<T> result(panel.size());
  constexpr int64_t kTile = 16;
  for (int64_t row = 0; row < rows; row += kTile) {
    for (int64_t column = 0; column < columns; column += kTile) {
      for (int64_t r = row; r < std::min(rows, row + kTile); ++r) {
        for (int64_t c = column; c < std::min(columns, column + kTile); ++c) {
          result[c * rows + r] = panel[r * columns + c];
        }
      }
    }
  }
  return result;
}

// The library tiles k so that both operands fit L0A and L0B; if not even one block of k does, it
// traps.
bool check_l0_capacity(ExecutionContext& context, const FractalMatrix& matrix, int64_t rows) {
  constexpr int64_t kL0Bytes = 64 * 1024;
  const int64_t width = bytes_of(matrix.type);
  const int64_t align = std::max(kFractalRows, 32 / width);
  const int64_t padded = (rows + align - 1) / align * align;
  if (padded * align * width <= kL0Bytes) return true;
  return context.fail(fault_code::kL0Trap, "a side of " + std::to_string(rows) +
                                               " elements does not fit L0: the library traps");
}

}  // namespace

bool execute_l0_load(const Instruction& instruction, ExecutionContext& context) {
  const bool is_a = instruction.opcode() == Opcode::kL0LoadA;
  const MemoryView& view = instruction.input(0);
  const MmadShape shape = shape_of(instruction);
  std::deque<L0Panel>& panels = is_a ? context.l0a : context.l0b;
  if (shape.is_empty()) {  // the library returns before it loads anything
    panels.emplace_back();
    return true;
  }
  FractalMatrix matrix;
  if (!locate_fractals(context, view, MemorySpace::kL1, Access::kRead, matrix)) return false;
  if (!is_float(matrix.type) && matrix.type != ElementType::kI8) {
    return unsupported_type(context, matrix.type);
  }
  const bool transposed = instruction.operation->transposed;
  // The side of m (or n) as tiled in L1 decides about L0, not the part that is used.
  const bool lines_are_rows = is_a != transposed;
  const int64_t tile_side = lines_are_rows ? matrix.rows : matrix.columns;
  if (!check_l0_capacity(context, matrix, tile_side)) return false;

  const auto stored = [&](int64_t lines, int64_t depth) {
    return lines_are_rows ? std::pair(lines, depth) : std::pair(depth, lines);
  };
  const auto [used_rows, used_columns] = stored(is_a ? shape.m : shape.n, shape.k);
  if (used_rows > matrix.rows || used_columns > matrix.columns) {
    return context.fail(fault_code::kOutOfBoundsRead, "the multiplied part exceeds the tile");
  }
  // The library multiplies all rows of the tile of A, whatever m says; what k and n say holds.
  const int64_t lines = is_a ? tile_side : shape.n;
  const auto [rows, columns] = stored(lines, shape.k);
  L0Panel panel;
  panel.rows = is_a ? lines : shape.k;
  panel.columns = is_a ? shape.k : lines;
  const bool is_integer = matrix.type == ElementType::kI8;
  const auto count = static_cast<size_t>(rows * columns);
  (is_integer ? panel.integers.resize(count) : panel.floats.resize(count));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; column += matrix.c0) {
      const int64_t at = row * columns + column;
      widen_block(matrix, row, column / matrix.c0, std::min(matrix.c0, columns - column),
                  panel.floats.data() + (is_integer ? 0 : at),
                  panel.integers.data() + (is_integer ? at : 0));
    }
  }
  if (instruction.operation->hf32) {
    for (float& value : panel.floats) value = round_to_hf32(value);
  }
  if (transposed) {
    panel.floats = transpose(panel.floats, panel.floats.empty() ? 0 : rows, columns);
    panel.integers = transpose(panel.integers, panel.integers.empty() ? 0 : rows, columns);
  }
  panels.push_back(std::move(panel));
  return true;
}

// The bias is one plain row of n elements. The table holds it as the sums' type, float or int32.
bool execute_load_bias(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& row = instruction.input(0);
  const int64_t n = std::max<int64_t>(shape_of(instruction).n, 0);
  ChipElements elements;
  if (!locate(context, row, MemorySpace::kL1, Access::kRead, elements)) return false;
  const bool is_row = row.rank >= 1 && row.element_count() == row.sizes[row.rank - 1] &&
                      row.strides[row.rank - 1] == 1;
  const bool is_integer = row.type == ElementType::kI32;
  if (!is_row || !(is_integer || row.type == ElementType::kF32 || row.type == ElementType::kF16)) {
    return context.fail(fault_code::kIllegalOperand, "expected a row of f32, f16 or i32 as bias");
  }
  if (row.element_count() < n) {
    return context.fail(fault_code::kOutOfBoundsRead, "the bias is shorter than the product");
  }
  L0Panel bias{1, n, {}, {}};
  if (is_integer) {
    bias.integers.resize(static_cast<size_t>(n));
    std::memcpy(bias.integers.data(), elements.bytes, static_cast<size_t>(n) * sizeof(int32_t));
  } else {
    bias.floats.resize(static_cast<size_t>(n));
    kernels().load_float[type_index(row.type)](bias.floats.data(), elements.bytes, 1, n);
  }
  context.bias_table.push_back(std::move(bias));
  return true;
}

}  // namespace npu::machine
