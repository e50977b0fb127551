// A position in MLIR text with the few lexical steps the parsers need. It never reads past the
// end, and remembers the first error only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace npu::machine::mlir {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool at_end() const { return position_ >= text_.size(); }
  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }
  size_t position() const { return position_; }

  char peek() const { return at_end() ? '\0' : text_[position_]; }
  bool starts_with(std::string_view token) const {
    return text_.substr(position_, token.size()) == token;
  }

  void skip_space();  // white space and // comments
  void skip_blanks();  // white space up to the end of the line
  bool accept(std::string_view token);
  bool expect(std::string_view token);
  bool fail(const std::string& message);  // always false

  // "text" without the quotes.
  std::string_view read_string();
  // %name, %4 or %4#1.
  std::string_view read_value_name();
  // Letters, digits, _ . $ -
  std::string_view read_identifier();
  int64_t read_integer();
  // Raw text up to, not including, an unnested character of `stops`.
  std::string_view read_balanced(std::string_view stops);

 private:
  std::string_view text_;
  size_t position_ = 0;
  std::string error_;
};

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace npu::machine::mlir
