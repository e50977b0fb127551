// What is ordered in one block: vector clocks over its lanes.
//
// An instruction knows another to be done through flags, barriers and cross-core flags only. Being
// issued later is not enough: pipes overlap, and so do instructions of one pipe until a barrier of
// that pipe. The scalar pipe passes on what it has waited for and what it has loaded, since it
// issues all others, but not its stores: they need a flag. The cube pipe follows the loads of its
// own operands, and it, MTE1 and S finish one instruction before the next. So does the vector pipe of
// the 950: its compiler places barriers for every other pipe that needs them, and none for that.
//
// Instructions are numbered per lane. Where they finish in order, all that nothing could tell apart
// share a number: it only moves on when another lane learns how far this one is.
#pragma once

#include <deque>
#include <map>
#include <tuple>

#include "race/lanes.h"

namespace npu::machine {

class HappensBefore {
 public:
  explicit HappensBefore(bool vector_in_order) : vector_in_order_(vector_in_order) {}

  void begin_block();

  // Takes an instruction in program order; synchronisation instructions leave and take messages.
  LaneMoment advance(int core, const Instruction& instruction);

  // Whether the numbered instruction of `earlier` is done before the current one of `lane` starts.
  bool is_ordered(int earlier, uint32_t number, int lane) const {
    const int core = core_of_lane(lane);
    const Pipe pipe = pipe_of_lane(lane);
    if (core_of_lane(earlier) == core && pipe_of_lane(earlier) == pipe && finishes_in_order(pipe)) {
      return true;
    }
    return clocks_[lane_of(core, pipe)][earlier] >= number;
  }

 private:
  struct Flag {
    int core;
    Pipe set_pipe;
    Pipe wait_pipe;
    int event;
    bool operator<(const Flag& other) const;
  };

  bool finishes_in_order(Pipe pipe) const {
    return pipe == Pipe::kScalar || pipe == Pipe::kMte1 || pipe == Pipe::kCube ||
           (pipe == Pipe::kVector && vector_in_order_);
  }
  LaneMoment advance_scalar(int core, Opcode opcode);
  void take_issue_order(int core, int lane);
  void apply_barrier(int core, const Operation& operation);
  // What a lane knows once its own instructions so far are done.
  LaneClock release(int lane);
  void receive(int lane, std::deque<LaneClock>& messages);
  void hand_over_tile(int core, int lane, const Instruction& instruction);
  void set_across(int core, int lane, int event);
  void wait_across(int core, int lane, int event);

  bool vector_in_order_;
  LaneClock counts_{};  // the number given last; where lanes finish in order, the last known one
  bool has_loaded_[kCoresPerBlock] = {};        // by S, since its number of loads moved on
  std::array<LaneClock, kLaneCount> clocks_{};  // what each lane knows to be done
  std::map<Flag, std::deque<LaneClock>> flags_;
  // By core, pipe and tile of L0C: what the pipe knew when it last set or cleared the unit flag.
  std::map<std::tuple<int, Pipe, int64_t>, LaneClock> tiles_;
  // By sender, receiver and flag.
  std::map<std::array<int, 3>, std::deque<LaneClock>> across_;
};

}  // namespace npu::machine
