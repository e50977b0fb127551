#include "trace/accesses.h"

#include "trace/describe.h"

namespace npu::machine {
namespace {

OperandAccess describe_access(const MemoryView& view, bool is_write) {
  OperandAccess access;
  access.place = place_name(view);
  access.is_write = is_write;
  access.bits = view.is_bit_packed() ? 1 : 8 * bytes_of(view.type);
  access.first_bit = 8 * view.base_byte + access.bits * view.offset;
  for (int dim = 0; dim < view.rank; ++dim) {
    access.sizes.push_back(view.sizes[dim]);
    access.strides.push_back(access.bits * view.strides[dim]);
  }
  return access;
}

void add_padding(const Instruction& load, OperandAccess& access) {
  if (!load.operation->has_pad_value || access.sizes.empty()) return;
  const int64_t left = load.scalars[1].integer, right = load.scalars[2].integer;
  access.first_bit -= left * access.strides.back();
  access.sizes.back() += left + right;
}

}  // namespace

std::vector<OperandAccess> list_accesses(const Instruction& instruction) {
  std::vector<OperandAccess> accesses;
  const Operation& operation = *instruction.operation;
  const int view_count =
      instruction.input_count + instruction.output_count + instruction.temp_count;
  for (int i = 0; i < view_count; ++i) {
    accesses.push_back(describe_access(instruction.views[i], i >= instruction.input_count));
    OperandAccess& access = accesses.back();
    access.is_atomic = access.is_write && operation.atomic_kind != AtomicKind::kNone;
    if (access.is_write && operation.opcode == Opcode::kLoad) add_padding(instruction, access);
  }
  return accesses;
}

}  // namespace npu::machine
