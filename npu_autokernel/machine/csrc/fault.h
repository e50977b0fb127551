// A failure as a value: what stopped the machine, where, and in which op.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "instruction.h"

namespace npu::machine {

namespace fault_code {
constexpr const char* kParseError = "machine.parse_error";
constexpr const char* kUnsupportedOp = "machine.unsupported_op";
constexpr const char* kIllegalOperand = "machine.illegal_operand";
constexpr const char* kOutOfBoundsRead = "machine.out_of_bounds_read";
constexpr const char* kOutOfBoundsWrite = "machine.out_of_bounds_write";
constexpr const char* kUninitialisedRead = "machine.uninitialised_read";
constexpr const char* kRace = "machine.race";
constexpr const char* kDeadlock = "machine.deadlock";
constexpr const char* kFlagUnbalanced = "machine.flag_unbalanced";
constexpr const char* kLaunchLimit = "machine.launch_limit";
constexpr const char* kBadArgument = "machine.bad_argument";
constexpr const char* kStepLimit = "machine.step_limit";
constexpr const char* kL0Trap = "machine.l0_trap";
}  // namespace fault_code

struct Fault {
  std::string code;
  std::string message;
  std::string op_text;  // the line of the dump, trimmed
  uint32_t line = 0;    // of the dump, from 1; 0: no line
  uint32_t column = 0;  // from 1; 0: no column
  uint32_t source_line = 0;  // of the kernel's source, from 1; 0: not known
  bool has_core = false;
  CoreId core;
  // Bytes concerned, relative to the argument or on-chip space; empty if none.
  ByteSpan bytes;
};

inline Fault make_fault(const char* code, std::string message, uint32_t line = 0,
                        uint32_t column = 0) {
  Fault fault;
  fault.code = code;
  fault.message = std::move(message);
  fault.line = line;
  fault.column = column;
  return fault;
}

}  // namespace npu::machine
