// The constants of the clock. Their values, sources and confidence live in the Python table
// (machine/clock_constants.py) and are passed in by name; there are no defaults here.
#pragma once

#include <string_view>

namespace npu::machine {

// clang-format off
#define NPU_CLOCK_CONSTANTS(X)                                                        \
  /* Scalar pipe, cycles. */                                                          \
  X(scalar_op_cycles) X(scalar_ub_access_cycles) X(scalar_gm_access_cycles)           \
  /* Vector pipe. */                                                                  \
  X(vector_startup_cycles) X(vector_inner_call_cycles) X(vector_mask_cycles)          \
  X(vector_overlap_cycles) X(vector_barrier_cycles)                                   \
  /* DMA: latency until the data is there, cost per instruction and per row, rate. */ \
  X(load_latency_ns) X(load_latency_l2_ns) X(load_latency_l1_ns) X(store_latency_ns)  \
  X(dma_issue_cycles) X(dma_row_cycles) X(store_bytes_per_cycle)                      \
  /* Cube. */                                                                         \
  X(l0_startup_cycles) X(l0a_bytes_per_cycle) X(l0b_bytes_per_cycle)                  \
  X(mmad_chained_cycles) X(mmad_idle_cycles)                                          \
  X(fixpipe_startup_cycles) X(fixpipe_elements_per_cycle)                             \
  /* Between cores and around the kernel. */                                          \
  X(cross_core_flag_us) X(prologue_us) X(block_start_us)                              \
  X(hot_request_rate_gps) X(same_order_factor) X(sharing_knee_power)                  \
  X(atomic_update_cycles)
// clang-format on

struct ClockConstants {
#define NPU_DECLARE(name) double name = 0;
  NPU_CLOCK_CONSTANTS(NPU_DECLARE)
#undef NPU_DECLARE
};

// Calls visit(name, value&) for every constant.
template <typename Visit>
void visit_constants(ClockConstants& constants, Visit visit) {
#define NPU_VISIT(name) visit(std::string_view(#name), constants.name);
  NPU_CLOCK_CONSTANTS(NPU_VISIT)
#undef NPU_VISIT
}

}  // namespace npu::machine
