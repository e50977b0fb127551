// Reduction of a row. Included by kernels.cpp only.
//
// The order is that of a vector unit: lanes accumulate, then halve pairwise. fp16 and bf16 round
// at each step. The library's own order differs between kernels and is not promised by the op.
#pragma once

#include "kernels/elementwise.h"

namespace npu::machine {
namespace {

constexpr ptrdiff_t kLanes = 64;

template <BinaryKernel K, typename T>
T combine(T a, T b) {
  if constexpr (kIsHalf<T>) {
    T result;
    narrow(result, apply_binary<K, float>(widen(a), widen(b)));
    return result;
  } else {
    return apply_binary<K, T>(a, b);
  }
}

template <BinaryKernel K, typename T>
void reduce_row(void* dst, const void* src, ptrdiff_t stride, ptrdiff_t n) {
  const auto* in = static_cast<const T*>(src);
  T lanes[kLanes];
  const ptrdiff_t used = smaller(n, kLanes);
  for (ptrdiff_t i = 0; i < used; ++i) lanes[i] = in[i * stride];
  ptrdiff_t start = used;
  for (; start + kLanes <= n; start += kLanes) {
    binary_row<K, T>(lanes, 1, lanes, 1, in + start * stride, stride, kLanes);
  }
  for (; start < n; ++start) {
    const ptrdiff_t lane = start % kLanes;
    lanes[lane] = combine<K, T>(lanes[lane], in[start * stride]);
  }
  ptrdiff_t width = used;
  while (width > 1) {
    const ptrdiff_t half = (width + 1) / 2;
    for (ptrdiff_t i = 0; i + half < width; ++i) {
      lanes[i] = combine<K, T>(lanes[i], lanes[i + half]);
    }
    width = half;
  }
  *static_cast<T*>(dst) = lanes[0];
}

}  // namespace
}  // namespace npu::machine
