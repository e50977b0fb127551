#include "core.h"

#include <algorithm>
#include <cstring>

#include "ops/written.h"
#include "trace/stepper.h"

namespace npu::machine {
namespace {

constexpr const char* kPipeNames[kPipeCount] = {"S", "V", "MTE1", "MTE2", "MTE3", "M", "FIX"};

bool is_synchronisation(Opcode opcode) { return opcode <= Opcode::kBlockUnlock; }

size_t flag_index(Pipe set_pipe, Pipe wait_pipe, int event) {
  return (static_cast<size_t>(set_pipe) * kPipeCount + static_cast<size_t>(wait_pipe)) *
             kEventCount + static_cast<size_t>(event);
}

}  // namespace

Core::Core(const Function& function, uint8_t sub_core, const SocNumbers& soc,
           const LaunchOptions& options, GmMemory& gm, Counters& counters,
           std::optional<Fault>& fault, BlockSync& sync, InstructionObserver* observer)
    : function_(function),
      options_(options),
      id_{function.kind, sub_core, 0},
      interpreter_(function),
      chip_(soc, function.footprint_bytes, options.follows_garbage()),
      context_{chip_, gm, counters, fault, {}, {}, {}, {}, {}, {}, 0, options.check_races, false,
               {}},
      sync_(sync),
      observer_(observer) {
  interpreter_.set_step_limit(options.step_limit);
}

void Core::begin_block(const BlockPosition& position) {
  id_.block = position.block_index;
  interpreter_.begin(position);
  if (options_.functional) {
    chip_.poison(options_.poison_seed == 0 ? 0 : options_.poison_seed + position.block_index);
  }
  context_.l0a.clear();
  context_.l0b.clear();
  context_.bias_table.clear();
  context_.written_a.clear();
  context_.written_b.clear();
  context_.written_bias.clear();
  flags_.fill({});
  unit_flags_.clear();
  for (auto& queue : queues_) queue.clear();
  scalar_finished_ = false;
}

Progress Core::advance_scalar(bool single) {
  const Progress progress = interpreter_.run(*this, single);
  if (progress == Progress::kFinished) {
    scalar_finished_ = true;
    if (observer_) observer_->end_core(id_, interpreter_.pending_scalar_ops());
  }
  return progress;
}

bool Core::queues_empty() const {
  return std::all_of(queues_.begin(), queues_.end(), [](const auto& q) { return q.is_empty(); });
}

Progress Core::advance_pipe(Pipe pipe, std::mt19937_64& random) {
  PipeQueue& queue = queues_[static_cast<size_t>(pipe)];
  if (queue.is_empty()) return Progress::kFinished;
  const size_t position = options_.overlapped ? queue.choose_overlapping(random) : 0;
  const Progress progress = run_queued(queue, position);
  return progress == Progress::kBlocked && position > 0 ? run_queued(queue, 0) : progress;
}

Progress Core::run_queued(PipeQueue& queue, size_t position) {
  const IssueResult result = run(queue.at(position));
  if (result == IssueResult::kFault) return Progress::kFault;
  if (result == IssueResult::kRetry) return Progress::kBlocked;
  if (options_.overlapped) clobber_temporaries(queue.at(position));
  queue.remove(position);
  return Progress::kAdvanced;
}

// Nobody may use what an instruction leaves in its temporary buffers.
void Core::clobber_temporaries(const Instruction& instruction) {
  for (int i = 0; i < instruction.temp_count; ++i) {
    const MemoryView& temp = instruction.temp(i);
    const ByteSpan span = span_of(temp);
    if (!chip_.contains(temp, span)) continue;
    std::memset(chip_.data(temp.space) + span.first, kPoisonByte,
                static_cast<size_t>(span.last - span.first));
  }
}

std::vector<Core::Standing> Core::list_standing() const {
  const bool is_cube = id_.kind == CoreKind::kCube;
  const std::string core = is_cube ? "cube core" : "vector core " + std::to_string(id_.sub_core);
  if (queues_empty()) return {{core, line()}};
  std::vector<Standing> standing;
  for (int pipe = 0; pipe < kPipeCount; ++pipe) {
    const auto& queue = queues_[static_cast<size_t>(pipe)];
    if (queue.is_empty()) continue;
    standing.push_back({std::string(kPipeNames[pipe]) + " of " + core,
                        queue.at(0).operation->line});
  }
  return standing;
}

std::string Core::find_unbalanced_flag() const {
  const std::vector<RaisedFlag> raised = raised_flags();
  if (raised.empty()) return unit_flags_.any_full() ? "the unit flag of M -> FIX" : "";
  return std::string(kPipeNames[static_cast<int>(raised[0].set_pipe)]) + " -> " +
         kPipeNames[static_cast<int>(raised[0].wait_pipe)] + " event " +
         std::to_string(raised[0].event);
}

std::vector<RaisedFlag> Core::raised_flags() const {
  std::vector<RaisedFlag> raised;
  for (size_t index = 0; index < flags_.size(); ++index) {
    if (flags_[index].count == 0) continue;
    const size_t pipes = index / kEventCount;
    raised.push_back({static_cast<Pipe>(pipes / kPipeCount), static_cast<Pipe>(pipes % kPipeCount),
                      static_cast<int>(index % kEventCount), flags_[index].count,
                      flags_[index].set_line});
  }
  return raised;
}

void Core::observe(const Instruction& instruction) {
  if (observer_) observer_->observe(id_, instruction);
  if (options_.stepper) options_.stepper->after_instruction(*this, instruction);
}

IssueResult Core::fail(const Instruction& instruction, const char* code,
                       const std::string& message) {
  return reject(code, message, instruction.operation->line);
}

IssueResult Core::reject_garbage(const std::string& what, uint32_t origin, uint32_t line) {
  context_.line = line;
  fail_unwritten_number(context_, what, origin);
  return IssueResult::kFault;
}

IssueResult Core::reject(const char* code, const std::string& message, uint32_t line) {
  context_.line = line;
  context_.fail(code, message);
  return IssueResult::kFault;
}

Core::FlagState& Core::flag_of(const Instruction& instruction) {
  const Operation& operation = *instruction.operation;
  return flags_[flag_index(operation.set_pipe, operation.wait_pipe, instruction.event)];
}

IssueResult Core::issue(const Instruction& instruction) {
  return is_synchronisation(instruction.opcode()) ? issue_synchronisation(instruction)
                                                  : run_or_queue(instruction);
}

IssueResult Core::issue_synchronisation(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kSetFlag:
    case Opcode::kWaitFlag:
      if (instruction.event < 0 || instruction.event >= kEventCount) {
        return fail(instruction, fault_code::kIllegalOperand, "event outside of 0..7");
      }
      return run_or_queue(instruction);
    case Opcode::kBlockSet:
    case Opcode::kBlockWait:
      if (instruction.event < 0 || instruction.event >= kBlockFlagCount) {
        return fail(instruction, fault_code::kIllegalOperand, "cross-core flag outside of 0..15");
      }
      return run_or_queue(instruction);
    case Opcode::kPipeBarrier:
      // Queues in order have nothing to wait for but a barrier of all pipes.
      if (options_.overlapped && !instruction.operation->all_pipes) {
        return run_or_queue(instruction);
      }
      if (instruction.operation->all_pipes && !queues_empty()) return IssueResult::kRetry;
      observe(instruction);
      return IssueResult::kDone;
    default:
      // Lock and unlock order whole blocks: everything issued before has to be done.
      if (!queues_empty()) return IssueResult::kRetry;
      return run_or_queue(instruction);
  }
}

