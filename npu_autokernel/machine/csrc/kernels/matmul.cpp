// c += a * b for row-major panels. Compiled once per instruction set like kernels.cpp, but with
// multiply-add contracted: the cube's own rounding inside a tile is not specified.
//
// The inner block keeps kRows x kColumns sums in registers and walks k once. Callers keep panels
// small enough for the cache: a tile of the cube is at most 64 KB a side.
#include "kernels/kernel_table.h"

namespace npu::machine {
namespace {

#if defined(__AVX512F__)
constexpr ptrdiff_t kVectorFloats = 16;
constexpr ptrdiff_t kBlockRows = 8;
#elif defined(__AVX2__)
constexpr ptrdiff_t kVectorFloats = 8;
constexpr ptrdiff_t kBlockRows = 4;
#else
constexpr ptrdiff_t kVectorFloats = 4;
constexpr ptrdiff_t kBlockRows = 4;
#endif
constexpr ptrdiff_t kBlockVectors = 2;

template <typename T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(kVectorFloats * sizeof(T)), aligned(sizeof(T))));
};

template <typename T, ptrdiff_t kRows>
inline void multiply_block(T* c, ptrdiff_t ldc, const T* a, ptrdiff_t lda, const T* b,
                           ptrdiff_t ldb, ptrdiff_t k) {
  using Vector = typename VectorOf<T>::Type;
  Vector sums[kRows][kBlockVectors];
  for (ptrdiff_t row = 0; row < kRows; ++row) {
    for (ptrdiff_t v = 0; v < kBlockVectors; ++v) {
      sums[row][v] = *reinterpret_cast<const Vector*>(c + row * ldc + v * kVectorFloats);
    }
  }
  for (ptrdiff_t step = 0; step < k; ++step) {
    Vector right[kBlockVectors];
    for (ptrdiff_t v = 0; v < kBlockVectors; ++v) {
      right[v] = *reinterpret_cast<const Vector*>(b + step * ldb + v * kVectorFloats);
    }
    for (ptrdiff_t row = 0; row < kRows; ++row) {
      const T left = a[row * lda + step];
      for (ptrdiff_t v = 0; v < kBlockVectors; ++v) sums[row][v] += left * right[v];
    }
  }
  for (ptrdiff_t row = 0; row < kRows; ++row) {
    for (ptrdiff_t v = 0; v < kBlockVectors; ++v) {
      *reinterpret_cast<Vector*>(c + row * ldc + v * kVectorFloats) = sums[row][v];
    }
  }
}

template <typename T>
void matmul(T* c, ptrdiff_t ldc, const T* a, ptrdiff_t lda, const T* b, ptrdiff_t ldb, ptrdiff_t m,
            ptrdiff_t n, ptrdiff_t k) {
  constexpr ptrdiff_t kColumns = kBlockVectors * kVectorFloats;
  const ptrdiff_t whole = n - n % kColumns;
  for (ptrdiff_t column = 0; column < whole; column += kColumns) {
    ptrdiff_t row = 0;
    for (; row + kBlockRows <= m; row += kBlockRows) {
      multiply_block<T, kBlockRows>(c + row * ldc + column, ldc, a + row * lda, lda, b + column,
                                    ldb, k);
    }
    for (; row < m; ++row) {
      multiply_block<T, 1>(c + row * ldc + column, ldc, a + row * lda, lda, b + column, ldb, k);
    }
  }
  for (ptrdiff_t row = 0; row < m; ++row) {
    for (ptrdiff_t step = 0; step < k; ++step) {
      const T left = a[row * lda + step];
      for (ptrdiff_t column = whole; column < n; ++column) {
        c[row * ldc + column] += left * b[step * ldb + column];
      }
    }
  }
}

}  // namespace

void NPU_MATMUL_SET(KernelTable& table) {
  table.matmul_float = matmul<float>;
  table.matmul_int = matmul<int32_t>;
}

}  // namespace npu::machine
