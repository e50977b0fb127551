// One core: its scalar pipe, its memories, its flags and, when pipes are interleaved, its queues.
//
// In program order every instruction runs when it is issued. Interleaved, instructions wait in
// queues, one per pipe, and the caller decides which pipe goes next: any order that the flags and
// barriers allow can happen.
#pragma once

#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "block_sync.h"
#include "interpreter.h"
#include "launch.h"
#include "pipe_queue.h"
#include "unit_flags.h"

namespace npu::machine {

constexpr int kEventCount = 8;

// A flag that is set `count` times more than it was waited for, in `line` of the dump last.
struct RaisedFlag {
  Pipe set_pipe;
  Pipe wait_pipe;
  int event;
  int count;
  uint32_t line;
};

class Core : public IssuePort {
 public:
  Core(const Function& function, uint8_t sub_core, const SocNumbers& soc,
       const LaunchOptions& options, GmMemory& gm, Counters& counters, std::optional<Fault>& fault,
       BlockSync& sync, InstructionObserver* observer);

  Interpreter& interpreter() { return interpreter_; }
  void begin_block(const BlockPosition& position);

  // The scalar pipe: until it blocks or ends, or for one instruction.
  Progress advance_scalar(bool single);
  // The head of a pipe's queue, or one that may overtake it; kBlocked if it waits for a flag,
  // kFinished if the queue is empty.
  Progress advance_pipe(Pipe pipe, std::mt19937_64& random);

  bool finished() const { return scalar_finished_ && queues_empty(); }
  bool scalar_finished() const { return scalar_finished_; }
  bool queues_empty() const;
  // Who stands before which line of the dump, for a deadlock's message: each pipe that has
  // instructions queued, or else the core as a whole.
  struct Standing {
    std::string name;
    uint32_t line;
  };
  std::vector<Standing> list_standing() const;
  uint32_t line() const { return interpreter_.line(); }
  const CoreId& id() const { return id_; }
  // A flag that was set and never waited for, or an empty string.
  std::string find_unbalanced_flag() const;
  std::vector<RaisedFlag> raised_flags() const;
  ChipMemory& chip() { return chip_; }
  // What the core reaches of the other cores of its block.
  void meet(const Neighbours& neighbours) { context_.neighbours = neighbours; }

  IssueResult issue(const Instruction& instruction) override;
  IssueResult load_element(const AccessSite& site, const MemoryView& element,
                           uint32_t scalar_ops_before, Scalar& value, uint32_t& origin) override;
  IssueResult store_element(const AccessSite& site, const MemoryView& element,
                            uint32_t scalar_ops_before, Scalar value, uint32_t origin) override;
  IssueResult reject(const char* code, const std::string& message, uint32_t line) override;
  IssueResult reject_garbage(const std::string& what, uint32_t origin, uint32_t line) override;

 private:
  IssueResult issue_synchronisation(const Instruction& instruction);
  IssueResult run_or_queue(const Instruction& instruction);
  IssueResult run(const Instruction& instruction);
  IssueResult run_with_unit_flag(const Instruction& instruction);
  IssueResult execute(const Instruction& instruction);
  Progress run_queued(PipeQueue& queue, size_t position);
  void clobber_temporaries(const Instruction& instruction);
  IssueResult fail(const Instruction& instruction, const char* code, const std::string& message);
  struct FlagState {
    int16_t count = 0;
    uint32_t set_line = 0;
  };
  FlagState& flag_of(const Instruction& instruction);
  bool runs_now(Pipe pipe) const { return !options_.interleaved || pipe == Pipe::kScalar; }
  void observe(const Instruction& instruction);
  void observe_element(const AccessSite& site, const MemoryView& element, uint32_t ops_before);

  const Function& function_;
  const LaunchOptions& options_;
  CoreId id_;
  Interpreter interpreter_;
  ChipMemory chip_;
  ExecutionContext context_;
  BlockSync& sync_;
  InstructionObserver* observer_;
  bool scalar_finished_ = false;
  std::array<FlagState, kPipeCount * kPipeCount * kEventCount> flags_{};
  UnitFlags unit_flags_;
  std::array<PipeQueue, kPipeCount> queues_;
  Instruction element_access_;  // the last one that was observed
};

}  // namespace npu::machine