IssueResult Core::run_or_queue(const Instruction& instruction) {
  if (runs_now(instruction.pipe())) {
    context_.rewrote = false;
    const IssueResult result = run(instruction);
    if (result == IssueResult::kDone && context_.rewrote) {
      Instruction unchanging = instruction;
      unchanging.rewrites = true;
      observe(unchanging);
    } else if (result == IssueResult::kDone) {
      observe(instruction);
    }
    return result;
  }
  PipeQueue& queue = queues_[static_cast<size_t>(instruction.pipe())];
  if (queue.is_full()) return IssueResult::kRetry;
  queue.push(instruction);
  observe(instruction);
  return IssueResult::kDone;
}

IssueResult Core::run(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kPipeBarrier: return IssueResult::kDone;
    case Opcode::kSetFlag: {
      FlagState& flag = flag_of(instruction);
      ++flag.count;
      flag.set_line = instruction.operation->line;
      return IssueResult::kDone;
    }
    case Opcode::kWaitFlag: {
      FlagState& flag = flag_of(instruction);
      if (flag.count == 0) {
        if (options_.interleaved) return IssueResult::kRetry;
        return fail(instruction, fault_code::kFlagUnbalanced, "waits for a flag that is not set");
      }
      --flag.count;
      return IssueResult::kDone;
    }
    case Opcode::kBlockSet:
      sync_.set(id_, instruction.event, instruction.operation->line);
      return IssueResult::kDone;
    case Opcode::kBlockWait:
      if (!sync_.may_pass(id_, instruction.event)) return IssueResult::kRetry;
      sync_.pass(id_, instruction.event);
      return IssueResult::kDone;
    case Opcode::kBlockLock:
    case Opcode::kBlockUnlock: {
      // A ticket in GM: block i enters when the ticket is i. Blocks run one after the other, so it
      // always is, unless blocks are sampled.
      MemoryView ticket = instruction.input(0);
      ticket.rank = 0;
      Scalar value;
      value.integer = id_.block + (instruction.opcode() == Opcode::kBlockUnlock ? 1 : 0);
      return write_element(context_, ticket, value, kNoOrigin) ? IssueResult::kDone : IssueResult::kFault;
    }
    case Opcode::kMmad:
      if (options_.interleaved && options_.functional &&
          (context_.l0a.empty() || context_.l0b.empty())) {
        return IssueResult::kRetry;
      }
      return run_with_unit_flag(instruction);
    case Opcode::kFixpipe: return run_with_unit_flag(instruction);
    default: return execute(instruction);
  }
}

