#include "mlir/cursor.h"

#include <cctype>

namespace npu::machine::mlir {
namespace {

constexpr size_t kMaxNesting = 256;

bool is_identifier_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
         c == '-';
}

char closer_of(char open) {
  switch (open) {
    case '(': return ')';
    case '[': return ']';
    case '{': return '}';
    case '<': return '>';
    default: return '\0';
  }
}

}  // namespace

bool Cursor::fail(const std::string& message) {
  if (error_.empty()) error_ = message;
  return false;
}

void Cursor::skip_space() {
  while (!at_end()) {
    if (std::isspace(static_cast<unsigned char>(peek()))) {
      ++position_;
    } else if (starts_with("//")) {
      while (!at_end() && peek() != '\n') ++position_;
    } else {
      return;
    }
  }
}

void Cursor::skip_blanks() {
  while (peek() == ' ' || peek() == '\t') ++position_;
}

bool Cursor::accept(std::string_view token) {
  skip_space();
  if (!starts_with(token)) return false;
  position_ += token.size();
  return true;
}

bool Cursor::expect(std::string_view token) {
  return accept(token) || fail("expected '" + std::string(token) + "'");
}

std::string_view Cursor::read_string() {
  skip_space();
  if (peek() != '"') {
    fail("expected a string");
    return {};
  }
  const size_t start = ++position_;
  while (!at_end() && peek() != '"') position_ += peek() == '\\' ? 2 : 1;
  if (at_end()) {
    position_ = text_.size();
    fail("unterminated string");
    return {};
  }
  return text_.substr(start, position_++ - start);
}

std::string_view Cursor::read_value_name() {
  skip_space();
  const size_t start = position_;
  if (peek() != '%') {
    fail("expected a value name");
    return {};
  }
  ++position_;
  while (!at_end() && (is_identifier_char(peek()) || peek() == '#')) ++position_;
  return text_.substr(start, position_ - start);
}

std::string_view Cursor::read_identifier() {
  skip_space();
  const size_t start = position_;
  while (!at_end() && is_identifier_char(peek())) ++position_;
  if (position_ == start) fail("expected an identifier");
  return text_.substr(start, position_ - start);
}

int64_t Cursor::read_integer() {
  skip_space();
  const bool negative = accept("-");
  uint64_t value = 0;
  int digits = 0;
  while (std::isdigit(static_cast<unsigned char>(peek())) && digits <= 19) {
    value = value * 10 + static_cast<uint64_t>(peek() - '0');
    ++position_, ++digits;
  }
  if (digits == 0 || digits > 19) fail("expected a 64-bit integer");
  return static_cast<int64_t>(negative ? 0 - value : value);
}

std::string_view Cursor::read_balanced(std::string_view stops) {
  skip_space();
  const size_t start = position_;
  std::string closers;
  while (!at_end()) {
    const char c = peek();
    if (closers.empty() && stops.find(c) != std::string_view::npos) break;
    if (c == '"') {
      read_string();
      if (failed()) return {};
      continue;
    }
    ++position_;
    if (c == '-' && peek() == '>') {
      ++position_;
    } else if (const char closer = closer_of(c)) {
      closers.push_back(closer);
      if (closers.size() > kMaxNesting) {
        fail("brackets are nested too deeply");
        return {};
      }
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      if (closers.empty() || closers.back() != c) {
        --position_;
        fail("unbalanced bracket");
        return {};
      }
      closers.pop_back();
    }
  }
  if (!closers.empty()) fail("unbalanced bracket");
  return trim(text_.substr(start, position_ - start));
}

}  // namespace npu::machine::mlir
