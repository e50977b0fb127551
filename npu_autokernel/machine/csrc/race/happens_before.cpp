#include "race/happens_before.h"

#include <tuple>

#include "unit_flags.h"

namespace npu::machine {

bool HappensBefore::Flag::operator<(const Flag& other) const {
  return std::tie(core, set_pipe, wait_pipe, event) <
         std::tie(other.core, other.set_pipe, other.wait_pipe, other.event);
}

void HappensBefore::begin_block() { *this = HappensBefore(vector_in_order_); }

LaneMoment HappensBefore::advance(int core, const Instruction& instruction) {
  const Operation& operation = *instruction.operation;
  const Opcode opcode = operation.opcode;
  if (opcode == Opcode::kScalarLoad || opcode == Opcode::kScalarStore) {
    return advance_scalar(core, opcode);
  }
  if (opcode == Opcode::kPipeBarrier) {
    apply_barrier(core, operation);
    return {};
  }
  const int lane = lane_of(core, operation.pipe);
  take_issue_order(core, lane);
  const bool in_order = finishes_in_order(operation.pipe);
  const uint32_t number = in_order ? counts_[lane] + 1 : ++counts_[lane];
  switch (opcode) {
    case Opcode::kSetFlag:
      flags_[{core, operation.set_pipe, operation.wait_pipe, instruction.event}].push_back(
          release(lane));
      break;
    case Opcode::kWaitFlag:
      receive(lane, flags_[{core, operation.set_pipe, operation.wait_pipe, instruction.event}]);
      break;
    case Opcode::kBlockSet: set_across(core, lane, instruction.event); break;
    case Opcode::kBlockWait: wait_across(core, lane, instruction.event); break;
    case Opcode::kMmad:
      join(clocks_[lane], release(lane_of(core, Pipe::kMte1)));
      hand_over_tile(core, lane, instruction);
      break;
    case Opcode::kFixpipe: hand_over_tile(core, lane, instruction); break;
    default: break;
  }
  return {static_cast<int8_t>(lane), number};
}

// Nothing else looks at the clocks, so loops of loads and stores stay cheap.
LaneMoment HappensBefore::advance_scalar(int core, Opcode opcode) {
  const bool is_load = opcode == Opcode::kScalarLoad;
  has_loaded_[core] |= is_load;
  const int lane = is_load ? lane_of_scalar_loads(core) : lane_of(core, Pipe::kScalar);
  return {static_cast<int8_t>(lane), counts_[lane] + 1};
}

void HappensBefore::take_issue_order(int core, int lane) {
  const int scalar = lane_of(core, Pipe::kScalar), loads = lane_of_scalar_loads(core);
  if (has_loaded_[core]) {
    has_loaded_[core] = false;
    clocks_[scalar][loads] = ++counts_[loads];
  }
  if (lane == scalar) return;
  const uint32_t own = clocks_[lane][scalar];
  join(clocks_[lane], clocks_[scalar]);
  clocks_[lane][scalar] = own;
}

// A barrier of all pipes holds the scalar pipe too, so everything after it follows.
void HappensBefore::apply_barrier(int core, const Operation& operation) {
  if (!operation.all_pipes) {
    const int lane = lane_of(core, operation.pipe);
    clocks_[lane][lane] = counts_[lane];
    return;
  }
  const int first = lane_of(core, Pipe::kScalar);
  take_issue_order(core, first);
  LaneClock everything{};
  for (int lane = first; lane < first + kPipeCount; ++lane) join(everything, release(lane));
  for (int lane = first; lane < first + kPipeCount; ++lane) clocks_[lane] = everything;
}

LaneClock HappensBefore::release(int lane) {
  if (finishes_in_order(pipe_of_lane(lane))) ++counts_[lane];
  LaneClock message = clocks_[lane];
  message[lane] = counts_[lane];
  return message;
}

void HappensBefore::receive(int lane, std::deque<LaneClock>& messages) {
  if (messages.empty()) return;
  join(clocks_[lane], messages.front());
  messages.pop_front();
}

// M learns what FIX knew when it emptied the tile, FIX what M knew when it filled it.
void HappensBefore::hand_over_tile(int core, int lane, const Instruction& instruction) {
  if (instruction.unit_flag == UnitFlag::kDisabled) return;
  const int64_t tile = unit_flag_tile(instruction);
  const Pipe own = instruction.pipe();
  const Pipe other = own == Pipe::kCube ? Pipe::kFixpipe : Pipe::kCube;
  const auto handed = tiles_.find({core, other, tile});
  if (handed != tiles_.end()) join(clocks_[lane], handed->second);
  if (instruction.unit_flag == UnitFlag::kWithUpdate) tiles_[{core, own, tile}] = release(lane);
}

void HappensBefore::set_across(int core, int lane, int event) {
  const LaneClock message = release(lane);
  if (core != 0) {
    across_[{core, 0, event}].push_back(message);
    return;
  }
  for (int vector = 1; vector < kCoresPerBlock; ++vector) {
    across_[{0, vector, event}].push_back(message);
  }
}

void HappensBefore::wait_across(int core, int lane, int event) {
  if (core != 0) {
    receive(lane, across_[{0, core, event}]);
    return;
  }
  for (int vector = 1; vector < kCoresPerBlock; ++vector) {
    receive(lane, across_[{vector, 0, event}]);
  }
}

}  // namespace npu::machine
