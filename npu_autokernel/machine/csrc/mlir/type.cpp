#include "mlir/type.h"

#include <cctype>
#include <cstdlib>
#include <string>

#include "half.h"
#include "mlir/cursor.h"
#include "registers.h"

namespace npu::machine::mlir {
namespace {

std::optional<MemorySpace> read_space(std::string_view text) {
  const std::string_view name = read_enum(text);
  if (name == "gm") return MemorySpace::kGm;
  if (name == "ub") return MemorySpace::kUb;
  if (name == "cbuf") return MemorySpace::kL1;
  if (name == "cc") return MemorySpace::kL0c;
  return std::nullopt;
}

// One dimension "4x" or "?x"; false at the element type.
bool accept_dimension(Cursor& cursor, std::vector<int64_t>& shape) {
  if (cursor.accept("?x")) {
    shape.push_back(kDynamic);
    return true;
  }
  if (!std::isdigit(static_cast<unsigned char>(cursor.peek()))) return false;
  shape.push_back(cursor.read_integer());
  return cursor.expect("x");
}

bool read_layout(Cursor& cursor, MemrefType& type) {
  type.has_layout = true;
  type.strides.clear();
  if (!cursor.expect("[")) return false;
  if (!cursor.accept("]")) {
    do {
      type.strides.push_back(cursor.accept("?") ? kDynamic : cursor.read_integer());
    } while (!cursor.failed() && cursor.accept(","));
    if (!cursor.expect("]")) return false;
  }
  if (cursor.accept(",")) {
    cursor.expect("offset");
    cursor.expect(":");
    if (!cursor.accept("?")) cursor.read_integer();
  }
  return cursor.expect(">") && type.strides.size() == type.shape.size();
}

// "(d0)[s0] -> (d0 + s0)>" or "(d0) -> (d0 + 256)>": a row at an offset, which a view holds itself.
bool read_shifted_row(Cursor& cursor) {
  const bool is_open = cursor.accept("(d0)[s0] -> (d0 + s0)");
  if (!is_open) {
    if (!cursor.accept("(d0) -> (d0 +")) return false;
    cursor.read_integer();
    cursor.expect(")");
  }
  return cursor.expect(">");
}

// False if they overflow.
bool fill_row_major_strides(MemrefType& type) {
  type.strides.assign(type.shape.size(), 1);
  for (size_t dim = type.shape.size(); dim-- > 1;) {
    const int64_t size = type.shape[dim], stride = type.strides[dim];
    int64_t& next = type.strides[dim - 1];
    next = kDynamic;
    const bool known = stride != kDynamic && size != kDynamic;
    if (known && __builtin_mul_overflow(stride, size, &next)) return false;
  }
  return true;
}

std::string_view before_type_suffix(std::string_view text) {
  const size_t colon = text.rfind(" : ");
  return trim(colon == std::string_view::npos ? text : text.substr(0, colon));
}

std::optional<Scalar> read_float_constant(std::string_view text, ElementType type) {
  const std::string literal(text);
  Scalar scalar{};
  char* end = nullptr;
  if (literal.rfind("0x", 0) == 0) {
    const uint64_t bits = std::strtoull(literal.c_str(), &end, 16);
    if (*end != '\0') return std::nullopt;
    if (type == ElementType::kF16) {
      scalar.real = float_of_fp16(static_cast<uint16_t>(bits));
    } else if (type == ElementType::kBf16) {
      scalar.real = float_of_bf16(static_cast<uint16_t>(bits));
    } else {
      scalar.real = float_of_bits(static_cast<uint32_t>(bits));
    }
    return scalar;
  }
  const double value = std::strtod(literal.c_str(), &end);
  if (literal.empty() || *end != '\0') return std::nullopt;
  scalar.real = static_cast<float>(value);
  if (type == ElementType::kF16) scalar.real = float_of_fp16(fp16_of_float(scalar.real));
  if (type == ElementType::kBf16) scalar.real = float_of_bf16(bf16_of_float(scalar.real));
  return scalar;
}

}  // namespace

std::optional<ElementType> read_element_type(std::string_view text) {
  static constexpr std::string_view kNames[] = {"i1",  "i8",   "i16", "i32",  "i64",
                                                "f16", "bf16", "f32", "index"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (text == kNames[i]) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

std::optional<MemrefType> read_memref_type(std::string_view text) {
  Cursor cursor(text);
  if (!cursor.accept("memref<")) return std::nullopt;
  MemrefType type;
  while (accept_dimension(cursor, type.shape)) {
  }
  if (cursor.failed() || type.shape.size() > kMaxRank) return std::nullopt;
  const std::string_view element = cursor.read_identifier();
  const auto element_type = read_element_type(element);
  if (!element_type || *element_type == ElementType::kIndex) return std::nullopt;
  type.element = *element_type;
  if (!fill_row_major_strides(type)) return std::nullopt;
  while (cursor.accept(",")) {
    cursor.skip_space();
    if (cursor.accept("strided<")) {
      if (!read_layout(cursor, type)) return std::nullopt;
    } else if (cursor.accept("affine_map<")) {
      if (!read_shifted_row(cursor) || type.shape.size() != 1) return std::nullopt;
    } else {
      const auto space = read_space(cursor.read_balanced(",>"));
      if (!space) return std::nullopt;
      type.space = *space;
    }
  }
  if (!cursor.expect(">") || !cursor.at_end()) return std::nullopt;
  return type;
}

std::optional<VectorType> read_vector_type(std::string_view text) {
  Cursor cursor(text);
  if (!cursor.accept("vector<")) return std::nullopt;
  std::vector<int64_t> shape;
  while (accept_dimension(cursor, shape)) {
  }
  if (cursor.failed() || shape.size() > 1) return std::nullopt;
  const auto element = read_element_type(cursor.read_identifier());
  if (!element || *element == ElementType::kIndex) return std::nullopt;
  if (!cursor.expect(">") || !cursor.at_end()) return std::nullopt;
  const int64_t lanes = shape.empty() ? 1 : shape[0];
  if (lanes < 1 || lanes > kMaxLanes) return std::nullopt;
  return VectorType{*element, lanes};
}

std::optional<std::vector<int64_t>> read_integer_array(std::string_view text) {
  Cursor cursor(text);
  std::vector<int64_t> values;
  const bool is_array = cursor.accept("array<");
  if (is_array) {
    cursor.read_identifier();
    if (cursor.accept(">")) return values;
    if (!cursor.expect(":")) return std::nullopt;
  } else if (!cursor.expect("[") || cursor.accept("]")) {
    return cursor.failed() ? std::nullopt : std::optional(values);
  }
  do {
    values.push_back(cursor.read_integer());
  } while (!cursor.failed() && cursor.accept(","));
  if (cursor.failed() || !cursor.expect(is_array ? ">" : "]")) return std::nullopt;
  return values;
}

std::optional<std::vector<std::vector<int64_t>>> read_nested_array(std::string_view text) {
  Cursor cursor(text);
  std::vector<std::vector<int64_t>> groups;
  if (!cursor.expect("[")) return std::nullopt;
  if (cursor.accept("]")) return groups;
  do {
    const auto group = read_integer_array(cursor.read_balanced(",]"));
    if (!group) return std::nullopt;
    groups.push_back(*group);
  } while (cursor.accept(","));
  if (!cursor.expect("]")) return std::nullopt;
  return groups;
}

std::optional<int64_t> read_integer(std::string_view text) {
  Cursor cursor(before_type_suffix(text));
  const int64_t value = cursor.read_integer();
  if (cursor.failed() || !cursor.at_end()) return std::nullopt;
  return value;
}

std::optional<bool> read_bool(std::string_view text) {
  if (text.empty() || text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

std::string_view read_enum(std::string_view text) {
  const size_t open = text.find('<');
  const size_t close = text.rfind('>');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return text.substr(open + 1, close - open - 1);
}

std::optional<std::vector<std::string_view>> read_enum_array(std::string_view text) {
  Cursor cursor(text);
  std::vector<std::string_view> names;
  if (!cursor.expect("[")) return std::nullopt;
  if (cursor.accept("]")) return names;
  do {
    names.push_back(read_enum(cursor.read_balanced(",]")));
  } while (cursor.accept(","));
  if (!cursor.expect("]")) return std::nullopt;
  return names;
}

std::optional<std::vector<uint8_t>> read_dense_bytes(std::string_view text) {
  Cursor cursor(text);
  if (!cursor.accept("dense<")) return std::nullopt;
  const std::string_view digits = cursor.read_string();
  if (!cursor.expect(">") || digits.size() % 2 != 0 || digits.substr(0, 2) != "0x") {
    return std::nullopt;
  }
  std::vector<uint8_t> bytes;
  for (size_t i = 2; i < digits.size(); i += 2) {
    const std::string pair(digits.substr(i, 2));
    char* end = nullptr;
    bytes.push_back(static_cast<uint8_t>(std::strtoul(pair.c_str(), &end, 16)));
    if (*end != '\0' || !std::isxdigit(static_cast<unsigned char>(pair[0]))) return std::nullopt;
  }
  return bytes;
}

std::string_view read_quoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return {};
  return text.substr(1, text.size() - 2);
}

std::optional<Scalar> read_constant(std::string_view text, ElementType type) {
  const std::string_view literal = before_type_suffix(text);
  if (is_float(type)) return read_float_constant(literal, type);
  Scalar scalar{};
  if (literal == "true" || literal == "false") {
    scalar.integer = literal == "true";
    return scalar;
  }
  const auto value = read_integer(literal);
  if (!value) return std::nullopt;
  scalar.integer = type == ElementType::kI1 ? *value & 1 : *value;
  return scalar;
}

std::optional<std::vector<std::string_view>> read_function_inputs(std::string_view text) {
  Cursor cursor(text);
  std::vector<std::string_view> types;
  if (!cursor.expect("(")) return std::nullopt;
  if (cursor.accept(")")) return types;
  do {
    types.push_back(cursor.read_balanced(",)"));
  } while (!cursor.failed() && cursor.accept(","));
  if (cursor.failed() || !cursor.expect(")")) return std::nullopt;
  return types;
}

}  // namespace npu::machine::mlir
