#include "clock/cube_cost.h"

#include <algorithm>

namespace npu::machine {
namespace {

constexpr int64_t kFractal = 16;

int64_t ceil_div(int64_t value, int64_t by) { return (value + by - 1) / by; }

int64_t element_bytes(const MatmulShape& shape) { return std::max(1, bytes_of(shape.type)); }

// Elements of k in one fractal: 32 bytes.
int64_t fractal_depth(const MatmulShape& shape) { return 32 / element_bytes(shape); }

double padded_bytes(int64_t rows, const MatmulShape& shape) {
  const int64_t depth = fractal_depth(shape);
  const int64_t padded = ceil_div(rows, kFractal) * kFractal * ceil_div(shape.k, depth) * depth;
  return static_cast<double>(padded * element_bytes(shape));
}

}  // namespace

double mmad_cycles(const MatmulShape& shape) {
  const int64_t fractals = ceil_div(shape.m, kFractal) * ceil_div(shape.n, kFractal) *
                           ceil_div(shape.k, fractal_depth(shape));
  const bool two_cycles = shape.type == ElementType::kF32 && !shape.hf32;
  return static_cast<double>(fractals) * (two_cycles ? 2.0 : 1.0);
}

int64_t k_parts(const MatmulShape& shape, const SocNumbers& soc) {
  const double a_parts = padded_bytes(shape.m, shape) / (static_cast<double>(soc.l0a_bytes) / 2);
  const double b_parts = padded_bytes(shape.n, shape) / (static_cast<double>(soc.l0b_bytes) / 2);
  const double parts = std::max({1.0, a_parts, b_parts});
  return ceil_div(static_cast<int64_t>(parts * 1024.0), 1024);
}

double l0a_load_cycles(const MatmulShape& shape, const SocNumbers& soc,
                       const ClockConstants& constants) {
  return static_cast<double>(k_parts(shape, soc)) * constants.l0_startup_cycles +
         padded_bytes(shape.m, shape) / constants.l0a_bytes_per_cycle;
}

double l0b_load_cycles(const MatmulShape& shape, const SocNumbers& soc,
                       const ClockConstants& constants) {
  return static_cast<double>(k_parts(shape, soc)) * constants.l0_startup_cycles +
         padded_bytes(shape.n, shape) / constants.l0b_bytes_per_cycle;
}

}  // namespace npu::machine
