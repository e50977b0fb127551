// How messages name memories of the chip, and bytes.
#pragma once

#include <string>

#include "types.h"

namespace npu::machine {

inline std::string space_name(MemorySpace space) {
  constexpr const char* kNames[kMemorySpaceCount] = {"gm", "ub", "l1", "l0c"};
  return kNames[static_cast<int>(space)];
}

inline std::string describe_bytes(ByteSpan bytes) {
  if (bytes.last == bytes.first + 1) return "byte " + std::to_string(bytes.first);
  return "bytes [" + std::to_string(bytes.first) + ", " + std::to_string(bytes.last) + ")";
}

}  // namespace npu::machine
