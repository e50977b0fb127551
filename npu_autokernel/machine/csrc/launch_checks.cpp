#include "launch_checks.h"

#include <string>

namespace npu::machine {
namespace {

constexpr int64_t kMaxWorkspaceBytes = int64_t{1} << 32;

std::optional<Fault> check_grid(const int64_t (&grid)[3]) {
  int64_t blocks = 1;
  for (int64_t extent : grid) {
    if (extent < 1 || extent > kMaxGridBlocks) blocks = 0;
    blocks *= blocks <= kMaxGridBlocks ? extent : 1;
  }
  if (blocks >= 1 && blocks <= kMaxGridBlocks) return std::nullopt;
  return make_fault(fault_code::kLaunchLimit,
                    "a grid has 1 to 65535 blocks, asked for " + std::to_string(grid[0]) + " x " +
                        std::to_string(grid[1]) + " x " + std::to_string(grid[2]));
}

std::optional<Fault> check_arguments(const Program& program,
                                     const std::vector<LaunchArgument>& arguments) {
  const auto& types = program.user_arguments;
  if (arguments.size() != types.size()) {
    return make_fault(fault_code::kBadArgument,
                      "the kernel takes " + std::to_string(types.size()) + " arguments, got " +
                          std::to_string(arguments.size()));
  }
  for (size_t i = 0; i < types.size(); ++i) {
    if (arguments[i].is_buffer != types[i].is_memref) {
      return make_fault(fault_code::kBadArgument, "argument " + std::to_string(i) +
                                                          (types[i].is_memref ? " is a buffer"
                                                                              : " is a number"));
    }
    const auto address = reinterpret_cast<uintptr_t>(arguments[i].buffer.data);
    if (types[i].is_memref && address % static_cast<uintptr_t>(bytes_of(types[i].element)) != 0) {
      return make_fault(fault_code::kBadArgument,
                        "argument " + std::to_string(i) + " is not aligned to its element");
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Fault> check_launch(const Program& program, const int64_t (&grid)[3],
                                  const std::vector<LaunchArgument>& arguments) {
  if (auto fault = check_grid(grid)) return fault;
  if (program.workspace_bytes_per_block > kMaxWorkspaceBytes) {
    return make_fault(fault_code::kLaunchLimit, "the workspace exceeds 4 GiB per block");
  }
  return check_arguments(program, arguments);
}

}  // namespace npu::machine
