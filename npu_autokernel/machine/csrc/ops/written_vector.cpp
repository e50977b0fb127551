// Rules of the vector ops and of fills.
//
// Almost always all inputs are written, and then so are the outputs. Else an op has an effect on
// the shadow of its outputs: a move is run on the shadow bits, all others compute flags.
#include <algorithm>

#include "ops/written_flags.h"

namespace npu::machine {
namespace {

using Effect = bool (*)(const Instruction&, ExecutionContext&);

// Fills and copies go to L1 on the pipes of transfers.
MemorySpace space_of_outputs(const Instruction& instruction) {
  return instruction.pipe() == Pipe::kVector ? MemorySpace::kUb : MemorySpace::kL1;
}

bool locate_operands(const Instruction& instruction, ExecutionContext& context) {
  ChipElements elements;
  for (int i = 0; i < instruction.input_count + instruction.output_count; ++i) {
    const bool is_input = i < instruction.input_count;
    const MemorySpace space = is_input ? MemorySpace::kUb : space_of_outputs(instruction);
    const Access access = is_input ? Access::kRead : Access::kWrite;
    if (!locate(context, instruction.views[i], space, access, elements)) return false;
  }
  return true;
}

uint32_t origin_of_inputs(const Instruction& instruction, ExecutionContext& context) {
  if (instruction.origin != kNoOrigin) return instruction.origin;
  for (int i = 0; i < instruction.input_count; ++i) {
    const uint32_t origin = find_origin(context, instruction.input(i));
    if (origin != kNoOrigin) return origin;
  }
  return kNoOrigin;
}

void mark_outputs(const Instruction& instruction, ExecutionContext& context, bool written) {
  for (int i = 0; i < instruction.output_count; ++i) {
    const MemoryView& output = instruction.output(i);
    context.shadow_of(output.space).mark(output, written);
  }
}

// Scratch of the library's: what it leaves there is nobody's data.
void forget_temps(const Instruction& instruction, ExecutionContext& context) {
  for (int i = 0; i < instruction.temp_count; ++i) {
    const MemoryView& temp = instruction.temp(i);
    const ByteSpan span = span_of(temp);
    if (temp.space == MemorySpace::kGm || !context.chip_of(temp.space).contains(temp, span)) continue;
    const Origin scratch{Garbage::kScratch, temp.space, -1, span, context.line};
    context.shadow_of(temp.space).mark(temp, false);
    context.shadow_of(temp.space).set_origin(temp, context.gm.origins.number_of(scratch));
  }
}

// An effect that finds malformed operands leaves it to the op to say so.
template <Effect effect>
bool follow_vector(const Instruction& instruction, ExecutionContext& context) {
  if (!locate_operands(instruction, context)) return false;
  const uint32_t origin = origin_of_inputs(instruction, context);
  if (origin == kNoOrigin) {
    mark_outputs(instruction, context, true);
  } else if (instruction.unwritten_views) {
    mark_outputs(instruction, context, false);
  } else if (!effect(instruction, context) && context.fault) {
    return false;
  }
  forget_temps(instruction, context);
  for (int i = 0; origin != kNoOrigin && i < instruction.output_count; ++i) {
    const MemoryView& output = instruction.output(i);
    context.shadow_of(output.space).set_origin(output, origin);
  }
  return true;
}

template <Effect execute>
bool move_bits(const Instruction& instruction, ExecutionContext& context) {
  const OnShadow on_shadow(context);
  return execute(instruction, context);
}

bool is_written_number(const Instruction& instruction, int scalar) {
  return !(instruction.unwritten_scalars >> scalar & 1);
}

// The number among the scalars that source `source` is.
int scalar_of_source(const Instruction& instruction, int source) {
  int scalar = 0;
  for (int i = 0; i < source; ++i) scalar += instruction.source_view[i] < 0;
  return scalar;
}

bool read_written(const MemoryView& view, const MemoryView& shape, ExecutionContext& context,
                  Flags& flags) {
  const OnShadow on_shadow(context);
  return match_elements(context, view, shape, kWrittenByte, flags);
}

// Whether the elements of a source, repeated to the output's shape, were written.
bool read_source(const Instruction& instruction, ExecutionContext& context, int source,
                 Flags& flags) {
  const MemoryView& shape = instruction.output(0);
  const int view = instruction.source_view[source];
  if (view >= 0) return read_written(instruction.views[view], shape, context, flags);
  const int scalar = scalar_of_source(instruction, source);
  flags.assign(static_cast<size_t>(shape.element_count()), is_written_number(instruction, scalar));
  return true;
}

// Whether the data of a source consist of `byte` alone.
bool match_source(const Instruction& instruction, ExecutionContext& context, int source,
                  uint8_t byte, Flags& flags) {
  const MemoryView& shape = instruction.output(0);
  const int view = instruction.source_view[source];
  if (view >= 0) return match_elements(context, instruction.views[view], shape, byte, flags);
  const Scalar number = instruction.scalars[scalar_of_source(instruction, source)];
  const uint64_t bits = raw_bits(number, shape.type);
  const auto width = static_cast<unsigned>(bits_of(shape.type));
  const uint64_t pattern = byte == 0 ? 0 : ~uint64_t{0} >> (64 - width);
  flags.assign(static_cast<size_t>(shape.element_count()), bits == pattern);
  return true;
}

bool intersect_inputs(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& shape = instruction.output(0);
  Flags all(static_cast<size_t>(shape.element_count()), !instruction.unwritten_scalars), one;
  for (int i = 0; i < instruction.input_count; ++i) {
    if (!read_written(instruction.input(i), shape, context, one)) return false;
    for (size_t k = 0; k < all.size(); ++k) all[k] &= one[k];
  }
  return write_flags(context, shape, all);
}

bool intersect_undecided(const Instruction& instruction, ExecutionContext& context) {
  if (instruction.source_count != 2) return false;
  const uint8_t decides = instruction.opcode() == Opcode::kVand ? 0x00 : 0xff;
  Flags a, b, a_decides, b_decides;
  if (!read_source(instruction, context, 0, a) || !read_source(instruction, context, 1, b) ||
      !match_source(instruction, context, 0, decides, a_decides) ||
      !match_source(instruction, context, 1, decides, b_decides)) {
    return false;
  }
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = (a[i] & b[i]) | (a[i] & a_decides[i]) | (b[i] & b_decides[i]);
  }
  return write_flags(context, instruction.output(0), a);
}

bool pick_sides(const Instruction& instruction, ExecutionContext& context) {
  if (instruction.source_count != 3 || instruction.source_view[0] < 0) return false;
  const MemoryView& shape = instruction.output(0);
  const MemoryView& mask = instruction.views[instruction.source_view[0]];
  Flags known, rejects, a, b;
  if (!read_source(instruction, context, 0, known) ||
      !match_elements(context, mask, shape, 0x00, rejects) ||
      !read_source(instruction, context, 1, a) || !read_source(instruction, context, 2, b)) {
    return false;
  }
  for (size_t i = 0; i < a.size(); ++i) a[i] = known[i] & (rejects[i] ? b[i] : a[i]);
  return write_flags(context, shape, a);
}

bool fill_unwritten(const Instruction& instruction, ExecutionContext& context) {
  if (instruction.input_count == 1) return move_bits<execute_copy>(instruction, context);
  mark_outputs(instruction, context, false);
  return true;
}

// An element of the output is written if all elements that are reduced to it are.
bool intersect_reduced(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& output = instruction.output(0);
  Flags from;
  if (!read_written(source, source, context, from)) return false;
  int64_t from_strides[kMaxRank];
  fill_dense_strides(source, from_strides);
  MemoryView to_view = output;
  fill_dense_strides(output, to_view.strides);
  Flags to(static_cast<size_t>(output.element_count()), 1);
  LoopNest nest(source);
  nest.add_strides(from_strides);
  if (!nest.add(to_view)) return false;
  nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      to[static_cast<size_t>(at[1] + i * by[1])] &= from[static_cast<size_t>(at[0] + i * by[0])];
    }
    return true;
  });
  for (int i = 0; i < instruction.output_count; ++i) {
    if (instruction.output(i).element_count() != output.element_count()) return false;
    if (!write_flags(context, instruction.output(i), to)) return false;
  }
  return true;
}

