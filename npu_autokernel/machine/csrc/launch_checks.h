// What is refused before the first block runs: a grid that the chip does not take, arguments that
// the kernel does not.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fault.h"
#include "launch.h"
#include "program.h"

namespace npu::machine {

std::optional<Fault> check_launch(const Program& program, const int64_t (&grid)[3],
                                  const std::vector<LaunchArgument>& arguments);

}  // namespace npu::machine
