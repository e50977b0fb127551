// Rules of the transfers between GM and the chip: load, store, nd2nz and fixpipe.
//
// Arguments of the user's have no shadow: what is read from them is written, and what is stored to
// them has to be. The workspace has one, which takes garbage and gives it back to any core.
#include <algorithm>
#include <cstring>

#include "loop_nest.h"
#include "ops/fractals.h"
#include "ops/gm_rows.h"
#include "ops/written.h"

namespace npu::machine {
namespace {

bool check_counts(const Instruction& instruction, ExecutionContext& context, int first) {
  if (!(instruction.unwritten_scalars >> first)) return true;
  return fail_unwritten_number(context, "how much is moved", instruction.origin);
}

bool is_all_written(const uint8_t* bits, int64_t count) {
  return std::all_of(bits, bits + count, [](uint8_t byte) { return byte == kWrittenByte; });
}

// Elements as a load sees them: garbage outside of the buffer, and where its shadow says so.
class GmSource {
 public:
  GmSource(ExecutionContext& context, const MemoryView& view)
      : context_(context), view_(view), rows_(gm_elements(context, view)) {}

  bool is_written(int64_t element) {
    const int64_t position = rows_.first + element * rows_.width;
    if (position < 0 || position + rows_.width > rows_.buffer->size) {
      note({Garbage::kOutside, view_.space, view_.buffer, {}, context_.line});
      return false;
    }
    Shadow* shadow = rows_.buffer->shadow;
    if (!shadow || is_all_written(shadow->bits().data() + position, rows_.width)) return true;
    const int64_t byte = position + rows_.buffer->origin;
    const ByteSpan bytes{byte, byte + rows_.width};
    note({Garbage::kNeverWritten, view_.space, view_.buffer, bytes, context_.line},
         shadow->origin(position));
    return false;
  }
  // Of the first element that was not written.
  uint32_t origin() const { return origin_; }

 private:
  void note(const Origin& here, uint32_t known = kNoOrigin) {
    if (origin_ != kNoOrigin) return;
    origin_ = known != kNoOrigin ? known : context_.gm.origins.number_of(here);
  }

  ExecutionContext& context_;
  const MemoryView& view_;
  GmElements rows_;
  uint32_t origin_ = kNoOrigin;
};

void load_elements(ExecutionContext& context, const MemoryView& source, const MemoryView& target) {
  Shadow& shadow = context.shadow_of(target.space);
  uint8_t* bits = find_shadow(context, target).bits();
  const int64_t width = bytes_of(target.type);
  LoopNest nest(target);
  nest.add(target);
  if (!nest.add(source)) return;
  GmSource elements(context, source);
  nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const bool written = elements.is_written(at[1] + i * by[1]);
      std::memset(bits + (at[0] + i * by[0]) * width, written ? kWrittenByte : 0,
                  static_cast<size_t>(width));
    }
    return true;
  });
  if (elements.origin() != kNoOrigin) shadow.set_origin(target, elements.origin());
}

bool mark_padding(const Instruction& instruction, ExecutionContext& context) {
  if (!instruction.operation->has_pad_value) return true;
  const MemoryView& target = instruction.output(0);
  for (const bool in_front : {true, false}) {
    const int64_t count = instruction.scalars[in_front ? 1 : 2].integer;
    if (count <= 0 || target.rank == 0 || count > kMaxPadding) continue;
    const MemoryView pad = padding_of(target, count, in_front);
    ChipElements elements;
    if (!locate(context, pad, pad.space, Access::kWrite, elements)) return false;
    Shadow& shadow = context.shadow_of(pad.space);
    const bool written = !(instruction.unwritten_scalars & 1);
    shadow.mark(pad, written);
    if (!written) shadow.set_origin(pad, instruction.origin);
  }
  return true;
}

// Each element becomes as written as the one it is made of; an update of garbage is garbage.
void follow_elements(const ShadowedView& source, const ShadowedView& target, bool is_update) {
  LoopNest nest(target.view);
  nest.add(target.view);
  if (!nest.add(source.view)) return;
  const int64_t from_width = bytes_of(source.view.type), to_width = bytes_of(target.view.type);
  nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      uint8_t* to = target.bits() + (at[0] + i * by[0]) * to_width;
      const uint8_t* from = source.bits() + (at[1] + i * by[1]) * from_width;
      const bool written = is_all_written(from, from_width) &&
                           (!is_update || is_all_written(to, to_width));
      std::memset(to, written ? kWrittenByte : 0, static_cast<size_t>(to_width));
    }
    return true;
  });
}

// `source` lies on chip, `target` anywhere.
bool follow_out(ExecutionContext& context, const MemoryView& source, const MemoryView& target,
                bool is_update) {
  const uint32_t origin = find_origin(context, source);
  const ShadowedView to = find_shadow(context, target);
  if (!to.shadow) return origin == kNoOrigin || fail_unwritten_bytes(context, source, target);
  if (origin == kNoOrigin && !is_update) {
    to.shadow->mark(to.view, true);
    return true;
  }
  follow_elements(find_shadow(context, source), to, is_update);
  if (origin != kNoOrigin) to.shadow->set_origin(to.view, origin);
  return true;
}

bool check_target(ExecutionContext& context, const MemoryView& target) {
  ChipElements elements;
  return target.space == MemorySpace::kGm
             ? check_gm_write(context, target)
             : locate(context, target, target.space, Access::kWrite, elements);
}

