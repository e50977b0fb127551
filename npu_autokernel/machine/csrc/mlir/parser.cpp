#include "mlir/parser.h"

#include <algorithm>
#include <utility>

#include "mlir/cursor.h"
#include "mlir/location.h"

namespace npu::machine::mlir {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), cursor_(text) {}

  std::variant<Op, ParseError> run() {
    Op module;
    if (text_.size() > kMaxTextBytes) {
      cursor_.fail("the text is longer than 64 MiB");
    } else if (refuse_aliases() && expect_module() && parse_op(module, 0)) {
      cursor_.skip_space();
      // The compiler prints its diagnostics after the dump.
      const bool is_diagnostic = cursor_.starts_with("[") || cursor_.starts_with("loc(");
      if (!cursor_.at_end() && !is_diagnostic) cursor_.fail("text after the module");
    }
    if (!cursor_.failed()) return module;
    return error_here();
  }

 private:
  bool parse_op(Op& op, int depth) {
    if (depth > kMaxRegionDepth) return cursor_.fail("regions are nested too deeply");
    return parse_results(op) && parse_name(op) && parse_operands(op) && parse_properties(op) &&
           parse_regions(op, depth) && parse_attributes(op) && parse_types(op) &&
           parse_location(op.location);
  }

  // #loc = loc(...) and #map = affine_map<...> stand before a module that is not in local scope.
  bool refuse_aliases() {
    cursor_.skip_space();
    if (cursor_.peek() != '#') return true;
    return cursor_.fail("an alias; print the dump with --mlir-print-local-scope");
  }

  bool expect_module() {
    has_begun_ = cursor_.starts_with("\"builtin.module\"");
    if (has_begun_) return true;
    return cursor_.fail(
        "not a dump in generic form, which begins with \"builtin.module\"() ({; the compiler prints "
        "it with --mlir-print-op-generic");
  }

  bool parse_results(Op& op) {
    cursor_.skip_space();
    if (cursor_.peek() != '%') return true;
    do {
      const std::string_view name = cursor_.read_value_name();
      const int64_t count = cursor_.accept(":") ? cursor_.read_integer() : 1;
      if (count < 1 || count > 64) return cursor_.fail("an op has 1 to 64 results");
      for (int64_t i = 0; i < count; ++i) op.results.push_back(name);
    } while (!cursor_.failed() && cursor_.accept(","));
    return !cursor_.failed() && cursor_.expect("=");
  }

  bool parse_name(Op& op) {
    cursor_.skip_space();
    op.line = line_at(cursor_.position());
    op.name = cursor_.read_string();
    return !cursor_.failed();
  }

  bool parse_operands(Op& op) {
    if (!cursor_.expect("(")) return false;
    if (cursor_.accept(")")) return true;
    do {
      op.operands.push_back(cursor_.read_value_name());
    } while (!cursor_.failed() && cursor_.accept(","));
    return !cursor_.failed() && cursor_.expect(")");
  }

  bool parse_properties(Op& op) {
    if (!cursor_.accept("<{")) return true;
    return parse_attribute_list(op.properties) && cursor_.expect("}") && cursor_.expect(">");
  }

  bool parse_attributes(Op& op) {
    if (!cursor_.accept("{")) return true;
    return parse_attribute_list(op.attributes) && cursor_.expect("}");
  }

  bool parse_attribute_list(std::vector<Attribute>& list) {
    cursor_.skip_space();
    if (cursor_.peek() == '}') return true;
    do {
      Attribute attribute;
      cursor_.skip_space();
      attribute.name =
          cursor_.peek() == '"' ? cursor_.read_string() : cursor_.read_identifier();
      if (cursor_.accept("=")) attribute.value = cursor_.read_balanced(",}");
      list.push_back(attribute);
    } while (!cursor_.failed() && cursor_.accept(","));
    return !cursor_.failed();
  }

  bool parse_regions(Op& op, int depth) {
    cursor_.skip_space();
    if (!cursor_.accept("(")) return true;
    do {
      op.regions.emplace_back();
      if (!cursor_.expect("{") || !parse_region(op.regions.back(), depth)) return false;
    } while (cursor_.accept(","));
    return cursor_.expect(")");
  }

  bool parse_region(Region& region, int depth) {
    if (cursor_.accept("^") && !parse_block_header(region)) return false;
    while (!cursor_.accept("}")) {
      cursor_.skip_space();
      if (cursor_.at_end()) return cursor_.fail("unterminated region");
      if (cursor_.peek() == '^') return cursor_.fail("a region has one block at most");
      region.ops.emplace_back();
      if (!parse_op(region.ops.back(), depth + 1)) return false;
    }
    return true;
  }

  bool parse_block_header(Region& region) {
    cursor_.read_identifier();
    if (cursor_.accept("(") && !cursor_.accept(")")) {
      do {
        BlockArgument argument;
        argument.name = cursor_.read_value_name();
        if (!cursor_.expect(":")) return false;
        argument.type = cursor_.read_balanced(" \n\t,)");
        std::string_view location;
        if (cursor_.failed() || !parse_location(location)) return false;
        region.arguments.push_back(argument);
      } while (!cursor_.failed() && cursor_.accept(","));
      if (!cursor_.expect(")")) return false;
    }
    return !cursor_.failed() && cursor_.expect(":");
  }

  bool parse_types(Op& op) {
    if (!cursor_.expect(":") || !cursor_.expect("(")) return false;
    if (!parse_type_list(op.operand_types) || !cursor_.expect("->")) return false;
    if (cursor_.accept("(")) {
      if (!parse_type_list(op.result_types)) return false;
    } else {
      op.result_types.push_back(cursor_.read_balanced(" \n\t,)}"));
    }
    if (cursor_.failed()) return false;
    if (op.operand_types.size() != op.operands.size()) {
      return cursor_.fail("operand and type counts differ");
    }
    if (op.result_types.size() != op.results.size()) {
      return cursor_.fail("result and type counts differ");
    }
    return true;
  }

  // After "(", up to and including ")".
  bool parse_type_list(std::vector<std::string_view>& types) {
    if (cursor_.accept(")")) return true;
    do {
      types.push_back(cursor_.read_balanced(",)"));
    } while (!cursor_.failed() && cursor_.accept(","));
    return !cursor_.failed() && cursor_.expect(")");
  }

  // In the line where the op ends: in one of its own stands a diagnostic that follows the module.
  bool parse_location(std::string_view& location) {
    cursor_.skip_blanks();
    if (!cursor_.starts_with("loc(")) return true;
    cursor_.accept("loc(");
    const size_t start = cursor_.position();
    if (!skip_location(cursor_)) return false;
    location = text_.substr(start, cursor_.position() - 1 - start);
    return true;
  }

  // Ops are met in text order, so the count goes on from the last one.
  uint32_t line_at(size_t position) {
    line_ += static_cast<uint32_t>(
        std::count(text_.begin() + line_position_, text_.begin() + position, '\n'));
    line_position_ = position;
    return line_;
  }

  // A failure at the end of the text is what comes of a file that was cut off.
  std::string describe_error() const {
    if (!has_begun_ || !trim(text_.substr(std::min(cursor_.position(), text_.size()))).empty()) {
      return cursor_.error();
    }
    return "the text ends within the module (" + cursor_.error() + "); is the file whole?";
  }

  ParseError error_here() {
    const size_t position = std::min(cursor_.position(), text_.size());
    const std::string_view before = text_.substr(0, position);
    const size_t newline = before.rfind('\n');
    const size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    return {describe_error(), static_cast<uint32_t>(line),
            static_cast<uint32_t>(position - start + 1)};
  }

  std::string_view text_;
  Cursor cursor_;
  size_t line_position_ = 0;
  uint32_t line_ = 1;
  bool has_begun_ = false;  // the module
};

}  // namespace

std::variant<Op, ParseError> parse_module(std::string_view text) { return Parser(text).run(); }

}  // namespace npu::machine::mlir
