#include "decode/function_decoder.h"

#include <algorithm>

namespace npu::machine {
namespace {

// "%4" for a single result, "%4#1" for one of several.
std::string result_key(const mlir::Op& op, size_t result) {
  const bool is_pack = std::count(op.results.begin(), op.results.end(), op.results[result]) > 1;
  std::string key(op.results[result]);
  return is_pack ? key + "#" + std::to_string(result) : key;
}

}  // namespace

bool FunctionDecoder::decode(const mlir::Op& function_op) {
  is_vector_function_ = is_vector_function(function_op);
  if (!decode_arguments(function_op)) return false;
  if (!decode_region(function_op.regions[0])) return false;
  emit({StepKind::kReturn});
  return place_allocs();
}

bool FunctionDecoder::decode_arguments(const mlir::Op& op) {
  if (op.regions.size() != 1 || op.regions[0].ops.empty()) return reject(op, "no body");
  for (const mlir::BlockArgument& argument : op.regions[0].arguments) {
    const Value value = new_value(argument.type);
    if (value.slot < 0 || value.is_register) {
      return unsupported(op, "argument type " + std::string(argument.type));
    }
    bind(std::string(argument.name), value);
    function_.arguments.push_back({value.is_view, value.type});
    function_.argument_slots.push_back(value.slot);
  }
  return true;
}

Value FunctionDecoder::new_value(std::string_view type) {
  if (const auto memref = mlir::read_memref_type(type)) {
    return {true, new_view_slot(), memref->element, false};
  }
  if (const auto element = mlir::read_element_type(type)) {
    return {false, new_scalar_slot(), *element, false};
  }
  if (const auto vector = mlir::read_vector_type(type); vector && is_vector_function_) {
    return {false, new_register_slot(), vector->element, false, true};
  }
  return {};
}

Value FunctionDecoder::define(const mlir::Op& op, size_t result) {
  const Value value = new_value(op.result_types[result]);
  if (value.slot < 0) {
    unsupported(op, "result type " + std::string(op.result_types[result]));
  } else {
    bind(result_key(op, result), value);
  }
  return value;
}

int32_t FunctionDecoder::define_scalar(const mlir::Op& op, size_t result) {
  const Value value = define(op, result);
  if (!value.is_view && !value.is_register) return value.slot;
  reject(op, "expected a number as result");
  return -1;
}

bool FunctionDecoder::bind_result(const mlir::Op& op, size_t result, const Value& value) {
  const std::string_view type = op.result_types[result];
  if (value.is_view != mlir::read_memref_type(type).has_value() ||
      value.is_register != mlir::read_vector_type(type).has_value()) {
    return reject(op, "a result is not what the region yields");
  }
  bind(result_key(op, result), value);
  return true;
}

void FunctionDecoder::bind(std::string name, Value value) {
  const auto found = values_.find(name);
  undo_.emplace_back(name,
                     found == values_.end() ? std::nullopt : std::optional<Value>(found->second));
  values_[std::move(name)] = value;
}

void FunctionDecoder::close_scope(size_t undo_size) {
  while (undo_.size() > undo_size) {
    auto& [name, previous] = undo_.back();
    if (previous) {
      values_[name] = *previous;
    } else {
      values_.erase(name);
    }
    undo_.pop_back();
  }
}

std::optional<Value> FunctionDecoder::lookup(const mlir::Op& op, std::string_view name) {
  const auto found = values_.find(std::string(name));
  if (found != values_.end()) return found->second;
  reject(op, "value " + std::string(name) + " is not defined here");
  return std::nullopt;
}

std::optional<int32_t> FunctionDecoder::scalar_slot(const mlir::Op& op, size_t operand) {
  if (operand >= op.operands.size()) {
    reject(op, "an operand is missing");
    return std::nullopt;
  }
  const auto value = lookup(op, op.operands[operand]);
  if (!value) return std::nullopt;
  if (value->is_view) {
    reject(op, "expected a number, got a memref");
    return std::nullopt;
  }
  if (value->is_variable) {
    reject(op, "expected a number, got a memref");
    return std::nullopt;
  }
  if (value->is_register) {
    unsupported(op, "a number that lies in a vector register");
    return std::nullopt;
  }
  return value->slot;
}

std::optional<int32_t> FunctionDecoder::view_slot(const mlir::Op& op, size_t operand) {
  if (operand >= op.operands.size()) {
    reject(op, "an operand is missing");
    return std::nullopt;
  }
  const auto value = lookup(op, op.operands[operand]);
  if (!value) return std::nullopt;
  if (!value->is_view) {
    if (value->is_variable) {
      unsupported(op, "memory of the scalar pipe's own");
    } else {
      reject(op, "expected a memref");
    }
    return std::nullopt;
  }
  return value->slot;
}

int32_t FunctionDecoder::new_scalar_slot(int64_t initial) {
  Scalar scalar;
  scalar.integer = initial;
  function_.initial_scalars.push_back(scalar);
  return static_cast<int32_t>(function_.initial_scalars.size()) - 1;
}

int32_t FunctionDecoder::new_view_slot() {
  function_.initial_views.emplace_back();
  return static_cast<int32_t>(function_.initial_views.size()) - 1;
}

int32_t FunctionDecoder::constant_slot(int64_t value) {
  const auto [found, is_new] = constants_.try_emplace(value, -1);
  if (is_new) found->second = new_scalar_slot(value);
  return found->second;
}

size_t FunctionDecoder::emit(Step step) {
  function_.steps.push_back(step);
  function_.lines.push_back(line_);
  return function_.steps.size() - 1;
}

bool FunctionDecoder::check_properties(const mlir::Op& op,
                                       std::initializer_list<std::string_view> known) {
  for (const mlir::Attribute& property : op.properties) {
    if (std::find(known.begin(), known.end(), property.name) == known.end()) {
      return unsupported(op, "unknown property " + std::string(property.name));
    }
  }
  return true;
}

bool FunctionDecoder::unsupported(const mlir::Op& op, const std::string& why) {
  if (!fault_) {
    fault_ = make_fault(fault_code::kUnsupportedOp, std::string(op.name) + ": " + why, op.line);
  }
  return false;
}

bool FunctionDecoder::reject(const mlir::Op& op, const std::string& why) {
  if (!fault_) {
    fault_ = make_fault(fault_code::kParseError, std::string(op.name) + ": " + why, op.line);
  }
  return false;
}

}  // namespace npu::machine
