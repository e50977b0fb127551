// Where an op comes from: what its loc(...) says.
//
// A location is a place in a file, "x.py":12:8, or unknown, or made of others: fused[a, b],
// callsite(callee at caller), "name"(a). An op of a kernel may come from several files, since the
// kernel calls functions of Triton's library, so whoever asks names the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "mlir/cursor.h"

namespace npu::machine::mlir {

struct FilePosition {
  std::string_view file;  // as written, between the quotes
  uint32_t line = 0;
};

constexpr int kMaxLocationDepth = 64;

// Behind "loc(": passes the location and the ")" that ends it. False: it is none.
bool skip_location(Cursor& cursor);

// The first place of a location that is in `file`, callees before their callers; an empty `file`
// is any. `location` is the text between the brackets of a loc(...) that was parsed.
std::optional<FilePosition> find_position(std::string_view location, std::string_view file);

}  // namespace npu::machine::mlir
