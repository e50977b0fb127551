// The arithmetic of the scalar pipe, defined for every input: shifts past the width give 0 or the
// sign, division by zero gives 0, conversions saturate.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "half.h"
#include "types.h"

namespace npu::machine {

// The value as a `width`-bit integer, sign-extended; an i1 is 0 or 1.
inline int64_t wrap(int64_t value, unsigned width) {
  if (width == 64) return value;
  if (width == 1) return value & 1;
  const unsigned shift = 64 - width;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}

inline uint64_t unsigned_of(int64_t value, unsigned width) {
  return width == 64 ? static_cast<uint64_t>(value)
                     : static_cast<uint64_t>(value) & ((uint64_t{1} << width) - 1);
}

inline int64_t add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

inline int64_t subtract(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

inline int64_t multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

inline int64_t divide_signed(int64_t a, int64_t b) {
  if (b == 0) return 0;
  return b == -1 ? subtract(0, a) : a / b;
}

inline int64_t remainder_signed(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

inline int64_t divide_floor(int64_t a, int64_t b) {
  const int64_t quotient = divide_signed(a, b), rest = remainder_signed(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? quotient - 1 : quotient;
}

inline int64_t divide_ceil(int64_t a, int64_t b) {
  const int64_t quotient = divide_signed(a, b), rest = remainder_signed(a, b);
  return rest != 0 && (rest < 0) == (b < 0) ? quotient + 1 : quotient;
}

inline int64_t modulo(int64_t a, int64_t b) {
  const int64_t rest = remainder_signed(a, b);
  return rest < 0 ? rest + (b < 0 ? -b : b) : rest;
}

inline int64_t shift_left(int64_t a, int64_t b, unsigned width) {
  return b < 0 || b >= static_cast<int64_t>(width) ? 0 : multiply(a, int64_t{1} << b);
}

inline int64_t shift_right_signed(int64_t a, int64_t b) { return a >> (b < 0 || b > 63 ? 63 : b); }

inline int64_t shift_right_unsigned(int64_t a, int64_t b, unsigned width) {
  return b < 0 || b >= static_cast<int64_t>(width)
             ? 0
             : static_cast<int64_t>(unsigned_of(a, width) >> b);
}

inline int64_t multiply_high(int64_t a, int64_t b, unsigned width, bool is_signed) {
  if (is_signed) {
    return wrap(static_cast<int64_t>((static_cast<__int128>(a) * b) >> width), width);
  }
  const auto x = static_cast<unsigned __int128>(unsigned_of(a, width));
  return wrap(static_cast<int64_t>((x * unsigned_of(b, width)) >> width), width);
}

// The ten predicates of arith.cmpi.
inline bool compare_integers(int64_t a, int64_t b, int predicate, unsigned width) {
  const uint64_t x = unsigned_of(a, width), y = unsigned_of(b, width);
  switch (predicate) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return a >= b;
    case 6: return x < y;
    case 7: return x <= y;
    case 8: return x > y;
    default: return x >= y;
  }
}

// The sixteen predicates of arith.cmpf: bit 3 adds "or unordered" to 1..7, as 8 + (p - 1).
inline bool compare_floats(float a, float b, int predicate) {
  if (predicate == 0) return false;
  if (predicate == 15) return true;
  const bool unordered = a != a || b != b;
  if (predicate == 14) return unordered;
  if (predicate == 7) return !unordered;
  if (unordered) return predicate > 7;
  switch (predicate > 7 ? predicate - 7 : predicate) {
    case 1: return a == b;
    case 2: return a > b;
    case 3: return a >= b;
    case 4: return a < b;
    case 5: return a <= b;
    default: return a != b;
  }
}

// Rounded to 32, 16 (fp16) or 15 (bf16) bits.
inline float round_float(float value, unsigned width) {
  if (width == 16) return float_of_fp16(fp16_of_float(value));
  if (width == 15) return float_of_bf16(bf16_of_float(value));
  return value;
}

inline int64_t signed_of_float(float value, unsigned width) {
  if (value != value) return 0;
  const float limit = std::ldexp(1.0f, static_cast<int>(width) - 1);
  const int64_t highest = width == 64 ? INT64_MAX : (int64_t{1} << (width - 1)) - 1;
  if (value >= limit) return highest;
  if (value < -limit) return -highest - 1;
  return static_cast<int64_t>(value);
}

inline int64_t unsigned_of_float(float value, unsigned width) {
  if (!(value > 0)) return 0;
  const float limit = std::ldexp(1.0f, static_cast<int>(width));
  if (value >= limit) return wrap(-1, width);
  return wrap(static_cast<int64_t>(static_cast<uint64_t>(value)), width);
}

inline uint64_t raw_bits(Scalar value, ElementType type) {
  switch (type) {
    case ElementType::kF32: return bits_of_float(value.real);
    case ElementType::kF16: return fp16_of_float(value.real);
    case ElementType::kBf16: return bf16_of_float(value.real);
    default: return static_cast<uint64_t>(value.integer);
  }
}

inline Scalar scalar_of_bits(uint64_t bits, ElementType type) {
  Scalar value{};
  switch (type) {
    case ElementType::kF32: value.real = float_of_bits(static_cast<uint32_t>(bits)); break;
    case ElementType::kF16: value.real = float_of_fp16(static_cast<uint16_t>(bits)); break;
    case ElementType::kBf16: value.real = float_of_bf16(static_cast<uint16_t>(bits)); break;
    default:
      value.integer = wrap(static_cast<int64_t>(bits),
                           type == ElementType::kIndex ? 64u
                                                       : static_cast<unsigned>(bits_of(type)));
  }
  return value;
}

}  // namespace npu::machine
