// Lines of the dump -> lines of the source that the kernel was written in.
#pragma once

#include <cstdint>
#include <vector>

#include "mlir/ast.h"

namespace npu::machine {

// By line of the dump, from 1: the line of the op that begins there in the source of its function,
// 0 where nothing says. Empty if the dump has no locations. The source is the file that the
// location of the function names, of the outermost caller if that is several: an op of a library
// counts for the line that calls it.
std::vector<uint32_t> list_source_lines(const mlir::Op& module);

}  // namespace npu::machine
