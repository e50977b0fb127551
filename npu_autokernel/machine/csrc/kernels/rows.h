// Elements as the kernels see them, and rows of them. Included by kernels.cpp only.
//
// fp16 and bf16 rows are widened to float in chunks, computed, and rounded back: one rounding per
// op, as on the chip.
#pragma once

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "half.h"

// The iterations of the loop that follows do not depend on each other, even if pointers are equal.
#if defined(__clang__)
#define NPU_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define NPU_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace npu::machine {
namespace {

constexpr ptrdiff_t kChunk = 512;

struct Fp16 {
  uint16_t bits;
};
struct Bf16 {
  uint16_t bits;
};

template <typename T>
struct Compute {
  using Type = T;
};
template <>
struct Compute<Fp16> {
  using Type = float;
};
template <>
struct Compute<Bf16> {
  using Type = float;
};

template <typename T>
constexpr bool kIsHalf = sizeof(typename Compute<T>::Type) != sizeof(T);

inline float widen(Fp16 value) { return float_of_fp16(value.bits); }
inline float widen(Bf16 value) { return float_of_bf16(value.bits); }
inline void narrow(Fp16& target, float value) { target.bits = fp16_of_float(value); }
inline void narrow(Bf16& target, float value) { target.bits = bf16_of_float(value); }

[[gnu::noinline]] void widen_row(float* dst, const Fp16* src, ptrdiff_t count) {
  ptrdiff_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8) {
    const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i));
    _mm256_storeu_ps(dst + i, _mm256_cvtph_ps(bits));
  }
#endif
  for (; i < count; ++i) dst[i] = widen(src[i]);
}

[[gnu::noinline]] void narrow_row(Fp16* dst, const float* src, ptrdiff_t count) {
  ptrdiff_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8) {
    const __m128i bits =
        _mm256_cvtps_ph(_mm256_loadu_ps(src + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i), bits);
  }
#endif
  for (; i < count; ++i) narrow(dst[i], src[i]);
}

inline void widen_row(float* dst, const Bf16* src, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i) dst[i] = widen(src[i]);
}

inline void narrow_row(Bf16* dst, const float* src, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; ++i) narrow(dst[i], src[i]);
}

template <typename T>
inline void widen_strided(float* dst, const T* src, ptrdiff_t stride, ptrdiff_t count) {
  if (stride == 1) return widen_row(dst, src, count);
  if (stride == 0) {
    const float value = widen(*src);
    for (ptrdiff_t i = 0; i < count; ++i) dst[i] = value;
    return;
  }
  for (ptrdiff_t i = 0; i < count; ++i) dst[i] = widen(src[i * stride]);
}

template <typename T>
inline void narrow_strided(T* dst, ptrdiff_t stride, const float* src, ptrdiff_t count) {
  if (stride == 1) return narrow_row(dst, src, count);
  for (ptrdiff_t i = 0; i < count; ++i) narrow(dst[i * stride], src[i]);
}

// One loop per stride pattern that matters; F maps the values of one element.
template <typename T, typename F>
inline void map_unary(T* dst, ptrdiff_t ds, const T* a, ptrdiff_t as, ptrdiff_t n, F f) {
  if (ds == 1 && as == 1) {
    NPU_INDEPENDENT for (ptrdiff_t i = 0; i < n; ++i) dst[i] = f(a[i]);
    return;
  }
  for (ptrdiff_t i = 0; i < n; ++i) dst[i * ds] = f(a[i * as]);
}

template <typename D, typename T, typename F>
inline void map_binary(D* dst, ptrdiff_t ds, const T* a, ptrdiff_t as, const T* b, ptrdiff_t bs,
                       ptrdiff_t n, F f) {
  if (ds == 1 && as == 1 && bs == 1) {
    NPU_INDEPENDENT for (ptrdiff_t i = 0; i < n; ++i) dst[i] = f(a[i], b[i]);
  } else if (ds == 1 && as == 1 && bs == 0) {
    const T value = *b;
    NPU_INDEPENDENT for (ptrdiff_t i = 0; i < n; ++i) dst[i] = f(a[i], value);
  } else if (ds == 1 && as == 0 && bs == 1) {
    const T value = *a;
    NPU_INDEPENDENT for (ptrdiff_t i = 0; i < n; ++i) dst[i] = f(value, b[i]);
  } else {
    for (ptrdiff_t i = 0; i < n; ++i) dst[i * ds] = f(a[i * as], b[i * bs]);
  }
}

}  // namespace
}  // namespace npu::machine
