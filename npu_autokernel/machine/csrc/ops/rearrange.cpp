// Ops that write, move or reorder elements without computing: fill, arange, copy, transpose,
// interleave, gather, flip and sort.
#include <algorithm>
#include <cstring>
#include <vector>

#include "ops/operands.h"

namespace npu::machine {
namespace {

bool mismatch(ExecutionContext& context) {
  return context.fail(fault_code::kIllegalOperand, "operand shapes or types do not match");
}

// Copies `source` to `target`, element by element in the order of `target`.
bool copy_view(ExecutionContext& context, const MemoryView& source, const MemoryView& target,
               MemorySpace target_space = MemorySpace::kUb) {
  RowOperand in, out;
  if (!set_view(context, in, source, Access::kRead) ||
      !set_view(context, out, target, Access::kWrite, target_space)) {
    return false;
  }
  LoopNest nest(target);
  nest.add(target);
  if (in.type != out.type || !nest.add(source)) return mismatch(context);
  if (in.is_bit_packed) {
    return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
      uint8_t bools[kRowChunk];
      for (int64_t start = 0; start < count; start += kRowChunk) {
        const int64_t n = std::min(kRowChunk, count - start);
        load_bools(bools, in, at[1] + start * by[1], by[1], n);
        store_bools(out, at[0] + start * by[0], by[0], bools, n);
      }
      return true;
    });
  }
  const int64_t width = bytes_of(in.type);
  const CopyRow copy = kernels().copy[width_index(static_cast<int>(width))];
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    if (by[0] == 1 && by[1] == 1) {
      std::memmove(out.at(at[0]), in.at(at[1]), static_cast<size_t>(count * width));
    } else {
      copy(out.at(at[0]), by[0], in.at(at[1]), by[1], count);
    }
    return true;
  });
}

int normalised_axis(int axis, const MemoryView& view) { return axis < 0 ? view.rank - 1 : axis; }

// Rows of a view along one axis: the view with that axis taken as one element.
MemoryView without_axis(const MemoryView& view, int axis) {
  MemoryView rows = view;
  rows.sizes[axis] = 1;
  return rows;
}

}  // namespace

bool execute_fill(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& target = instruction.output(0);
  if (instruction.input_count == 1) return copy_view(context, instruction.input(0), target);
  ChipElements elements;
  const MemorySpace space =
      instruction.opcode() == Opcode::kL1Fill ? MemorySpace::kL1 : MemorySpace::kUb;
  if (!locate(context, target, space, Access::kWrite, elements)) return false;
  RowOperand out, value;
  out.type = target.type;
  out.is_bit_packed = target.is_bit_packed();
  out.bytes = elements.bytes;
  out.bit = elements.bit;
  set_number(value, instruction.scalars[0], target.type);
  LoopNest nest(target);
  nest.add(target);
  if (out.is_bit_packed) {
    uint8_t bools[kRowChunk];
    std::memset(bools, static_cast<int>(value.storage & 1), sizeof bools);
    return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
      for (int64_t start = 0; start < count; start += kRowChunk) {
        const int64_t n = std::min(kRowChunk, count - start);
        store_bools(out, at[0] + start * by[0], by[0], bools, n);
      }
      return true;
    });
  }
  const CopyRow copy = kernels().copy[width_index(bytes_of(target.type))];
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    copy(out.at(at[0]), by[0], value.bytes, 0, count);
    return true;
  });
}

bool execute_range(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& target = instruction.output(0);
  RowOperand out;
  if (!set_view(context, out, target, Access::kWrite)) return false;
  if (is_float(out.type) || out.type == ElementType::kI1) return unsupported_type(context, out.type);
  LoopNest nest(target);
  nest.add(target);
  nest.add_strides(instruction.range_strides);  // its "offset" is the value
  const StoreIntRow store = kernels().store_int[type_index(out.type)];
  const int64_t first = instruction.scalars[0].integer;
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t value = add(first, add(at[1], multiply(i, by[1])));
      store(out.at(at[0] + i * by[0]), 1, &value, 1);
    }
    return true;
  });
}

bool execute_copy(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& target = instruction.output(0);
  const bool is_to_l1 = instruction.pipe() == Pipe::kMte3;
  if (is_to_l1 && !context.neighbours.cube) {
    return context.fail(fault_code::kUnsupportedOp, "no cube core whose L1 UB has a path to");
  }
  return copy_view(context, source, target, is_to_l1 ? MemorySpace::kL1 : MemorySpace::kUb);
}

bool execute_transpose(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const Operation& operation = *instruction.operation;
  if (operation.dim_count != source.rank) return mismatch(context);
  MemoryView permuted = source;
  for (int dim = 0; dim < source.rank; ++dim) {
    const int from = operation.dims[dim];
    if (from >= source.rank) return mismatch(context);
    permuted.sizes[dim] = source.sizes[from];
    permuted.strides[dim] = source.strides[from];
  }
  return copy_view(context, permuted, instruction.output(0));
}

