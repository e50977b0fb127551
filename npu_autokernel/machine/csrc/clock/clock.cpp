#include "clock/clock.h"

#include <algorithm>

namespace npu::machine {
namespace {

constexpr size_t kMaxEvents = 200000;

bool is_vector_work(Opcode opcode) { return opcode == Opcode::kCopy || opcode >= Opcode::kVexp; }

Path load_path(const MemoryView& target) {
  return target.space == MemorySpace::kL1 ? Path::kLoadL1 : Path::kLoadUb;
}

}  // namespace

Clock::Clock(const SocNumbers& soc, const ClockConstants& constants, CoreUse use,
             const ClockOptions& options)
    : soc_(soc),
      constants_(constants),
      use_(use),
      options_(options),
      clocks_{CoreClock(soc_, constants_), CoreClock(soc_, constants_),
              CoreClock(soc_, constants_)} {
  totals_[kCubeSlot].resize(static_cast<size_t>(soc.cube_cores));
  const int64_t vectors = use == CoreUse::kMix ? soc.cube_cores : soc.vector_cores;
  totals_[kVectorSlot].resize(static_cast<size_t>(vectors));
  totals_[kVectorSlot + 1].resize(static_cast<size_t>(vectors));
}

int Clock::slot_of(const CoreId& core) const {
  return core.kind == CoreKind::kCube ? kCubeSlot : kVectorSlot + core.sub_core;
}

CoreId Clock::core_of(int slot) {
  if (slot == kCubeSlot) return {CoreKind::kCube, 0, 0};
  return {CoreKind::kVector, static_cast<uint8_t>(slot - kVectorSlot), 0};
}

// Blocks are dealt in the order in which they are watched: a sample spreads over all cores.
int64_t Clock::physical_core(int slot) const {
  return (block_count_ - 1) % static_cast<int64_t>(totals_[slot].size());
}

void Clock::begin_block(int64_t) {
  ++block_count_;
  for (int slot = 0; slot < kCoresOfBlock; ++slot) {
    clocks_[slot].start_block();
    ran_[slot] = false;
  }
  cross_sets_.clear();
  cross_taken_.clear();
}

void Clock::observe(const CoreId& core, const Instruction& instruction) {
  CoreClock& clock = clock_of(core);
  ran_[slot_of(core)] = true;
  clock.issue_scalar(instruction.scalar_ops_before + 1);
  const Opcode opcode = instruction.opcode();
  switch (opcode) {
    case Opcode::kSetFlag: return clock.set_flag(instruction);
    case Opcode::kWaitFlag: return wait_flag(core, instruction);
    case Opcode::kPipeBarrier: return clock.raise_barrier(instruction);
    case Opcode::kBlockSet: return cross_set(core, instruction);
    case Opcode::kBlockWait: return cross_wait(core, instruction);
    case Opcode::kBlockLock:
    case Opcode::kBlockUnlock: return clock.reach_lock();
    case Opcode::kScalarLoad:
    case Opcode::kScalarStore:
      return record_event(core, instruction, clock.access_element(instruction));
    case Opcode::kLoad:
      return time_transfer(core, instruction, load_path(instruction.output(0)),
                           instruction.input(0));
    case Opcode::kNd2Nz:
      return time_transfer(core, instruction, Path::kLoadL1, instruction.input(0));
    case Opcode::kStore:
      return time_transfer(core, instruction, Path::kStoreUb, instruction.output(0));
    case Opcode::kFixpipe:
      clock.follow_unit_flag(instruction);
      if (instruction.output(0).space != MemorySpace::kGm) {
        return record_event(core, instruction, clock.run_fixpipe(instruction, 0.0));
      }
      return time_transfer(core, instruction, Path::kStoreL0c, instruction.output(0));
    case Opcode::kL1Fill: return record_event(core, instruction, clock.run_fill(instruction));
    case Opcode::kL0LoadA:
    case Opcode::kL0LoadB: return record_event(core, instruction, clock.load_l0(instruction));
    case Opcode::kLoadBias: return record_event(core, instruction, clock.load_bias(instruction));
    case Opcode::kMmad:
      clock.follow_unit_flag(instruction);
      return record_event(core, instruction, clock.run_mmad(instruction));
    default: break;
  }
  if (is_vector_work(opcode)) record_event(core, instruction, clock.run_vector(instruction));
}

// The first touch of a place in memory comes from HBM, later ones most likely from L2. The replay
// decides about bytes; this decides about latency, by the first line of the transfer. Fractals that
// L2 serves show no latency: the operands of a multiplication are fetched while it waits anyway.
double Clock::load_latency_ns(bool as_fractals, const GmRows& rows) {
  const size_t slot = static_cast<size_t>(rows.buffer + 1);
  if (slot >= touched_.size()) touched_.resize(slot + 1);
  const size_t line = static_cast<size_t>(std::max<int64_t>(0, rows.first_byte) / kLineBytes);
  std::vector<bool>& touched = touched_[slot];
  if (line >= touched.size()) touched.resize(std::max(line + 1, touched.size() * 2));
  const bool seen = touched[line];
  touched[line] = true;
  if (as_fractals) return seen ? 0.0 : constants_.load_latency_l1_ns;
  return seen ? constants_.load_latency_l2_ns : constants_.load_latency_ns;
}

void Clock::time_transfer(const CoreId& core, const Instruction& instruction, Path path,
                          const MemoryView& gm) {
  const int slot = slot_of(core);
  CoreClock& clock = clocks_[slot];
  const GmRows rows = rows_of(gm);
  if (rows.row_bytes == 0) return;
  const bool loads = path == Path::kLoadUb || path == Path::kLoadL1;
  TransferShape wanted;
  wanted.path = path;
  wanted.bypasses_l2 = loads ? loads_bypass_l2_ : stores_bypass_l2_;
  wanted.updates = instruction.operation->atomic_kind != AtomicKind::kNone;
  wanted.rows = rows;
  RecordedTransfer transfer;
  transfer.shape = record_.shape_of(wanted, [&](TransferShape& shape) {
    const Requests requests = requests_of(rows);
    shape.busy_ns = transfer_ns(path, rows, requests, soc_, constants_);
    shape.request_count = requests.count;
    shape.asks_for_more =
        static_cast<double>(requests.bytes) > 1.1 * static_cast<double>(rows.total_bytes());
  });
  const double busy_ns = record_.shape(transfer.shape).busy_ns;
  PipeSpan span;
  if (path == Path::kStoreL0c) {
    span = clock.run_fixpipe(instruction, busy_ns);
  } else {
    const bool as_fractals = instruction.opcode() == Opcode::kNd2Nz;
    const double latency =
        loads ? load_latency_ns(as_fractals, rows) : constants_.store_latency_ns;
    span = clock.run_transfer(path, busy_ns, latency);
  }
  record_event(core, instruction, span);
  const size_t physical = static_cast<size_t>(physical_core(slot));
  transfer.start_ns = time_of(totals_[slot][physical]).at[0] + span.start.at[0];
  transfer.first_byte = rows.first_byte;
  transfer.block = static_cast<int32_t>(block_count_);
  transfer.core = static_cast<int32_t>(slot == kVectorSlot + 1 ? physical + 32 : physical);
  record_.add(transfer);
}

void Clock::wait_flag(const CoreId& core, const Instruction& instruction) {
  const std::optional<Lanes> set = clock_of(core).wait_flag(instruction);
  if (set) record_flag(core, instruction.operation->set_pipe, *set, core, instruction);
}

void Clock::cross_set(const CoreId& core, const Instruction& instruction) {
  const int slot = slot_of(core);
  const Lanes time = clocks_[slot].set_time(instruction.operation->set_pipe);
  cross_sets_[{slot, instruction.event}].push_back(time);
}

std::optional<Lanes> Clock::take_cross_time(int from_slot, int to_slot, int32_t event) {
  const std::vector<Lanes>& sets = cross_sets_[{from_slot, event}];
  size_t& taken = cross_taken_[{from_slot * kCoresOfBlock + to_slot, event}];
  return taken < sets.size() ? std::optional(sets[taken++]) : std::nullopt;
}

// A vector core waits for the cube core; the cube core waits for both vector cores.
void Clock::cross_wait(const CoreId& core, const Instruction& instruction) {
  const int slot = slot_of(core);
  const bool waits_for_vectors = slot == kCubeSlot;
  const Pipe source = waits_for_vectors ? Pipe::kMte3 : Pipe::kFixpipe;
  std::optional<Lanes> sets[kCoresOfBlock];
  Lanes time;
  for (int from = 0; from < kCoresOfBlock; ++from) {
    if ((from != kCubeSlot) != waits_for_vectors) continue;
    sets[from] = take_cross_time(from, slot, instruction.event);
    if (sets[from]) time = max(time, *sets[from]);
  }
  time += Lanes::all(constants_.cross_core_flag_us * 1000.0);
  clocks_[slot].wait_until(instruction.operation->wait_pipe, source, time);
  for (int from = 0; from < kCoresOfBlock; ++from) {
    if (sets[from]) record_flag(core_of(from), source, *sets[from], core, instruction);
  }
}

bool Clock::is_recording() const {
  return options_.record_events && block_count_ == 1 && events_.size() < kMaxEvents;
}

void Clock::record_event(const CoreId& core, const Instruction& instruction, PipeSpan span) {
  if (!is_recording()) return;
  events_.push_back({core.kind, core.sub_core, instruction.pipe(), instruction.operation->line,
                     span.start.at[0] * 1e-3, span.end.at[0] * 1e-3});
}

void Clock::record_flag(const CoreId& set_core, Pipe set_pipe, const Lanes& set,
                        const CoreId& wait_core, const Instruction& wait) {
  if (!is_recording()) return;
  const Pipe wait_pipe = wait.operation->wait_pipe;
  flags_.push_back({set_core, set_pipe, set.at[0] * 1e-3, wait_core, wait_pipe,
                    clock_of(wait_core).ready(wait_pipe).at[0] * 1e-3, wait.event,
                    wait.operation->line});
}

void Clock::end_core(const CoreId& core, uint32_t scalar_ops_after) {
  ran_[slot_of(core)] = true;
  clock_of(core).issue_scalar(scalar_ops_after);
}

void Clock::end_block(int64_t) {
  Lanes end;
  for (int slot = 0; slot < kCoresOfBlock; ++slot) {
    if (ran_[slot]) end = max(end, clocks_[slot].end());
  }
  for (int slot = 0; slot < kCoresOfBlock; ++slot) {
    if (!ran_[slot]) continue;
    CoreTotals& totals = totals_[slot][static_cast<size_t>(physical_core(slot))];
    totals.time += end;
    totals.blocks += 1;
    for (int pipe = 0; pipe < kPipeCount; ++pipe) {
      totals.busy[pipe] += clocks_[slot].busy(static_cast<Pipe>(pipe));
      for (int source = 0; source < kPipeCount; ++source) {
        waits_.ns[pipe][source] += clocks_[slot].waits().ns[pipe][source];
      }
    }
  }
}

}  // namespace npu::machine
