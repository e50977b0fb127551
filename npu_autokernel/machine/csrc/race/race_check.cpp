#include "race/race_check.h"

#include <string>

#include "program.h"
#include "race/byte_runs.h"
#include "views.h"

namespace npu::machine {
namespace {

constexpr int64_t kDmaBlockBytes = 32;
// Apart from every address of the caller's: the workspace and the locks are told by ordinal.
constexpr int64_t kOwnBuffers = int64_t{1} << 60;
constexpr int64_t kOwnBufferReach = int64_t{1} << 56;

constexpr const char* kPipeNames[kPipeCount] = {"S", "V", "MTE1", "MTE2", "MTE3", "M", "FIX"};

std::string name_lane(int lane) {
  const int core = core_of_lane(lane);
  const std::string pipe = kPipeNames[static_cast<int>(pipe_of_lane(lane))];
  return pipe + (core == 0 ? " of the cube core" : " of vector core " + std::to_string(core - 1));
}

bool is_atomic(const Instruction& instruction) {
  return instruction.opcode() == Opcode::kStore &&
         instruction.operation->atomic_kind != AtomicKind::kNone;
}

// The output of a load with its padding: in front of and behind each row.
MemoryView with_padding(const Instruction& instruction, MemoryView view) {
  const int last = view.rank - 1;
  if (last < 0 || !instruction.operation->has_pad_value) return view;
  const int64_t left = instruction.scalars[1].integer, right = instruction.scalars[2].integer;
  view.offset -= left * view.strides[last];
  view.sizes[last] += left + right;
  return view;
}

// Whose memory `space` is to a core: a cube core has no UB and a vector core no L1 of its own, on
// the 950 they reach the other's.
int find_owner(const CoreId& core, MemorySpace space) {
  const bool is_cube = core.kind == CoreKind::kCube;
  if (is_cube && space == MemorySpace::kUb) return kFirstVectorCore;
  if (!is_cube && space == MemorySpace::kL1) return kCubeCore;
  return core_index(core);
}

}  // namespace

RaceCheck::RaceCheck(const Program& program, const std::vector<LaunchArgument>& arguments)
    : program_(program),
      order_(program.is_register_based),
      gm_log_(static_cast<size_t>(kLeadingArguments) + arguments.size()) {
  for (int64_t ordinal = 0; ordinal < static_cast<int64_t>(kLeadingArguments); ++ordinal) {
    buffer_addresses_.push_back(kOwnBuffers + ordinal * kOwnBufferReach);
    buffer_sizes_.push_back(kOwnBufferReach);
  }
  for (const LaunchArgument& argument : arguments) {
    buffer_addresses_.push_back(
        static_cast<int64_t>(reinterpret_cast<uintptr_t>(argument.buffer.data)));
    buffer_sizes_.push_back(argument.buffer.size);
  }
}

void RaceCheck::begin_block(int64_t block) {
  order_.begin_block();
  for (auto& core : chip_logs_) {
    for (AccessLog& log : core) log.clear();
  }
  gm_log_.begin_block(block);
  locked_.fill(false);
  stores_.fill(0);
  unused_reads_.fill(std::nullopt);
}

void RaceCheck::observe(const CoreId& core, const Instruction& instruction) {
  if (fault_) return;
  const int index = core_index(core);
  const LaneMoment moment = order_.advance(index, instruction);
  switch (instruction.opcode()) {
    case Opcode::kSetFlag:
    case Opcode::kWaitFlag:
    case Opcode::kPipeBarrier:
    case Opcode::kBlockSet:
    case Opcode::kBlockWait: return;
    case Opcode::kBlockLock: locked_[index] = true; return;
    case Opcode::kBlockUnlock: locked_[index] = false; return;
    default: enter_operands(core, instruction, moment);
  }
}

// Writes first: a read replaces earlier ones of its lane in the log, and an instruction that writes
// what it reads has to be compared with those.
void RaceCheck::enter_operands(const CoreId& core, const Instruction& instruction,
                               LaneMoment moment) {
  MemoryAccess access;
  access.lane = moment.lane;
  access.number = moment.number;
  access.line = instruction.operation->line;
  access.is_write = true;
  access.is_atomic = is_atomic(instruction);
  access.rewrites = instruction.rewrites;
  for (int i = 0; i < instruction.output_count + instruction.temp_count; ++i) {
    enter_view(core, instruction, instruction.output(i), access);
  }
  if (instruction.operation->splits_rows || instruction.operation->splits_columns) {
    enter_view(core, instruction, instruction.output(0), access, kSecondVectorCore);
  }
  access.is_write = access.is_atomic = access.rewrites = false;
  if (instruction.pipe() != Pipe::kScalar) access.stores_before = stores_[core_index(core)];
  for (int i = 0; i < instruction.input_count; ++i) {
    enter_view(core, instruction, instruction.input(i), access);
  }
}

void RaceCheck::enter_view(const CoreId& core, const Instruction& instruction,
                           const MemoryView& view, const MemoryAccess& access, int owner) {
  if (fault_) return;
  if (view.space == MemorySpace::kGm) {
    enter_gm(core, view, access);
    return;
  }
  if (owner < 0) owner = find_owner(core, view.space);
  const bool is_load = instruction.opcode() == Opcode::kLoad && access.is_write;
  for_each_byte_run(is_load ? with_padding(instruction, view) : view,
                    [&](int64_t first, int64_t last) {
                      if (fault_) return;
                      const int64_t excess = is_load ? (last - first) % kDmaBlockBytes : 0;
                      enter_chip(core, view, first, excess ? last + kDmaBlockBytes - excess : last,
                                 access, owner);
                    });
}

void RaceCheck::enter_chip(const CoreId& core, const MemoryView& view, int64_t first, int64_t last,
                           const MemoryAccess& access, int owner) {
  AccessLog& log = chip_logs_[owner][static_cast<int>(view.space)];
  const auto conflict = log.enter(first, last, access, order_);
  if (!conflict) return;
  fault_ = describe(core, access, name_access(conflict->earlier), view,
                    {conflict->first, conflict->last});
}

void RaceCheck::enter_gm(const CoreId& core, const MemoryView& view, const MemoryAccess& access) {
  const auto ordinal = static_cast<size_t>(view.buffer);
  const int64_t address = buffer_addresses_[ordinal];
  const bool is_shared = ordinal >= static_cast<size_t>(kLeadingArguments);
  BlockAccess entry;
  entry.block = core.block;
  entry.line = access.line;
  entry.is_write = access.is_write;
  entry.is_atomic = access.is_atomic;
  entry.is_locked = locked_[core_index(core)];
  if (access.is_write) count_store(core_index(core));
  const auto conflict = gm_log_.enter(
      {view, address, buffer_sizes_[ordinal], is_shared}, {access, entry}, order_,
      [&](const MemoryAccess& earlier, const MemoryAccess& later) {
        return is_unused_read(core, earlier, later, view);
      });
  if (!conflict || fault_) return;
  const std::string earlier =
      conflict->earlier_lane ? name_access(*conflict->earlier_lane)
                             : name_access(conflict->earlier_block);
  fault_ = describe(core, access, earlier, view,
                    {conflict->bytes.first - address, conflict->bytes.last - address});
}

// A read and a write by the two vector cores, where the reader has written nothing to GM since:
// remembered until it does.
bool RaceCheck::is_unused_read(const CoreId& core, const MemoryAccess& earlier,
                               const MemoryAccess& access, const MemoryView& view) {
  const MemoryAccess& read = earlier.is_write ? access : earlier;
  const int reader = core_of_lane(read.lane);
  const int writer = core_of_lane((earlier.is_write ? earlier : access).lane);
  if (read.is_write || reader == 0 || writer == 0 || reader == writer ||
      pipe_of_lane(read.lane) == Pipe::kScalar || stores_[reader] > read.stores_before) {
    return false;
  }
  if (!unused_reads_[reader]) {
    unused_reads_[reader] = describe(core, access, name_access(earlier), view, span_of(view));
  }
  return true;
}

void RaceCheck::count_store(int core) {
  ++stores_[core];
  if (unused_reads_[core]) fault_ = unused_reads_[core];
}

std::string RaceCheck::name_access(const MemoryAccess& access) const {
  return name_lane(access.lane) + (access.is_write ? " wrote" : " read") + " in " +
         program_.place_name(access.line);
}

std::string RaceCheck::name_access(const BlockAccess& access) const {
  return "block " + std::to_string(access.block) + (access.is_write ? " writes" : " reads") +
         " in " + program_.place_name(access.line);
}

Fault RaceCheck::describe(const CoreId& core, const MemoryAccess& access,
                          const std::string& earlier, const MemoryView& view,
                          ByteSpan bytes) const {
  Fault fault = make_fault(fault_code::kRace,
                           name_lane(access.lane) + (access.is_write ? " writes" : " reads") +
                               " bytes of " + name_memory(view) + " that " + earlier +
                               ", and nothing orders the two",
                           access.line);
  fault.bytes = bytes;
  fault.has_core = true;
  fault.core = core;
  return fault;
}

}  // namespace npu::machine
