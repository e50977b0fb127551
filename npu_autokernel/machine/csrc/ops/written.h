// How written-ness flows through instructions, with checking on.
//
// Each instruction has a rule (written.cpp has the table) that works on the shadows of its operands
// before the instruction itself runs on the data. What an instruction computes from garbage is not
// written, wherever it puts it; what it takes no part in the result leaves no trace. Garbage is a
// fault where it leaves the machine: stored to an argument, or deciding what the machine does.
#pragma once

#include "ops/context.h"

namespace npu::machine {

// False with a fault: garbage reaches an output, or an operand lies where it must not.
bool follow_written(const Instruction& instruction, ExecutionContext& context);

// While it lives, the chip memories that a core reaches hold shadow bits in place of data.
class OnShadow {
 public:
  explicit OnShadow(ExecutionContext& context) : context_(context) { exchange(); }
  ~OnShadow() { exchange(); }
  OnShadow(const OnShadow&) = delete;

 private:
  void exchange() {
    const Neighbours& near = context_.neighbours;
    for (ChipMemory* chip : {&context_.chip, near.cube, near.vectors[0], near.vectors[1]}) {
      if (chip) chip->exchange_with_shadow();
    }
  }

  ExecutionContext& context_;
};

// A view on chip or inside a GM buffer, with its shadow.
struct ShadowedView {
  Shadow* shadow = nullptr;  // null: everything is written
  MemoryView view;           // with bytes counted from the shadow's first

  // Shadow of element [0, ..., 0]; not of a bit-packed view.
  uint8_t* bits() const {
    return shadow->bits().data() + view.base_byte + view.offset * bytes_of(view.type);
  }
};
ShadowedView find_shadow(ExecutionContext& context, const MemoryView& view);

// Where the first garbage in a view on chip or inside a GM buffer comes from; kNoOrigin: all of it
// was written.
uint32_t find_origin(ExecutionContext& context, const MemoryView& view);

// The element that the scalar pipe writes becomes garbage if the number is: a fault in an argument.
bool follow_element_write(ExecutionContext& context, const MemoryView& element, uint32_t origin);

// Faults: the garbage in `view` would go to `target`; `what` was computed from garbage.
bool fail_unwritten_bytes(ExecutionContext& context, const MemoryView& view,
                          const MemoryView& target);
bool fail_unwritten_number(ExecutionContext& context, const std::string& what, uint32_t origin);

// The rules.
bool follow_nothing(const Instruction& instruction, ExecutionContext& context);
bool follow_fill(const Instruction& instruction, ExecutionContext& context);
bool follow_elementwise(const Instruction& instruction, ExecutionContext& context);
bool follow_logic(const Instruction& instruction, ExecutionContext& context);
bool follow_select(const Instruction& instruction, ExecutionContext& context);
bool follow_reduce(const Instruction& instruction, ExecutionContext& context);
bool follow_scan(const Instruction& instruction, ExecutionContext& context);
bool follow_sort(const Instruction& instruction, ExecutionContext& context);
bool follow_gather(const Instruction& instruction, ExecutionContext& context);
bool follow_copy(const Instruction& instruction, ExecutionContext& context);
bool follow_transpose(const Instruction& instruction, ExecutionContext& context);
bool follow_interleave(const Instruction& instruction, ExecutionContext& context);
bool follow_deinterleave(const Instruction& instruction, ExecutionContext& context);
bool follow_flip(const Instruction& instruction, ExecutionContext& context);
bool follow_vector_call(const Instruction& instruction, ExecutionContext& context);
bool follow_load(const Instruction& instruction, ExecutionContext& context);
bool follow_store(const Instruction& instruction, ExecutionContext& context);
bool follow_nd2nz(const Instruction& instruction, ExecutionContext& context);
bool follow_l0_load(const Instruction& instruction, ExecutionContext& context);
bool follow_load_bias(const Instruction& instruction, ExecutionContext& context);
bool follow_mmad(const Instruction& instruction, ExecutionContext& context);
bool follow_fixpipe(const Instruction& instruction, ExecutionContext& context);

}  // namespace npu::machine
