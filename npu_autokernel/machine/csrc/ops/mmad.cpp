// L0A x L0B -> L0C: sums of float products are float, those of int8 products int32.
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

}  // namespace

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

}  // namespace npu::machine
