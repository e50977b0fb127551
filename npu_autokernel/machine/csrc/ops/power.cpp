// vpow of int32: binary exponentiation, as the library does it.
//
// The library fills the result with ones before it reads the base, squares the base in place as
// often as the largest exponent has bits, and shifts the exponents to zero. So a result that
// shares bytes with an operand is lost: that is a fault here. Results wrap; a negative exponent
// gives the reciprocal of the power, truncated, and 0 for a base of 0.
#include <algorithm>
#include <cstdlib>

#include "ops/operands.h"

namespace npu::machine {
namespace {

uint32_t size_of_exponent(int32_t exponent) {
  if (exponent == INT32_MIN) return 2;  // the library takes it for -2
  return static_cast<uint32_t>(std::abs(exponent));
}

int32_t power_of(int32_t base, int32_t exponent) {
  uint32_t result = 1, square = static_cast<uint32_t>(base);
  for (uint32_t rest = size_of_exponent(exponent); rest > 0; rest >>= 1) {
    if (rest & 1) result *= square;
    square *= square;
  }
  const auto power = static_cast<int32_t>(result);
  if (exponent >= 0 || base == 0) return power;
  return power == 1 || power == -1 ? power : 0;
}

int bit_length(uint32_t value) {
  int bits = 0;
  for (; value > 0; value >>= 1) ++bits;
  return bits;
}

bool overlaps(const MemoryView& a, const MemoryView& b) {
  const ByteSpan x = span_of(a), y = span_of(b);
  return x.first < y.last && y.first < x.last;
}

int32_t& element(const RowOperand& operand, int64_t index) {
  return *static_cast<int32_t*>(operand.at(index));
}

}  // namespace

bool execute_power(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& base_view = instruction.input(0);
  const MemoryView& exponent_view = instruction.input(1);
  const MemoryView& target = instruction.output(0);
  RowOperand base, exponent, out;
  if (!set_view(context, base, base_view, Access::kWrite) ||
      !set_view(context, exponent, exponent_view, Access::kWrite) ||
      !set_view(context, out, target, Access::kWrite)) {
    return false;
  }
  if (out.type != ElementType::kI32) return unsupported_type(context, out.type);
  LoopNest nest(target);
  nest.add(target);
  if (target.rank != 1 || base.type != out.type || exponent.type != out.type ||
      base_view.sizes[0] != target.sizes[0] || exponent_view.sizes[0] != target.sizes[0] ||
      !nest.add(base_view) || !nest.add(exponent_view)) {
    return context.fail(fault_code::kIllegalOperand, "operand shapes or types do not match");
  }
  if (overlaps(target, base_view) || overlaps(target, exponent_view)) {
    return context.fail(fault_code::kIllegalOperand,
                        "the result of vpow lies over its operands: the library fills it with "
                        "ones before it reads them",
                        span_of(target));
  }
  int rounds = 1;
  nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const int32_t value = element(exponent, at[2] + i * by[2]);
      element(out, at[0] + i * by[0]) = power_of(element(base, at[1] + i * by[1]), value);
      rounds = std::max(rounds, bit_length(size_of_exponent(value)));
    }
    return true;
  });
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int32_t& square = element(base, at[1] + i * by[1]);
      for (int round = 1; round < rounds; ++round) {
        const auto value = static_cast<uint32_t>(square);
        square = static_cast<int32_t>(value * value);
      }
      element(exponent, at[2] + i * by[2]) = 0;
    }
    return true;
  });
}

}  // namespace npu::machine