// Rows of the fractals from `first_row` on, as many as the target has.
bool follow_rows(ExecutionContext& context, const MemoryView& source, const FractalMatrix& matrix,
                 int64_t first_row, int64_t first_column, const MemoryView& target) {
  const int64_t rows = target.sizes[0], columns = target.sizes[1];
  if (first_row + rows > matrix.rows || first_column + columns > matrix.columns) return true;
  if (!check_target(context, target)) return false;
  const bool takes_garbage = find_shadow(context, target).shadow;
  if (!takes_garbage && context.shadow_of(source.space).is_written(source)) return true;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; column += matrix.c0) {
      MemoryView part = target;
      part.offset += row * target.strides[0] + column * target.strides[1];
      part.rank = 1;
      part.sizes[0] = std::min(matrix.c0, columns - column);
      part.strides[0] = target.strides[1];
      const MemoryView block =
          row_of_fractals(source, matrix, first_row + row, first_column + column, part.sizes[0]);
      if (!follow_out(context, block, part, false)) return false;
    }
  }
  return true;
}

}  // namespace

bool follow_load(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& target = instruction.output(0);
  ChipElements out;
  if (source.space != MemorySpace::kGm || target.space == MemorySpace::kGm ||
      source.type != target.type || source.type == ElementType::kI1) {
    return true;
  }
  if (!check_counts(instruction, context, 1) ||
      !locate(context, target, target.space, Access::kWrite, out)) {
    return false;
  }
  const GmReach reach = check_gm_read(context, source);
  if (reach == GmReach::kFault) return false;
  Shadow& shadow = context.shadow_of(target.space);
  if (instruction.unwritten_views) {
    shadow.mark(target, false);
    shadow.set_origin(target, instruction.origin);
  } else if (reach == GmReach::kInside && !context.gm.buffers[source.buffer].shadow) {
    shadow.mark(target, true);
  } else {
    load_elements(context, source, target);
  }
  return mark_padding(instruction, context);
}

bool follow_store(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& target = instruction.output(0);
  ChipElements in;
  if (target.space != MemorySpace::kGm || source.space == MemorySpace::kGm ||
      source.type != target.type || source.type == ElementType::kI1) {
    return true;
  }
  if (!locate(context, source, source.space, Access::kRead, in) ||
      !check_gm_write(context, target)) {
    return false;
  }
  if (instruction.unwritten_views) {
    return fail_unwritten_number(context, "what is stored", instruction.origin);
  }
  const bool is_update = instruction.operation->atomic_kind != AtomicKind::kNone;
  return follow_out(context, source, target, is_update);
}

// Rows as wide as the argument's and, in the last fractal, zeros.
bool follow_nd2nz(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& target = instruction.output(0);
  FractalMatrix matrix;
  if (!locate_fractals(context, target, MemorySpace::kL1, Access::kWrite, matrix)) return false;
  if (source.space != MemorySpace::kGm || source.rank != 2 || source.type != matrix.type ||
      source.sizes[0] > matrix.rows || source.sizes[1] > matrix.columns) {
    return true;
  }
  const GmReach reach = check_gm_read(context, source);
  if (reach == GmReach::kFault) return false;
  const bool all_written = reach == GmReach::kInside && !instruction.unwritten_views &&
                           !context.gm.buffers[source.buffer].shadow;
  GmSource elements(context, source);
  Shadow& shadow = context.shadow_of(MemorySpace::kL1);
  uint8_t* bits = find_shadow(context, target).bits();
  const int64_t width = bytes_of(matrix.type);
  for (int64_t row = 0; row < source.sizes[0]; ++row) {
    for (int64_t column = 0; column < source.sizes[1]; column += matrix.c0) {
      uint8_t* block = bits + matrix.row_start(row, column / matrix.c0) * width;
      std::memset(block, kWrittenByte, static_cast<size_t>(matrix.c0 * width));
      const int64_t count = all_written ? 0 : std::min(matrix.c0, source.sizes[1] - column);
      for (int64_t i = 0; i < count; ++i) {
        const int64_t at = row * source.strides[0] + (column + i) * source.strides[1];
        if (!instruction.unwritten_views && elements.is_written(at)) continue;
        std::memset(block + i * width, 0, static_cast<size_t>(width));
      }
    }
  }
  const uint32_t origin = instruction.unwritten_views ? instruction.origin : elements.origin();
  if (origin != kNoOrigin) shadow.set_origin(target, origin);
  return true;
}

bool follow_fixpipe(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& target = instruction.output(0);
  FractalMatrix matrix;
  if (!locate_fractals(context, source, MemorySpace::kL0c, Access::kRead, matrix)) return false;
  if (target.rank != 2 || target.type == ElementType::kI1) return true;
  if (instruction.unwritten_views) {
    return fail_unwritten_number(context, "what is stored", instruction.origin);
  }
  if (!follow_rows(context, source, matrix, 0, 0, target)) return false;
  const Operation& operation = *instruction.operation;
  const bool splits = operation.splits_rows || operation.splits_columns;
  if (!splits || !context.neighbours.vectors[1]) return true;
  context.neighbours.vector = 1;
  const bool followed =
      follow_rows(context, source, matrix, operation.splits_rows ? target.sizes[0] : 0,
                  operation.splits_columns ? target.sizes[1] : 0, target);
  context.neighbours.vector = 0;
  return followed;
}

}  // namespace npu::machine
