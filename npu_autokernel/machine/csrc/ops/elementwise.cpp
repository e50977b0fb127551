// Vector ops with one result element per input element, all of one type: arithmetic, bit ops,
// compare and select.
#include <algorithm>

#include "ops/operands.h"

namespace npu::machine {
namespace {

struct KernelOf {
  bool is_unary;
  UnaryKernel unary;
  BinaryKernel binary;
};

KernelOf kernel_of(Opcode opcode) {
  const auto unary = [](UnaryKernel kernel) { return KernelOf{true, kernel, BinaryKernel::kAdd}; };
  const auto binary = [](BinaryKernel kernel) { return KernelOf{false, UnaryKernel::kExp, kernel}; };
  switch (opcode) {
    case Opcode::kVexp: return unary(UnaryKernel::kExp);
    case Opcode::kVln: return unary(UnaryKernel::kLn);
    case Opcode::kVabs: return unary(UnaryKernel::kAbs);
    case Opcode::kVsqrt: return unary(UnaryKernel::kSqrt);
    case Opcode::kVrsqrt: return unary(UnaryKernel::kRsqrt);
    case Opcode::kVrec: return unary(UnaryKernel::kRec);
    case Opcode::kVrelu: return unary(UnaryKernel::kRelu);
    case Opcode::kVnot: return unary(UnaryKernel::kNot);
    case Opcode::kVadd: return binary(BinaryKernel::kAdd);
    case Opcode::kVsub: return binary(BinaryKernel::kSub);
    case Opcode::kVmul: return binary(BinaryKernel::kMul);
    case Opcode::kVdiv: return binary(BinaryKernel::kDiv);
    case Opcode::kVmax: return binary(BinaryKernel::kMax);
    case Opcode::kVmin: return binary(BinaryKernel::kMin);
    case Opcode::kVand: return binary(BinaryKernel::kAnd);
    case Opcode::kVor: return binary(BinaryKernel::kOr);
    case Opcode::kVxor: return binary(BinaryKernel::kXor);
    case Opcode::kVshl: return binary(BinaryKernel::kShl);
    default: return binary(BinaryKernel::kShr);
  }
}

bool is_bitwise(Opcode opcode) {
  return opcode == Opcode::kVnot || opcode == Opcode::kVand || opcode == Opcode::kVor ||
         opcode == Opcode::kVxor;
}

// Bit ops on floats work on their patterns.
ElementType pattern_type(ElementType type) {
  if (type == ElementType::kF32) return ElementType::kI32;
  return is_float(type) ? ElementType::kI16 : type;
}

// Bit ops on bit-packed i1: unpack, combine bytes, pack.
bool execute_bits(const KernelOf& kernel, ElementwiseOperands& operands, ExecutionContext& context) {
  const int type = type_index(ElementType::kI8);
  const BinaryRow combine =
      kernel.is_unary ? nullptr : kernels().binary[static_cast<int>(kernel.binary)][type];
  if (!kernel.is_unary && !combine) return unsupported_type(context, ElementType::kI1);
  return operands.nest.for_each_row(
      [&](const int64_t* offsets, const int64_t* strides, int64_t count) {
        uint8_t a[kRowChunk], b[kRowChunk];
        for (int64_t start = 0; start < count; start += kRowChunk) {
          const int64_t n = std::min(kRowChunk, count - start);
          load_bools(a, operands.sources[0], offsets[1] + start * strides[1], strides[1], n);
          if (kernel.is_unary) {
            for (int64_t i = 0; i < n; ++i) a[i] ^= 1;
          } else {
            load_bools(b, operands.sources[1], offsets[2] + start * strides[2], strides[2], n);
            combine(a, 1, a, 1, b, 1, n);
          }
          store_bools(operands.output, offsets[0] + start * strides[0], strides[0], a, n);
        }
        return true;
      });
}

}  // namespace

bool execute_elementwise(const Instruction& instruction, ExecutionContext& context) {
  const KernelOf kernel = kernel_of(instruction.opcode());
  if (instruction.source_count != (kernel.is_unary ? 1 : 2)) {
    return context.fail(fault_code::kIllegalOperand, "wrong number of operands");
  }
  ElementwiseOperands operands(instruction.output(0));
  if (!operands.prepare(instruction, context)) return false;
  ElementType type = operands.output.type;
  for (int i = 0; i < operands.source_count; ++i) {
    if (operands.sources[i].type != type) {
      return context.fail(fault_code::kIllegalOperand, "operand types differ");
    }
  }
  if (is_bitwise(instruction.opcode())) {
    if (type == ElementType::kI1) return execute_bits(kernel, operands, context);
    type = pattern_type(type);
  }
  const RowOperand& out = operands.output;
  const RowOperand& a = operands.sources[0];
  const RowOperand& b = operands.sources[1];
  if (kernel.is_unary) {
    const UnaryRow run = kernels().unary[static_cast<int>(kernel.unary)][type_index(type)];
    if (!run) return unsupported_type(context, type);
    return operands.nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
      run(out.at(at[0]), by[0], a.at(at[1]), by[1], count);
      return true;
    });
  }
  const BinaryRow run = kernels().binary[static_cast<int>(kernel.binary)][type_index(type)];
  if (!run) return unsupported_type(context, type);
  return operands.nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    run(out.at(at[0]), by[0], a.at(at[1]), by[1], b.at(at[2]), by[2], count);
    return true;
  });
}

