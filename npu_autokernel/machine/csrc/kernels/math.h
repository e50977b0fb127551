// exp and ln of one float, written so that loops over them vectorise. Included by kernels.cpp only.
//
// Both reduce the argument to a small interval and use a polynomial; worst error against the exact
// value is below 1 ulp for ln and about 1 ulp for exp, subnormal results of exp included.
#pragma once

#include "half.h"

namespace npu::machine {
namespace {

inline float exp_of(float x) {
  constexpr float kLog2e = 1.44269504088896341f;
  constexpr float kLn2High = 0.693359375f;
  constexpr float kLn2Low = -2.12194440e-4f;
  constexpr float kRoundMagic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  const float clamped = x < -104.0f ? -104.0f : (x > 89.0f ? 89.0f : x);
  const float shifted = clamped * kLog2e + kRoundMagic;
  const float n = shifted - kRoundMagic;
  const float r = (clamped - n * kLn2High) - n * kLn2Low;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.0f;
  // 2^n in two factors, so that the result may be subnormal or overflow.
  const int32_t exponent = static_cast<int32_t>(bits_of_float(shifted)) - 0x4b400000;
  const int32_t half = exponent >> 1;
  const float scale_a = float_of_bits(static_cast<uint32_t>(half + 127) << 23);
  const float scale_b = float_of_bits(static_cast<uint32_t>(exponent - half + 127) << 23);
  const float result = p * scale_a * scale_b;
  return x != x ? x : result;
}

inline float ln_of(float x) {
  constexpr float kLn2High = 0.693359375f;
  constexpr float kLn2Low = -2.12194440e-4f;
  const bool is_subnormal = x < 1.17549435e-38f;
  const float scaled = is_subnormal ? x * 8388608.0f : x;
  const uint32_t bits = bits_of_float(scaled);
  // Mantissa in [sqrt(1/2), sqrt(2)).
  const uint32_t shifted = bits - 0x3f3504f3u;
  const int32_t exponent = static_cast<int32_t>(shifted) >> 23;
  const float m = float_of_bits((shifted & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
  const float e = static_cast<float>(exponent - (is_subnormal ? 23 : 0));
  const float z = m * m;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  float y = p * m * z;
  y = y + e * kLn2Low;
  y = y - 0.5f * z;
  float result = m + y;
  result = result + e * kLn2High;
  const float infinity = float_of_bits(0x7f800000u);
  result = x == infinity ? infinity : result;
  result = x == 0.0f ? -infinity : result;
  return x < 0.0f ? float_of_bits(0x7fc00000u) : (x != x ? x : result);
}

}  // namespace
}  // namespace npu::machine
