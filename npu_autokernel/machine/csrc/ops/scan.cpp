// vcumsum and vcumprod: slice after slice along one dim, each from the one before.
#include "ops/operands.h"

namespace npu::machine {

bool execute_scan(const Instruction& instruction, ExecutionContext& context) {
  const Operation& operation = *instruction.operation;
  const MemoryView& source = instruction.input(0);
  const MemoryView& target = instruction.output(0);
  RowOperand in, out;
  if (!set_view(context, in, source, Access::kRead) ||
      !set_view(context, out, target, Access::kWrite)) {
    return false;
  }
  const int dim = operation.dims[0];
  if (dim >= source.rank || source.rank != target.rank || in.type != out.type ||
      source.sizes[dim] != target.sizes[dim]) {
    return context.fail(fault_code::kIllegalOperand, "scanned shapes do not match");
  }
  const BinaryKernel kind =
      operation.reduce_kind == ReduceKind::kProd ? BinaryKernel::kMul : BinaryKernel::kAdd;
  const BinaryRow combine = kernels().binary[static_cast<int>(kind)][type_index(in.type)];
  const CopyRow copy = kernels().copy[width_index(bytes_of(in.type))];
  if (!combine || in.is_bit_packed) return unsupported_type(context, in.type);

  MemoryView slice = target;
  slice.sizes[dim] = 1;
  const int64_t length = target.sizes[dim];
  for (int64_t step = 0; step < length; ++step) {
    const int64_t index = operation.reversed ? length - 1 - step : step;
    const int64_t before = (operation.reversed ? 1 : -1) * target.strides[dim];
    const int64_t target_start = index * target.strides[dim];
    const int64_t source_start = index * source.strides[dim];
    LoopNest nest(slice);
    nest.add(slice);
    if (!nest.add_strides(source.strides)) return false;
    nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
      void* result = out.at(target_start + at[0]);
      const void* value = in.at(source_start + at[1]);
      if (step == 0) {
        copy(result, by[0], value, by[1], count);
      } else {
        combine(result, by[0], out.at(target_start + before + at[0]), by[0], value, by[1], count);
      }
      return true;
    });
  }
  return true;
}

}  // namespace npu::machine
