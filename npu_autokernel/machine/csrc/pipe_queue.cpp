#include "pipe_queue.h"

#include <algorithm>

namespace npu::machine {
namespace {

constexpr size_t kMaxOvertaken = 7;

bool may_overlap(Pipe pipe) {
  return pipe == Pipe::kVector || pipe == Pipe::kMte2 || pipe == Pipe::kMte3 ||
         pipe == Pipe::kFixpipe;
}

bool is_set(const Instruction& instruction) {
  return instruction.opcode() == Opcode::kSetFlag || instruction.opcode() == Opcode::kBlockSet;
}

// What comes later waits for it to be done: a wait, or a barrier.
bool holds_back(const Instruction& instruction) {
  return instruction.opcode() == Opcode::kWaitFlag || instruction.opcode() == Opcode::kBlockWait ||
         instruction.opcode() == Opcode::kPipeBarrier;
}

// Unit flags are taken in order. Sums depend on the order of atomic updates; it is kept, so that a
// difference means a race.
bool keeps_order(const Instruction& instruction) {
  return instruction.unit_flag != UnitFlag::kDisabled ||
         instruction.operation->atomic_kind != AtomicKind::kNone;
}

}  // namespace

size_t PipeQueue::choose_overlapping(std::mt19937_64& random) const {
  if (!may_overlap(at(0).pipe()) || holds_back(at(0))) return 0;
  size_t ready[kMaxOvertaken + 1] = {0};
  size_t count = 1;
  bool passes_kept = keeps_order(at(0));
  const size_t end = std::min(instructions_.size(), kMaxOvertaken + 1);
  for (size_t position = 1; position < end; ++position) {
    const Instruction& instruction = at(position);
    if (instruction.opcode() == Opcode::kPipeBarrier) break;
    // A set says that everything in front of it is done.
    const bool waits = is_set(instruction) || (passes_kept && keeps_order(instruction));
    if (!waits) ready[count++] = position;
    if (holds_back(instruction)) break;
    passes_kept |= keeps_order(instruction);
  }
  return ready[random() % count];
}

}  // namespace npu::machine
