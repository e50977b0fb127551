// The cube's data path: GM rows -> L1 fractals (nd2nz) -> L0 panels -> L0C fractals -> GM rows
// (fixpipe).
//
// A fractal view [N1, M1, 16, C0] holds a matrix of M1*16 rows and N1*C0 columns; C0 is 32 bytes of
// elements in L1 and 16 elements in L0C. Panels in L0 are kept as float (int32 for int8), row
// major, ready for the matmul kernel; sums of float products are float.
#include <algorithm>
#include <cstring>

#include "half.h"
#include "ops/gm_rows.h"
#include "ops/operands.h"

namespace npu::machine {
namespace {

constexpr int64_t kFractalRows = 16;

// A matrix stored as fractals, located in its memory.
struct FractalMatrix {
  uint8_t* bytes;
  ElementType type;
  int64_t rows, columns, c0;
  int64_t strides[4];

  // Position, in elements, of row `row` of column block `block`.
  int64_t row_start(int64_t row, int64_t block) const {
    return block * strides[0] + row / kFractalRows * strides[1] + row % kFractalRows * strides[2];
  }
  uint8_t* at(int64_t element) const { return bytes + element * bytes_of(type); }
};

bool locate_fractals(ExecutionContext& context, const MemoryView& view, MemorySpace space,
                     Access access, FractalMatrix& matrix) {
  ChipElements elements;
  if (!locate(context, view, space, access, elements)) return false;
  if (view.rank != 4 || view.sizes[2] != kFractalRows || view.type == ElementType::kI1 ||
      view.strides[3] != 1) {
    return context.fail(fault_code::kIllegalOperand, "expected a view of fractals");
  }
  const int64_t c0 = space == MemorySpace::kL0c ? 16 : 32 / bytes_of(view.type);
  if (view.sizes[3] != c0) {
    return context.fail(fault_code::kIllegalOperand, "fractals of another width");
  }
  matrix = {elements.bytes, view.type, view.sizes[1] * kFractalRows, view.sizes[0] * c0, c0, {}};
  std::copy(view.strides, view.strides + 4, matrix.strides);
  return true;
}

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

// With checking on: every element of the part that is multiplied was written.
bool check_written(ExecutionContext& context, const MemoryView& view, const FractalMatrix& matrix,
                   int64_t rows, int64_t columns) {
  if (!context.chip.has_shadow()) return true;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t block = 0; block * matrix.c0 < columns; ++block) {
      MemoryView part = view;
      part.rank = 1;
      part.offset += matrix.row_start(row, block);
      part.sizes[0] = std::min(matrix.c0, columns - block * matrix.c0);
      part.strides[0] = 1;
      const int64_t unwritten = context.chip.find_unwritten(part);
      if (unwritten >= 0) {
        return context.fail(fault_code::kUninitialisedRead,
                            "byte " + std::to_string(unwritten) +
                                " of l1 is multiplied but was never written",
                            {unwritten, unwritten + 1});
      }
    }
  }
  return true;
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

struct MmadShape {
  int64_t m, k, n;
  bool is_empty() const { return m <= 0 || k <= 0 || n <= 0; }
};

MmadShape shape_of(const Instruction& instruction) {
  return {instruction.scalars[0].integer, instruction.scalars[1].integer,
          instruction.scalars[2].integer};
}

// L0C <-> a row-major buffer of m x n elements of four bytes.
void gather_sums(const FractalMatrix& c, int64_t m, int64_t n, uint32_t* sums) {
  for (int64_t row = 0; row < m; ++row) {
    for (int64_t column = 0; column < n; column += c.c0) {
      const auto bytes = static_cast<size_t>(std::min(c.c0, n - column) * 4);
      std::memcpy(sums + row * n + column, c.at(c.row_start(row, column / c.c0)), bytes);
    }
  }
}

void scatter_sums(const FractalMatrix& c, int64_t m, int64_t n, const uint32_t* sums) {
  for (int64_t row = 0; row < m; ++row) {
    for (int64_t column = 0; column < n; column += c.c0) {
      const auto bytes = static_cast<size_t>(std::min(c.c0, n - column) * 4);
      std::memcpy(c.at(c.row_start(row, column / c.c0)), sums + row * n + column, bytes);
    }
  }
}

}  // namespace

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
  if (context.chip.has_shadow()) context.chip.mark_written(instruction.output(0));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; column += matrix.c0) {
      const int64_t count = std::min(matrix.c0, columns - column);
      uint8_t* target = matrix.at(matrix.row_start(row, column / matrix.c0));
      const int64_t at = row * source.strides[0] + column * source.strides[1];
      if (reach == GmReach::kInside && source.strides[1] == 1) {
        std::memcpy(target, gm.buffer->data + gm.first + at * gm.width,
                    static_cast<size_t>(count * gm.width));
      } else {
        load_guarded_row(context, gm, at, source.strides[1], MemorySpace::kL1, target, gm.width,
                         count);
      }
      // The instruction fills the last block of a row with zeros.
      std::memset(target + count * gm.width, 0, static_cast<size_t>((matrix.c0 - count) * gm.width));
    }
  }
  context.counters.gm_bytes_read += source.element_count() * gm.width;
  return true;
}

