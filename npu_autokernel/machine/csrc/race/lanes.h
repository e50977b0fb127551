// The lanes of one block: every pipe of its cube core and its vector cores is an order of its own.
//
// S has two: its loads are done before it issues anything later, its stores are not.
#pragma once

#include <array>
#include <cstdint>

#include "instruction.h"

namespace npu::machine {

constexpr int kCoresPerBlock = 3;
constexpr int kCubeCore = 0, kFirstVectorCore = 1, kSecondVectorCore = 2;
constexpr int kLanesPerCore = kPipeCount + 1;
constexpr int kLaneCount = kCoresPerBlock * kLanesPerCore;

inline int core_index(const CoreId& core) {
  return core.kind == CoreKind::kCube ? 0 : 1 + core.sub_core;
}

inline int lane_of(int core, Pipe pipe) { return core * kLanesPerCore + static_cast<int>(pipe); }
inline int lane_of_scalar_loads(int core) { return core * kLanesPerCore + kPipeCount; }

inline int core_of_lane(int lane) { return lane / kLanesPerCore; }
inline Pipe pipe_of_lane(int lane) {
  const int place = lane % kLanesPerCore;
  return place == kPipeCount ? Pipe::kScalar : static_cast<Pipe>(place);
}

// Per lane, how many of its instructions are known to be done.
using LaneClock = std::array<uint32_t, kLaneCount>;

inline void join(LaneClock& clock, const LaneClock& other) {
  for (int lane = 0; lane < kLaneCount; ++lane) {
    if (other[lane] > clock[lane]) clock[lane] = other[lane];
  }
}

// An instruction as the others know it.
struct LaneMoment {
  int8_t lane = -1;
  uint32_t number = 0;  // on its lane
};

}  // namespace npu::machine
