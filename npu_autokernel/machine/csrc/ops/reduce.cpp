// vreduce: over any set of dims, with or without the index of the winner.
#include <algorithm>
#include <cstring>

#include "ops/operands.h"

namespace npu::machine {
namespace {

BinaryKernel combining_kernel(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::kSum: return BinaryKernel::kAdd;
    case ReduceKind::kProd: return BinaryKernel::kMul;
    case ReduceKind::kMax: return BinaryKernel::kMax;
    case ReduceKind::kMin: return BinaryKernel::kMin;
    case ReduceKind::kXor: return BinaryKernel::kXor;
    case ReduceKind::kOr: return BinaryKernel::kOr;
    default: return BinaryKernel::kAnd;
  }
}

// The source split into the dims that stay (walked with the output) and those that go.
struct ReducePlan {
  MemoryView kept;     // source view with the reduced dims taken as one element
  MemoryView reduced;  // the reduced dims alone
};

bool make_plan(const Instruction& instruction, ExecutionContext& context, ReducePlan& plan) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& output = instruction.output(0);
  const Operation& operation = *instruction.operation;
  bool is_reduced[kMaxRank] = {};
  for (int i = 0; i < operation.dim_count; ++i) is_reduced[operation.dims[i]] = true;
  plan.kept = source;
  plan.reduced = source;
  plan.reduced.rank = 0;
  bool matches = output.rank == source.rank && output.type == source.type;
  for (int dim = 0; dim < source.rank && matches; ++dim) {
    if (!is_reduced[dim]) {
      matches = output.sizes[dim] == source.sizes[dim];
      continue;
    }
    matches = output.sizes[dim] == 1;
    plan.kept.sizes[dim] = 1;
    plan.reduced.sizes[plan.reduced.rank] = source.sizes[dim];
    plan.reduced.strides[plan.reduced.rank++] = source.strides[dim];
  }
  if (plan.reduced.is_empty()) matches = false;
  return matches || context.fail(fault_code::kIllegalOperand, "reduced shapes do not match");
}

bool reduces_last_dim(const Instruction& instruction) {
  const MemoryView& source = instruction.input(0);
  for (int dim = source.rank - 1; dim >= 0; --dim) {
    if (source.sizes[dim] == 1) continue;
    const Operation& operation = *instruction.operation;
    return std::find(operation.dims, operation.dims + operation.dim_count, dim) !=
           operation.dims + operation.dim_count;
  }
  return true;
}

// Rows along the last dim: each becomes one element.
bool reduce_rows(const ReducePlan& plan, const RowOperand& in, const RowOperand& out,
                 LoopNest& nest, ReduceRow reduce, BinaryRow combine) {
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      void* target = out.at(at[0] + i * by[0]);
      const int64_t start = at[1] + i * by[1];
      LoopNest inner(plan.reduced);
      inner.add(plan.reduced);
      bool is_first = true;
      inner.for_each_row([&](const int64_t* offset, const int64_t* stride, int64_t length) {
        uint64_t partial = 0;
        void* into = is_first ? target : static_cast<void*>(&partial);
        reduce(into, in.at(start + offset[0]), stride[0], length);
        if (!is_first) combine(target, 1, target, 1, &partial, 1, 1);
        is_first = false;
        return true;
      });
    }
    return true;
  });
}

// Rows along a dim that stays: row after row is combined into the output row.
bool accumulate_rows(const ReducePlan& plan, const RowOperand& in, const RowOperand& out,
                     LoopNest& nest, CopyRow copy, BinaryRow combine) {
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    LoopNest outer(plan.reduced);
    outer.add(plan.reduced);
    bool is_first = true;
    return outer.for_each_row([&](const int64_t* offset, const int64_t* stride, int64_t length) {
      for (int64_t i = 0; i < length; ++i) {
        const void* row = in.at(at[1] + offset[0] + i * stride[0]);
        void* target = out.at(at[0]);
        if (is_first) {
          copy(target, by[0], row, by[1], count);
        } else {
          combine(target, by[0], target, by[0], row, by[1], count);
        }
        is_first = false;
      }
      return true;
    });
  });
}

// Whether `value`, which comes later, takes the place of `best`.
bool beats(float value, float best, bool wants_max, bool last_of_ties) {
  if (best != best) return last_of_ties && value != value;
  if (value != value || (wants_max ? value > best : value < best)) return true;
  return last_of_ties && value == best;
}

// The first or last maximum or minimum; a NaN wins over any number.
bool reduce_with_index(const Instruction& instruction, ExecutionContext& context,
                       const ReducePlan& plan, const RowOperand& in, const RowOperand& out) {
  const MemoryView& index_view = instruction.output(1);
  RowOperand index;
  if (!set_view(context, index, index_view, Access::kWrite)) return false;
  if (index.type != ElementType::kI32 || plan.reduced.rank != 1 || !is_float(in.type)) {
    return context.fail(fault_code::kUnsupportedOp, "reduction with an index of this form");
  }
  LoopNest nest(instruction.output(0));
  nest.add(instruction.output(0));
  if (!nest.add(plan.kept) || !nest.add(index_view)) {
    return context.fail(fault_code::kIllegalOperand, "reduced shapes do not match");
  }
  const bool wants_max = instruction.operation->reduce_kind == ReduceKind::kMaxIndex;
  const bool last_of_ties = instruction.operation->last_of_ties;
  const LoadFloatRow load = kernels().load_float[type_index(in.type)];
  const int64_t size = plan.reduced.sizes[0], step = plan.reduced.strides[0];
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t start = at[1] + i * by[1];
      float best = 0;
      int64_t best_index = 0;
      for (int64_t k = 0; k < size; ++k) {
        float value;
        load(&value, in.at(start + k * step), 1, 1);
        if (k == 0 || beats(value, best, wants_max, last_of_ties)) best = value, best_index = k;
      }
      std::memcpy(out.at(at[0] + i * by[0]), in.at(start + best_index * step),
                  static_cast<size_t>(bytes_of(in.type)));
      const auto found = static_cast<int32_t>(best_index);
      std::memcpy(index.at(at[2] + i * by[2]), &found, sizeof found);
    }
    return true;
  });
}

}  // namespace

bool execute_reduce(const Instruction& instruction, ExecutionContext& context) {
  ReducePlan plan;
  if (!make_plan(instruction, context, plan)) return false;
  RowOperand in, out;
  if (!set_view(context, in, instruction.input(0), Access::kRead) ||
      !set_view(context, out, instruction.output(0), Access::kWrite)) {
    return false;
  }
  const ReduceKind kind = instruction.operation->reduce_kind;
  if (kind == ReduceKind::kMaxIndex || kind == ReduceKind::kMinIndex) {
    return reduce_with_index(instruction, context, plan, in, out);
  }
  const int kernel = static_cast<int>(combining_kernel(kind));
  const ReduceRow reduce = kernels().reduce[kernel][type_index(in.type)];
  const BinaryRow combine = kernels().binary[kernel][type_index(in.type)];
  if (!reduce || !combine) return unsupported_type(context, in.type);
  LoopNest nest(instruction.output(0));
  nest.add(instruction.output(0));
  if (!nest.add(plan.kept)) {
    return context.fail(fault_code::kIllegalOperand, "reduced shapes do not match");
  }
  if (reduces_last_dim(instruction)) return reduce_rows(plan, in, out, nest, reduce, combine);
  const CopyRow copy = kernels().copy[width_index(bytes_of(in.type))];
  return accumulate_rows(plan, in, out, nest, copy, combine);
}

}  // namespace npu::machine
