// load and store between GM and UB: strided rows, padding, atomics, bounds. A cube core loads plain
// rows (a bias) into L1.
//
// Reads outside of an argument but inside its guard zone give poison and are counted; further out
// they are faults. A write outside is always a fault.
#include <cstring>

#include "ops/gm_rows.h"
#include "ops/operands.h"

namespace npu::machine {
namespace {

MemorySpace space_of_load(const MemoryView& target) {
  return target.space == MemorySpace::kL1 ? MemorySpace::kL1 : MemorySpace::kUb;
}

// Padding goes in front of or behind each row of the output view.
bool write_padding(ExecutionContext& context, const MemoryView& target, Scalar value, int64_t count,
                   bool in_front) {
  if (count <= 0) return true;
  if (target.rank == 0) {
    return context.fail(fault_code::kIllegalOperand, "padding of a single element");
  }
  if (count > kMaxPadding) {
    return context.fail(fault_code::kIllegalOperand, "padding of impossible length");
  }
  const MemoryView pad = padding_of(target, count, in_front);
  RowOperand out, number;
  if (!set_view(context, out, pad, Access::kWrite, space_of_load(pad))) return false;
  set_number(number, value, pad.type);
  LoopNest nest(pad);
  nest.add(pad);
  const CopyRow copy = kernels().copy[width_index(bytes_of(pad.type))];
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t n) {
    copy(out.at(at[0]), by[0], number.bytes, 0, n);
    return true;
  });
}

template <typename Row>
void copy_elements(uint8_t* dst, int64_t dst_stride, const uint8_t* src, int64_t src_stride,
                   int64_t count, int64_t width, Row strided) {
  if (dst_stride == 1 && src_stride == 1) {
    std::memcpy(dst, src, static_cast<size_t>(count * width));
  } else {
    strided(dst, dst_stride, src, src_stride, count);
  }
}

bool is_transferable(ExecutionContext& context, const MemoryView& gm, const MemoryView& chip) {
  if (gm.space != MemorySpace::kGm) {
    return context.fail(fault_code::kIllegalOperand, "a transfer has one operand in gm");
  }
  if (gm.type != chip.type) return context.fail(fault_code::kIllegalOperand, "types differ");
  if (gm.type == ElementType::kI1) return unsupported_type(context, gm.type);
  if (gm.base_byte % bytes_of(gm.type) != 0) {
    return context.fail(fault_code::kIllegalOperand, "gm operand is not aligned to its element");
  }
  return true;
}

bool holds_already(const RowOperand& in, const GmElements& rows, LoopNest& nest) {
  const uint8_t* data = rows.buffer->data + rows.first;
  const auto width = static_cast<size_t>(rows.width);
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    const bool is_dense = by[0] == 1 && by[1] == 1;
    const size_t bytes = is_dense ? width * static_cast<size_t>(count) : width;
    for (int64_t i = 0; i < (is_dense ? 1 : count); ++i) {
      const uint8_t* target = data + (at[1] + i * by[1]) * rows.width;
      if (std::memcmp(target, in.at(at[0] + i * by[0]), bytes) != 0) return false;
    }
    return true;
  });
}

bool store_plain(const RowOperand& in, const GmElements& rows, LoopNest& nest) {
  const CopyRow strided = kernels().copy[width_index(static_cast<int>(rows.width))];
  uint8_t* data = rows.buffer->data + rows.first;
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    copy_elements(data + at[1] * rows.width, by[1], static_cast<const uint8_t*>(in.at(at[0])), by[0],
                  count, rows.width, strided);
    return true;
  });
}

bool store_atomic(ExecutionContext& context, AtomicKind kind, const RowOperand& in,
                  const GmElements& rows, LoopNest& nest) {
  const BinaryKernel kernel = kind == AtomicKind::kAdd   ? BinaryKernel::kAdd
                              : kind == AtomicKind::kMax ? BinaryKernel::kMax
                                                         : BinaryKernel::kMin;
  const BinaryRow combine = kernels().binary[static_cast<int>(kernel)][type_index(in.type)];
  if (!combine || in.type == ElementType::kI64) return unsupported_type(context, in.type);
  uint8_t* data = rows.buffer->data + rows.first;
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    uint8_t* target = data + at[1] * rows.width;
    combine(target, by[1], target, by[1], in.at(at[0]), by[0], count);
    return true;
  });
}

}  // namespace

bool execute_load(const Instruction& instruction, ExecutionContext& context) {
  const Operation& operation = *instruction.operation;
  const MemoryView& source = instruction.input(0);
  const MemoryView& target = instruction.output(0);
  const MemorySpace space = space_of_load(target);
  RowOperand out;
  if (!is_transferable(context, source, target) ||
      !set_view(context, out, target, Access::kWrite, space)) {
    return false;
  }
  LoopNest nest(target);
  nest.add(target);
  if (!nest.add(source)) return context.fail(fault_code::kIllegalOperand, "shapes do not match");

  const GmElements rows = gm_elements(context, source);
  const GmReach reach = check_gm_read(context, source);
  if (reach == GmReach::kFault) return false;
  const CopyRow strided = kernels().copy[width_index(static_cast<int>(rows.width))];
  nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    auto* dst = static_cast<uint8_t*>(out.at(at[0]));
    if (reach == GmReach::kInside) {
      const uint8_t* src = rows.buffer->data + rows.first + at[1] * rows.width;
      copy_elements(dst, by[0], src, by[1], count, rows.width, strided);
    } else {
      load_guarded_row(context, rows, at[1], by[1], dst, by[0] * rows.width, count);
    }
    return true;
  });
  context.counters.gm_bytes_read += source.element_count() * rows.width;
  if (!operation.has_pad_value) return true;
  const Scalar value = instruction.scalars[0];
  return write_padding(context, target, value, instruction.scalars[1].integer, true) &&
         write_padding(context, target, value, instruction.scalars[2].integer, false);
}

bool execute_store(const Instruction& instruction, ExecutionContext& context) {
  const MemoryView& source = instruction.input(0);
  const MemoryView& target = instruction.output(0);
  RowOperand in;
  if (!is_transferable(context, target, source) || !set_view(context, in, source, Access::kRead)) {
    return false;
  }
  LoopNest nest(target);
  if (!nest.add(source)) return context.fail(fault_code::kIllegalOperand, "shapes do not match");
  nest.add(target);
  if (target.is_empty()) return true;

  const GmElements rows = gm_elements(context, target);
  if (!check_gm_write(context, target)) return false;
  context.counters.gm_bytes_written += target.element_count() * rows.width;
  const AtomicKind kind = instruction.operation->atomic_kind;
  if (kind != AtomicKind::kNone) return store_atomic(context, kind, in, rows, nest);
  context.rewrote = context.compares_stores && holds_already(in, rows, nest);
  return store_plain(in, rows, nest);
}

}  // namespace npu::machine
