// What an op needs to run: the memories of its core, and where to leave counts and the fault.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "fault.h"
#include "instruction.h"
#include "memory.h"

namespace npu::machine {

struct Counters {
  int64_t gm_bytes_read = 0;
  int64_t gm_bytes_written = 0;
  int64_t guard_reads = 0;  // elements read outside of an argument, within its guard zone
  int64_t instructions[kPipeCount] = {};
  int64_t scalar_ops = 0;
};

// One operand of the cube in L0A or L0B, widened: float, or int32 for int8 inputs.
struct L0Panel {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<float> floats;
  std::vector<int32_t> integers;
};

// The memories of the other cores of a block that a core of the 950 reaches: the cube core UB of the
// vector cores, a vector core L1 of the cube core.
struct Neighbours {
  ChipMemory* cube = nullptr;   // of a vector core
  ChipMemory* vectors[2] = {};  // of the cube core
  int vector = 0;               // the one that UB means to the cube core now
};

// Of the rows or columns in L0, or of the bias: whether all that was loaded was written.
struct WrittenLines {
  std::vector<uint8_t> flags;
  uint32_t origin = kNoOrigin;  // of the first garbage

  bool is_written(int64_t line) const {
    return static_cast<size_t>(line) >= flags.size() || flags[static_cast<size_t>(line)];
  }
};

struct ExecutionContext {
  ChipMemory& chip;
  GmMemory& gm;
  Counters& counters;
  std::optional<Fault>& fault;
  std::deque<L0Panel> l0a;  // loaded, not yet multiplied
  std::deque<L0Panel> l0b;
  std::deque<L0Panel> bias_table;
  // With checking on, in step with l0a, l0b and bias_table.
  std::deque<WrittenLines> written_a;
  std::deque<WrittenLines> written_b;
  std::deque<WrittenLines> written_bias;
  uint32_t line = 0;  // of the instruction being executed
  bool compares_stores = false;  // for a race check: find out whether a store to GM changes it
  bool rewrote = false;          // the last instruction stored to GM what it held before

  Neighbours neighbours;

  // The memory that `space` names on this core.
  ChipMemory& chip_of(MemorySpace space) {
    ChipMemory* other = nullptr;
    if (space == MemorySpace::kUb) other = neighbours.vectors[neighbours.vector];
    if (space == MemorySpace::kL1) other = neighbours.cube;
    return other ? *other : chip;
  }
  Shadow& shadow_of(MemorySpace space) { return chip_of(space).shadow(space); }

  // Leaves the first fault; always false, so ops can `return context.fail(...)`.
  bool fail(const char* code, std::string message, ByteSpan bytes = {}) {
    if (!fault) {
      fault = make_fault(code, std::move(message), line);
      fault->bytes = bytes;
    }
    return false;
  }
};

// Element [0, ..., 0] of an on-chip view whose whole span is inside its space. For a bit-packed
// view `bytes` is its base and `bit` the position of the first bit.
struct ChipElements {
  uint8_t* bytes = nullptr;
  int64_t bit = 0;
};

enum class Access : uint8_t { kRead, kWrite };

// False with a fault: out of bounds, not in `space`, or not aligned to its element.
bool locate(ExecutionContext& context, const MemoryView& view, MemorySpace space, Access access,
            ChipElements& elements);

// Executes one instruction that moves or computes data; false with a fault in the context.
bool execute_instruction(const Instruction& instruction, ExecutionContext& context);

// The families, one file each.
bool execute_elementwise(const Instruction& instruction, ExecutionContext& context);
bool execute_cast(const Instruction& instruction, ExecutionContext& context);
bool execute_compare(const Instruction& instruction, ExecutionContext& context);
bool execute_power(const Instruction& instruction, ExecutionContext& context);
bool execute_select(const Instruction& instruction, ExecutionContext& context);
bool execute_reduce(const Instruction& instruction, ExecutionContext& context);
bool execute_scan(const Instruction& instruction, ExecutionContext& context);  // vcumsum, vcumprod
bool execute_fill(const Instruction& instruction, ExecutionContext& context);   // vbrc, L1 fill
bool execute_range(const Instruction& instruction, ExecutionContext& context);  // varange
bool execute_copy(const Instruction& instruction, ExecutionContext& context);
bool execute_transpose(const Instruction& instruction, ExecutionContext& context);
bool execute_interleave(const Instruction& instruction, ExecutionContext& context);
bool execute_deinterleave(const Instruction& instruction, ExecutionContext& context);
bool execute_gather(const Instruction& instruction, ExecutionContext& context);
bool execute_flip(const Instruction& instruction, ExecutionContext& context);
bool execute_sort(const Instruction& instruction, ExecutionContext& context);
bool execute_vector_call(const Instruction& instruction, ExecutionContext& context);
bool execute_load(const Instruction& instruction, ExecutionContext& context);
bool execute_store(const Instruction& instruction, ExecutionContext& context);
bool execute_nd2nz(const Instruction& instruction, ExecutionContext& context);
bool execute_l0_load(const Instruction& instruction, ExecutionContext& context);
bool execute_load_bias(const Instruction& instruction, ExecutionContext& context);
bool execute_mmad(const Instruction& instruction, ExecutionContext& context);
bool execute_fixpipe(const Instruction& instruction, ExecutionContext& context);

// One element of the scalar pipe. `origin`: where it comes from, if nothing wrote it.
bool read_element(ExecutionContext& context, const MemoryView& element, Scalar& value,
                  uint32_t& origin);
bool write_element(ExecutionContext& context, const MemoryView& element, Scalar value,
                   uint32_t origin);

}  // namespace npu::machine