IssueResult Core::run_with_unit_flag(const Instruction& instruction) {
  if (!unit_flags_.may_run(instruction)) {
    if (options_.interleaved) return IssueResult::kRetry;
    return fail(instruction, fault_code::kFlagUnbalanced,
                instruction.opcode() == Opcode::kMmad
                    ? "waits for its tile to be taken, which nothing does"
                    : "waits for the unit flag of a product that does not set it");
  }
  const IssueResult result = execute(instruction);
  if (result == IssueResult::kDone) unit_flags_.run(instruction);
  return result;
}

IssueResult Core::execute(const Instruction& instruction) {
  if (!options_.functional) return IssueResult::kDone;
  return execute_instruction(instruction, context_) ? IssueResult::kDone : IssueResult::kFault;
}

void Core::observe_element(const AccessSite& site, const MemoryView& element, uint32_t ops_before) {
  const bool is_load = site.operation.opcode == Opcode::kScalarLoad;
  element_access_.operation = &site.operation;
  element_access_.input_count = is_load ? 1 : 0;
  element_access_.output_count = is_load ? 0 : 1;
  element_access_.views[0] = element;
  element_access_.scalar_ops_before = ops_before;
  element_access_.rewrites = !is_load && context_.rewrote;
  observe(element_access_);
}

IssueResult Core::load_element(const AccessSite& site, const MemoryView& element,
                               uint32_t scalar_ops_before, Scalar& value, uint32_t& origin) {
  context_.line = site.operation.line;
  if (!read_element(context_, element, value, origin)) return IssueResult::kFault;
  if (observer_ || options_.stepper) observe_element(site, element, scalar_ops_before);
  return IssueResult::kDone;
}

IssueResult Core::store_element(const AccessSite& site, const MemoryView& element,
                                uint32_t scalar_ops_before, Scalar value, uint32_t origin) {
  context_.line = site.operation.line;
  if (!write_element(context_, element, value, origin)) return IssueResult::kFault;
  if (observer_ || options_.stepper) observe_element(site, element, scalar_ops_before);
  return IssueResult::kDone;
}

}  // namespace npu::machine
