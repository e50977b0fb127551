// The lanes of one block: every pipe of its cube core and its vector cores is an order of its own.
#pragma once

#include <array>
#include <cstdint>

#include "instruction.h"

namespace npu::machine {

constexpr int kCoresPerBlock = 3;  // cube, vector 0, vector 1
constexpr int kLaneCount = kCoresPerBlock * kPipeCount;

inline int core_index(const CoreId& core) {
  return core.kind == CoreKind::kCube ? 0 : 1 + core.sub_core;
}

inline int lane_of(int core, Pipe pipe) { return core * kPipeCount + static_cast<int>(pipe); }

inline int core_of_lane(int lane) { return lane / kPipeCount; }
inline Pipe pipe_of_lane(int lane) { return static_cast<Pipe>(lane % kPipeCount); }

// Per lane, how many of its instructions are known to be done.
using LaneClock = std::array<uint32_t, kLaneCount>;

inline void join(LaneClock& clock, const LaneClock& other) {
  for (int lane = 0; lane < kLaneCount; ++lane) {
    if (other[lane] > clock[lane]) clock[lane] = other[lane];
  }
}

}  // namespace npu::machine
