// The numbers of one chip, passed in from the Python table. The interpreter reads the capacities;
// the clock reads all of them.
#pragma once

#include <cstdint>

namespace npu::machine {

struct SocNumbers {
  // Capacities, bytes per core.
  int64_t ub_bytes = 192 * 1024;
  int64_t l1_bytes = 512 * 1024;
  int64_t l0a_bytes = 64 * 1024;
  int64_t l0b_bytes = 64 * 1024;
  int64_t l0c_bytes = 128 * 1024;
  // Counts.
  int64_t cube_cores = 24;
  int64_t vector_cores = 48;
};

}  // namespace npu::machine