// Calls line(flags of the first element, stride, count) for each line along a dim.
template <typename Line>
void for_each_line(Flags& flags, const MemoryView& shape, int dim, Line line) {
  int64_t inner = 1;
  for (int i = dim + 1; i < shape.rank; ++i) inner *= shape.sizes[i];
  const int64_t length = shape.sizes[dim];
  const int64_t outer = length > 0 ? shape.element_count() / (length * std::max<int64_t>(inner, 1))
                                   : 0;
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t k = 0; k < inner; ++k) line(flags.data() + i * length * inner + k, inner, length);
  }
}

// From its first garbage on, a line is garbage.
bool spread_forward(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& shape = instruction.output(0);
  const int dim = instruction.operation->dims[0];
  Flags flags;
  if (dim >= shape.rank || !read_written(instruction.input(0), shape, context, flags)) return false;
  const bool reversed = instruction.operation->reversed;
  for_each_line(flags, shape, dim, [&](uint8_t* first, int64_t stride, int64_t count) {
    uint8_t* at = reversed ? first + (count - 1) * stride : first;
    const int64_t step = reversed ? -stride : stride;
    for (int64_t i = 1; i < count; ++i) at[i * step] &= at[(i - 1) * step];
  });
  return write_flags(context, shape, flags);
}

