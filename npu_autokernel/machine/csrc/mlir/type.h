// Types and attribute values, read from their raw text on demand. nullopt: not of that form.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "types.h"

namespace npu::machine::mlir {

constexpr int64_t kDynamic = INT64_MIN;

struct MemrefType {
  MemorySpace space = MemorySpace::kGm;
  ElementType element = ElementType::kI8;
  std::vector<int64_t> shape;    // kDynamic where '?'
  std::vector<int64_t> strides;  // kDynamic where '?'; row-major where the type has no layout
  bool has_layout = false;
};

// vector<64xf32>; a vector of no dims has one lane.
struct VectorType {
  ElementType element = ElementType::kF32;
  int64_t lanes = 1;
};

std::optional<ElementType> read_element_type(std::string_view text);
std::optional<MemrefType> read_memref_type(std::string_view text);
std::optional<VectorType> read_vector_type(std::string_view text);

// array<i64: 1, 2>, [1, 2]
std::optional<std::vector<int64_t>> read_integer_array(std::string_view text);
// [[0, 1], [2]]
std::optional<std::vector<std::vector<int64_t>>> read_nested_array(std::string_view text);
// 12, 12 : i64
std::optional<int64_t> read_integer(std::string_view text);
// true, false, or the empty text of a unit attribute
std::optional<bool> read_bool(std::string_view text);
// #hivm.pipe<PIPE_V> -> PIPE_V
std::string_view read_enum(std::string_view text);
// [#hivm.unit_flag<A>, #hivm.unit_flag<B>] -> A, B
std::optional<std::vector<std::string_view>> read_enum_array(std::string_view text);
// dense<"0x0011"> : tensor<2xi8>: the bytes
std::optional<std::vector<uint8_t>> read_dense_bytes(std::string_view text);
// "text" -> text
std::string_view read_quoted(std::string_view text);
// A literal of an arith.constant: "1.0e+00 : f32", "0x7F800000 : f32", "true", "-3 : i64".
std::optional<Scalar> read_constant(std::string_view text, ElementType type);
// (types) -> (types): the operand types
std::optional<std::vector<std::string_view>> read_function_inputs(std::string_view text);

}  // namespace npu::machine::mlir
