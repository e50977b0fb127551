// scf -> jumps over the program counter.
//
// A loop is: counter and carried values moved in; test; body; carried values moved round; counter
// step; jump to the test. Results of scf.for are its carried slots, so leaving costs nothing.
#include <algorithm>

#include "decode/function_decoder.h"

namespace npu::machine {
namespace {

bool is_terminator(std::string_view name) {
  return name == "scf.yield" || name == "scf.condition" || name == "func.return";
}

}  // namespace

bool FunctionDecoder::decode_region(const mlir::Region& region) {
  for (const mlir::Op& op : region.ops) {
    if (is_terminator(op.name)) continue;
    if (!decode_op(op)) return false;
  }
  return true;
}

bool FunctionDecoder::decode_op(const mlir::Op& op) {
  line_ = op.line;
  const size_t dot = op.name.find('.');
  const std::string_view dialect = op.name.substr(0, dot);
  const std::string_view name =
      dot == std::string_view::npos ? std::string_view() : op.name.substr(dot + 1);
  if (dialect == "arith") return decode_arith(op, name);
  if (dialect == "affine") return decode_affine(op, name);
  if (dialect == "memref") return decode_memref(op, name);
  if (dialect == "math") return decode_math(op, name);
  if (dialect == "hivm" && name.substr(0, 4) == "hir.") return decode_hivm(op, name.substr(4));
  if (dialect == "ave" && name.substr(0, 4) == "hir.") return decode_ave(op, name.substr(4));
  if (op.name == "func.call") return decode_call(op);
  if (op.name == "builtin.unrealized_conversion_cast") return decode_register_cast(op);
  if (op.name == "vector.bitcast") return decode_register_bitcast(op);
  if (op.name == "scf.for") return decode_for(op);
  if (op.name == "scf.if") return decode_if(op);
  if (op.name == "scf.while") return decode_while(op);
  if (op.name == "llvm.intr.assume") return true;  // a promise to the optimiser
  return unsupported(op, "unknown op");
}

std::optional<std::vector<Value>> FunctionDecoder::region_results(const mlir::Region& region,
                                                                  std::string_view terminator) {
  std::vector<Value> values;
  if (region.ops.empty()) return values;
  const mlir::Op& last = region.ops.back();
  if (last.name != terminator) {
    reject(last, "expected the region to end in " + std::string(terminator));
    return std::nullopt;
  }
  for (std::string_view name : last.operands) {
    const auto value = lookup(last, name);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

bool FunctionDecoder::emit_parallel_moves(const mlir::Op& op, const std::vector<Value>& sources,
                                          const std::vector<Value>& targets) {
  const auto move = [this](const Value& from, const Value& to) {
    if (from.slot == to.slot) return;
    if (to.is_register) {
      RegisterSite site;
      site.dst = to.slot;
      site.sources[0] = from.slot;
      site.line = line_;
      function_.register_sites.push_back(site);
      emit({StepKind::kRegister, 64, 0,
            static_cast<int32_t>(function_.register_sites.size()) - 1});
      return;
    }
    emit({to.is_view ? StepKind::kMoveView : StepKind::kMove, 64, to.slot, from.slot});
  };
  const auto same = [](const Value& a, const Value& b) {
    return a.is_view == b.is_view && a.is_register == b.is_register && a.slot == b.slot;
  };
  bool overlaps = false;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].is_view != targets[i].is_view) return reject(op, "carried types do not match");
    if (sources[i].is_register != targets[i].is_register ||
        sources[i].lane_bits != targets[i].lane_bits) {
      return unsupported(op, "a vector register with other lanes than it is carried in");
    }
    for (size_t j = 0; j < i; ++j) overlaps |= same(sources[i], targets[j]);
  }
  std::vector<Value> staged = sources;
  for (Value& value : staged) {
    if (!overlaps) break;
    const Value from = value;
    value.slot = value.is_view ? new_view_slot()
                 : value.is_register ? new_register_slot() : new_scalar_slot();
    move(from, value);
  }
  for (size_t i = 0; i < staged.size(); ++i) move(staged[i], targets[i]);
  return true;
}

