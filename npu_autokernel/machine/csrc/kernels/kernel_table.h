// The inner loops, as tables of function pointers.
//
// kernels.cpp is compiled once per instruction set (baseline, and on x86-64 also AVX2 and AVX-512)
// and each copy fills one table; kernels() picks the best one that this processor runs. A row is
// a one-dimensional run of elements; strides are in elements and 0 repeats one element. A null
// entry means that the op does not exist for that type. Rows may alias exactly (in place).
#pragma once

#include <cstddef>
#include <cstdint>

#include "types.h"

namespace npu::machine {

constexpr int kElementTypes = 8;  // all but kIndex

enum class UnaryKernel : uint8_t {
  kExp, kLn, kAbs, kSqrt, kRsqrt, kRec, kRelu, kNot, kFloor, kCeil, kRound, kTrunc, kRint, kCount
};

enum class BinaryKernel : uint8_t {
  kAdd, kSub, kMul, kDiv, kMax, kMin, kAnd, kOr, kXor, kShl, kShr, kCount
};

enum class CompareKernel : uint8_t { kEq, kNe, kLt, kGt, kGe, kLe, kCount };

using UnaryRow = void (*)(void* dst, ptrdiff_t dst_stride, const void* a, ptrdiff_t a_stride,
                          ptrdiff_t count);
using BinaryRow = void (*)(void* dst, ptrdiff_t dst_stride, const void* a, ptrdiff_t a_stride,
                           const void* b, ptrdiff_t b_stride, ptrdiff_t count);
// Writes 0 or 1 per element.
using CompareRow = void (*)(uint8_t* dst, const void* a, ptrdiff_t a_stride, const void* b,
                            ptrdiff_t b_stride, ptrdiff_t count);
// dst = mask ? a : b, by element width; mask holds 0 or 1 per element.
using SelectRow = void (*)(void* dst, ptrdiff_t dst_stride, const uint8_t* mask, const void* a,
                           ptrdiff_t a_stride, const void* b, ptrdiff_t b_stride, ptrdiff_t count);
// Contiguous on one side: gather elements of a row into a buffer, or the reverse.
using LoadFloatRow = void (*)(float* dst, const void* src, ptrdiff_t src_stride, ptrdiff_t count);
using StoreFloatRow = void (*)(void* dst, ptrdiff_t dst_stride, const float* src, ptrdiff_t count);
using LoadIntRow = void (*)(int64_t* dst, const void* src, ptrdiff_t src_stride, ptrdiff_t count);
using StoreIntRow = void (*)(void* dst, ptrdiff_t dst_stride, const int64_t* src, ptrdiff_t count);
// The reduction of a row to one element of the same type.
using ReduceRow = void (*)(void* dst, const void* src, ptrdiff_t src_stride, ptrdiff_t count);
// The element copied `count` times with strides, by element width.
using CopyRow = void (*)(void* dst, ptrdiff_t dst_stride, const void* src, ptrdiff_t src_stride,
                         ptrdiff_t count);

struct KernelTable {
  UnaryRow unary[static_cast<int>(UnaryKernel::kCount)][kElementTypes];
  BinaryRow binary[static_cast<int>(BinaryKernel::kCount)][kElementTypes];
  CompareRow compare[static_cast<int>(CompareKernel::kCount)][kElementTypes];
  ReduceRow reduce[static_cast<int>(BinaryKernel::kCount)][kElementTypes];
  SelectRow select[4];  // widths 1, 2, 4, 8
  CopyRow copy[4];
  LoadFloatRow load_float[kElementTypes];  // float types only
  StoreFloatRow store_float[kElementTypes];
  LoadIntRow load_int[kElementTypes];  // integer types only, sign-extended
  StoreIntRow store_int[kElementTypes];  // the low bits
  void (*int32_of_float)(int32_t* dst, const float* src, ptrdiff_t count);  // saturating, NaN: 0
  void (*float_of_int32)(float* dst, const int32_t* src, ptrdiff_t count);
  // Bits from `bit` of `bits` on, one byte 0 or 1 each; and back.
  void (*unpack_bits)(uint8_t* dst, const uint8_t* bits, int64_t bit, ptrdiff_t count);
  void (*pack_bits)(uint8_t* bits, int64_t bit, const uint8_t* src, ptrdiff_t count);
  // c[m x n] += a[m x k] * b[k x n], rows of `ldc`, `lda`, `ldb` elements.
  void (*matmul_float)(float* c, ptrdiff_t ldc, const float* a, ptrdiff_t lda, const float* b,
                       ptrdiff_t ldb, ptrdiff_t m, ptrdiff_t n, ptrdiff_t k);
  void (*matmul_int)(int32_t* c, ptrdiff_t ldc, const int32_t* a, ptrdiff_t lda, const int32_t* b,
                     ptrdiff_t ldb, ptrdiff_t m, ptrdiff_t n, ptrdiff_t k);
};

const KernelTable& kernels();

constexpr int width_index(int bytes) { return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3; }

}  // namespace npu::machine
