#include "clock/clock.h"

#include <algorithm>
#include <cmath>

namespace npu::machine {
namespace {

constexpr int kCubeSlot = 0;
constexpr int kVectorSlot = 1;
constexpr size_t kMaxEvents = 200000;

bool is_vector_work(Opcode opcode) { return opcode == Opcode::kCopy || opcode >= Opcode::kVexp; }

double bytes_over_tbps_ns(double bytes, double tbps) { return bytes / tbps * 1e-3; }

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
    case Opcode::kWaitFlag: return clock.wait_flag(instruction);
    case Opcode::kPipeBarrier: return clock.raise_barrier(instruction);
    case Opcode::kBlockSet: return cross_set(core, instruction);
    case Opcode::kBlockWait: return cross_wait(core, instruction);
    case Opcode::kBlockLock:
    case Opcode::kBlockUnlock: return;
    case Opcode::kScalarLoad:
    case Opcode::kScalarStore: return clock.access_element(instruction);
    case Opcode::kLoad:
      return time_transfer(core, instruction, Path::kLoadUb, instruction.input(0));
    case Opcode::kNd2Nz:
      return time_transfer(core, instruction, Path::kLoadL1, instruction.input(0));
    case Opcode::kStore:
      return time_transfer(core, instruction, Path::kStoreUb, instruction.output(0));
    case Opcode::kFixpipe:
      return time_transfer(core, instruction, Path::kStoreL0c, instruction.output(0));
    case Opcode::kL1Fill: return record_event(core, instruction, clock.run_fill(instruction));
    case Opcode::kL0LoadA:
    case Opcode::kL0LoadB: return clock.load_l0(instruction);
    case Opcode::kMmad: return record_event(core, instruction, clock.run_mmad(instruction));
    default: break;
  }
  if (is_vector_work(opcode)) record_event(core, instruction, clock.run_vector(instruction));
}

// The first touch of a place in memory comes from HBM, later ones most likely from L2. The replay
// decides about bytes; this decides about latency, by the first line of the transfer. Loads into L1
// that L2 serves show no latency: the operands of a multiplication are fetched while it waits anyway.
double Clock::load_latency_ns(Path path, const GmRows& rows) {
  const size_t slot = static_cast<size_t>(rows.buffer + 1);
  if (slot >= touched_.size()) touched_.resize(slot + 1);
  const size_t line = static_cast<size_t>(std::max<int64_t>(0, rows.first_byte) / kLineBytes);
  std::vector<bool>& touched = touched_[slot];
  if (line >= touched.size()) touched.resize(std::max(line + 1, touched.size() * 2));
  const bool seen = touched[line];
  touched[line] = true;
  if (path == Path::kLoadUb) {
    return seen ? constants_.load_latency_l2_ns : constants_.load_latency_ns;
  }
  return seen ? 0.0 : constants_.load_latency_l1_ns;
}

