// Blocks one after the other; within a block, its cores in turn until each is finished.
//
// In program order a core runs until it waits for another core. Interleaved, seeded choices pick
// the next core and pipe.
#include "launch.h"

#include <algorithm>
#include <random>
#include <string>

#include "core.h"
#include "launch_checks.h"
#include "race/observer_pair.h"
#include "race/race_check.h"

namespace npu::machine {
namespace {

class Launch {
 public:
  Launch(const Program& program, const int64_t (&grid)[3], const SocNumbers& soc,
         const std::vector<LaunchArgument>& arguments, const LaunchOptions& options,
         InstructionObserver* observer)
      : program_(program),
        grid_(grid),
        block_count_(grid[0] * grid[1] * grid[2]),
        options_(options),
        race_check_(options.check_races ? std::make_unique<RaceCheck>(program, arguments) : nullptr),
        pair_(race_check_ && observer
                  ? std::make_unique<ObserverPair>(*race_check_, *observer) : nullptr),
        observer_(pair_ ? pair_.get() : race_check_ ? race_check_.get() : observer),
        sync_(program.task_type == TaskType::kMixOneToOne ? 1 : 2),
        random_(options.interleaving_seed) {
    gm_.guard_bytes = options.guard_bytes;
    gm_.origins.set_program(program);
    for (const Function& function : program.functions) {
      const bool is_vector = function.kind == CoreKind::kVector;
      const int count = is_vector && program.task_type == TaskType::kMixOneToTwo ? 2 : 1;
      for (int sub = 0; sub < count; ++sub) {
        cores_.push_back(std::make_unique<Core>(function, static_cast<uint8_t>(sub), soc, options,
                                                gm_, result_.counters, result_.fault, sync_,
                                                observer_));
      }
    }
    if (program.is_register_based && cores_.size() == 3) introduce_cores();
  }

  LaunchResult run(const std::vector<LaunchArgument>& arguments) {
    bind(arguments);
    if (options_.blocks.empty()) {
      for (int64_t block = 0; block < block_count_ && run_block(block); ++block) {
      }
    } else {
      for (int64_t block : options_.blocks) {
        if (block < 0 || block >= block_count_ || !run_block(block)) break;
      }
    }
    for (const auto& core : cores_) {
      result_.counters.scalar_ops +=
          static_cast<int64_t>(core->interpreter().counted_scalar_ops());
    }
    if (result_.fault && result_.fault->line > 0) {
      result_.fault->op_text = std::string(program_.line_text(result_.fault->line).substr(0, 400));
      result_.fault->source_line = program_.source_line(result_.fault->line);
    }
    return std::move(result_);
  }

 private:
  // Of a mix on the 950: the cube core first, then its vector cores.
  void introduce_cores() {
    Neighbours of_cube, of_vector;
    of_cube.vectors[0] = &cores_[1]->chip();
    of_cube.vectors[1] = &cores_[2]->chip();
    of_vector.cube = &cores_[0]->chip();
    cores_[0]->meet(of_cube);
    cores_[1]->meet(of_vector);
    cores_[2]->meet(of_vector);
  }