bool execute_l0_load(const Instruction& instruction, ExecutionContext& context) {
  const bool is_a = instruction.opcode() == Opcode::kL0LoadA;
  const MemoryView& view = instruction.input(0);
  const MmadShape shape = shape_of(instruction);
  FractalMatrix matrix;
  if (!locate_fractals(context, view, MemorySpace::kL1, Access::kRead, matrix)) return false;
  const bool transposed = instruction.operation->transposed;
  // The side of m (or n) as tiled in L1 decides about L0, not the part that is used.
  const bool side_is_rows = is_a != transposed;
  if (!check_l0_capacity(context, matrix, side_is_rows ? matrix.rows : matrix.columns)) return false;

  L0Panel panel;
  if (!shape.is_empty()) {
    panel.rows = is_a ? shape.m : shape.k;
    panel.columns = is_a ? shape.k : shape.n;
  }
  const int64_t rows = transposed ? panel.columns : panel.rows;
  const int64_t columns = transposed ? panel.rows : panel.columns;
  if (rows > matrix.rows || columns > matrix.columns) {
    return context.fail(fault_code::kOutOfBoundsRead, "the multiplied part exceeds the tile");
  }
  if (!check_written(context, view, matrix, rows, columns)) return false;
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
  (is_a ? context.l0a : context.l0b).push_back(std::move(panel));
  return true;
}

// The bias is one plain row of n elements. The table holds it as float.
bool execute_load_bias(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& row = instruction.input(0);
  const int64_t n = std::max<int64_t>(shape_of(instruction).n, 0);
  ChipElements elements;
  if (!locate(context, row, MemorySpace::kL1, Access::kRead, elements)) return false;
  const bool is_row = row.rank >= 1 && row.element_count() == row.sizes[row.rank - 1] &&
                      row.strides[row.rank - 1] == 1;
  if (!is_row || (row.type != ElementType::kF32 && row.type != ElementType::kF16)) {
    return context.fail(fault_code::kIllegalOperand, "expected a row of f32 or f16 as bias");
  }
  if (row.element_count() < n) {
    return context.fail(fault_code::kOutOfBoundsRead, "the bias is shorter than the product");
  }
  const int64_t unwritten = context.chip.has_shadow() ? context.chip.find_unwritten(row) : -1;
  if (unwritten >= 0) {
    return context.fail(fault_code::kUninitialisedRead,
                        "byte " + std::to_string(unwritten) +
                            " of l1 is a bias but was never written",
                        {unwritten, unwritten + 1});
  }
  std::vector<float> bias(static_cast<size_t>(n));
  kernels().load_float[type_index(row.type)](bias.data(), elements.bytes, 1, n);
  context.bias_table.push_back(std::move(bias));
  return true;
}

