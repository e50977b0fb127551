// What the cube pipe, its operand loads and its write-out cost.
#pragma once

#include <cstdint>

#include "clock/constants.h"
#include "soc.h"
#include "types.h"

namespace npu::machine {

struct MatmulShape {
  int64_t m = 0;
  int64_t k = 0;
  int64_t n = 0;
  ElementType type = ElementType::kF16;
  bool hf32 = false;
};

// Cycles of the multiplication alone: one 16 x 16 x k0 fractal a cycle, fp32 takes two.
double mmad_cycles(const MatmulShape& shape);

// Pieces along k that the library multiplies one after the other: each half of L0A and L0B holds
// one.
int64_t k_parts(const MatmulShape& shape, const SocNumbers& soc);

double l0a_load_cycles(const MatmulShape& shape, const SocNumbers& soc,
                       const ClockConstants& constants);
double l0b_load_cycles(const MatmulShape& shape, const SocNumbers& soc,
                       const ClockConstants& constants);

}  // namespace npu::machine
