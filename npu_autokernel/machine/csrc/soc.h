// The numbers of one chip, passed in from the Python table (machine/soc.py, which names the sources).
// The interpreter reads the capacities; the clock reads all of them.
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
  // Rates and shared memory, for the clock alone.
  int64_t l2_bytes = 192 * 1024 * 1024;
  double clock_mhz = 1850.0;
  double hbm_read_tbps = 1.49;
  double hbm_read_l1_tbps = 1.40;
  double hbm_read_write_tbps = 1.61;
  double l2_read_tbps = 5.0;
  double l2_read_write_tbps = 7.0;
  double l2_read_cube_bytes_per_cycle = 112.0;
  double l2_read_vector_bytes_per_cycle = 68.0;
  double launch_one_core_us = 0.5;
  double launch_vector_us = 7.0;
  double launch_cube_us = 10.0;
  double launch_mix_us = 14.0;
};

}  // namespace npu::machine
