// Op tree of one device function -> Function.
//
// decode_function walks the tree once. This file owns the shared state: slots and their scopes,
// emission of steps, faults. control_flow.cpp lowers scf to jumps, scalar_ops.cpp arith, math and
// affine, view_ops.cpp memref, hivm_decoder.cpp the instructions, ave_decoder.cpp the ops on vector
// registers, and vector_call.cpp the calls of the functions that hold these.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decode/segments.h"
#include "fault.h"
#include "mlir/ast.h"
#include "mlir/type.h"
#include "program.h"

namespace npu::machine {

// Where an SSA value lives: in a scalar slot, or as said. A register holds a vector, or a number
// that is its first lane.
struct Value {
  bool is_view = false;
  int32_t slot = -1;
  ElementType type = ElementType::kIndex;
  bool is_constant = false;
  bool is_register = false;
  uint8_t lane_bits = 0;  // of a register
  bool is_variable = false;  // a memref of one number that only the scalar pipe sees
};

// A table of constants: where it starts in Program::table_bytes, and its type.
struct ConstantTable {
  int64_t first_byte = 0;
  mlir::MemrefType type;
};

// What the functions of a module share: by name, functions on vector registers and tables.
struct ModuleScope {
  std::unordered_map<std::string, std::shared_ptr<const Function>> vector_functions;
  std::unordered_map<std::string, ConstantTable> tables;
};

bool is_vector_function(const mlir::Op& function_op);

class FunctionDecoder {
 public:
  FunctionDecoder(Function& function, std::optional<Fault>& fault, const ModuleScope& module)
      : function_(function), fault_(fault), module_(module) {}

  bool decode(const mlir::Op& function_op);

 private:
  // control_flow.cpp
  bool decode_region(const mlir::Region& region);
  bool decode_op(const mlir::Op& op);
  bool decode_for(const mlir::Op& op);
  bool decode_if(const mlir::Op& op);
  bool decode_while(const mlir::Op& op);
  bool decode_arguments(const mlir::Op& op);
  // Moves `sources` to `targets` as if all at once; false if their kinds differ.
  bool emit_parallel_moves(const mlir::Op& op, const std::vector<Value>& sources,
                           const std::vector<Value>& targets);
  std::optional<std::vector<Value>> region_results(const mlir::Region& region,
                                                   std::string_view terminator);

  // scalar_ops.cpp
  bool decode_arith(const mlir::Op& op, std::string_view name);
  bool decode_math(const mlir::Op& op, std::string_view name);
  bool decode_fma(const mlir::Op& op);
  bool decode_affine(const mlir::Op& op, std::string_view name);
  bool decode_constant(const mlir::Op& op);
  bool decode_arith_cast(const mlir::Op& op, std::string_view name);
  bool decode_select(const mlir::Op& op);
  bool decode_extended_multiply(const mlir::Op& op, bool is_signed);

  // view_ops.cpp
  bool decode_memref(const mlir::Op& op, std::string_view name);
  bool decode_table(const mlir::Op& op);
  bool decode_pointer_cast(const mlir::Op& op);
  bool decode_alloc(const mlir::Op& op);
  bool place_allocs();
  bool decode_reinterpret_cast(const mlir::Op& op);
  bool decode_subview(const mlir::Op& op);
  bool decode_reshape(const mlir::Op& op, bool collapse);
  bool decode_byte_view(const mlir::Op& op);
  bool decode_view_bitcast(const mlir::Op& op);
  bool decode_metadata(const mlir::Op& op);
  bool decode_element_access(const mlir::Op& op, bool is_load);
  bool fill_numbers(const mlir::Op& op, std::string_view static_name, size_t first_operand,
                    size_t operand_count, NumberOperand* numbers, uint8_t& rank);
  bool fill_geometry(const mlir::Op& op, const std::vector<Segment>& parts, ViewSite& site,
                     uint8_t& offset_rank, uint8_t& stride_rank);
  bool emit_view(const mlir::Op& op, ViewSite site);

  // hivm_decoder.cpp
  bool decode_hivm(const mlir::Op& op, std::string_view name);
  friend class HivmDecoder;

  // ave_decoder.cpp
  bool decode_ave(const mlir::Op& op, std::string_view name);
  friend class AveDecoder;

  // variables.cpp
  bool decode_variable(const mlir::Op& op);
  bool decode_variable_access(const mlir::Op& op, const Value& variable, bool is_load);

  // vector_call.cpp
  bool decode_call(const mlir::Op& op);
  bool decode_register_cast(const mlir::Op& op);
  bool decode_register_bitcast(const mlir::Op& op);

  // Shared.
  Value define(const mlir::Op& op, size_t result);  // a fresh slot for a result; -1: fault
  int32_t define_scalar(const mlir::Op& op, size_t result);  // the same, a number; -1: fault
  bool bind_result(const mlir::Op& op, size_t result, const Value& value);
  Value new_value(std::string_view type);
  void bind(std::string name, Value value);
  void close_scope(size_t undo_size);
  std::optional<Value> lookup(const mlir::Op& op, std::string_view name);
  std::optional<int32_t> scalar_slot(const mlir::Op& op, size_t operand);
  std::optional<int32_t> view_slot(const mlir::Op& op, size_t operand);
  int32_t new_scalar_slot(int64_t initial = 0);
  int32_t new_view_slot();
  int32_t new_register_slot() { return function_.register_count++; }
  int32_t constant_slot(int64_t value);
  size_t emit(Step step);
  void set_target(size_t step) {
    function_.steps[step].dst = static_cast<int32_t>(function_.steps.size());
  }
  bool check_properties(const mlir::Op& op, std::initializer_list<std::string_view> known);
  bool unsupported(const mlir::Op& op, const std::string& why);
  bool reject(const mlir::Op& op, const std::string& why);  // malformed rather than unknown

  Function& function_;
  std::optional<Fault>& fault_;
  const ModuleScope& module_;
  bool is_vector_function_ = false;
  uint32_t line_ = 0;
  std::unordered_map<std::string, Value> values_;
  std::vector<std::pair<std::string, std::optional<Value>>> undo_;
  std::unordered_map<int64_t, int32_t> constants_;
  std::vector<size_t> allocs_;  // view sites without an address
};

// Bits an integer type wraps to; an index is 64 bits wide.
constexpr uint8_t integer_width(ElementType type) {
  return static_cast<uint8_t>(type == ElementType::kIndex ? 64 : bits_of(type));
}

// The rounding width of a float type: 32, 16 (fp16), 15 (bf16).
constexpr uint8_t float_width(ElementType type) {
  return type == ElementType::kF32 ? 32 : type == ElementType::kF16 ? 16 : 15;
}

}  // namespace npu::machine
