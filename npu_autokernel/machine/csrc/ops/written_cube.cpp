// Rules of the cube: loads into L0 and the bias table, and the product.
//
// An element of the product needs its row of A and its column of B, so L0 keeps one flag per row
// of A (of the whole tile) and per column of B.
#include <algorithm>
#include <cstring>

#include "ops/fractals.h"
#include "ops/written.h"

namespace npu::machine {
namespace {

bool check_counts(const Instruction& instruction, ExecutionContext& context) {
  if (!instruction.unwritten_scalars && !instruction.unwritten_views) return true;
  return fail_unwritten_number(context, "what is multiplied", instruction.origin);
}

// Garbage in a row of the stored matrix: in the flag of that row, or in those of its columns.
void enter_garbage(ExecutionContext& context, const MemoryView& part, int64_t row, int64_t column,
                   bool lines_are_rows, WrittenLines& lines) {
  if (lines.origin == kNoOrigin) lines.origin = find_origin(context, part);
  if (lines_are_rows) {
    lines.flags[static_cast<size_t>(row)] = 0;
    return;
  }
  Shadow& shadow = context.shadow_of(part.space);
  MemoryView element = part;
  element.sizes[0] = 1;
  for (int64_t i = 0; i < part.sizes[0]; ++i, ++element.offset) {
    if (!shadow.is_written(element)) lines.flags[static_cast<size_t>(column + i)] = 0;
  }
}

// Marks the sums that took in garbage; what they add to has its own marks already.
void enter_garbage_sums(Shadow& shadow, const MemoryView& sums, int64_t row, int64_t column,
                        const WrittenLines& a, const WrittenLines& b, const WrittenLines& bias) {
  MemoryView element = sums;
  element.sizes[0] = 1;
  for (int64_t i = 0; i < sums.sizes[0]; ++i, ++element.offset) {
    const WrittenLines* garbage = !a.is_written(row)              ? &a
                                  : !b.is_written(column + i)     ? &b
                                  : !bias.is_written(column + i) ? &bias
                                                                  : nullptr;
    if (!garbage) continue;
    shadow.mark(element, false);
    shadow.set_origin(element, garbage->origin);
  }
}

WrittenLines take(std::deque<WrittenLines>& queue) {
  WrittenLines front;
  if (queue.empty()) return front;
  front = std::move(queue.front());
  queue.pop_front();
  return front;
}

}  // namespace

bool follow_l0_load(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& view = instruction.input(0);
  const MmadShape shape = shape_of(instruction);
  const bool is_a = instruction.opcode() == Opcode::kL0LoadA;
  std::deque<WrittenLines>& queue = is_a ? context.written_a : context.written_b;
  if (!check_counts(instruction, context)) return false;
  if (shape.is_empty()) {
    queue.emplace_back();
    return true;
  }
  FractalMatrix matrix;
  if (!locate_fractals(context, view, MemorySpace::kL1, Access::kRead, matrix)) return false;
  const bool lines_are_rows = is_a != instruction.operation->transposed;
  // All rows of the tile of A, as in execute_l0_load.
  const int64_t tile_side = lines_are_rows ? matrix.rows : matrix.columns;
  const int64_t line_count = is_a ? tile_side : shape.n;
  const int64_t rows = lines_are_rows ? line_count : shape.k;
  const int64_t columns = lines_are_rows ? shape.k : line_count;
  if (rows > matrix.rows || columns > matrix.columns) return true;
  WrittenLines lines;
  lines.flags.assign(static_cast<size_t>(line_count), 1);
  Shadow& shadow = context.shadow_of(MemorySpace::kL1);
  const int64_t checked_rows = shadow.is_written(view) ? 0 : rows;
  for (int64_t row = 0; row < checked_rows; ++row) {
    for (int64_t column = 0; column < columns; column += matrix.c0) {
      const int64_t count = std::min(matrix.c0, columns - column);
      const MemoryView part = row_of_fractals(view, matrix, row, column, count);
      if (shadow.is_written(part)) continue;
      enter_garbage(context, part, row, column, lines_are_rows, lines);
    }
  }
  queue.push_back(std::move(lines));
  return true;
}

bool follow_load_bias(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& row = instruction.input(0);
  ChipElements elements;
  if (!check_counts(instruction, context) ||
      !locate(context, row, MemorySpace::kL1, Access::kRead, elements)) {
    return false;
  }
  const int64_t n = std::clamp<int64_t>(shape_of(instruction).n, 0, row.element_count());
  WrittenLines lines;
  lines.flags.assign(static_cast<size_t>(n), 1);
  MemoryView element = row;
  element.rank = 0;
  for (int64_t i = 0; i < n; ++i, ++element.offset) {
    const uint32_t origin = find_origin(context, element);
    if (origin == kNoOrigin) continue;
    lines.flags[static_cast<size_t>(i)] = 0;
    if (lines.origin == kNoOrigin) lines.origin = origin;
  }
  context.written_bias.push_back(std::move(lines));
  return true;
}

bool follow_mmad(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& target = instruction.output(0);
  const MmadShape shape = shape_of(instruction);
  FractalMatrix c;
  if (!check_counts(instruction, context) ||
      !locate_fractals(context, target, MemorySpace::kL0c, Access::kWrite, c)) {
    return false;
  }
  const WrittenLines a = take(context.written_a), b = take(context.written_b);
  const WrittenLines bias =
      instruction.operation->biased ? take(context.written_bias) : WrittenLines();
  if (shape.is_empty() || shape.m > c.rows || shape.n > c.columns) return true;
  Shadow& shadow = context.shadow_of(MemorySpace::kL0c);
  const WrittenLines none;
  const bool clears = instruction.scalars[3].integer & 1;
  // A bias is only added where a product begins.
  const bool is_clean = !a.origin && !b.origin && !(clears && bias.origin);
  if (is_clean && !clears) return true;
  const int64_t rows = std::min(static_cast<int64_t>(a.flags.size()), c.rows);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < shape.n; column += c.c0) {
      const MemoryView sums =
          row_of_fractals(target, c, row, column, std::min(c.c0, shape.n - column));
      if (clears) shadow.mark(sums, true);
      if (!is_clean) enter_garbage_sums(shadow, sums, row, column, a, b, clears ? bias : none);
    }
  }
  return true;
}

}  // namespace npu::machine
