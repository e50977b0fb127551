// Rows to and from the two working forms of casts, float and int64, and bits to and from bytes.
// Included by kernels.cpp only.
#pragma once

#include "kernels/elementwise.h"

namespace npu::machine {
namespace {

template <typename T>
void load_float_row(float* dst, const void* src, ptrdiff_t stride, ptrdiff_t n) {
  const auto* in = static_cast<const T*>(src);
  if constexpr (kIsHalf<T>) {
    widen_strided(dst, in, stride, n);
  } else {
    map_unary(dst, 1, in, stride, n, [](float v) { return v; });
  }
}

template <typename T>
void store_float_row(void* dst, ptrdiff_t stride, const float* src, ptrdiff_t n) {
  auto* out = static_cast<T*>(dst);
  if constexpr (kIsHalf<T>) {
    narrow_strided(out, stride, src, n);
  } else {
    map_unary(out, stride, src, 1, n, [](float v) { return v; });
  }
}

template <typename T>
void load_int_row(int64_t* dst, const void* src, ptrdiff_t stride, ptrdiff_t n) {
  const auto* in = static_cast<const T*>(src);
  if (stride == 1) {
    for (ptrdiff_t i = 0; i < n; ++i) dst[i] = in[i];
  } else {
    for (ptrdiff_t i = 0; i < n; ++i) dst[i] = in[i * stride];
  }
}

template <typename T>
void store_int_row(void* dst, ptrdiff_t stride, const int64_t* src, ptrdiff_t n) {
  auto* out = static_cast<T*>(dst);
  if (stride == 1) {
    for (ptrdiff_t i = 0; i < n; ++i) out[i] = static_cast<T>(src[i]);
  } else {
    for (ptrdiff_t i = 0; i < n; ++i) out[i * stride] = static_cast<T>(src[i]);
  }
}

void int32_of_float_row(int32_t* dst, const float* src, ptrdiff_t n) {
  for (ptrdiff_t i = 0; i < n; ++i) {
    const float x = src[i];
    const bool above = x >= 2147483648.0f, below = x < -2147483648.0f, nan = x != x;
    const int32_t inside = static_cast<int32_t>(above || below || nan ? 0.0f : x);
    dst[i] = above ? INT32_MAX : (below ? INT32_MIN : inside);
  }
}

void float_of_int32_row(float* dst, const int32_t* src, ptrdiff_t n) {
  for (ptrdiff_t i = 0; i < n; ++i) dst[i] = static_cast<float>(src[i]);
}

void unpack_bits_row(uint8_t* dst, const uint8_t* bits, int64_t bit, ptrdiff_t n) {
  ptrdiff_t i = 0;
  for (; i < n && ((bit + i) & 7) != 0; ++i) dst[i] = (bits[(bit + i) >> 3] >> ((bit + i) & 7)) & 1;
  for (; i + 8 <= n; i += 8) {
    // Spread the byte over eight, then keep one bit of each.
    const uint64_t byte = bits[(bit + i) >> 3];
    const uint64_t spread = (byte * 0x0101010101010101u) & 0x8040201008040201u;
    const uint64_t ones = ((spread + 0x7f7f7f7f7f7f7f7fu) | spread) >> 7 & 0x0101010101010101u;
    __builtin_memcpy(dst + i, &ones, 8);
  }
  for (; i < n; ++i) dst[i] = (bits[(bit + i) >> 3] >> ((bit + i) & 7)) & 1;
}

inline void put_bit(uint8_t* bits, int64_t bit, uint8_t value) {
  const uint8_t mask = static_cast<uint8_t>(1u << (bit & 7));
  uint8_t& byte = bits[bit >> 3];
  byte = static_cast<uint8_t>(value ? byte | mask : byte & ~mask);
}

void pack_bits_row(uint8_t* bits, int64_t bit, const uint8_t* src, ptrdiff_t n) {
  ptrdiff_t i = 0;
  for (; i < n && ((bit + i) & 7) != 0; ++i) put_bit(bits, bit + i, src[i]);
  for (; i + 8 <= n; i += 8) {
    uint64_t ones;
    __builtin_memcpy(&ones, src + i, 8);
    bits[(bit + i) >> 3] = static_cast<uint8_t>((ones * 0x0102040810204080u) >> 56);
  }
  for (; i < n; ++i) put_bit(bits, bit + i, src[i]);
}

}  // namespace
}  // namespace npu::machine
