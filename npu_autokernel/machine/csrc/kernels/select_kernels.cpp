// Which copy of the kernels this processor runs. NPU_AUTOKERNEL_KERNELS=baseline|avx2|avx512 asks
// for one by name, for tests and for comparing processors.
#include <cstdlib>
#include <cstring>

#include "kernels/kernel_table.h"

namespace npu::machine {

const KernelTable& kernels_baseline();
#if defined(NPU_KERNELS_X86)
const KernelTable& kernels_avx2();
const KernelTable& kernels_avx512();
#endif

namespace {

const KernelTable& choose() {
#if defined(NPU_KERNELS_X86)
  const char* asked = std::getenv("NPU_AUTOKERNEL_KERNELS");
  const auto allows = [asked](const char* name) {
    return asked == nullptr || std::strcmp(asked, name) == 0;
  };
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("f16c");
  const bool has_avx512 =
      has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (has_avx512 && allows("avx512")) return kernels_avx512();
  if (has_avx2 && allows("avx2")) return kernels_avx2();
#endif
  return kernels_baseline();
}

}  // namespace

const KernelTable& kernels() {
  static const KernelTable& table = choose();
  return table;
}

}  // namespace npu::machine