void Clock::time_transfer(const CoreId& core, const Instruction& instruction, Path path,
                          const MemoryView& gm) {
  const int slot = slot_of(core);
  CoreClock& clock = clocks_[slot];
  const GmRows rows = rows_of(gm);
  if (rows.row_bytes == 0) return;
  const bool bypass = bypasses_l2_ && path == Path::kLoadUb;
  RecordedTransfer transfer;
  transfer.shape = record_.shape_of(path, bypass, rows, [&](TransferShape& shape) {
    shape.busy_ns = transfer_ns(path, rows, soc_, constants_);
    shape.request_count = count_requests(rows);
  });
  const double busy_ns = record_.shape(transfer.shape).busy_ns;
  PipeSpan span;
  if (path == Path::kStoreL0c) {
    span = clock.run_fixpipe(instruction, busy_ns);
  } else {
    const bool loads = path != Path::kStoreUb;
    const double latency = loads ? load_latency_ns(path, rows) : constants_.store_latency_ns;
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

void Clock::cross_set(const CoreId& core, const Instruction& instruction) {
  const int slot = slot_of(core);
  const Lanes time = clocks_[slot].set_time(instruction.operation->set_pipe);
  cross_sets_[{slot, instruction.event}].push_back(time);
}

Lanes Clock::take_cross_time(int from_slot, int to_slot, int32_t event) {
  const std::vector<Lanes>& sets = cross_sets_[{from_slot, event}];
  size_t& taken = cross_taken_[{from_slot * kCoresOfBlock + to_slot, event}];
  return taken < sets.size() ? sets[taken++] : Lanes();
}

// A vector core waits for the cube core; the cube core waits for both vector cores.
void Clock::cross_wait(const CoreId& core, const Instruction& instruction) {
  const int slot = slot_of(core);
  Lanes time;
  Pipe source = Pipe::kFixpipe;
  if (slot == kCubeSlot) {
    source = Pipe::kMte3;
    for (int from = kVectorSlot; from < kCoresOfBlock; ++from) {
      time = max(time, take_cross_time(from, slot, instruction.event));
    }
  } else {
    time = take_cross_time(kCubeSlot, slot, instruction.event);
  }
  time += Lanes::all(constants_.cross_core_flag_us * 1000.0);
  clocks_[slot].wait_until(instruction.operation->wait_pipe, source, time);
}

void Clock::record_event(const CoreId& core, const Instruction& instruction, PipeSpan span) {
  if (!options_.record_events || block_count_ != 1 || events_.size() >= kMaxEvents) return;
  events_.push_back({core.kind, core.sub_core, instruction.pipe(), instruction.operation->line,
                     span.start.at[0] * 1e-3, span.end.at[0] * 1e-3});
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

// HBM serves what L2 does not have; reads alone are faster than reads and writes mixed. Hits come
// from L2 at its own rate, slower where cores meet at a line, and lines that most cores ask for at a
// fixed number of requests.
double Clock::shared_ns(const MemoryTraffic& traffic) const {
  const double to_ub = traffic.hbm_read_bytes[static_cast<int>(Path::kLoadUb)];
  const double to_l1 = traffic.hbm_read_bytes[static_cast<int>(Path::kLoadL1)];
  const double reads = bytes_over_tbps_ns(to_ub, soc_.hbm_read_tbps) +
                       bytes_over_tbps_ns(to_l1, soc_.hbm_read_l1_tbps);
  const double mixed = bytes_over_tbps_ns(to_ub + to_l1 + traffic.hbm_write_bytes,
                                          soc_.hbm_read_write_tbps);
  const double hbm = traffic.hbm_write_bytes > 0 ? std::max(reads, mixed) : reads;
  const double hits = bytes_over_tbps_ns(traffic.l2_hit_bytes, soc_.l2_read_write_tbps) +
                      bytes_over_tbps_ns(traffic.l2_shared_hit_bytes, soc_.l2_read_tbps);
  const double hot = (traffic.hot_requests +
                      traffic.same_order_requests * (constants_.same_order_factor - 1.0)) /
                     constants_.hot_request_rate_gps;
  double moved = 0;
  for (double bytes : traffic.moved_bytes) moved += bytes;
  return std::max({hbm + hits, hot, bytes_over_tbps_ns(moved, soc_.l2_read_write_tbps)});
}

double Clock::launch_us(int64_t cores) const {
  const double full = use_ == CoreUse::kVector ? soc_.launch_vector_us
                      : use_ == CoreUse::kCube ? soc_.launch_cube_us
                                               : soc_.launch_mix_us;
  const int64_t most = use_ == CoreUse::kVector ? soc_.vector_cores : soc_.cube_cores;
  const double share = most > 1 ? static_cast<double>(cores - 1) / static_cast<double>(most - 1) : 1;
  return soc_.launch_one_core_us + share * (full - soc_.launch_one_core_us);
}

namespace {

// Expected errors of machine estimates by kind of kernel, from what the calibration rows show.
double expected_error_of(AccuracyClass accuracy) {
  switch (accuracy) {
    case AccuracyClass::kWide: return 0.10;
    case AccuracyClass::kMixed: return 0.20;
    case AccuracyClass::kNarrow: return 0.30;
    default: return 0.40;
  }
}

AccuracyClass classify(const TimingReport& report) {
  constexpr double kTinyUs = 20.0;
  double moved = 0;
  for (double bytes : report.traffic.moved_bytes) moved += bytes;
  if (report.latency_us < kTinyUs) return AccuracyClass::kTiny;
  if (report.traffic.short_row_bytes > 0.5 * moved) return AccuracyClass::kNarrow;
  const bool unaligned = report.traffic.unaligned_bytes > 0.1 * moved;
  return report.use == CoreUse::kMix || unaligned ? AccuracyClass::kMixed : AccuracyClass::kWide;
}

}  // namespace

// Every block of a core but the first is started while the others run.
Lanes Clock::time_of(const CoreTotals& totals) const {
  const double starts = static_cast<double>(std::max<int64_t>(0, totals.blocks - 1));
  return totals.time + Lanes::all(starts * constants_.block_start_us * 1000.0);
}

Lanes Clock::slowest_core() const {
  Lanes slowest;
  for (const auto& cores : totals_) {
    for (const CoreTotals& totals : cores) slowest = max(slowest, time_of(totals));
  }
  return slowest;
}

// The memory is busy for shared / running of the time, which stretches the transfers, which sets how
// long the run lasts. A longer run means less load, so the answer is unique: halve the interval.
double Clock::find_stretch(double shared_ns) const {
  const Lanes slowest = slowest_core();
  if (shared_ns <= 0 || slowest.at[0] <= 0) return 1.0;
  double low = 1.0, high = 1e4;
  for (int step = 0; step < 60; ++step) {
    const double stretch = std::sqrt(low * high);
    const double load = shared_ns / value_at(slowest, stretch);
    const bool too_small = load >= 1.0 ||
                           stretch_under(load, constants_.sharing_knee_power) > stretch;
    (too_small ? low : high) = stretch;
  }
  return high;
}

void Clock::add_core_times(TimingReport& report) const {
  for (int slot = 0; slot < kCoresOfBlock; ++slot) {
    CoreTimes& times = slot == kCubeSlot ? report.cube : report.vector;
    for (const CoreTotals& totals : totals_[slot]) {
      if (totals.blocks == 0) continue;
      const double time_us = value_at(time_of(totals), report.stretch) * 1e-3;
      times.cores += 1;
      times.mean_us += time_us;
      const bool slowest = time_us > times.slowest_us;
      times.slowest_us = std::max(times.slowest_us, time_us);
      for (int pipe = 0; pipe < kPipeCount; ++pipe) {
        const double busy_us = value_at(totals.busy[pipe], report.stretch) * 1e-3;
        times.mean_pipe_busy_us[pipe] += busy_us;
        if (slowest) times.pipe_busy_us[pipe] = busy_us;
      }
    }
  }
  for (CoreTimes* times : {&report.vector, &report.cube}) {
    const double cores = static_cast<double>(std::max<int64_t>(1, times->cores));
    times->mean_us /= cores;
    for (double& busy : times->mean_pipe_busy_us) busy /= cores;
  }
}

void Clock::add_waits(TimingReport& report) const {
  for (int pipe = 0; pipe < kPipeCount; ++pipe) {
    for (int source = 0; source < kPipeCount; ++source) {
      report.waits_us[pipe][source] = value_at(waits_.ns[pipe][source], report.stretch) * 1e-3;
    }
  }
}

int64_t Clock::count_cores() const {
  const int slot = use_ == CoreUse::kVector ? kVectorSlot : kCubeSlot;
  const auto& cores = totals_[slot];
  return std::count_if(cores.begin(), cores.end(),
                       [](const CoreTotals& totals) { return totals.blocks > 0; });
}

// The mean watched block stands for those that were not: each core gets its share of the grid.
void Clock::deal_unwatched_blocks(int64_t grid_blocks) {
  for (auto& cores : totals_) {
    CoreTotals mean;
    for (const CoreTotals& totals : cores) {
      mean.time += totals.time;
      mean.blocks += totals.blocks;
      for (int pipe = 0; pipe < kPipeCount; ++pipe) mean.busy[pipe] += totals.busy[pipe];
    }
    if (mean.blocks == 0) continue;
    const double each = 1.0 / static_cast<double>(mean.blocks);
    const int64_t core_count = static_cast<int64_t>(cores.size());
    for (int64_t core = 0; core < core_count; ++core) {
      CoreTotals& totals = cores[static_cast<size_t>(core)];
      totals.blocks = (grid_blocks - core + core_count - 1) / core_count;
      const double share = each * static_cast<double>(totals.blocks);
      totals.time = mean.time * share;
      for (int pipe = 0; pipe < kPipeCount; ++pipe) totals.busy[pipe] = mean.busy[pipe] * share;
    }
  }
  for (auto& row : waits_.ns) {
    for (Lanes& wait : row) {
      wait *= static_cast<double>(grid_blocks) / static_cast<double>(block_count_);
    }
  }
}

TimingReport Clock::finish(int64_t grid_blocks) {
  TimingReport report;
  report.use = use_;
  report.blocks = grid_blocks;
  const int64_t watched_cores = std::max<int64_t>(1, count_cores());
  const double block_share =
      static_cast<double>(grid_blocks) / static_cast<double>(std::max<int64_t>(1, block_count_));
  report.traffic = replay_through_l2(record_, watched_cores, block_share, soc_);
  const double shared = shared_ns(report.traffic);
  if (block_count_ < grid_blocks) deal_unwatched_blocks(grid_blocks);
  report.alone_us = slowest_core().at[0] * 1e-3;
  report.shared_us = shared * 1e-3;
  report.stretch = find_stretch(shared);
  report.core_us = value_at(slowest_core(), report.stretch) * 1e-3 + constants_.prologue_us;
  report.launch_us = launch_us(std::max<int64_t>(1, count_cores()));
  report.latency_us = report.core_us + report.launch_us;
  add_core_times(report);
  add_waits(report);
  const CoreTimes& leading = use_ == CoreUse::kVector ? report.vector : report.cube;
  report.imbalance = leading.mean_us > 0 ? leading.slowest_us / leading.mean_us : 1.0;
  report.accuracy = classify(report);
  report.expected_error = expected_error_of(report.accuracy);
  report.events = std::move(events_);
  return report;
}

}  // namespace npu::machine
