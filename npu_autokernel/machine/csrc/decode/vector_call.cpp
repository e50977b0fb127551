// Calls of vector functions, and the casts that only rename a register.
//
// A call becomes one instruction of the vector pipe. Its inputs are the memrefs that the function
// reads, its outputs those that it writes, found from the function's own loads and stores.
#include <algorithm>
#include <utility>

#include "decode/function_decoder.h"

namespace npu::machine {
namespace {

struct MemrefUse {
  bool is_read = false;
  bool is_written = false;
};

// The view slot each view slot is made from, in the end: the argument it belongs to.
std::vector<int32_t> find_origins(const Function& function) {
  std::vector<int32_t> origins(function.initial_views.size());
  for (size_t slot = 0; slot < origins.size(); ++slot) origins[slot] = static_cast<int32_t>(slot);
  for (const ViewSite& site : function.view_sites) {
    if (site.source >= 0) origins[site.dst] = origins[site.source];
  }
  return origins;
}

// What a function does with each of its arguments. Views are made from arguments alone, and in the
// order of view_sites; a view that is moved between slots hides its origin: then all are used.
std::vector<MemrefUse> find_uses(const Function& function) {
  const std::vector<int32_t> origins = find_origins(function);
  std::vector<MemrefUse> of_slot(origins.size());
  for (const RegisterSite& site : function.register_sites) {
    if (site.view < 0) continue;
    MemrefUse& use = of_slot[origins[site.view]];
    (site.op == RegisterOp::kStore ? use.is_written : use.is_read) = true;
  }
  const bool is_open = std::any_of(
      function.steps.begin(), function.steps.end(), [](const Step& step) {
        return step.kind == StepKind::kMoveView || step.kind == StepKind::kSelectView;
      });
  std::vector<MemrefUse> uses;
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    const bool is_memref = function.arguments[i].is_memref;
    uses.push_back(!is_memref ? MemrefUse{} : is_open ? MemrefUse{true, true}
                                            : of_slot[function.argument_slots[i]]);
  }
  return uses;
}

std::string_view callee_of(const mlir::Op& op) {
  const mlir::Attribute* callee = op.property("callee");
  return callee && !callee->value.empty() && callee->value[0] == '@' ? callee->value.substr(1)
                                                                     : std::string_view();
}

// Gathers the operands of a call into an issue site.
class CallSite {
 public:
  CallSite(IssueSite& site, std::vector<VectorCall::Argument>& arguments)
      : site_(site), arguments_(arguments) {}

  bool add_number(int32_t slot) {
    if (site_.scalar_count == kMaxScalars) return false;
    arguments_.push_back({false, static_cast<int8_t>(site_.scalar_count)});
    site_.scalars[site_.scalar_count++] = slot;
    return true;
  }

  void note_memref(int32_t slot, MemrefUse use) {
    memrefs_.push_back({arguments_.size(), slot, use});
    arguments_.push_back({true, 0});
  }

  // Inputs stand before outputs; what is read and written stands in both.
  bool place_memrefs() {
    for (const bool is_output : {false, true}) {
      for (const Memref& memref : memrefs_) {
        const bool belongs = is_output ? memref.use.is_written
                                       : memref.use.is_read || !memref.use.is_written;
        if (!belongs) continue;
        const int used = site_.input_count + site_.output_count;
        if (used == kMaxViews) return false;
        arguments_[memref.argument].position = static_cast<int8_t>(used);
        site_.views[used] = memref.slot;
        ++(is_output ? site_.output_count : site_.input_count);
      }
    }
    return true;
  }

 private:
  struct Memref {
    size_t argument;
    int32_t slot;
    MemrefUse use;
  };
  IssueSite& site_;
  std::vector<VectorCall::Argument>& arguments_;
  std::vector<Memref> memrefs_;
};

}  // namespace

bool is_vector_function(const mlir::Op& function_op) {
  return function_op.annotation("hivm.vector_function") != nullptr;
}

bool FunctionDecoder::decode_call(const mlir::Op& op) {
  if (!check_properties(op, {"callee", "no_inline"})) return false;
  const std::string_view name = callee_of(op);
  const auto found = module_.vector_functions.find(std::string(name));
  if (found == module_.vector_functions.end()) {
    return unsupported(op, "no vector function of this name");
  }
  const Function& callee = *found->second;
  if (!op.results.empty()) return unsupported(op, "a vector function with results");
  if (op.operands.size() != callee.arguments.size()) return reject(op, "wrong argument count");
  IssueSite site;
  site.operation.opcode = Opcode::kVectorCall;
  site.operation.pipe = Pipe::kVector;
  site.operation.line = op.line;
  auto call = std::make_unique<VectorCall>();
  call->callee = found->second;
  CallSite operands(site, call->arguments);
  const std::vector<MemrefUse> uses = find_uses(callee);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const auto value = lookup(op, op.operands[i]);
    if (!value) return false;
    const ArgumentType& type = callee.arguments[i];
    if (value->is_register) return unsupported(op, "a vector register as argument");
    if (value->is_view != type.is_memref || value->type != type.element) {
      return reject(op, "an argument is not of the function's type");
    }
    if (type.is_memref) {
      operands.note_memref(value->slot, uses[i]);
    } else if (!operands.add_number(value->slot)) {
      return unsupported(op, "more numbers than an instruction takes");
    }
  }
  if (!operands.place_memrefs()) return unsupported(op, "more memrefs than an instruction takes");
  site.operation.call = call.get();
  function_.calls.push_back(std::move(call));
  function_.issue_sites.push_back(site);
  emit({StepKind::kIssue, 64, 0, static_cast<int32_t>(function_.issue_sites.size()) - 1});
  return true;
}

// A register seen as a vector of another length, as a vector of no dims, or as a number: its lanes
// stay what they are.
bool FunctionDecoder::decode_register_cast(const mlir::Op& op) {
  if (!check_properties(op, {})) return false;
  if (op.operands.size() != 1 || op.results.size() != 1) return unsupported(op, "several values");
  auto value = lookup(op, op.operands[0]);
  if (!value) return false;
  const auto vector = mlir::read_vector_type(op.result_types[0]);
  const auto number = mlir::read_element_type(op.result_types[0]);
  const bool same_elements = vector ? vector->element == value->type
                                    : number && *number == value->type;
  if (!value->is_register || !same_elements) return unsupported(op, "not a cast of a register");
  bind(std::string(op.results[0]), *value);
  return true;
}

bool FunctionDecoder::decode_register_bitcast(const mlir::Op& op) {
  if (!check_properties(op, {})) return false;
  if (op.operands.size() != 1 || op.results.size() != 1) return reject(op, "malformed");
  auto value = lookup(op, op.operands[0]);
  const auto from = mlir::read_vector_type(op.operand_types[0]);
  const auto to = mlir::read_vector_type(op.result_types[0]);
  if (!value) return false;
  if (!value->is_register || !from || !to) return unsupported(op, "not a register");
  const bool is_predicate = from->element == ElementType::kI1 || to->element == ElementType::kI1;
  if (is_predicate || bits_of(from->element) != bits_of(to->element) || from->lanes != to->lanes) {
    return unsupported(op, "elements of another width");
  }
  value->type = to->element;
  bind(std::string(op.results[0]), *value);
  return true;
}

}  // namespace npu::machine
