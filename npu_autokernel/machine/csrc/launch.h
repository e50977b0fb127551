// One launch of a program: arguments, options, what came out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "memory.h"
#include "ops/context.h"
#include "program.h"
#include "soc.h"

namespace npu::machine {

class Stepper;

struct LaunchArgument {
  bool is_buffer = false;
  GmBuffer buffer;
  Scalar scalar{};
};

struct LaunchOptions {
  bool functional = true;           // move and compute data; off: only walk the scalar pipe
  bool check_uninitialised = false;
  bool check_races = false;         // needs program order: not with `interleaved`
  bool interleaved = false;         // run the pipes in a random legal order instead of program order
  uint64_t interleaving_seed = 0;
  bool overlapped = false;          // interleaved: also inside a pipe, where no barrier forbids it
  std::vector<int64_t> blocks;      // the blocks to run, ascending; empty: all
  uint64_t poison_seed = 0;         // 0: all bytes 0xff
  uint64_t step_limit = UINT64_MAX; // loop iterations per core and launch
  int64_t guard_bytes = 0;
  Stepper* stepper = nullptr;       // looks at the run after each instruction; null: nobody does

  // Nothing is written where no data move.
  bool follows_garbage() const { return functional && check_uninitialised; }
};

struct LaunchResult {
  std::optional<Fault> fault;
  Counters counters;
  int64_t blocks_run = 0;
};

constexpr int64_t kMaxGridBlocks = 65535;

// `observer` may be null. Reads and writes the argument buffers; keeps no pointer to them.
LaunchResult launch(const Program& program, const int64_t (&grid)[3],
                    const std::vector<LaunchArgument>& arguments, const SocNumbers& soc,
                    const LaunchOptions& options, InstructionObserver* observer);

}  // namespace npu::machine
