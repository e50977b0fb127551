// vcast: every pair of element types, with the round modes of the instruction.
//
// A row goes through a working form: float for float sources, int64 for integers and i1. Float to
// integer rounds by the mode and saturates (NaN gives 0), truncwithoverflow wraps instead; integer
// to integer keeps the low bits. Float to a narrower float rounds by the mode too.
#include <algorithm>
#include <cmath>

#include "half.h"
#include "ops/cast.h"

namespace npu::machine {
namespace {

UnaryKernel rounding_kernel(RoundMode mode) {
  switch (mode) {
    case RoundMode::kRint: return UnaryKernel::kRint;
    case RoundMode::kRound: return UnaryKernel::kRound;
    case RoundMode::kFloor: return UnaryKernel::kFloor;
    case RoundMode::kCeil: return UnaryKernel::kCeil;
    default: return UnaryKernel::kTrunc;
  }
}

bool narrows(const CastPlan& plan) {
  return is_float(plan.output->type) &&
         bits_of(plan.output->type) < bits_of(plan.source->type);
}

// Integers of an i1 or integer row; an unsigned source loses its sign.
void load_integers(const CastPlan& plan, int64_t* dst, int64_t first, int64_t stride, int64_t n) {
  const RowOperand& source = *plan.source;
  if (source.type == ElementType::kI1) {
    uint8_t bools[kRowChunk];
    load_bools(bools, source, first, stride, n);
    for (int64_t i = 0; i < n; ++i) dst[i] = bools[i];
    return;
  }
  kernels().load_int[type_index(source.type)](dst, source.at(first), stride, n);
  if (!plan.is_unsigned) return;
  const auto width = static_cast<unsigned>(bits_of(source.type));
  for (int64_t i = 0; i < n; ++i) dst[i] = static_cast<int64_t>(unsigned_of(dst[i], width));
}

void store_integers(const CastPlan& plan, const int64_t* src, int64_t first, int64_t stride,
                    int64_t n) {
  const RowOperand& output = *plan.output;
  if (output.type == ElementType::kI1) {
    uint8_t bools[kRowChunk];
    for (int64_t i = 0; i < n; ++i) bools[i] = src[i] != 0;
    store_bools(output, first, stride, bools, n);
    return;
  }
  kernels().store_int[type_index(output.type)](output.at(first), stride, src, n);
}

// `values` are already rounded.
void floats_to_integers(const CastPlan& plan, const float* values, int64_t* dst, int64_t n) {
  const ElementType type = plan.output->type;
  const auto width = static_cast<unsigned>(bits_of(type));
  for (int64_t i = 0; i < n; ++i) {
    if (type == ElementType::kI1) {
      dst[i] = values[i] != 0.0f;
    } else if (plan.mode == RoundMode::kTruncWithOverflow) {
      dst[i] = wrap(signed_of_float(values[i], 64), width);
    } else {
      dst[i] = plan.is_unsigned ? unsigned_of_float(values[i], width)
                                : signed_of_float(values[i], width);
    }
  }
}

// The neighbour of `value` in a 16-bit float type that `mode` picks. Patterns of one sign are in
// the order of their values, so a neighbour is one away.
uint16_t round_directed(float value, ElementType type, RoundMode mode) {
  const bool is_half = type == ElementType::kF16;
  const auto widen = [&](int bits) {
    const auto pattern = static_cast<uint16_t>(bits);
    return is_half ? float_of_fp16(pattern) : float_of_bf16(pattern);
  };
  const uint16_t nearest = is_half ? fp16_of_float(value) : bf16_of_float(value);
  const float back = widen(nearest);
  if (back == value || value != value) return nearest;
  const bool grew = std::fabs(back) > std::fabs(value);
  const bool is_negative = std::signbit(value);
  bool grows = false;
  switch (mode) {
    case RoundMode::kRint: return nearest;
    case RoundMode::kFloor: grows = is_negative; break;
    case RoundMode::kCeil: grows = !is_negative; break;
    case RoundMode::kRound: {
      const double other = widen(grew ? nearest - 1 : nearest + 1);
      const bool is_tie = double{value} - double{back} == other - double{value};
      grows = is_tie || grew;
      break;
    }
    default: break;
  }
  if (grows == grew) return nearest;
  return static_cast<uint16_t>(grows ? nearest + 1 : nearest - 1);
}

void cast_from_float(const CastPlan& plan, int64_t from, int64_t from_stride, int64_t to,
                     int64_t to_stride, int64_t n) {
  float values[kRowChunk];
  const RowOperand& source = *plan.source;
  const RowOperand& output = *plan.output;
  kernels().load_float[type_index(source.type)](values, source.at(from), from_stride, n);
  const bool rounds_to_integer = !is_float(output.type) || output.type == source.type;
  if (rounds_to_integer && output.type != ElementType::kI1) {
    const int kernel = static_cast<int>(rounding_kernel(plan.mode));
    kernels().unary[kernel][type_index(ElementType::kF32)](values, 1, values, 1, n);
  }
  if (narrows(plan) && plan.mode != RoundMode::kRint) {
    auto* narrow = static_cast<uint16_t*>(output.at(to));
    for (int64_t i = 0; i < n; ++i) {
      narrow[i * to_stride] = round_directed(values[i], output.type, plan.mode);
    }
    return;
  }
  if (is_float(output.type)) {
    kernels().store_float[type_index(output.type)](output.at(to), to_stride, values, n);
    return;
  }
  if (output.type == ElementType::kI32 && to_stride == 1 && !plan.is_unsigned &&
      plan.mode != RoundMode::kTruncWithOverflow) {
    kernels().int32_of_float(static_cast<int32_t*>(output.at(to)), values, n);
    return;
  }
  int64_t integers[kRowChunk];
  floats_to_integers(plan, values, integers, n);
  store_integers(plan, integers, to, to_stride, n);
}

void cast_from_integer(const CastPlan& plan, int64_t from, int64_t from_stride, int64_t to,
                       int64_t to_stride, int64_t n) {
  const RowOperand& source = *plan.source;
  const RowOperand& output = *plan.output;
  float values[kRowChunk];
  if (is_float(output.type) && source.type == ElementType::kI32 && from_stride == 1 &&
      !plan.is_unsigned) {
    kernels().float_of_int32(values, static_cast<const int32_t*>(source.at(from)), n);
    kernels().store_float[type_index(output.type)](output.at(to), to_stride, values, n);
    return;
  }
  int64_t integers[kRowChunk];
  load_integers(plan, integers, from, from_stride, n);
  if (!is_float(output.type)) {
    store_integers(plan, integers, to, to_stride, n);
    return;
  }
  for (int64_t i = 0; i < n; ++i) values[i] = static_cast<float>(integers[i]);
  kernels().store_float[type_index(output.type)](output.at(to), to_stride, values, n);
}

}  // namespace

void cast_row(const CastPlan& plan, int64_t count) {
  const auto convert = is_float(plan.source->type) ? cast_from_float : cast_from_integer;
  for (int64_t start = 0; start < count; start += kRowChunk) {
    convert(plan, start, 1, start, 1, std::min(kRowChunk, count - start));
  }
}

bool execute_cast(const Instruction& instruction, ExecutionContext& context) {
  ElementwiseOperands operands(instruction.output(0));
  if (!operands.prepare(instruction, context)) return false;
  if (operands.source_count != 1 || instruction.input_count != 1) {
    return context.fail(fault_code::kIllegalOperand, "wrong number of operands");
  }
  const CastPlan plan = {&operands.sources[0], &operands.output, instruction.operation->round_mode,
                         instruction.operation->cast_unsigned};
  const bool from_float = is_float(plan.source->type);
  return operands.nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t start = 0; start < count; start += kRowChunk) {
      const int64_t n = std::min(kRowChunk, count - start);
      const int64_t to = at[0] + start * by[0], from = at[1] + start * by[1];
      (from_float ? cast_from_float : cast_from_integer)(plan, from, by[1], to, by[0], n);
    }
    return true;
  });
}

}  // namespace npu::machine
