// The race check: watches a run in program order and reports the first two accesses to the same
// bytes, one of them a write, that nothing orders.
//
// Each instruction is placed by happens_before, and its operands are entered in the log of their
// memory: on-chip memories per core, GM for the block, GM between blocks. Temporary buffers count
// as written. A DMA load writes whole blocks of 32 bytes, so it clobbers a row's tail.
//
// A vector core may read what the other one writes as long as it then writes nothing to GM: where
// the compiler does not split a product, both compute all of it and one of them keeps it.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "fault.h"
#include "launch.h"
#include "race/access_log.h"
#include "race/gm_log.h"

namespace npu::machine {

class RaceCheck : public InstructionObserver {
 public:
  // Buffers that are the same memory are told apart by address.
  RaceCheck(const Program& program, const std::vector<LaunchArgument>& arguments);

  const std::optional<Fault>& fault() const { return fault_; }

  void begin_block(int64_t block) override;
  void observe(const CoreId& core, const Instruction& instruction) override;
  void end_core(const CoreId&, uint32_t) override {}
  void end_block(int64_t) override {}

 private:
  void enter_operands(const CoreId& core, const Instruction& instruction, LaneMoment moment);
  void enter_view(const CoreId& core, const Instruction& instruction, const MemoryView& view,
                  const MemoryAccess& access, int owner = -1);
  void enter_chip(const CoreId& core, const MemoryView& view, int64_t first, int64_t last,
                  const MemoryAccess& access, int owner);
  void enter_gm(const CoreId& core, const MemoryView& view, const MemoryAccess& access);
  bool is_unused_read(const CoreId& core, const MemoryAccess& earlier, const MemoryAccess& access,
                      const MemoryView& view);
  void count_store(int core);
  std::string name_access(const MemoryAccess& access) const;
  std::string name_access(const BlockAccess& access) const;
  Fault describe(const CoreId& core, const MemoryAccess& access, const std::string& earlier,
                 const MemoryView& view, ByteSpan bytes) const;

  const Program& program_;  // says where an access stands in the source
  // By argument ordinal.
  std::vector<int64_t> buffer_addresses_;
  std::vector<int64_t> buffer_sizes_;
  std::optional<Fault> fault_;
  HappensBefore order_;
  // By core and space; the GM entry of a core is not used.
  std::array<std::array<AccessLog, kMemorySpaceCount>, kCoresPerBlock> chip_logs_;
  GmLog gm_log_;
  std::array<bool, kCoresPerBlock> locked_{};
  std::array<uint32_t, kCoresPerBlock> stores_{};  // writes to GM in this block
  // The first racing read of a core that has written nothing to GM since.
  std::array<std::optional<Fault>, kCoresPerBlock> unused_reads_;
};

}  // namespace npu::machine
