// The GM side of a transfer.
#pragma once

#include <cstring>
#include <string>

#include "memory_names.h"
#include "ops/context.h"
#include "scalar_arithmetic.h"
#include "views.h"

namespace npu::machine {

// A view's buffer, with its element 0 at byte `first`, which may lie outside.
struct GmElements {
  const GmBuffer* buffer;
  int64_t first;
  int64_t width;  // bytes of an element
};

inline GmElements gm_elements(const ExecutionContext& context, const MemoryView& view) {
  const int64_t width = bytes_of(view.type);
  const int64_t byte = view.base_byte + view.offset * width;
  return {&context.gm.buffers[view.buffer], context.gm.position(view, byte), width};
}

inline std::string describe_gm_range(const MemoryView& view, const GmBuffer& buffer,
                                     ByteSpan span) {
  return describe_bytes(span) + " of " + name_memory(view) + ", which has " +
         std::to_string(buffer.origin + buffer.size);
}

// `count` elements from `at` on with stride `by`, one at a time; for what lies outside of the
// buffer, poison.
inline void load_guarded_row(ExecutionContext& context, const GmElements& rows, int64_t at,
                             int64_t by, uint8_t* dst, int64_t dst_step_bytes, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const int64_t position = rows.first + (at + i * by) * rows.width;
    uint8_t* target = dst + i * dst_step_bytes;
    const bool inside = position >= 0 && position + rows.width <= rows.buffer->size;
    if (inside) {
      std::memcpy(target, rows.buffer->data + position, static_cast<size_t>(rows.width));
    } else {
      std::memset(target, kPoisonByte, static_cast<size_t>(rows.width));
      ++context.counters.guard_reads;
    }
  }
}

constexpr int64_t kMaxPadding = int64_t{1} << 32;

// What a load pads: `count` elements in front of or behind each row of its output.
inline MemoryView padding_of(const MemoryView& target, int64_t count, bool in_front) {
  const int last = target.rank - 1;
  MemoryView pad = target;
  const int64_t shift = in_front ? -count : target.sizes[last];
  pad.offset = add(pad.offset, multiply(shift, target.strides[last]));
  pad.sizes[last] = count;
  return pad;
}

enum class GmReach : uint8_t { kInside, kGuarded, kFault };

// Whether a read lies inside the argument, in its guard zone, or further out (a fault).
inline GmReach check_gm_read(ExecutionContext& context, const MemoryView& source) {
  const ByteSpan span = span_of(source);
  if (source.is_empty() || context.gm.contains(source, span)) return GmReach::kInside;
  if (context.gm.in_guard(source, span)) return GmReach::kGuarded;
  context.fail(fault_code::kOutOfBoundsRead,
               describe_gm_range(source, context.gm.buffers[source.buffer], span), span);
  return GmReach::kFault;
}

inline bool check_gm_write(ExecutionContext& context, const MemoryView& target) {
  const ByteSpan span = span_of(target);
  if (target.is_empty() || context.gm.contains(target, span)) return true;
  return context.fail(fault_code::kOutOfBoundsWrite,
                      describe_gm_range(target, context.gm.buffers[target.buffer], span), span);
}

}  // namespace npu::machine
