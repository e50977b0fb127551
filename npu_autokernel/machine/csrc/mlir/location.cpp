#include "mlir/location.h"

namespace npu::machine::mlir {
namespace {

// Reads one location; keeps the last file it names and the first line in the file asked for.
class LocationReader {
 public:
  LocationReader(Cursor& cursor, std::string_view file) : cursor_(cursor), file_(file) {}

  bool read(int depth) {
    if (depth > kMaxLocationDepth) return cursor_.fail("locations are nested too deeply");
    cursor_.skip_space();
    if (cursor_.peek() == '"') return read_place_or_name(depth);
    if (cursor_.peek() == '#') {
      return cursor_.fail("an alias of a location; print the dump with --mlir-print-local-scope");
    }
    if (cursor_.accept("unknown")) return true;
    if (cursor_.accept("callsite")) return read_call(depth);
    if (cursor_.accept("fused")) return read_fused(depth);
    return cursor_.fail("expected a location");
  }

  std::string_view last_file() const { return last_file_; }
  uint32_t line() const { return line_; }

 private:
  bool read_place_or_name(int depth) {
    const std::string_view text = cursor_.read_string();
    if (cursor_.failed()) return false;
    if (cursor_.accept(":")) return read_place(text);
    if (!cursor_.accept("(")) return true;
    return read(depth + 1) && cursor_.expect(")");
  }

  bool read_place(std::string_view file) {
    const int64_t line = cursor_.read_integer();
    if (cursor_.failed() || line < 0 || line > UINT32_MAX) return cursor_.fail("not a line");
    if (!cursor_.expect(":")) return false;
    cursor_.read_integer();
    last_file_ = file;
    if (line_ == 0 && file == file_) line_ = static_cast<uint32_t>(line);
    return !cursor_.failed() && skip_range_end();
  }

  // A range of text ends in "to 12:9" or, in the same line, in "to :9".
  bool skip_range_end() {
    if (!cursor_.accept("to")) return true;
    if (!cursor_.accept(":")) {
      cursor_.read_integer();
      if (cursor_.failed() || !cursor_.expect(":")) return false;
    }
    cursor_.read_integer();
    return !cursor_.failed();
  }

  bool read_call(int depth) {
    return cursor_.expect("(") && read(depth + 1) && cursor_.expect("at") && read(depth + 1) &&
           cursor_.expect(")");
  }

  bool read_fused(int depth) {
    if (cursor_.accept("<")) {
      cursor_.read_balanced(">");  // metadata
      if (cursor_.failed() || !cursor_.expect(">")) return false;
    }
    if (!cursor_.expect("[")) return false;
    if (cursor_.accept("]")) return true;
    do {
      if (!read(depth + 1)) return false;
    } while (cursor_.accept(","));
    return cursor_.expect("]");
  }

  Cursor& cursor_;
  std::string_view file_;
  std::string_view last_file_;
  uint32_t line_ = 0;
};

}  // namespace

bool skip_location(Cursor& cursor) {
  return LocationReader(cursor, {}).read(0) && cursor.expect(")");
}

std::string_view find_file(std::string_view location) {
  Cursor cursor(location);
  LocationReader reader(cursor, {});
  reader.read(0);
  return reader.last_file();
}

uint32_t find_line(std::string_view location, std::string_view file) {
  Cursor cursor(location);
  LocationReader reader(cursor, file);
  reader.read(0);
  return reader.line();
}

}  // namespace npu::machine::mlir
