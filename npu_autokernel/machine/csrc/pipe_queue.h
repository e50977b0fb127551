// Instructions that were issued to a pipe and have not run, and which of them may be next.
//
// Pipes start instructions in order. V, MTE2, MTE3 and FIX start one before the last is done, so
// until a barrier of the pipe an instruction may also be done before those in front of it.
#pragma once

#include <cstddef>
#include <deque>
#include <random>

#include "instruction.h"

namespace npu::machine {

class PipeQueue {
 public:
  bool is_empty() const { return instructions_.empty(); }
  bool is_full() const { return instructions_.size() >= kDepth; }
  void push(const Instruction& instruction) { instructions_.push_back(instruction); }
  void clear() { instructions_.clear(); }

  const Instruction& at(size_t position) const { return instructions_[position]; }
  void remove(size_t position) {
    instructions_.erase(instructions_.begin() + static_cast<std::ptrdiff_t>(position));
  }

  // The position of one that may be done next although those in front of it are not: a random one
  // of the first few.
  size_t choose_overlapping(std::mt19937_64& random) const;

 private:
  static constexpr size_t kDepth = 64;

  std::deque<Instruction> instructions_;
};

}  // namespace npu::machine
