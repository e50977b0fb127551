// fp16 and bf16 as bit patterns: conversion to and from float, round to nearest even.
#pragma once

#include <cstdint>
#include <cstring>

namespace npu::machine {

inline float float_of_bits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline uint32_t bits_of_float(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float float_of_bf16(uint16_t bits) { return float_of_bits(uint32_t{bits} << 16); }

inline uint16_t bf16_of_float(float value) {
  const uint32_t bits = bits_of_float(value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return static_cast<uint16_t>(is_nan ? ((bits >> 16) | 0x0040u) : rounded);
}

inline float float_of_fp16(uint16_t bits) {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  const uint32_t magnitude = bits & 0x7fffu;
  // Scale an exponent-shifted copy by 2^112: also right for subnormals.
  const float scaled = float_of_bits(magnitude << 13) * float_of_bits(0x77800000u);
  const uint32_t special = 0x7f800000u | (magnitude << 13);
  const uint32_t finite = bits_of_float(scaled);
  return float_of_bits(sign | (magnitude >= 0x7c00u ? special : finite));
}

inline uint16_t fp16_of_float(float value) {
  const uint32_t bits = bits_of_float(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  const uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x03ffu);
  // Below 2^-14 the sum with 0.5 leaves the subnormal in the low bits, rounded by the addition.
  const uint32_t subnormal =
      bits_of_float(float_of_bits(magnitude) + float_of_bits(0x3f000000u)) - 0x3f000000u;
  const uint32_t normal = (magnitude + 0xc8000fffu + ((magnitude >> 13) & 1u)) >> 13;
  uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  result = magnitude > 0x7f800000u ? nan : result;
  return static_cast<uint16_t>(sign | result);
}

}  // namespace npu::machine
