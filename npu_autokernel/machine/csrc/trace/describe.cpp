#include "trace/describe.h"

#include <cstdio>

#include "memory.h"
#include "program.h"

namespace npu::machine {
namespace {

std::string describe_view(const MemoryView& view) {
  const ByteSpan span = span_of(view);
  std::string text = place_name(view) + "[" + std::to_string(span.first) + ":" +
                     std::to_string(span.last) + "] ";
  for (int dim = 0; dim < view.rank; ++dim) text += std::to_string(view.sizes[dim]) + "x";
  return text + type_name(view.type);
}

// The type of a number operand: sizes and paddings are whole numbers, others are of the data's.
bool is_float_operand(const Instruction& instruction, int scalar) {
  switch (instruction.opcode()) {
    case Opcode::kL0LoadA:
    case Opcode::kL0LoadB:
    case Opcode::kLoadBias:
    case Opcode::kMmad: return false;
    case Opcode::kLoad: return scalar == 0 && is_float(instruction.output(0).type);
    case Opcode::kVcmp:
      return instruction.input_count > 0 && is_float(instruction.input(0).type);
    default: return instruction.output_count > 0 && is_float(instruction.output(0).type);
  }
}

std::string describe_number(const Instruction& instruction, int scalar) {
  const Scalar value = instruction.scalars[scalar];
  if (!is_float_operand(instruction, scalar)) return std::to_string(value.integer);
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value.real));
  return text;
}

void append(std::string& list, const std::string& item) {
  if (!list.empty()) list += ", ";
  list += item;
}

// The inputs of an elementwise op in their order, those of any other op views first.
std::string describe_inputs(const Instruction& instruction) {
  std::string text;
  int scalar = 0;
  for (int source = 0; source < instruction.source_count; ++source) {
    const int view = instruction.source_view[source];
    append(text, view == kInputIsScalar ? describe_number(instruction, scalar++)
                                        : describe_view(instruction.views[view]));
  }
  const int first_view = instruction.source_count > 0 ? instruction.input_count : 0;
  for (int input = first_view; input < instruction.input_count; ++input) {
    append(text, describe_view(instruction.input(input)));
  }
  while (scalar < instruction.scalar_count) append(text, describe_number(instruction, scalar++));
  return text;
}

std::string describe_flag(const Instruction& instruction) {
  const Operation& operation = *instruction.operation;
  return std::string(pipe_name(operation.set_pipe)) + " -> " + pipe_name(operation.wait_pipe) +
         " event " + std::to_string(instruction.event);
}

}  // namespace

const char* opcode_name(Opcode opcode) {
  static constexpr const char* kNames[] = {
      "set_flag",    "wait_flag",    "pipe_barrier", "block_set",   "block_wait",
      "block_lock",  "block_unlock", "scalar_load",  "scalar_store", "load",
      "store",       "nd2nz",        "l1_fill",      "fixpipe",     "copy",
      "l0_load_a",   "l0_load_b",    "load_bias",    "mmad",         "vexp",        "vln",
      "vabs",        "vsqrt",        "vrsqrt",       "vrec",        "vrelu",
      "vnot",        "vcast",        "vadd",         "vsub",        "vmul",
      "vdiv",        "vmax",         "vmin",         "vand",        "vor",
      "vxor",        "vshl",         "vshr",         "vpow",        "vcmp",        "vsel",
      "vbrc",        "vreduce",      "vscan",        "varange",     "vinterleave",
      "vdeinterleave", "vtranspose", "vgather",      "vflip",       "vsort",
      "vector_call"};
  static_assert(sizeof kNames / sizeof kNames[0] == static_cast<size_t>(Opcode::kVectorCall) + 1);
  return kNames[static_cast<size_t>(opcode)];
}

const char* pipe_name(Pipe pipe) {
  static constexpr const char* kNames[kPipeCount] = {"scalar", "vector", "mte1",   "mte2",
                                                     "mte3",   "cube",   "fixpipe"};
  return kNames[static_cast<int>(pipe)];
}

const char* type_name(ElementType type) {
  static constexpr const char* kNames[] = {"i1",  "i8",   "i16", "i32",  "i64",
                                           "f16", "bf16", "f32", "index"};
  return kNames[static_cast<int>(type)];
}

std::string place_name(const MemoryView& view) {
  if (view.space == MemorySpace::kUb) return "ub";
  if (view.space == MemorySpace::kL1) return "l1";
  if (view.space == MemorySpace::kL0c) return "l0c";
  if (view.buffer == kTableArgument) return "table";
  if (view.buffer == kLockArgument) return "lock";
  if (view.buffer == kWorkspaceArgument) return "workspace";
  return "arg" + std::to_string(view.buffer - kLeadingArguments);
}

std::string core_name(const CoreId& core) {
  return core.kind == CoreKind::kCube ? "cube" : "vector" + std::to_string(core.sub_core);
}

std::string describe_operands(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kSetFlag:
    case Opcode::kWaitFlag: return describe_flag(instruction);
    case Opcode::kPipeBarrier: return instruction.operation->all_pipes ? "all pipes" : "";
    case Opcode::kBlockSet:
    case Opcode::kBlockWait: return "event " + std::to_string(instruction.event);
    default: break;
  }
  std::string text = describe_inputs(instruction);
  for (int output = 0; output < instruction.output_count; ++output) {
    text += (output > 0 ? ", " : text.empty() ? "-> " : " -> ") +
            describe_view(instruction.output(output));
  }
  return text;
}

}  // namespace npu::machine
