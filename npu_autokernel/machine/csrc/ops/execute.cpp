// The table from opcode to execution, and what all ops share: locating operands.
#include <cstring>

#include "memory_names.h"
#include "ops/context.h"
#include "ops/written.h"
#include "scalar_arithmetic.h"
#include "views.h"

namespace npu::machine {
namespace {

using Execute = bool (*)(const Instruction&, ExecutionContext&);

Execute find_execution(Opcode opcode) {
  switch (opcode) {
    case Opcode::kLoad: return execute_load;
    case Opcode::kStore: return execute_store;
    case Opcode::kNd2Nz: return execute_nd2nz;
    case Opcode::kL1Fill:
    case Opcode::kVbrc: return execute_fill;
    case Opcode::kFixpipe: return execute_fixpipe;
    case Opcode::kCopy: return execute_copy;
    case Opcode::kL0LoadA:
    case Opcode::kL0LoadB: return execute_l0_load;
    case Opcode::kLoadBias: return execute_load_bias;
    case Opcode::kMmad: return execute_mmad;
    case Opcode::kVcast: return execute_cast;
    case Opcode::kVcmp: return execute_compare;
    case Opcode::kVpow: return execute_power;
    case Opcode::kVsel: return execute_select;
    case Opcode::kVreduce: return execute_reduce;
    case Opcode::kVscan: return execute_scan;
    case Opcode::kVarange: return execute_range;
    case Opcode::kVinterleave: return execute_interleave;
    case Opcode::kVdeinterleave: return execute_deinterleave;
    case Opcode::kVtranspose: return execute_transpose;
    case Opcode::kVgather: return execute_gather;
    case Opcode::kVflip: return execute_flip;
    case Opcode::kVsort: return execute_sort;
    case Opcode::kVectorCall: return execute_vector_call;
    default: return execute_elementwise;
  }
}

}  // namespace

bool execute_instruction(const Instruction& instruction, ExecutionContext& context) {
  context.line = instruction.operation->line;
  ++context.counters.instructions[static_cast<int>(instruction.pipe())];
  if (context.chip.has_shadow() && !follow_written(instruction, context)) return false;
  return find_execution(instruction.opcode())(instruction, context);
}

bool locate(ExecutionContext& context, const MemoryView& view, MemorySpace space, Access access,
            ChipElements& elements) {
  if (view.space != space) {
    return context.fail(fault_code::kIllegalOperand, "an operand is in " + name_memory(view) +
                                                         ", expected " + space_name(space));
  }
  const ByteSpan span = span_of(view);
  ChipMemory& chip = context.chip_of(space);
  if (!chip.contains(view, span)) {
    return context.fail(access == Access::kRead ? fault_code::kOutOfBoundsRead
                                                : fault_code::kOutOfBoundsWrite,
                        "bytes [" + std::to_string(span.first) + ", " + std::to_string(span.last) +
                            ") of " + name_memory(view) + ", which has " +
                            std::to_string(chip.size(view.space)),
                        span);
  }
  uint8_t* data = chip.data(view.space);
  if (view.is_bit_packed()) {
    elements = {data + view.base_byte, view.offset};
    return true;
  }
  const int64_t width = bytes_of(view.type);
  if (view.base_byte % width != 0) {
    return context.fail(fault_code::kIllegalOperand, "an operand is not aligned to its element",
                        span);
  }
  // An empty view may lie anywhere; nothing is read through it.
  elements = {view.is_empty() ? data : data + view.base_byte + view.offset * width, 0};
  return true;
}

bool read_element(ExecutionContext& context, const MemoryView& element, Scalar& value,
                  uint32_t& origin) {
  const bool is_checked = context.chip.has_shadow();
  const ByteSpan span = span_of(element);
  const uint8_t* bytes = nullptr;
  if (element.space == MemorySpace::kGm) {
    if (!context.gm.contains(element, span)) {
      if (!context.gm.in_guard(element, span)) {
        return context.fail(fault_code::kOutOfBoundsRead, "scalar load outside of " +
                                                              name_memory(element), span);
      }
      ++context.counters.guard_reads;
      value = scalar_of_bits(~uint64_t{0}, element.type);
      const Origin outside{Garbage::kOutside, element.space, element.buffer, span, context.line};
      if (is_checked) origin = context.gm.origins.number_of(outside);
      return true;
    }
    bytes = context.gm.buffers[element.buffer].data + context.gm.position(element, span.first);
    context.counters.gm_bytes_read += span.last - span.first;
    if (is_checked) origin = find_origin(context, element);
  } else {
    ChipElements elements;
    if (!locate(context, element, element.space, Access::kRead, elements)) return false;
    if (is_checked) origin = find_origin(context, element);
    if (element.is_bit_packed()) {
      value.integer = elements.bytes[elements.bit >> 3] >> (elements.bit & 7) & 1;
      return true;
    }
    bytes = elements.bytes;
  }
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, static_cast<size_t>(bytes_of(element.type)));
  value = scalar_of_bits(bits, element.type);
  return true;
}

bool write_element(ExecutionContext& context, const MemoryView& element, Scalar value,
                   uint32_t origin) {
  const bool is_checked = context.chip.has_shadow();
  const ByteSpan span = span_of(element);
  uint8_t* bytes = nullptr;
  if (element.space == MemorySpace::kGm) {
    if (!context.gm.contains(element, span)) {
      return context.fail(fault_code::kOutOfBoundsWrite, "scalar store outside of " +
                                                             name_memory(element), span);
    }
    bytes = context.gm.buffers[element.buffer].data + context.gm.position(element, span.first);
    if (is_checked && !follow_element_write(context, element, origin)) return false;
    context.counters.gm_bytes_written += span.last - span.first;
  } else {
    ChipElements elements;
    if (!locate(context, element, element.space, Access::kWrite, elements)) return false;
    if (is_checked) follow_element_write(context, element, origin);
    if (element.is_bit_packed()) {
      const auto mask = static_cast<uint8_t>(1u << (elements.bit & 7));
      uint8_t& byte = elements.bytes[elements.bit >> 3];
      byte = static_cast<uint8_t>(value.integer & 1 ? byte | mask : byte & ~mask);
      return true;
    }
    bytes = elements.bytes;
  }
  const uint64_t bits = raw_bits(value, element.type);
  const auto width = static_cast<size_t>(bytes_of(element.type));
  context.rewrote = element.space == MemorySpace::kGm && context.compares_stores &&
                    std::memcmp(bytes, &bits, width) == 0;
  std::memcpy(bytes, &bits, width);
  return true;
}

}  // namespace npu::machine
