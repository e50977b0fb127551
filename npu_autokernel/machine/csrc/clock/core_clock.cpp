#include "clock/core_clock.h"

#include <algorithm>

#include "clock/vector_cost.h"

namespace npu::machine {

void CoreClock::start_block() {
  for (PipeState& pipe : pipes_) pipe = PipeState();
  for (FlagQueue& queue : flags_) {
    queue.times.clear();
    queue.head = 0;
  }
  waits_ = WaitTable();
  l0_first_part_ = l0_started_ = l0_release_ = l0_next_release_ = unit_flag_release_ = Lanes();
  last_gm_line_ = -1;
}

void CoreClock::issue_scalar(uint32_t op_count) {
  PipeState& scalar = state(Pipe::kScalar);
  const Lanes busy = Lanes::all(cycles_to_ns(op_count * constants_.scalar_op_cycles));
  scalar.free += busy;
  scalar.done = scalar.free;
  scalar.busy += busy;
}

CoreClock::FlagQueue& CoreClock::queue_of(Pipe set_pipe, Pipe wait_pipe, int32_t event) {
  const int32_t key = (static_cast<int32_t>(set_pipe) * kPipeCount +
                       static_cast<int32_t>(wait_pipe)) * 1024 + event;
  for (FlagQueue& queue : flags_) {
    if (queue.key == key) return queue;
  }
  flags_.push_back({key, {}, 0});
  return flags_.back();
}

void CoreClock::set_flag(const Instruction& instruction) {
  const Operation& operation = *instruction.operation;
  FlagQueue& queue = queue_of(operation.set_pipe, operation.wait_pipe, instruction.event);
  queue.times.push_back(set_time(operation.set_pipe));
}

std::optional<Lanes> CoreClock::wait_flag(const Instruction& instruction) {
  const Operation& operation = *instruction.operation;
  FlagQueue& queue = queue_of(operation.set_pipe, operation.wait_pipe, instruction.event);
  if (queue.head == queue.times.size()) return {};  // unbalanced: the executor reports it
  const Lanes set = queue.times[queue.head++];
  wait_until(operation.wait_pipe, operation.set_pipe, set);
  if (queue.head == queue.times.size()) {
    queue.times.clear();
    queue.head = 0;
  }
  return set;
}

Lanes CoreClock::set_time(Pipe pipe) const {
  return max(pipes_[static_cast<int>(Pipe::kScalar)].free, pipes_[static_cast<int>(pipe)].done);
}

Lanes CoreClock::ready(Pipe pipe) const {
  return max(pipes_[static_cast<int>(Pipe::kScalar)].free, pipes_[static_cast<int>(pipe)].free);
}

void CoreClock::wait_until(Pipe pipe, Pipe source, const Lanes& time) {
  PipeState& waiting = state(pipe);
  const Lanes ready = max(waiting.free, state(Pipe::kScalar).free);
  waits_.ns[static_cast<int>(pipe)][static_cast<int>(source)] += max(time, ready) - ready;
  waiting.free = max(waiting.free, time);
  waiting.done = max(waiting.done, time);
}

// Draining the vector pipe and filling it again costs time although nothing else waits.
void CoreClock::raise_barrier(const Instruction& instruction) {
  if (!instruction.operation->all_pipes) {
    PipeState& pipe = state(instruction.pipe());
    pipe.free = max(pipe.free, pipe.done);
    if (instruction.pipe() == Pipe::kVector) {
      pipe.free += Lanes::all(cycles_to_ns(constants_.vector_barrier_cycles));
    }
    return;
  }
  const Lanes all_done = end();
  for (PipeState& pipe : pipes_) pipe.free = pipe.done = all_done;
}

// FIX takes a tile once the product has filled it; the next product into it follows FIX block by
// block, so it may begin when FIX has.
void CoreClock::follow_unit_flag(const Instruction& instruction) {
  if (instruction.unit_flag == UnitFlag::kDisabled) return;
  if (instruction.opcode() == Opcode::kMmad) {
    return wait_until(Pipe::kCube, Pipe::kFixpipe, unit_flag_release_);
  }
  wait_until(Pipe::kFixpipe, Pipe::kCube, set_time(Pipe::kCube));
  unit_flag_release_ = ready(Pipe::kFixpipe);
}

// The lock is a word in global memory. The wait for other blocks is not timed.
void CoreClock::reach_lock() {
  PipeState& scalar = state(Pipe::kScalar);
  const Lanes busy = Lanes::all(cycles_to_ns(constants_.scalar_gm_access_cycles));
  scalar.free += busy;
  scalar.done = max(scalar.done, scalar.free);
  scalar.busy += busy;
}

// A second access to a cache line of global memory is as fast as one to UB.
PipeSpan CoreClock::access_element(const Instruction& instruction) {
  constexpr int64_t kScalarCacheLine = 64;
  const MemoryView& view = instruction.input_count > 0 ? instruction.input(0)
                                                       : instruction.output(0);
  double cycles = constants_.scalar_ub_access_cycles;
  if (view.space == MemorySpace::kGm) {
    const int64_t line = (view.base_byte + view.offset * bytes_of(view.type)) / kScalarCacheLine;
    const int64_t key = line * 64 + view.buffer;
    if (key != last_gm_line_) cycles = constants_.scalar_gm_access_cycles;
    last_gm_line_ = key;
  }
  PipeState& scalar = state(Pipe::kScalar);
  const Lanes busy = Lanes::all(cycles_to_ns(cycles));
  const Lanes start = scalar.free;
  scalar.free += busy;
  scalar.done = max(scalar.done, scalar.free);
  scalar.busy += busy;
  return {start, scalar.free};
}

PipeSpan CoreClock::occupy(Pipe pipe, const Lanes& busy, double latency_ns) {
  PipeState& target = state(pipe);
  const Lanes start = max(target.free, state(Pipe::kScalar).free);
  target.free = start + busy;
  const Lanes end = target.free + Lanes::all(latency_ns);
  target.done = max(target.done, end);
  const Lanes counted_from = max(start, target.busy_until);
  target.busy += max(end, counted_from) - counted_from;
  target.busy_until = max(target.busy_until, end);
  return {start, end};
}

PipeSpan CoreClock::run_vector(const Instruction& instruction) {
  return occupy(Pipe::kVector, cycles_to_ns(vector_cycles(instruction, constants_)));
}

PipeSpan CoreClock::run_transfer(Path path, double busy_ns, double latency_ns) {
  const Pipe pipe = path == Path::kStoreUb ? Pipe::kMte3 : Pipe::kMte2;
  return occupy(pipe, Lanes::stretched(busy_ns), latency_ns);
}

PipeSpan CoreClock::run_fill(const Instruction& instruction) {
  const MemoryView& result = instruction.output(0);
  const double bytes = static_cast<double>(result.element_count() * bytes_of(result.type));
  return occupy(Pipe::kMte2, cycles_to_ns(constants_.dma_issue_cycles + bytes / 256.0));
}

// L0C leaves at 64 elements a cycle, unless the way to global memory is slower.
PipeSpan CoreClock::run_fixpipe(const Instruction& instruction, double store_ns) {
  const double elements = static_cast<double>(instruction.output(0).element_count());
  const double cycles =
      constants_.fixpipe_startup_cycles + elements / constants_.fixpipe_elements_per_cycle;
  return occupy(Pipe::kFixpipe,
                max(Lanes::all(cycles_to_ns(cycles)), Lanes::stretched(store_ns)));
}

MatmulShape CoreClock::shape_of(const Instruction& instruction) const {
  MatmulShape shape;
  shape.m = instruction.scalars[0].integer;
  shape.k = instruction.scalars[1].integer;
  shape.n = instruction.scalars[2].integer;
  shape.type = cube_type_;
  shape.hf32 = instruction.operation->hf32;
  return shape;
}

// The operands come in pieces along k, each into one half of L0; the multiplication can start with
// the first. The halves become free again as the previous multiplication gets through its pieces.
PipeSpan CoreClock::load_l0(const Instruction& instruction) {
  cube_type_ = instruction.input(0).type;
  const MatmulShape shape = shape_of(instruction);
  const bool is_a = instruction.opcode() == Opcode::kL0LoadA;
  const double cycles = is_a ? l0a_load_cycles(shape, soc_, constants_)
                             : l0b_load_cycles(shape, soc_, constants_);
  PipeState& mte1 = state(Pipe::kMte1);
  mte1.free = max(mte1.free, l0_release_);
  const PipeSpan span = occupy(Pipe::kMte1, cycles_to_ns(cycles));
  if (is_a) l0_started_ = span.start;
  const double parts = static_cast<double>(k_parts(shape, soc_));
  l0_first_part_ = l0_started_ + (span.end - l0_started_) * (1.0 / parts);
  return span;
}

// L1 -> bias table at the documented 32 bytes a cycle after 20 cycles (L1->BT, confidence A-).
PipeSpan CoreClock::load_bias(const Instruction& instruction) {
  constexpr double kStartupCycles = 20, kBytesPerCycle = 32;
  const MemoryView& row = instruction.input(0);
  const double bytes = static_cast<double>(row.element_count() * bytes_of(row.type));
  return occupy(Pipe::kMte1, cycles_to_ns(kStartupCycles + bytes / kBytesPerCycle));
}

// A multiplication that finds the pipe idle pays for waiting on its operands.
PipeSpan CoreClock::run_mmad(const Instruction& instruction) {
  const MatmulShape shape = shape_of(instruction);
  const double parts = static_cast<double>(k_parts(shape, soc_));
  PipeState& cube = state(Pipe::kCube);
  const Lanes issued = max(cube.free, state(Pipe::kScalar).free);
  Lanes multiply;
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const bool idle = l0_first_part_.at[lane] > issued.at[lane] || cube.done.at[lane] <= 0;
    const double first = idle ? constants_.mmad_idle_cycles : constants_.mmad_chained_cycles;
    multiply.at[lane] =
        cycles_to_ns(mmad_cycles(shape) + first + (parts - 1) * constants_.mmad_chained_cycles);
  }
  cube.free = max(issued, l0_first_part_);
  // The last piece is multiplied after it has been loaded.
  const Lanes last_part = multiply * (1.0 / parts);
  const Lanes held = max(multiply, state(Pipe::kMte1).done + last_part - cube.free);
  const PipeSpan span = occupy(Pipe::kCube, held);
  cube.busy = cube.busy - (held - multiply);
  // With one piece the next operands go into the other half, which the multiplication before this
  // one has left; with more, this one's last piece but one must be through.
  l0_release_ = parts > 1 ? span.end - last_part : l0_next_release_;
  l0_next_release_ = span.end;
  return span;
}

Lanes CoreClock::end() const {
  Lanes latest;
  for (const PipeState& pipe : pipes_) latest = max(latest, max(pipe.free, pipe.done));
  return latest;
}

}  // namespace npu::machine