  // Fills the buffers by argument ordinal and the slots of every core.
  void bind(const std::vector<LaunchArgument>& arguments) {
    const size_t total = kLeadingArguments + arguments.size() + kTrailingArguments;
    gm_.buffers.resize(total);
    lock_.assign(static_cast<size_t>(std::max<int64_t>(program_.lock_bytes / 8, 1)),
                 program_.lock_initial_value);
    workspace_.assign(static_cast<size_t>(program_.workspace_bytes_per_block), kPoisonByte);
    bind_buffer(kLockArgument, {reinterpret_cast<uint8_t*>(lock_.data()),
                                static_cast<int64_t>(lock_.size() * 8), 0});
    if (options_.follows_garbage()) workspace_shadow_.resize(workspace_.size());
    bind_buffer(kWorkspaceArgument, {workspace_.data(), program_.workspace_bytes_per_block, 0,
                                     options_.follows_garbage() ? &workspace_shadow_ : nullptr});
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].is_buffer) {
        bind_buffer(kLeadingArguments + i, arguments[i].buffer);
      } else {
        bind_scalar(kLeadingArguments + i, arguments[i].scalar);
      }
    }
    bind_scalar(0, Scalar{});
    tables_ = program_.table_bytes;
    gm_.buffers[kTableArgument] = {tables_.data(), static_cast<int64_t>(tables_.size()), 0};
    for (int axis = 0; axis < kTrailingArguments; ++axis) {
      Scalar extent;
      extent.integer = grid_[axis];
      bind_scalar(total - kTrailingArguments + axis, extent);
    }
  }

  void bind_scalar(size_t argument, Scalar value) {
    for (const auto& core : cores_) core->interpreter().set_scalar_argument(argument, value);
  }

  void bind_buffer(size_t argument, const GmBuffer& buffer) {
    gm_.buffers[argument] = buffer;
    const ElementType element = program_.functions[0].arguments[argument].element;
    MemoryView view;
    view.space = MemorySpace::kGm;
    view.type = element;
    view.rank = 1;
    view.buffer = static_cast<int32_t>(argument);
    view.sizes[0] = buffer.size / bytes_of(element);
    view.strides[0] = 1;
    for (const auto& core : cores_) core->interpreter().set_view_argument(argument, view);
  }

  bool run_block(int64_t block) {
    gm_.buffers[kWorkspaceArgument].origin = block * program_.workspace_bytes_per_block;
    if (options_.functional) std::fill(workspace_.begin(), workspace_.end(), kPoisonByte);
    if (options_.follows_garbage()) workspace_shadow_.forget(workspace_.size());
    gm_.origins.clear();
    sync_.begin_block();
    if (observer_) observer_->begin_block(block);
    for (const auto& core : cores_) {
      const int64_t sub_cores = program_.task_type == TaskType::kMixOneToTwo ? 2 : 1;
      core->begin_block({block, block_count_, core->id().sub_core, sub_cores});
    }
    const bool finished = options_.interleaved ? run_interleaved() : run_in_order();
    if (!finished || !check_flags() || has_race()) return false;
    if (observer_) observer_->end_block(block);
    ++result_.blocks_run;
    return true;
  }

  bool run_in_order() {
    while (true) {
      bool advanced = false, all_finished = true;
      for (const auto& core : cores_) {
        if (core->finished()) continue;
        const uint64_t before = core->interpreter().counted_scalar_ops();
        const uint32_t line = core->line();
        const Progress progress = core->advance_scalar(false);
        if (progress == Progress::kFault) return stamp(*core);
        all_finished &= progress == Progress::kFinished;
        advanced |= progress == Progress::kFinished || core->line() != line ||
                    core->interpreter().counted_scalar_ops() != before;
      }
      if (all_finished) return true;
      if (!advanced) return deadlock();
    }
  }

  bool run_interleaved() {
    struct Choice {
      Core* core;
      Pipe pipe;
    };
    std::vector<Choice> choices;
    for (const auto& core : cores_) {
      for (int pipe = 0; pipe < kPipeCount; ++pipe) {
        choices.push_back({core.get(), static_cast<Pipe>(pipe)});
      }
    }
    // Even seeds choose anew at every step. Odd seeds keep an order of preference for a while, so
    // that some pipes run far ahead and others far behind.
    const uint64_t steps_per_order = options_.interleaving_seed % 2 == 0 ? 1 : 64;
    std::shuffle(choices.begin(), choices.end(), random_);
    while (true) {
      // One pass over all pipes in the order of preference; the first that can move does.
      if (random_() % steps_per_order == 0) std::shuffle(choices.begin(), choices.end(), random_);
      bool advanced = false;
      for (const Choice& choice : choices) {
        const Progress progress = choice.pipe == Pipe::kScalar
                                      ? advance_scalar_once(*choice.core)
                                      : choice.core->advance_pipe(choice.pipe, random_);
        if (progress == Progress::kFault) return stamp(*choice.core);
        if (progress != Progress::kAdvanced) continue;
        advanced = true;
        break;
      }
      if (advanced) continue;
      const bool all_finished = std::all_of(cores_.begin(), cores_.end(),
                                            [](const auto& core) { return core->finished(); });
      return all_finished || deadlock();
    }
  }

  // Finishing counts as a move once.
  static Progress advance_scalar_once(Core& core) {
    if (core.scalar_finished()) return Progress::kFinished;
    const Progress progress = core.advance_scalar(true);
    return progress == Progress::kFinished ? Progress::kAdvanced : progress;
  }

  bool stamp(const Core& core) {
    if (result_.fault && !result_.fault->has_core) {
      result_.fault->has_core = true;
      result_.fault->core = core.id();
    }
    return false;
  }

  bool deadlock() {
    std::string where;
    const Core* first = nullptr;
    uint32_t line = 0;
    for (const auto& core : cores_) {
      if (core->finished()) continue;
      for (const Core::Standing& standing : core->list_standing()) {
        if (!first) line = standing.line;
        if (!first) first = core.get();
        where += (where.empty() ? "" : "; ") + standing.name + " at " +
                 program_.place_name(standing.line);
      }
    }
    result_.fault = make_fault(fault_code::kDeadlock, "no core can go on: " + where, line);
    return stamp(*first);
  }

  bool has_race() {
    if (!race_check_ || !race_check_->fault()) return false;
    result_.fault = race_check_->fault();
    return true;
  }

  bool check_flags() {
    const int across = program_.functions.size() > 1 ? sync_.find_unbalanced() : -1;
    if (across >= 0) {
      result_.fault = make_fault(fault_code::kFlagUnbalanced,
                                 "cross-core flag " + std::to_string(across) +
                                     " is still set at the end of the kernel",
                                 sync_.set_line(across));
      return false;
    }
    for (const auto& core : cores_) {
      const std::string flag = core->find_unbalanced_flag();
      if (flag.empty()) continue;
      const std::vector<RaisedFlag> raised = core->raised_flags();
      result_.fault = make_fault(fault_code::kFlagUnbalanced,
                                 "flag " + flag + " is still set at the end of the kernel",
                                 raised.empty() ? 0 : raised[0].line);
      return stamp(*core);
    }
    return true;
  }

  const Program& program_;
  const int64_t (&grid_)[3];
  int64_t block_count_;
  const LaunchOptions& options_;
  std::unique_ptr<RaceCheck> race_check_;
  std::unique_ptr<InstructionObserver> pair_;
  InstructionObserver* observer_;
  GmMemory gm_;
  LaunchResult result_;
  BlockSync sync_;
  std::vector<std::unique_ptr<Core>> cores_;
  std::vector<int64_t> lock_;
  std::vector<uint8_t> workspace_;
  Shadow workspace_shadow_;
  std::vector<uint8_t> tables_;
  std::mt19937_64 random_;
};

}  // namespace

LaunchResult launch(const Program& program, const int64_t (&grid)[3],
                    const std::vector<LaunchArgument>& arguments, const SocNumbers& soc,
                    const LaunchOptions& options, InstructionObserver* observer) {
  if (auto fault = check_launch(program, grid, arguments)) {
    LaunchResult refused;
    refused.fault = std::move(fault);
    return refused;
  }
  LaunchOptions possible = options;
  // The vector pipe of the 950 keeps its order; so do, here, its others.
  possible.overlapped &= !program.is_register_based;
  return Launch(program, grid, soc, arguments, possible, observer).run(arguments);
}

}  // namespace npu::machine