bool execute_mmad(const Instruction& instruction, ExecutionContext& context) {
  const MmadShape shape = shape_of(instruction);
  const bool clears = instruction.scalars[3].integer & 1;
  FractalMatrix c;
  if (!locate_fractals(context, instruction.output(0), MemorySpace::kL0c, Access::kWrite, c)) {
    return false;
  }
  if (context.l0a.empty() || context.l0b.empty()) {
    return context.fail(fault_code::kIllegalOperand, "L0A or L0B is not loaded");
  }
  const L0Panel a = std::move(context.l0a.front()), b = std::move(context.l0b.front());
  context.l0a.pop_front();
  context.l0b.pop_front();
  const bool is_biased = instruction.operation->biased;
  std::vector<float> bias;
  if (is_biased) {
    if (context.bias_table.empty()) {
      return context.fail(fault_code::kIllegalOperand, "the bias table is not loaded");
    }
    bias = std::move(context.bias_table.front());
    context.bias_table.pop_front();
  }
  if (shape.is_empty()) return true;
  const bool is_integer = !a.integers.empty();
  if (shape.m > c.rows || shape.n > c.columns || is_integer != !b.integers.empty() ||
      c.type != (is_integer ? ElementType::kI32 : ElementType::kF32)) {
    return context.fail(fault_code::kIllegalOperand, "operands of the product do not match");
  }
  std::vector<uint32_t> sums(static_cast<size_t>(shape.m * shape.n));
  if (is_biased && (is_integer || !clears)) {
    return context.fail(fault_code::kIllegalOperand, "a bias on a product that accumulates");
  }
  for (int64_t row = 0; is_biased && row < shape.m; ++row) {
    std::memcpy(sums.data() + row * shape.n, bias.data(), bias.size() * sizeof(float));
  }
  if (!clears) gather_sums(c, shape.m, shape.n, sums.data());
  if (is_integer) {
    kernels().matmul_int(reinterpret_cast<int32_t*>(sums.data()), shape.n, a.integers.data(),
                         shape.k, b.integers.data(), shape.n, shape.m, shape.n, shape.k);
  } else {
    kernels().matmul_float(reinterpret_cast<float*>(sums.data()), shape.n, a.floats.data(), shape.k,
                           b.floats.data(), shape.n, shape.m, shape.n, shape.k);
  }
  scatter_sums(c, shape.m, shape.n, sums.data());
  return true;
}

bool execute_fixpipe(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& target = instruction.output(0);
  FractalMatrix c;
  if (!locate_fractals(context, instruction.input(0), MemorySpace::kL0c, Access::kRead, c)) {
    return false;
  }
  if (target.space != MemorySpace::kGm || target.rank != 2) {
    return context.fail(fault_code::kIllegalOperand, "expected rows in gm");
  }
  const bool is_integer = c.type == ElementType::kI32;
  if (is_integer ? target.type != ElementType::kI32 : !is_float(target.type)) {
    return unsupported_type(context, target.type);
  }
  const int64_t rows = target.sizes[0], columns = target.sizes[1];
  if (target.is_empty()) return true;
  if (rows > c.rows || columns > c.columns) {
    return context.fail(fault_code::kOutOfBoundsRead, "the rows exceed the fractals");
  }
  if (!check_gm_write(context, target)) return false;
  const GmElements gm = gm_elements(context, target);
  const bool relu = instruction.operation->relu;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; column += c.c0) {
      const int64_t count = std::min(c.c0, columns - column);
      const uint8_t* source = c.at(c.row_start(row, column / c.c0));
      const int64_t at = row * target.strides[0] + column * target.strides[1];
      uint8_t* out = gm.buffer->data + gm.first + at * gm.width;
      if (is_integer) {
        int64_t values[kFractalRows];
        kernels().load_int[type_index(ElementType::kI32)](values, source, 1, count);
        for (int64_t i = 0; relu && i < count; ++i) values[i] = std::max<int64_t>(values[i], 0);
        kernels().store_int[type_index(ElementType::kI32)](out, target.strides[1], values, count);
      } else {
        float values[kFractalRows];
        std::memcpy(values, source, static_cast<size_t>(count) * sizeof(float));
        for (int64_t i = 0; relu && i < count; ++i) values[i] = values[i] < 0 ? 0 : values[i];
        kernels().store_float[type_index(target.type)](out, target.strides[1], values, count);
      }
    }
  }
  context.counters.gm_bytes_written += target.element_count() * gm.width;
  return true;
}

}  // namespace npu::machine
