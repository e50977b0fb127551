// One core in time: seven in-order pipes, the flags between them and the barriers.
//
// The scalar pipe hands instructions to the others and runs ahead. Each pipe starts an instruction
// when it is free, when the scalar pipe has issued it, and when the flags it waited for are set.
// `free` is when a pipe can start the next instruction, `done` when the result of the last is
// there: a DMA engine takes the next copy while the data of the last are still on their way. All
// times are lanes (lanes.h) in nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "clock/constants.h"
#include "clock/cube_cost.h"
#include "clock/lanes.h"
#include "clock/transfer.h"
#include "instruction.h"
#include "soc.h"

namespace npu::machine {

// How long a pipe stood still for the flag of another one.
struct WaitTable {
  Lanes ns[kPipeCount][kPipeCount];  // [waiting pipe][pipe waited for]
};

struct PipeSpan {
  Lanes start;
  Lanes end;
};

class CoreClock {
 public:
  CoreClock(const SocNumbers& soc, const ClockConstants& constants)
      : soc_(soc), constants_(constants) {}

  void start_block();

  void issue_scalar(uint32_t op_count);
  void set_flag(const Instruction& instruction);
  // When the flag was set; nothing for a flag that is not.
  std::optional<Lanes> wait_flag(const Instruction& instruction);
  void raise_barrier(const Instruction& instruction);
  void follow_unit_flag(const Instruction& instruction);
  void reach_lock();
  PipeSpan access_element(const Instruction& instruction);
  PipeSpan run_vector(const Instruction& instruction);
  PipeSpan run_transfer(Path path, double busy_ns, double latency_ns);
  PipeSpan run_fill(const Instruction& instruction);
  PipeSpan run_fixpipe(const Instruction& instruction, double store_ns);
  PipeSpan load_l0(const Instruction& instruction);
  PipeSpan load_bias(const Instruction& instruction);
  PipeSpan run_mmad(const Instruction& instruction);

  // Cross-core flags: when a set becomes visible, and what a wait does to its pipe.
  Lanes set_time(Pipe pipe) const;
  void wait_until(Pipe pipe, Pipe source, const Lanes& time);

  Lanes end() const;
  // When a pipe can start its next instruction.
  Lanes ready(Pipe pipe) const;
  const Lanes& busy(Pipe pipe) const { return pipes_[static_cast<int>(pipe)].busy; }
  const WaitTable& waits() const { return waits_; }

 private:
  struct PipeState {
    Lanes free;
    Lanes done;
    Lanes busy;
    Lanes busy_until;  // spans that overlap count once
  };
  struct FlagQueue {
    int32_t key = 0;
    std::vector<Lanes> times;
    size_t head = 0;
  };

  PipeSpan occupy(Pipe pipe, const Lanes& busy, double latency_ns = 0);
  PipeSpan occupy(Pipe pipe, double busy_ns) { return occupy(pipe, Lanes::all(busy_ns)); }
  double cycles_to_ns(double cycles) const { return cycles * 1000.0 / soc_.clock_mhz; }
  PipeState& state(Pipe pipe) { return pipes_[static_cast<int>(pipe)]; }
  FlagQueue& queue_of(Pipe set_pipe, Pipe wait_pipe, int32_t event);
  MatmulShape shape_of(const Instruction& instruction) const;

  const SocNumbers& soc_;
  const ClockConstants& constants_;
  PipeState pipes_[kPipeCount];
  std::vector<FlagQueue> flags_;
  WaitTable waits_;
  ElementType cube_type_ = ElementType::kF16;
  Lanes l0_first_part_;   // when the first piece of the pending operands is in L0
  Lanes l0_started_;
  Lanes l0_release_;      // when a half of L0 is free for the next operands
  Lanes l0_next_release_;
  Lanes unit_flag_release_;  // when FIX began to take the last tile with its unit flag on
  int64_t last_gm_line_ = -1;
};

}  // namespace npu::machine
