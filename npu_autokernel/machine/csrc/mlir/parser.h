// Text of a generic-form, local-scope MLIR module -> Op tree.
//
// The grammar is the generic one only: results = "name"(operands) <{properties}> ({regions})
// {attributes} : (types) -> (types) loc(location). Regions have at most one block. Attribute
// values, types and locations stay raw text; type.h and location.h read those that are needed. A
// text without locations is as good.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "mlir/ast.h"

namespace npu::machine::mlir {

struct ParseError {
  std::string message;
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1
};

constexpr size_t kMaxTextBytes = 64u << 20;
constexpr int kMaxRegionDepth = 64;

// The result points into `text`.
std::variant<Op, ParseError> parse_module(std::string_view text);

}  // namespace npu::machine::mlir