// Garbage may end anywhere in its line.
bool spread_over_lines(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& shape = instruction.output(0);
  const int axis =
      instruction.operation->axis < 0 ? shape.rank - 1 : instruction.operation->axis;
  Flags flags;
  if (axis < 0 || axis >= shape.rank ||
      !read_written(instruction.input(0), shape, context, flags)) {
    return false;
  }
  for_each_line(flags, shape, axis, [](uint8_t* first, int64_t stride, int64_t count) {
    uint8_t all = 1;
    for (int64_t i = 0; i < count; ++i) all &= first[i * stride];
    for (int64_t i = 0; i < count; ++i) first[i * stride] = all;
  });
  return write_flags(context, shape, flags);
}

// An index made of garbage gives garbage, and is a fault if the lookup fails with it.
bool look_up(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& index_view = instruction.input(1);
  const MemoryView& target = instruction.output(0);
  const int axis =
      instruction.operation->axis < 0 ? source.rank - 1 : instruction.operation->axis;
  RowOperand index;
  Flags from, to;
  if (axis < 0 || axis >= source.rank || source.rank != target.rank ||
      is_float(index_view.type) || index_view.type == ElementType::kI1 ||
      !set_view(context, index, index_view, Access::kRead) ||
      !read_written(source, source, context, from) ||
      !read_written(index_view, target, context, to)) {
    return false;
  }
  int64_t to_strides[kMaxRank];
  fill_dense_strides(target, to_strides);
  MemoryView base = source;
  fill_dense_strides(source, base.strides);
  const int64_t step = base.strides[axis];
  base.sizes[axis] = 1;
  LoopNest nest(target);
  nest.add_strides(to_strides);
  if (!nest.add(index_view) || !nest.add(base)) return false;
  const LoadIntRow load = kernels().load_int[type_index(index.type)];
  nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t where = 0;
      load(&where, index.at(at[1] + i * by[1]), 1, 1);
      const bool is_inside = where >= 0 && where < source.sizes[axis];
      uint8_t& flag = to[static_cast<size_t>(at[0] + i * by[0])];
      if (flag && is_inside) flag = from[static_cast<size_t>(at[2] + i * by[2] + where * step)];
      if (!flag && !is_inside) {
        return fail_unwritten_number(context, "a gather index outside of its table",
                                     find_origin(context, index_view));
      }
    }
    return true;
  });
  return !context.fault && write_flags(context, target, to);
}

}  // namespace

bool follow_fill(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<fill_unwritten>(instruction, context);
}

bool follow_elementwise(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<intersect_inputs>(instruction, context);
}

bool follow_logic(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<intersect_undecided>(instruction, context);
}

bool follow_select(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<pick_sides>(instruction, context);
}

bool follow_reduce(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<intersect_reduced>(instruction, context);
}

bool follow_scan(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<spread_forward>(instruction, context);
}

bool follow_sort(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<spread_over_lines>(instruction, context);
}

bool follow_gather(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<look_up>(instruction, context);
}

bool follow_copy(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<move_bits<execute_copy>>(instruction, context);
}

bool follow_transpose(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<move_bits<execute_transpose>>(instruction, context);
}

bool follow_interleave(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<move_bits<execute_interleave>>(instruction, context);
}

bool follow_deinterleave(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<move_bits<execute_deinterleave>>(instruction, context);
}

bool follow_flip(const Instruction& instruction, ExecutionContext& context) {
  return follow_vector<move_bits<execute_flip>>(instruction, context);
}

}  // namespace npu::machine
