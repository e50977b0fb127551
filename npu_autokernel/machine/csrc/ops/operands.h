// Operands of vector ops: views and numbers, located in UB and ready to be walked in rows.
#pragma once

#include <cstring>

#include "kernels/kernel_table.h"
#include "loop_nest.h"
#include "ops/context.h"
#include "scalar_arithmetic.h"

namespace npu::machine {

// One source or the output of an elementwise op.
struct RowOperand {
  ElementType type = ElementType::kF32;
  bool is_bit_packed = false;
  uint8_t* bytes = nullptr;  // element 0; of a number: its own storage
  int64_t bit = 0;
  uint64_t storage = 0;  // a number as an element

  void* at(int64_t element) const { return bytes + element * bytes_of(type); }
};

inline void set_number(RowOperand& operand, Scalar value, ElementType type) {
  operand.type = type;
  operand.storage = raw_bits(value, type);
  operand.bytes = reinterpret_cast<uint8_t*>(&operand.storage);
}

inline bool set_view(ExecutionContext& context, RowOperand& operand, const MemoryView& view,
                     Access access, MemorySpace space = MemorySpace::kUb) {
  ChipElements elements;
  if (!locate(context, view, space, access, elements)) return false;
  operand.type = view.type;
  operand.is_bit_packed = view.is_bit_packed();
  operand.bytes = elements.bytes;
  operand.bit = elements.bit;
  return true;
}

// The output and up to three sources of an elementwise instruction, with the nest that walks them
// all: operand 0 of the nest is the output, 1 + i source i.
struct ElementwiseOperands {
  RowOperand output;
  RowOperand sources[3];
  int source_count = 0;
  LoopNest nest;

  explicit ElementwiseOperands(const MemoryView& shape) : nest(shape) {}
  ElementwiseOperands(const ElementwiseOperands&) = delete;

  // Numbers take the type of the first memref source, or the output's.
  bool prepare(const Instruction& instruction, ExecutionContext& context, int first_typed = 0) {
    const MemoryView& target = instruction.output(0);
    if (!set_view(context, output, target, Access::kWrite)) return false;
    nest.add(target);
    ElementType number_type = target.type;
    for (int i = instruction.source_count - 1; i >= first_typed; --i) {
      const int view = instruction.source_view[i];
      if (view >= 0) number_type = instruction.views[view].type;
    }
    source_count = instruction.source_count;
    int next_number = 0;
    for (int i = 0; i < source_count; ++i) {
      const int view = instruction.source_view[i];
      if (view < 0) {
        set_number(sources[i], instruction.scalars[next_number++], number_type);
        nest.add_scalar();
      } else if (!set_view(context, sources[i], instruction.views[view], Access::kRead)) {
        return false;
      } else if (!nest.add(instruction.views[view])) {
        return context.fail(fault_code::kIllegalOperand, "operand shapes do not match");
      }
    }
    return true;
  }
};

// Elements [first, first + count) with stride, of a bit-packed or byte-per-element bool operand,
// as bytes 0 or 1; and back.
inline void load_bools(uint8_t* dst, const RowOperand& operand, int64_t first, int64_t stride,
                       int64_t count) {
  if (!operand.is_bit_packed) {
    for (int64_t i = 0; i < count; ++i) dst[i] = operand.bytes[first + i * stride] & 1;
  } else if (stride == 1) {
    kernels().unpack_bits(dst, operand.bytes, operand.bit + first, count);
  } else {
    for (int64_t i = 0; i < count; ++i) {
      const int64_t bit = operand.bit + first + i * stride;
      dst[i] = operand.bytes[bit >> 3] >> (bit & 7) & 1;
    }
  }
}

inline void store_bools(const RowOperand& operand, int64_t first, int64_t stride,
                        const uint8_t* src, int64_t count) {
  if (!operand.is_bit_packed) {
    for (int64_t i = 0; i < count; ++i) operand.bytes[first + i * stride] = src[i];
  } else if (stride == 1) {
    kernels().pack_bits(operand.bytes, operand.bit + first, src, count);
  } else {
    for (int64_t i = 0; i < count; ++i) {
      kernels().pack_bits(operand.bytes, operand.bit + first + i * stride, src + i, 1);
    }
  }
}

inline int type_index(ElementType type) { return static_cast<int>(type); }

inline bool unsupported_type(ExecutionContext& context, ElementType type) {
  static constexpr const char* kNames[] = {"i1",  "i8",   "i16", "i32",  "i64",
                                           "f16", "bf16", "f32", "index"};
  return context.fail(fault_code::kUnsupportedOp,
                      std::string("not defined for ") + kNames[type_index(type)]);
}

constexpr int64_t kRowChunk = 512;

}  // namespace npu::machine
