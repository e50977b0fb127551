// What is ordered in one block: vector clocks over its lanes.
//
// An instruction knows another to be done through flags, barriers and cross-core flags only. Being
// issued later is not enough: pipes overlap, and so do instructions of one pipe until a barrier of
// that pipe. The scalar pipe passes on what it has waited for, since it issues all others, but not
// its own stores: they need a flag. The cube pipe follows the loads of its own operands, and it,
// MTE1 and S finish one instruction before the next. So does the vector pipe of the 950: its compiler
// places barriers for every other pipe that needs them, and none for that.
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

  // Counts an instruction on its lane; synchronisation instructions leave and take messages.
  // Returns the instruction's number on the lane, from 1.
  uint32_t advance(int core, const Instruction& instruction);

  // Whether the numbered instruction of `earlier` is done before the current one of `lane` starts.
  bool is_ordered(int earlier, uint32_t number, int lane) const {
    if (earlier == lane && finishes_in_order(pipe_of_lane(lane))) return true;
    return clocks_[lane][earlier] >= number;
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
  void take_issue_order(int core, int lane);
  void apply_barrier(int core, const Operation& operation);
  LaneClock message_of(int lane) const;
  void receive(int lane, std::deque<LaneClock>& messages);
  void hand_over_tile(int core, int lane, const Instruction& instruction);
  void set_across(int core, int lane, int event);
  void wait_across(int core, int lane, int event);

  bool vector_in_order_;
  LaneClock counts_{};                          // instructions so far
  std::array<LaneClock, kLaneCount> clocks_{};  // what each lane knows to be done
  std::map<Flag, std::deque<LaneClock>> flags_;
  // By core, pipe and tile of L0C: what the pipe knew when it last set or cleared the unit flag.
  std::map<std::tuple<int, Pipe, int64_t>, LaneClock> tiles_;
  // By sender, receiver and flag.
  std::map<std::array<int, 3>, std::deque<LaneClock>> across_;
};

}  // namespace npu::machine