// out[..., channel + i * channels] = in_channel[..., i]
bool execute_interleave(const Instruction& instruction, ExecutionContext& context) {
  const int channels = instruction.operation->channel_count;
  for (int channel = 0; channel < channels; ++channel) {
    MemoryView part = instruction.output(0);
    const int last = part.rank - 1;
    if (last < 0 || part.sizes[last] % channels != 0) return mismatch(context);
    part.offset += channel * part.strides[last];
    part.strides[last] *= channels;
    part.sizes[last] /= channels;
    if (!copy_view(context, instruction.input(channel), part)) return false;
  }
  return true;
}

// The reverse. For one channel of a source of the output's size the source is a buffer padded to
// blocks, its elements the channel's already: the library goes by the strides, it is not told the
// number of channels.
bool execute_deinterleave(const Instruction& instruction, ExecutionContext& context) {
  const Operation& operation = *instruction.operation;
  const MemoryView& source = instruction.input(0);
  const int channels = operation.channel_count;
  const int last = source.rank - 1;
  if (last < 0) return mismatch(context);
  for (int output = 0; output < instruction.output_count; ++output) {
    MemoryView part = source;
    const int channel = operation.channel >= 0 ? operation.channel : output;
    const bool is_padded =
        operation.channel == 0 && source.sizes[last] == instruction.output(output).sizes[last];
    if (!is_padded) {
      if (source.sizes[last] % channels != 0) return mismatch(context);
      part.offset += channel * source.strides[last];
      part.strides[last] *= channels;
      part.sizes[last] /= channels;
    }
    if (!copy_view(context, part, instruction.output(output))) return false;
  }
  return true;
}

// out[..., i] = in[..., index[..., i]] along the axis.
bool execute_gather(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& index_view = instruction.input(1);
  const MemoryView& target = instruction.output(0);
  RowOperand in, index, out;
  if (!set_view(context, in, source, Access::kRead) ||
      !set_view(context, index, index_view, Access::kRead) ||
      !set_view(context, out, target, Access::kWrite)) {
    return false;
  }
  if (source.rank == 0 || source.rank != target.rank || in.type != out.type) {
    return mismatch(context);
  }
  if (in.type == ElementType::kI1) return unsupported_type(context, in.type);
  if (is_float(index.type) || index.type == ElementType::kI1) {
    return unsupported_type(context, index.type);
  }
  const int axis = normalised_axis(instruction.operation->axis, source);
  if (axis >= source.rank) return mismatch(context);
  // The source walks with the output in every other dim and stands still along the axis.
  MemoryView base = without_axis(source, axis);
  base.strides[axis] = 0;
  LoopNest nest(target);
  nest.add(target);
  if (!nest.add(index_view) || !nest.add(base)) return mismatch(context);
  const LoadIntRow load = kernels().load_int[type_index(index.type)];
  const int64_t size = source.sizes[axis], step = source.strides[axis];
  const auto width = static_cast<size_t>(bytes_of(in.type));
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t where = 0;
      load(&where, index.at(at[1] + i * by[1]), 1, 1);
      if (where < 0 || where >= size) {
        return context.fail(fault_code::kOutOfBoundsRead,
                            "gather index " + std::to_string(where) + " of " +
                                std::to_string(size) + " elements");
      }
      std::memcpy(out.at(at[0] + i * by[0]), in.at(at[2] + i * by[2] + where * step), width);
    }
    return true;
  });
}

bool execute_flip(const Instruction& instruction, ExecutionContext& context) {
  MemoryView source = instruction.input(0);
  const int axis = normalised_axis(instruction.operation->axis, source);
  if (axis < 0 || axis >= source.rank) return mismatch(context);
  source.offset += (source.sizes[axis] - 1) * source.strides[axis];
  source.strides[axis] = -source.strides[axis];
  return copy_view(context, source, instruction.output(0));
}

// Ascending or descending floats along the axis; NaN sorts above every number.
bool execute_sort(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& target = instruction.output(0);
  RowOperand in, out;
  if (!set_view(context, in, source, Access::kRead) ||
      !set_view(context, out, target, Access::kWrite)) {
    return false;
  }
  if (source.rank == 0 || source.rank != target.rank || in.type != out.type) {
    return mismatch(context);
  }
  if (!is_float(in.type)) return unsupported_type(context, in.type);
  const int axis = normalised_axis(instruction.operation->axis, source);
  if (axis >= source.rank || source.sizes[axis] != target.sizes[axis]) return mismatch(context);
  const MemoryView rows = without_axis(target, axis);
  LoopNest nest(rows);
  nest.add(rows);
  if (!nest.add(without_axis(source, axis))) return mismatch(context);
  const int type = type_index(in.type);
  std::vector<float> values(static_cast<size_t>(source.sizes[axis]));
  const bool descending = instruction.operation->descending;
  const auto below = [](float a, float b) { return a < b || (a == a && b != b); };
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const auto size = static_cast<ptrdiff_t>(values.size());
      kernels().load_float[type](values.data(), in.at(at[1] + i * by[1]), source.strides[axis],
                                 size);
      std::sort(values.begin(), values.end(), below);
      if (descending) std::reverse(values.begin(), values.end());
      kernels().store_float[type](out.at(at[0] + i * by[0]), target.strides[axis], values.data(),
                                  size);
    }
    return true;
  });
}

}  // namespace npu::machine
