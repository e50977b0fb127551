// L0A x L0B -> L0C: sums of float products are float, those of int8 products int32.
//
// A product covers all rows of its tile of L0C (as far as L0A has them), more than m: the rows
// behind m are those of what pads the tile of A in L1. The compiler counts on it where fixpipe takes
// the whole tile.
#include <algorithm>
#include <cstring>

#include "kernels/kernel_table.h"
#include "ops/fractals.h"

namespace npu::machine {
namespace {

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

bool take_panel(ExecutionContext& context, std::deque<L0Panel>& panels, const char* name,
                L0Panel& panel) {
  if (panels.empty()) {
    return context.fail(fault_code::kIllegalOperand, std::string(name) + " is not loaded");
  }
  panel = std::move(panels.front());
  panels.pop_front();
  return true;
}

// What the product adds to: zeros, the bias in each row, or what is in L0C. A product that does not
// clear leaves its bias alone: in a loop over k only the first turn adds it.
bool start_sums(ExecutionContext& context, const FractalMatrix& c, int64_t rows, int64_t columns,
                bool clears, const L0Panel& bias, std::vector<uint32_t>& sums) {
  sums.resize(static_cast<size_t>(rows * columns));
  if (!clears) {
    gather_sums(c, rows, columns, sums.data());
    return true;
  }
  if (bias.columns == 0) return true;
  const bool is_integer = c.type == ElementType::kI32;
  if (is_integer != bias.floats.empty()) {
    return context.fail(fault_code::kIllegalOperand, "the bias is of another type than the sums");
  }
  const void* row = is_integer ? static_cast<const void*>(bias.integers.data())
                               : static_cast<const void*>(bias.floats.data());
  for (int64_t i = 0; i < rows; ++i) {
    std::memcpy(sums.data() + i * columns, row, static_cast<size_t>(columns) * sizeof(uint32_t));
  }
  return true;
}

}  // namespace

bool execute_mmad(const Instruction& instruction, ExecutionContext& context) {
  const MmadShape shape = shape_of(instruction);
  const bool clears = instruction.scalars[3].integer & 1;
  FractalMatrix c;
  L0Panel a, b, bias;
  if (!locate_fractals(context, instruction.output(0), MemorySpace::kL0c, Access::kWrite, c) ||
      !take_panel(context, context.l0a, "L0A", a) || !take_panel(context, context.l0b, "L0B", b) ||
      (instruction.operation->biased &&
       !take_panel(context, context.bias_table, "the bias table", bias))) {
    return false;
  }
  if (shape.is_empty()) return true;
  const bool is_integer = !a.integers.empty();
  if (shape.m > c.rows || shape.n > c.columns || is_integer != !b.integers.empty() ||
      c.type != (is_integer ? ElementType::kI32 : ElementType::kF32)) {
    return context.fail(fault_code::kIllegalOperand, "operands of the product do not match");
  }
  const int64_t rows = std::min(a.rows, c.rows);
  std::vector<uint32_t> sums;
  if (!start_sums(context, c, rows, shape.n, clears, bias, sums)) return false;
  if (is_integer) {
    kernels().matmul_int(reinterpret_cast<int32_t*>(sums.data()), shape.n, a.integers.data(),
                         shape.k, b.integers.data(), shape.n, rows, shape.n, shape.k);
  } else {
    kernels().matmul_float(reinterpret_cast<float*>(sums.data()), shape.n, a.floats.data(), shape.k,
                           b.floats.data(), shape.n, rows, shape.n, shape.k);
  }
  scatter_sums(c, rows, shape.n, sums.data());
  return true;
}

}  // namespace npu::machine
