// The tree of a generic-form MLIR module. Every string_view points into the parsed text.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace npu::machine::mlir {

struct Attribute {
  std::string_view name;
  std::string_view value;  // raw text; empty for a unit attribute
};

struct Region;

struct Op {
  std::string_view name;
  uint32_t line = 0;
  std::vector<std::string_view> results;        // "%4", or "%4" with result_count > 1
  std::vector<std::string_view> operands;       // "%4" or "%4#1"
  std::vector<Attribute> properties;            // <{...}>: part of the op's meaning
  std::vector<Attribute> attributes;            // {...}: annotations
  std::vector<std::string_view> operand_types;  // raw text
  std::vector<std::string_view> result_types;   // raw text
  std::vector<Region> regions;
  std::string_view location;  // raw text between the brackets of loc(...); empty: none

  const Attribute* property(std::string_view key) const;
  const Attribute* annotation(std::string_view key) const;
};

struct BlockArgument {
  std::string_view name;
  std::string_view type;
};

// A region with at most one block; an empty region has no ops.
struct Region {
  std::vector<BlockArgument> arguments;
  std::vector<Op> ops;
};

inline const Attribute* find_attribute(const std::vector<Attribute>& list, std::string_view key) {
  for (const Attribute& attribute : list) {
    if (attribute.name == key) return &attribute;
  }
  return nullptr;
}

inline const Attribute* Op::property(std::string_view key) const {
  return find_attribute(properties, key);
}

inline const Attribute* Op::annotation(std::string_view key) const {
  return find_attribute(attributes, key);
}

}  // namespace npu::machine::mlir
