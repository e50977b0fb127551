// Instructions as one line of text, for people: the commit log and the stepper print them.
#pragma once

#include <string>

#include "instruction.h"

namespace npu::machine {

const char* opcode_name(Opcode opcode);
const char* pipe_name(Pipe pipe);
const char* type_name(ElementType type);
// `ub`, `l1`, `l0c`, `lock`, `workspace` or `arg0`, by the user's order.
std::string place_name(const MemoryView& view);
// `cube`, `vector0` or `vector1`.
std::string core_name(const CoreId& core);

// Operands of an instruction: `arg0[0:4096] 1024xf32 -> ub[0:4096] 1024xf32`, byte ranges half-open
// and relative to the argument or the memory; `mte2 -> vector event 0` for a flag.
std::string describe_operands(const Instruction& instruction);

}  // namespace npu::machine
