// Unary, binary, compare and select rows. Included by kernels.cpp only.
#pragma once

#include <cmath>

#include "kernels/kernel_table.h"
#include "kernels/math.h"
#include "kernels/rows.h"

namespace npu::machine {
namespace {

template <typename T>
struct Unsigned {
  using Type = T;
};
template <>
struct Unsigned<int8_t> {
  using Type = uint8_t;
};
template <>
struct Unsigned<int16_t> {
  using Type = uint16_t;
};
template <>
struct Unsigned<int32_t> {
  using Type = uint32_t;
};
template <>
struct Unsigned<int64_t> {
  using Type = uint64_t;
};

template <typename T>
constexpr bool kIsFloat = false;
template <>
constexpr bool kIsFloat<float> = true;

template <typename T>
inline bool is_nan(T value) {
  return value != value;
}

// Ties away from zero.
inline float round_away(float x) {
  const float truncated = __builtin_truncf(x);
  const float rest = x - truncated;
  const float step = __builtin_copysignf(1.0f, x);
  return __builtin_fabsf(rest) >= 0.5f ? truncated + step : truncated;
}

// The value of a unary op on a computed element; integers only where it makes sense.
template <UnaryKernel K, typename T>
inline T apply_unary(T a) {
  if constexpr (K == UnaryKernel::kAbs) {
    if constexpr (kIsFloat<T>) return __builtin_fabsf(a);
    using U = typename Unsigned<T>::Type;
    return a < 0 ? static_cast<T>(U(0) - static_cast<U>(a)) : a;
  } else if constexpr (K == UnaryKernel::kRelu) {
    return a > T(0) || is_nan(a) ? a : T(0);
  } else if constexpr (K == UnaryKernel::kNot) {
    return static_cast<T>(~a);
  } else if constexpr (K == UnaryKernel::kExp) {
    return exp_of(a);
  } else if constexpr (K == UnaryKernel::kLn) {
    return ln_of(a);
  } else if constexpr (K == UnaryKernel::kSqrt) {
    return __builtin_sqrtf(a);
  } else if constexpr (K == UnaryKernel::kRsqrt) {
    return 1.0f / __builtin_sqrtf(a);
  } else if constexpr (K == UnaryKernel::kRec) {
    return 1.0f / a;
  } else if constexpr (K == UnaryKernel::kFloor) {
    return __builtin_floorf(a);
  } else if constexpr (K == UnaryKernel::kCeil) {
    return __builtin_ceilf(a);
  } else if constexpr (K == UnaryKernel::kTrunc) {
    return __builtin_truncf(a);
  } else if constexpr (K == UnaryKernel::kRint) {
    return __builtin_rintf(a);
  } else {
    return round_away(a);
  }
}

template <BinaryKernel K, typename T>
inline T apply_binary(T a, T b) {
  using U = typename Unsigned<T>::Type;
  constexpr int kBits = static_cast<int>(sizeof(T) * 8);
  if constexpr (K == BinaryKernel::kMax) {
    return a > b || is_nan(a) ? a : b;
  } else if constexpr (K == BinaryKernel::kMin) {
    return a < b || is_nan(a) ? a : b;
  } else if constexpr (K == BinaryKernel::kDiv) {
    return a / b;
  } else if constexpr (K == BinaryKernel::kAnd) {
    return static_cast<T>(a & b);
  } else if constexpr (K == BinaryKernel::kOr) {
    return static_cast<T>(a | b);
  } else if constexpr (K == BinaryKernel::kXor) {
    return static_cast<T>(a ^ b);
  } else if constexpr (K == BinaryKernel::kShl) {
    return b < 0 || b >= kBits ? T(0) : static_cast<T>(static_cast<U>(a) << b);
  } else if constexpr (K == BinaryKernel::kShr) {
    return static_cast<T>(a >> (b < 0 || b >= kBits ? kBits - 1 : b));
  } else if constexpr (kIsFloat<T>) {
    return K == BinaryKernel::kAdd ? a + b : K == BinaryKernel::kSub ? a - b : a * b;
  } else {
    // 64-bit unsigned arithmetic wraps and never overflows, whatever T promotes to.
    const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<T>(K == BinaryKernel::kAdd ? x + y : K == BinaryKernel::kSub ? x - y : x * y);
  }
}

template <CompareKernel K, typename T>
inline uint8_t apply_compare(T a, T b) {
  if constexpr (K == CompareKernel::kEq) return a == b;
  if constexpr (K == CompareKernel::kNe) return a != b;
  if constexpr (K == CompareKernel::kLt) return a < b;
  if constexpr (K == CompareKernel::kGt) return a > b;
  if constexpr (K == CompareKernel::kGe) return a >= b;
  return a <= b;
}

constexpr ptrdiff_t smaller(ptrdiff_t a, ptrdiff_t b) { return a < b ? a : b; }

template <UnaryKernel K, typename T>
void unary_row(void* dst, ptrdiff_t ds, const void* a, ptrdiff_t as, ptrdiff_t n) {
  auto* out = static_cast<T*>(dst);
  const auto* in = static_cast<const T*>(a);
  if constexpr (kIsHalf<T>) {
    float buffer[kChunk];
    for (ptrdiff_t start = 0; start < n; start += kChunk) {
      const ptrdiff_t count = smaller(kChunk, n - start);
      widen_strided(buffer, in + start * as, as, count);
      map_unary(buffer, 1, buffer, 1, count, apply_unary<K, float>);
      narrow_strided(out + start * ds, ds, buffer, count);
    }
  } else {
    map_unary(out, ds, in, as, n, [](T value) { return apply_unary<K, T>(value); });
  }
}

template <BinaryKernel K, typename T>
void binary_row(void* dst, ptrdiff_t ds, const void* a, ptrdiff_t as, const void* b, ptrdiff_t bs,
                ptrdiff_t n) {
  auto* out = static_cast<T*>(dst);
  const auto* left = static_cast<const T*>(a);
  const auto* right = static_cast<const T*>(b);
  if constexpr (kIsHalf<T>) {
    float x[kChunk], y[kChunk];
    for (ptrdiff_t start = 0; start < n; start += kChunk) {
      const ptrdiff_t count = smaller(kChunk, n - start);
      widen_strided(x, left + start * as, as, count);
      widen_strided(y, right + start * bs, bs, count);
      map_binary(x, 1, x, 1, y, 1, count,
                 [](float p, float q) { return apply_binary<K, float>(p, q); });
      narrow_strided(out + start * ds, ds, x, count);
    }
  } else {
    map_binary(out, ds, left, as, right, bs, n, [](T p, T q) { return apply_binary<K, T>(p, q); });
  }
}

template <CompareKernel K, typename T>
void compare_row(uint8_t* dst, const void* a, ptrdiff_t as, const void* b, ptrdiff_t bs,
                 ptrdiff_t n) {
  const auto* left = static_cast<const T*>(a);
  const auto* right = static_cast<const T*>(b);
  if constexpr (kIsHalf<T>) {
    float x[kChunk], y[kChunk];
    for (ptrdiff_t start = 0; start < n; start += kChunk) {
      const ptrdiff_t count = smaller(kChunk, n - start);
      widen_strided(x, left + start * as, as, count);
      widen_strided(y, right + start * bs, bs, count);
      map_binary(dst + start, 1, x, 1, y, 1, count,
                 [](float p, float q) { return apply_compare<K, float>(p, q); });
    }
  } else {
    map_binary(dst, 1, left, as, right, bs, n, [](T p, T q) { return apply_compare<K, T>(p, q); });
  }
}

template <typename T>
void select_row(void* dst, ptrdiff_t ds, const uint8_t* mask, const void* a, ptrdiff_t as,
                const void* b, ptrdiff_t bs, ptrdiff_t n) {
  auto* out = static_cast<T*>(dst);
  const auto* left = static_cast<const T*>(a);
  const auto* right = static_cast<const T*>(b);
  if (ds == 1 && as == 1 && bs == 1) {
    NPU_INDEPENDENT for (ptrdiff_t i = 0; i < n; ++i) out[i] = mask[i] ? left[i] : right[i];
  } else if (ds == 1 && as == 1 && bs == 0) {
    const T value = *right;
    NPU_INDEPENDENT for (ptrdiff_t i = 0; i < n; ++i) out[i] = mask[i] ? left[i] : value;
  } else if (ds == 1 && as == 0 && bs == 1) {
    const T value = *left;
    NPU_INDEPENDENT for (ptrdiff_t i = 0; i < n; ++i) out[i] = mask[i] ? value : right[i];
  } else {
    for (ptrdiff_t i = 0; i < n; ++i) out[i * ds] = mask[i] ? left[i * as] : right[i * bs];
  }
}

template <typename T>
void copy_row(void* dst, ptrdiff_t ds, const void* src, ptrdiff_t ss, ptrdiff_t n) {
  map_unary(static_cast<T*>(dst), ds, static_cast<const T*>(src), ss, n, [](T v) { return v; });
}

}  // namespace
}  // namespace npu::machine
