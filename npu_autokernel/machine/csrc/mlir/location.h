// Where an op comes from: what its loc(...) says.
//
// A location is a place in a file, "x.py":12:8, or unknown, or made of others: fused[a, b],
// callsite(callee at caller), "name"(a). An op of a kernel may come from several files, since the
// kernel calls functions of Triton's library, so whoever asks names the file.
#pragma once

#include <cstdint>
#include <string_view>

#include "mlir/cursor.h"

namespace npu::machine::mlir {

constexpr int kMaxLocationDepth = 64;

// Behind "loc(": passes the location and the ")" that ends it. False: it is none.
bool skip_location(Cursor& cursor);

// Of a `location` that was parsed, the text between the brackets of loc(...):
// the file of its last place, which is that of the outermost caller; empty if there is none,
std::string_view find_file(std::string_view location);
// the line of its first place in `file`, callees before their callers; 0 if there is none.
uint32_t find_line(std::string_view location, std::string_view file);

}  // namespace npu::machine::mlir
