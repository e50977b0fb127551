// The bytes that a view touches, as runs of neighbouring bytes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "loop_nest.h"
#include "types.h"

namespace npu::machine {

// Calls run(first, last) for each run of the view, in bytes of its space or buffer; a bit-packed
// view touches whole bytes.
template <typename Run>
void for_each_byte_run(const MemoryView& view, Run run) {
  if (view.is_empty()) return;
  if (view.rank == 0) {
    const ByteSpan element = span_of(view);
    run(element.first, element.last);
    return;
  }
  LoopNest nest(view);
  nest.add(view);
  const bool packed = view.is_bit_packed();
  const int64_t width = packed ? 1 : bytes_of(view.type);
  nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    const int64_t start = view.offset + at[0];
    const int64_t reach = by[0] * (count - 1);
    const bool dense = by[0] == 1 || by[0] == -1 || by[0] == 0;
    const int64_t pieces = dense ? 1 : count;
    for (int64_t piece = 0; piece < pieces; ++piece) {
      const int64_t low = dense ? start + std::min<int64_t>(reach, 0) : start + piece * by[0];
      const int64_t high = dense ? start + std::max<int64_t>(reach, 0) : low;
      if (packed) {
        run(view.base_byte + (low >> 3), view.base_byte + (high >> 3) + 1);
      } else {
        run(view.base_byte + low * width, view.base_byte + (high + 1) * width);
      }
    }
    return true;
  });
}

}  // namespace npu::machine
