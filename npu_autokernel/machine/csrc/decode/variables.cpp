// Memory that is neither planned nor an argument: memref.alloca, a number that the scalar pipe keeps
// for itself, like a counter of loop passes; memref.get_global, a table of constants in GM.
#include "decode/function_decoder.h"

namespace npu::machine {
namespace {

constexpr int64_t kUnset = -1;  // what a variable holds before it is written

}  // namespace

bool FunctionDecoder::decode_variable(const mlir::Op& op) {
  if (!check_properties(op, {"operandSegmentSizes", "alignment"})) return false;
  if (!op.operands.empty() || op.results.size() != 1) return unsupported(op, "an open size");
  const auto type = mlir::read_memref_type(op.result_types[0]);
  const bool is_number = type && !type->has_layout && !is_float(type->element) &&
                         (type->shape.empty() ||
                          (type->shape.size() == 1 && type->shape[0] == 1));
  if (!is_number) return unsupported(op, "memory of this type");
  Value variable;
  variable.slot = new_scalar_slot();
  variable.type = type->element;
  variable.is_variable = true;
  emit({StepKind::kMove, 64, variable.slot, constant_slot(kUnset)});
  bind(std::string(op.results[0]), variable);
  return true;
}

bool FunctionDecoder::decode_variable_access(const mlir::Op& op, const Value& variable,
                                             bool is_load) {
  const size_t first_index = is_load ? 1 : 2;
  for (size_t i = first_index; i < op.operands.size(); ++i) {
    const auto index = lookup(op, op.operands[i]);
    if (!index) return false;
    const bool is_zero = index->is_constant && !index->is_view &&
                         function_.initial_scalars[index->slot].integer == 0;
    if (!is_zero) return unsupported(op, "an index that is not the constant 0");
  }
  if (is_load) {
    if (op.results.size() != 1) return reject(op, "no result");
    const int32_t result = define_scalar(op, 0);
    emit({StepKind::kMove, 64, result, variable.slot});
    return result >= 0;
  }
  const auto value = scalar_slot(op, 0);
  if (!value) return false;
  emit({StepKind::kMove, 64, variable.slot, *value});
  return true;
}

bool FunctionDecoder::decode_table(const mlir::Op& op) {
  if (!check_properties(op, {"name"}) || op.results.size() != 1) return reject(op, "malformed");
  const mlir::Attribute* name = op.property("name");
  const bool is_symbol = name && !name->value.empty() && name->value[0] == '@';
  const auto found = module_.tables.find(std::string(is_symbol ? name->value.substr(1) : ""));
  const auto type = mlir::read_memref_type(op.result_types[0]);
  if (found == module_.tables.end() || !type) return unsupported(op, "no table of this name");
  const mlir::MemrefType& table = found->second.type;
  if (type->shape != table.shape || type->element != table.element || type->has_layout ||
      type->space != MemorySpace::kGm) {
    return reject(op, "not of the table's type");
  }
  const Value result = define(op, 0);
  if (result.slot < 0) return false;
  MemoryView& view = function_.initial_views[result.slot];
  view.type = table.element;
  view.rank = 1;
  view.buffer = kTableArgument;
  view.base_byte = found->second.first_byte;
  view.sizes[0] = table.shape[0];
  view.strides[0] = 1;
  return true;
}

}  // namespace npu::machine
