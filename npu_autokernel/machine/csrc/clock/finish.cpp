// The second half of the clock: from what was watched to a report.
#include <algorithm>
#include <cmath>

#include "clock/clock.h"

namespace npu::machine {
namespace {

double bytes_over_tbps_ns(double bytes, double tbps) { return bytes / tbps * 1e-3; }

}  // namespace

// HBM serves what L2 does not have; reads alone are faster than reads and writes mixed. Hits come
// from L2 at its own rate, slower where cores meet at a line, and lines that most cores ask for at
// a fixed number of requests. Atomic updates of one line follow each other.
SharedTime Clock::shared_time(const MemoryTraffic& traffic) const {
  const double to_ub = traffic.hbm_read_bytes[static_cast<int>(Path::kLoadUb)];
  const double to_l1 = traffic.hbm_read_bytes[static_cast<int>(Path::kLoadL1)];
  const double updated = traffic.hbm_read_bytes[static_cast<int>(Path::kStoreUb)];
  const double reads = bytes_over_tbps_ns(to_ub + updated, soc_.hbm_read_tbps) +
                       bytes_over_tbps_ns(to_l1, soc_.hbm_read_l1_tbps);
  const double mixed = bytes_over_tbps_ns(to_ub + updated + to_l1 + traffic.hbm_write_bytes,
                                          soc_.hbm_read_write_tbps);
  const double hbm = traffic.hbm_write_bytes > 0 ? std::max(reads, mixed) : reads;
  const double hits = bytes_over_tbps_ns(traffic.l2_hit_bytes, soc_.l2_read_write_tbps) +
                      bytes_over_tbps_ns(traffic.l2_shared_hit_bytes, soc_.l2_read_tbps);
  const double hot = (traffic.hot_requests +
                      traffic.same_order_requests * (constants_.same_order_factor - 1.0)) /
                     constants_.hot_request_rate_gps;
  const double updates =
      traffic.most_updates * constants_.atomic_update_cycles * 1000.0 / soc_.clock_mhz;
  double moved = 0;
  for (double bytes : traffic.moved_bytes) moved += bytes;
  const double flow = std::max(hbm + hits, bytes_over_tbps_ns(moved, soc_.l2_read_write_tbps));
  const double meeting = std::max(hot, updates);
  return {std::max(flow, meeting), meeting > flow};
}

double Clock::launch_us(int64_t cores) const {
  const double full = use_ == CoreUse::kVector ? soc_.launch_vector_us
                      : use_ == CoreUse::kCube ? soc_.launch_cube_us
                                               : soc_.launch_mix_us;
  const int64_t most = use_ == CoreUse::kVector ? soc_.vector_cores : soc_.cube_cores;
  const double share =
      most > 1 ? static_cast<double>(cores - 1) / static_cast<double>(most - 1) : 1.0;
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

double busiest_scalar_us(const TimingReport& report) {
  const int scalar = static_cast<int>(Pipe::kScalar);
  return std::max(report.vector.pipe_busy_us[scalar], report.cube.pipe_busy_us[scalar]);
}

// Narrow: short rows, or cores that meet at the same lines. Mixed: cube and vector cores together,
// rows off their lines, or mostly work of the scalar pipe, whose timing no document gives.
AccuracyClass classify(const TimingReport& report, bool meets_at_lines) {
  constexpr double kTinyUs = 20.0;
  double moved = 0;
  for (double bytes : report.traffic.moved_bytes) moved += bytes;
  if (report.latency_us < kTinyUs) return AccuracyClass::kTiny;
  const bool narrow = report.traffic.short_row_bytes > 0.5 * moved;
  if (narrow || meets_at_lines) return AccuracyClass::kNarrow;
  const bool unaligned = report.traffic.unaligned_bytes > 0.1 * moved;
  const bool scalar = busiest_scalar_us(report) > 0.5 * report.core_us;
  const bool mixed = report.use == CoreUse::kMix || unaligned || scalar;
  return mixed ? AccuracyClass::kMixed : AccuracyClass::kWide;
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

// The memory is busy for shared / running of the time, which stretches the transfers, which sets
// how long the run lasts. A longer run means less load, so the answer is unique: halve the
// interval.
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
  const SharedTime shared = shared_time(report.traffic);
  if (block_count_ < grid_blocks) deal_unwatched_blocks(grid_blocks);
  report.alone_us = slowest_core().at[0] * 1e-3;
  report.shared_us = shared.ns * 1e-3;
  report.stretch = find_stretch(shared.ns);
  report.core_us = value_at(slowest_core(), report.stretch) * 1e-3 + constants_.prologue_us;
  report.launch_us = launch_us(std::max<int64_t>(1, count_cores()));
  report.latency_us = report.core_us + report.launch_us;
  add_core_times(report);
  add_waits(report);
  const CoreTimes& leading = use_ == CoreUse::kVector ? report.vector : report.cube;
  report.imbalance = leading.mean_us > 0 ? leading.slowest_us / leading.mean_us : 1.0;
  report.accuracy = classify(report, shared.by_meeting);
  report.expected_error = expected_error_of(report.accuracy);
  report.events = std::move(events_);
  report.flags = std::move(flags_);
  return report;
}

}  // namespace npu::machine
