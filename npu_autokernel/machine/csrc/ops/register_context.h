// What an op on vector registers needs to run, and what all of them share.
#pragma once

#include <cstring>

#include "kernels/kernel_table.h"
#include "ops/context.h"
#include "program.h"

namespace npu::machine {

struct RegisterContext {
  ExecutionContext& context;
  Register* registers;
  Scalar* scalars;
  const MemoryView* views;
  bool tracks_unwritten;  // keep Register::known
  uint32_t& origin;       // of the first lane in this call that is not known

  Register& of(int32_t slot) const { return registers[slot]; }
  const uint8_t* mask_of(const RegisterSite& site) const {
    return site.mask < 0 ? nullptr : of(site.mask).bytes;
  }
  bool fail(const char* code, const char* message) const { return context.fail(code, message); }
};

bool execute_register_op(const RegisterSite& site, const RegisterContext& run);

// The families.
bool load_register(const RegisterSite& site, const RegisterContext& run);
bool store_register(const RegisterSite& site, const RegisterContext& run);
bool gather_register(const RegisterSite& site, const RegisterContext& run);
bool convert_register(const RegisterSite& site, const RegisterContext& run);

// Zeroes the lanes of the result that the predicate leaves out, and says which lanes are known:
// those whose sources are. A lane that is zero is known.
void finish_register(const RegisterSite& site, const RegisterContext& run, int32_t result,
                     int source_count);

}  // namespace npu::machine