bool FunctionDecoder::decode_for(const mlir::Op& op) {
  if (!check_properties(op, {})) return false;
  if (op.regions.size() != 1 || op.operands.size() < 3) return reject(op, "malformed loop");
  const mlir::Region& body = op.regions[0];
  const size_t carried_count = op.operands.size() - 3;
  if (body.arguments.size() != carried_count + 1 || op.results.size() != carried_count) {
    return reject(op, "carried values do not match");
  }
  const auto lower = scalar_slot(op, 0), upper = scalar_slot(op, 1), step = scalar_slot(op, 2);
  if (!lower || !upper || !step) return false;
  const size_t scope = undo_.size();

  const Value counter = new_value(body.arguments[0].type);
  if (counter.is_view || counter.is_register || counter.slot < 0) {
    return reject(op, "the counter is not an integer");
  }
  std::vector<Value> initial, carried;
  for (size_t i = 0; i < carried_count; ++i) {
    const auto value = lookup(op, op.operands[3 + i]);
    if (!value) return false;
    initial.push_back(*value);
    carried.push_back(new_value(body.arguments[1 + i].type));
    if (carried.back().slot < 0) return reject(op, "carried types do not match");
    carried.back().lane_bits = value->lane_bits;
  }
  emit({StepKind::kMove, 64, counter.slot, *lower});
  if (!emit_parallel_moves(op, initial, carried)) return false;

  const size_t test = emit({StepKind::kJumpUnlessLess, 64, 0, counter.slot, *upper});
  bind(std::string(body.arguments[0].name), counter);
  for (size_t i = 0; i < carried_count; ++i) {
    bind(std::string(body.arguments[1 + i].name), carried[i]);
  }
  if (!decode_region(body)) return false;
  const auto yielded = region_results(body, "scf.yield");
  if (!yielded || yielded->size() != carried_count) return reject(op, "yield does not match");
  line_ = op.line;
  if (!emit_parallel_moves(op, *yielded, carried)) return false;
  emit({StepKind::kAdd, integer_width(counter.type), counter.slot, counter.slot, *step});
  emit({StepKind::kJump, 64, static_cast<int32_t>(test)});
  set_target(test);

  close_scope(scope);
  for (size_t i = 0; i < carried_count; ++i) {
    if (!bind_result(op, i, carried[i])) return false;
  }
  return true;
}

bool FunctionDecoder::decode_if(const mlir::Op& op) {
  if (!check_properties(op, {})) return false;
  if (op.regions.empty() || op.regions.size() > 2) return reject(op, "malformed if");
  const auto condition = scalar_slot(op, 0);
  if (!condition) return false;
  std::vector<Value> results;
  for (std::string_view type : op.result_types) {
    results.push_back(new_value(type));
    if (results.back().slot < 0) return unsupported(op, "result type " + std::string(type));
  }
  const auto decode_branch = [&](const mlir::Region& region) {
    const size_t scope = undo_.size();
    if (!decode_region(region)) return false;
    const auto yielded = region_results(region, "scf.yield");
    if (!yielded || yielded->size() != results.size()) return reject(op, "yield does not match");
    if (!emit_parallel_moves(op, *yielded, results)) return false;
    close_scope(scope);
    return true;
  };
  const size_t skip_then = emit({StepKind::kJumpUnless, 64, 0, *condition});
  if (!decode_branch(op.regions[0])) return false;
  const bool has_else = op.regions.size() == 2 && !op.regions[1].ops.empty();
  if (!has_else && !results.empty()) return reject(op, "no else branch for the results");
  if (has_else) {
    const size_t skip_else = emit({StepKind::kJump});
    set_target(skip_then);
    if (!decode_branch(op.regions[1])) return false;
    set_target(skip_else);
  } else {
    set_target(skip_then);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (!bind_result(op, i, results[i])) return false;
  }
  return true;
}

bool FunctionDecoder::decode_while(const mlir::Op& op) {
  if (!check_properties(op, {})) return false;
  if (op.regions.size() != 2) return reject(op, "malformed while");
  const mlir::Region& before = op.regions[0];
  const mlir::Region& after = op.regions[1];
  if (before.arguments.size() != op.operands.size() ||
      after.arguments.size() != op.results.size()) {
    return reject(op, "carried values do not match");
  }
  std::vector<Value> initial, carried, passed;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const auto value = lookup(op, op.operands[i]);
    if (!value) return false;
    initial.push_back(*value);
    carried.push_back(new_value(before.arguments[i].type));
    if (carried.back().slot < 0) return reject(op, "carried types do not match");
  }
  if (!emit_parallel_moves(op, initial, carried)) return false;

  const size_t scope = undo_.size();
  const auto test = static_cast<int32_t>(function_.steps.size());
  for (size_t i = 0; i < carried.size(); ++i) {
    bind(std::string(before.arguments[i].name), carried[i]);
  }
  if (!decode_region(before)) return false;
  auto condition = region_results(before, "scf.condition");
  if (!condition || condition->size() != op.results.size() + 1) {
    return reject(op, "scf.condition does not match");
  }
  const Value test_value = condition->front();
  if (test_value.is_view || test_value.is_register) {
    return reject(op, "the condition is not a number");
  }
  condition->erase(condition->begin());
  for (size_t i = 0; i < condition->size(); ++i) {
    passed.push_back(new_value(after.arguments[i].type));
    if (passed.back().slot < 0) return reject(op, "carried types do not match");
  }
  if (!emit_parallel_moves(op, *condition, passed)) return false;
  const size_t leave = emit({StepKind::kJumpUnless, 64, 0, test_value.slot});
  for (size_t i = 0; i < passed.size(); ++i) bind(std::string(after.arguments[i].name), passed[i]);
  if (!decode_region(after)) return false;
  const auto yielded = region_results(after, "scf.yield");
  if (!yielded || yielded->size() != carried.size()) return reject(op, "yield does not match");
  if (!emit_parallel_moves(op, *yielded, carried)) return false;
  emit({StepKind::kJump, 64, test});
  set_target(leave);

  close_scope(scope);
  for (size_t i = 0; i < passed.size(); ++i) {
    if (!bind_result(op, i, passed[i])) return false;
  }
  return true;
}

}  // namespace npu::machine
