// One table of kernels. Compiled once per instruction set with NPU_KERNEL_SET and
// NPU_MATMUL_SET naming the copy.
#include "kernels/convert.h"
#include "kernels/elementwise.h"
#include "kernels/kernel_table.h"
#include "kernels/reduce.h"

namespace npu::machine {

void NPU_MATMUL_SET(KernelTable& table);  // matmul.cpp

namespace {

constexpr int index_of(ElementType type) { return static_cast<int>(type); }

template <UnaryKernel K>
void fill_float_unary(KernelTable& table) {
  auto& row = table.unary[static_cast<int>(K)];
  row[index_of(ElementType::kF32)] = unary_row<K, float>;
  row[index_of(ElementType::kF16)] = unary_row<K, Fp16>;
  row[index_of(ElementType::kBf16)] = unary_row<K, Bf16>;
}

template <UnaryKernel K>
void fill_int_unary(KernelTable& table) {
  auto& row = table.unary[static_cast<int>(K)];
  row[index_of(ElementType::kI8)] = unary_row<K, int8_t>;
  row[index_of(ElementType::kI16)] = unary_row<K, int16_t>;
  row[index_of(ElementType::kI32)] = unary_row<K, int32_t>;
  row[index_of(ElementType::kI64)] = unary_row<K, int64_t>;
}

template <BinaryKernel K>
void fill_float_binary(KernelTable& table) {
  auto& row = table.binary[static_cast<int>(K)];
  row[index_of(ElementType::kF32)] = binary_row<K, float>;
  row[index_of(ElementType::kF16)] = binary_row<K, Fp16>;
  row[index_of(ElementType::kBf16)] = binary_row<K, Bf16>;
}

template <BinaryKernel K>
void fill_int_binary(KernelTable& table) {
  auto& row = table.binary[static_cast<int>(K)];
  row[index_of(ElementType::kI8)] = binary_row<K, int8_t>;
  row[index_of(ElementType::kI16)] = binary_row<K, int16_t>;
  row[index_of(ElementType::kI32)] = binary_row<K, int32_t>;
  row[index_of(ElementType::kI64)] = binary_row<K, int64_t>;
}

template <BinaryKernel K>
void fill_reduce(KernelTable& table, bool floats) {
  auto& row = table.reduce[static_cast<int>(K)];
  if (floats) {
    if constexpr (K == BinaryKernel::kAdd || K == BinaryKernel::kMul || K == BinaryKernel::kMax ||
                  K == BinaryKernel::kMin) {
      row[index_of(ElementType::kF32)] = reduce_row<K, float>;
      row[index_of(ElementType::kF16)] = reduce_row<K, Fp16>;
      row[index_of(ElementType::kBf16)] = reduce_row<K, Bf16>;
    }
  }
  row[index_of(ElementType::kI8)] = reduce_row<K, int8_t>;
  row[index_of(ElementType::kI16)] = reduce_row<K, int16_t>;
  row[index_of(ElementType::kI32)] = reduce_row<K, int32_t>;
  row[index_of(ElementType::kI64)] = reduce_row<K, int64_t>;
}

template <CompareKernel K>
void fill_compare(KernelTable& table) {
  auto& row = table.compare[static_cast<int>(K)];
  row[index_of(ElementType::kI8)] = compare_row<K, int8_t>;
  row[index_of(ElementType::kI16)] = compare_row<K, int16_t>;
  row[index_of(ElementType::kI32)] = compare_row<K, int32_t>;
  row[index_of(ElementType::kI64)] = compare_row<K, int64_t>;
  row[index_of(ElementType::kF32)] = compare_row<K, float>;
  row[index_of(ElementType::kF16)] = compare_row<K, Fp16>;
  row[index_of(ElementType::kBf16)] = compare_row<K, Bf16>;
}

void fill_unary_table(KernelTable& table) {
  fill_float_unary<UnaryKernel::kExp>(table);
  fill_float_unary<UnaryKernel::kLn>(table);
  fill_float_unary<UnaryKernel::kAbs>(table);
  fill_int_unary<UnaryKernel::kAbs>(table);
  fill_float_unary<UnaryKernel::kSqrt>(table);
  fill_float_unary<UnaryKernel::kRsqrt>(table);
  fill_float_unary<UnaryKernel::kRec>(table);
  fill_float_unary<UnaryKernel::kRelu>(table);
  fill_int_unary<UnaryKernel::kRelu>(table);
  fill_int_unary<UnaryKernel::kNot>(table);
  fill_float_unary<UnaryKernel::kFloor>(table);
  fill_float_unary<UnaryKernel::kCeil>(table);
  fill_float_unary<UnaryKernel::kRound>(table);
  fill_float_unary<UnaryKernel::kTrunc>(table);
  fill_float_unary<UnaryKernel::kRint>(table);
}

void fill_binary_table(KernelTable& table) {
  fill_float_binary<BinaryKernel::kAdd>(table);
  fill_int_binary<BinaryKernel::kAdd>(table);
  fill_float_binary<BinaryKernel::kSub>(table);
  fill_int_binary<BinaryKernel::kSub>(table);
  fill_float_binary<BinaryKernel::kMul>(table);
  fill_int_binary<BinaryKernel::kMul>(table);
  fill_float_binary<BinaryKernel::kDiv>(table);
  fill_float_binary<BinaryKernel::kMax>(table);
  fill_int_binary<BinaryKernel::kMax>(table);
  fill_float_binary<BinaryKernel::kMin>(table);
  fill_int_binary<BinaryKernel::kMin>(table);
  fill_int_binary<BinaryKernel::kAnd>(table);
  fill_int_binary<BinaryKernel::kOr>(table);
  fill_int_binary<BinaryKernel::kXor>(table);
  fill_int_binary<BinaryKernel::kShl>(table);
  fill_int_binary<BinaryKernel::kShr>(table);
}

void fill_reduce_table(KernelTable& table) {
  fill_reduce<BinaryKernel::kAdd>(table, true);
  fill_reduce<BinaryKernel::kMul>(table, true);
  fill_reduce<BinaryKernel::kMax>(table, true);
  fill_reduce<BinaryKernel::kMin>(table, true);
  fill_reduce<BinaryKernel::kAnd>(table, false);
  fill_reduce<BinaryKernel::kOr>(table, false);
  fill_reduce<BinaryKernel::kXor>(table, false);
}

void fill_conversions(KernelTable& table) {
  table.load_float[index_of(ElementType::kF32)] = load_float_row<float>;
  table.load_float[index_of(ElementType::kF16)] = load_float_row<Fp16>;
  table.load_float[index_of(ElementType::kBf16)] = load_float_row<Bf16>;
  table.store_float[index_of(ElementType::kF32)] = store_float_row<float>;
  table.store_float[index_of(ElementType::kF16)] = store_float_row<Fp16>;
  table.store_float[index_of(ElementType::kBf16)] = store_float_row<Bf16>;
  table.load_int[index_of(ElementType::kI8)] = load_int_row<int8_t>;
  table.load_int[index_of(ElementType::kI16)] = load_int_row<int16_t>;
  table.load_int[index_of(ElementType::kI32)] = load_int_row<int32_t>;
  table.load_int[index_of(ElementType::kI64)] = load_int_row<int64_t>;
  table.store_int[index_of(ElementType::kI8)] = store_int_row<int8_t>;
  table.store_int[index_of(ElementType::kI16)] = store_int_row<int16_t>;
  table.store_int[index_of(ElementType::kI32)] = store_int_row<int32_t>;
  table.store_int[index_of(ElementType::kI64)] = store_int_row<int64_t>;
  table.int32_of_float = int32_of_float_row;
  table.float_of_int32 = float_of_int32_row;
  table.unpack_bits = unpack_bits_row;
  table.pack_bits = pack_bits_row;
}

template <typename T>
void fill_width(KernelTable& table) {
  table.select[width_index(sizeof(T))] = select_row<T>;
  table.copy[width_index(sizeof(T))] = copy_row<T>;
}

KernelTable make_table() {
  KernelTable table = {};
  fill_unary_table(table);
  fill_binary_table(table);
  fill_reduce_table(table);
  fill_compare<CompareKernel::kEq>(table);
  fill_compare<CompareKernel::kNe>(table);
  fill_compare<CompareKernel::kLt>(table);
  fill_compare<CompareKernel::kGt>(table);
  fill_compare<CompareKernel::kGe>(table);
  fill_compare<CompareKernel::kLe>(table);
  fill_conversions(table);
  fill_width<uint8_t>(table);
  fill_width<uint16_t>(table);
  fill_width<uint32_t>(table);
  fill_width<uint64_t>(table);
  NPU_MATMUL_SET(table);
  return table;
}

}  // namespace

const KernelTable& NPU_KERNEL_SET() {
  static const KernelTable table = make_table();
  return table;
}

}  // namespace npu::machine
