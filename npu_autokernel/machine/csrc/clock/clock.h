// The clock: watches the instructions of a run and says how long the launch takes.
//
// 1. Each core of a block is timed by itself as if it had the memory alone (core_clock.h).
// 2. Blocks are dealt to the cores in turn; a core runs its blocks one after the other.
// 3. All transfers are replayed through the L2 cache (l2.h), which gives the time that HBM and L2
//    need for the traffic of all cores.
// 4. Transfers take longer the busier the memory is (lanes.h): the stretch is found for which the
//    run lasts as long as that load implies.
// 5. Launch overhead by kind and number of cores is added.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "clock/constants.h"
#include "clock/report.h"
#include "instruction.h"
#include "soc.h"

namespace npu::machine {

struct ClockOptions {
  bool record_events = false;  // of the first block
};

// What the memory needs for all traffic, and whether lines that cores meet at decide it.
struct SharedTime {
  double ns = 0;
  bool by_meeting = false;
};

class Clock final : public InstructionObserver {
 public:
  Clock(const SocNumbers& soc, const ClockConstants& constants, CoreUse use,
        const ClockOptions& options = {});

  void begin_block(int64_t block) override;
  void observe(const CoreId& core, const Instruction& instruction) override;
  void end_core(const CoreId& core, uint32_t scalar_ops_after) override;
  void end_block(int64_t block) override;

  // Whether loads and stores go past L2 (synthetic streams only).
  void set_l2_bypass(bool loads, bool stores) {
    loads_bypass_l2_ = loads;
    stores_bypass_l2_ = stores;
  }

  // `grid_blocks`: blocks of the launch. If fewer were watched, the others are taken to be alike.
  TimingReport finish(int64_t grid_blocks);

 private:
  // Accumulated over the blocks of one physical core.
  struct CoreTotals {
    Lanes time;
    Lanes busy[kPipeCount];
    int64_t blocks = 0;
  };
  // A block has a cube and two vector cores at most; each has a slot.
  static constexpr int kCoresOfBlock = 3;
  static constexpr int kCubeSlot = 0;
  static constexpr int kVectorSlot = 1;  // and the next

  CoreClock& clock_of(const CoreId& core) { return clocks_[slot_of(core)]; }
  int slot_of(const CoreId& core) const;
  static CoreId core_of(int slot);
  int64_t physical_core(int slot) const;
  void time_transfer(const CoreId& core, const Instruction& instruction, Path path,
                     const MemoryView& gm);
  double load_latency_ns(bool as_fractals, const GmRows& rows);
  void cross_set(const CoreId& core, const Instruction& instruction);
  void cross_wait(const CoreId& core, const Instruction& instruction);
  std::optional<Lanes> take_cross_time(int from_slot, int to_slot, int32_t event);
  void wait_flag(const CoreId& core, const Instruction& instruction);
  bool is_recording() const;
  void record_event(const CoreId& core, const Instruction& instruction, PipeSpan span);
  void record_flag(const CoreId& set_core, Pipe set_pipe, const Lanes& set,
                   const CoreId& wait_core, const Instruction& wait);
  void deal_unwatched_blocks(int64_t grid_blocks);
  int64_t count_cores() const;
  Lanes time_of(const CoreTotals& totals) const;
  Lanes slowest_core() const;
  double find_stretch(double shared_ns) const;
  void add_core_times(TimingReport& report) const;
  void add_waits(TimingReport& report) const;
  SharedTime shared_time(const MemoryTraffic& traffic) const;
  double launch_us(int64_t cores) const;

  SocNumbers soc_;
  ClockConstants constants_;
  CoreUse use_;
  ClockOptions options_;
  CoreClock clocks_[kCoresOfBlock];
  bool ran_[kCoresOfBlock] = {};
  std::vector<CoreTotals> totals_[kCoresOfBlock];
  std::map<std::pair<int, int32_t>, std::vector<Lanes>> cross_sets_;  // [slot, event]
  std::map<std::pair<int, int32_t>, size_t> cross_taken_;              // [from x to, event]
  TransferRecord record_;
  std::vector<std::vector<bool>> touched_;  // [buffer][line]: by the first line of loads
  WaitTable waits_;
  std::vector<TimelineEvent> events_;
  std::vector<TimelineFlag> flags_;
  int64_t block_count_ = 0;
  bool loads_bypass_l2_ = false;
  bool stores_bypass_l2_ = false;
};

}  // namespace npu::machine
