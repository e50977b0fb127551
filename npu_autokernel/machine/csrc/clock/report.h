// What the clock says about a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "clock/core_clock.h"
#include "clock/l2.h"
#include "instruction.h"
#include "types.h"

namespace npu::machine {

enum class CoreUse : uint8_t { kVector, kCube, kMix };

enum class AccuracyClass : uint8_t { kWide, kMixed, kNarrow, kTiny };

// Times of one kind of core, in microseconds, over all cores of that kind that ran blocks.
struct CoreTimes {
  int64_t cores = 0;
  double mean_us = 0;
  double slowest_us = 0;
  double pipe_busy_us[kPipeCount] = {};       // of the slowest core
  double mean_pipe_busy_us[kPipeCount] = {};  // mean over the cores
};

struct TimelineEvent {
  CoreKind kind = CoreKind::kVector;
  uint8_t sub_core = 0;
  Pipe pipe = Pipe::kScalar;
  uint32_t line = 0;
  double start_us = 0;
  double end_us = 0;
};

// A flag from one pipe to another, perhaps of another core: set, and the time from which the
// waiting pipe went on.
struct TimelineFlag {
  CoreId set_core;
  Pipe set_pipe = Pipe::kScalar;
  double set_us = 0;
  CoreId wait_core;
  Pipe wait_pipe = Pipe::kScalar;
  double passed_us = 0;
  int32_t event = 0;
  uint32_t line = 0;  // of the wait
};

struct TimingReport {
  double latency_us = 0;  // task time: launch, and the slowest core under sharing
  double launch_us = 0;
  double core_us = 0;    // the slowest core under sharing
  double alone_us = 0;   // the slowest core if it had the memory for itself
  double shared_us = 0;  // what the memory of the chip needs for all the traffic
  double stretch = 1;    // how much longer transfers take than alone
  double imbalance = 1;  // slowest core over mean
  int64_t blocks = 0;
  CoreUse use = CoreUse::kVector;
  AccuracyClass accuracy = AccuracyClass::kWide;
  double expected_error = 0.1;
  CoreTimes vector;
  CoreTimes cube;
  MemoryTraffic traffic;
  double waits_us[kPipeCount][kPipeCount] = {};  // [waiting][waited for], over all cores
  std::vector<TimelineEvent> events;
  std::vector<TimelineFlag> flags;
};

}  // namespace npu::machine