bool execute_compare(const Instruction& instruction, ExecutionContext& context) {
  ElementwiseOperands operands(instruction.output(0));
  if (!operands.prepare(instruction, context)) return false;
  const RowOperand& a = operands.sources[0];
  const RowOperand& b = operands.sources[1];
  if (operands.source_count != 2 || a.type != b.type || operands.output.type != ElementType::kI1) {
    return context.fail(fault_code::kIllegalOperand, "malformed comparison");
  }
  const CompareRow run =
      kernels().compare[static_cast<int>(instruction.operation->compare_mode)][type_index(a.type)];
  if (!run) return unsupported_type(context, a.type);
  return operands.nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    uint8_t results[kRowChunk];
    for (int64_t start = 0; start < count; start += kRowChunk) {
      const int64_t n = std::min(kRowChunk, count - start);
      run(results, a.at(at[1] + start * by[1]), by[1], b.at(at[2] + start * by[2]), by[2], n);
      store_bools(operands.output, at[0] + start * by[0], by[0], results, n);
    }
    return true;
  });
}

bool execute_select(const Instruction& instruction, ExecutionContext& context) {
  ElementwiseOperands operands(instruction.output(0));
  if (!operands.prepare(instruction, context, 1)) return false;
  const RowOperand& mask = operands.sources[0];
  const RowOperand& a = operands.sources[1];
  const RowOperand& b = operands.sources[2];
  const ElementType type = operands.output.type;
  // The mask of a 64-bit selection comes from the scalar pipe, a byte of 0 or 1 each.
  const bool is_mask = mask.type == ElementType::kI1 || mask.type == ElementType::kI8;
  if (operands.source_count != 3 || !is_mask || a.type != type || b.type != type) {
    return context.fail(fault_code::kIllegalOperand, "malformed selection");
  }
  if (type == ElementType::kI1) return unsupported_type(context, type);
  const SelectRow run = kernels().select[width_index(bytes_of(type))];
  return operands.nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    uint8_t bools[kRowChunk];
    for (int64_t start = 0; start < count; start += kRowChunk) {
      const int64_t n = std::min(kRowChunk, count - start);
      load_bools(bools, mask, at[1] + start * by[1], by[1], n);
      run(operands.output.at(at[0] + start * by[0]), by[0], bools, a.at(at[2] + start * by[2]),
          by[2], b.at(at[3] + start * by[3]), by[3], n);
    }
    return true;
  });
}

}  // namespace npu::machine
