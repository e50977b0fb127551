// Element types, memory spaces, pipes and the memref value: the words every other file uses.
#pragma once

#include <cstdint>

namespace npu::machine {

// The in-order queues of a core. S issues to all the others.
enum class Pipe : uint8_t { kScalar, kVector, kMte1, kMte2, kMte3, kCube, kFixpipe };
constexpr int kPipeCount = 7;

enum class CoreKind : uint8_t { kCube, kVector };

enum class MemorySpace : uint8_t { kGm, kUb, kL1, kL0c };
constexpr int kMemorySpaceCount = 4;

// kIndex only types scalars; it is a 64-bit integer.
enum class ElementType : uint8_t { kI1, kI8, kI16, kI32, kI64, kF16, kBf16, kF32, kIndex };

constexpr bool is_float(ElementType type) {
  return type == ElementType::kF16 || type == ElementType::kBf16 || type == ElementType::kF32;
}

// Bits of one element. An i1 takes one bit on chip and one byte in GM.
constexpr int bits_of(ElementType type) {
  constexpr int kBits[] = {1, 8, 16, 32, 64, 16, 16, 32, 64};
  return kBits[static_cast<int>(type)];
}

// Bytes of one element; not meaningful for a bit-packed i1.
constexpr int bytes_of(ElementType type) { return (bits_of(type) + 7) / 8; }

// A scalar register: integers are sign-extended to 64 bits (an i1 is 0 or 1), every float type is
// held as the float of equal value.
union Scalar {
  int64_t integer;
  float real;
};

constexpr int kMaxRank = 8;

// The value of a memref: where element [0, ..., 0] lies and how to walk from it.
struct MemoryView {
  MemorySpace space = MemorySpace::kGm;
  ElementType type = ElementType::kI8;
  uint8_t rank = 0;
  int32_t buffer = -1;    // kGm: ordinal of the device function's argument; on chip: -1
  int64_t base_byte = 0;  // byte address inside the space or the buffer
  int64_t offset = 0;     // elements after base_byte (bits for a bit-packed i1)
  int64_t sizes[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};  // in elements

  bool is_bit_packed() const { return type == ElementType::kI1 && space != MemorySpace::kGm; }
  bool is_empty() const;
  int64_t element_count() const;
};

inline int64_t MemoryView::element_count() const {
  int64_t count = 1;
  for (int dim = 0; dim < rank; ++dim) count *= sizes[dim] > 0 ? sizes[dim] : 0;
  return count;
}

inline bool MemoryView::is_empty() const { return element_count() == 0; }

// The bytes [first, last) that a view may touch, relative to its space or buffer.
struct ByteSpan {
  int64_t first = 0;
  int64_t last = 0;
};

inline ByteSpan span_of(const MemoryView& view) {
  if (view.is_empty()) return {};
  int64_t low = view.offset, high = view.offset;
  for (int dim = 0; dim < view.rank; ++dim) {
    const int64_t reach = (view.sizes[dim] - 1) * view.strides[dim];
    (reach < 0 ? low : high) += reach;
  }
  if (view.is_bit_packed()) {
    return {view.base_byte + (low >> 3), view.base_byte + (high >> 3) + 1};
  }
  const int64_t width = bytes_of(view.type);
  return {view.base_byte + low * width, view.base_byte + (high + 1) * width};
}

}  // namespace npu::machine
