// Written-ness as values: a byte 0 or 1 for each element of a shape, row major.
#pragma once

#include <vector>

#include "ops/operands.h"
#include "ops/written.h"

namespace npu::machine {

using Flags = std::vector<uint8_t>;

inline void fill_dense_strides(const MemoryView& shape, int64_t* strides) {
  int64_t stride = 1;
  for (int dim = shape.rank - 1; dim >= 0; --dim) {
    strides[dim] = stride;
    stride *= shape.sizes[dim];
  }
}

// Which elements of a view, repeated to `shape`, have all their bits as in `byte` (0x00 or 0xff):
// 0xff on the shadow are the written ones. False: the shapes do not match, or a fault.
bool match_elements(ExecutionContext& context, const MemoryView& view, const MemoryView& shape,
                    uint8_t byte, Flags& flags);

// Makes each element of a view written or not; `flags` are of its shape. On the data, not within
// OnShadow.
bool write_flags(ExecutionContext& context, const MemoryView& view, const Flags& flags);

}  // namespace npu::machine
