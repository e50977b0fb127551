// What the interpreter hands to its port: instructions and element accesses, operands resolved.
#include <algorithm>

#include "fault.h"
#include "interpreter.h"
#include "scalar_arithmetic.h"
#include "views.h"

namespace npu::machine {

IssueResult IssuePort::execute_register_op(const RegisterSite& site, Scalar*, const MemoryView*) {
  return reject(fault_code::kUnsupportedOp, "vector registers outside of a vector function",
                site.line);
}

void Interpreter::resolve(const IssueSite& site) {
  Instruction& out = instruction_;
  out.operation = &site.operation;
  out.input_count = site.input_count;
  out.output_count = site.output_count;
  out.temp_count = site.temp_count;
  out.scalar_count = site.scalar_count;
  out.source_count = site.source_count;
  std::copy(std::begin(site.source_view), std::end(site.source_view), out.source_view);
  out.event = site.event_slot >= 0
                  ? static_cast<int32_t>(std::clamp<int64_t>(scalars_[site.event_slot].integer, -1,
                                                             INT32_MAX))
                  : site.static_event;
  out.unit_flag = site.unit_flag_slot >= 0
                      ? static_cast<UnitFlag>(scalars_[site.unit_flag_slot].integer)
                      : UnitFlag::kDisabled;
  out.scalar_ops_before = pending_ops_;
  for (int i = 0; i < site.scalar_count; ++i) out.scalars[i] = scalars_[site.scalars[i]];
  const int view_count = site.input_count + site.output_count + site.temp_count;
  for (int i = 0; i < view_count; ++i) out.views[i] = views_[site.views[i]];
  if (site.operation.opcode == Opcode::kVarange) {
    for (int dim = 0; dim < kMaxRank; ++dim) {
      const NumberOperand& number = site.range_strides[dim];
      out.range_strides[dim] = number.slot >= 0 ? scalars_[number.slot].integer : number.value;
    }
  }
  origins_.describe(site, out);
}

IssueResult Interpreter::issue_site(const IssueSite& site, IssuePort& port) {
  if (site.condition_slot >= 0 && scalars_[site.condition_slot].integer == site.skipped_when) {
    return IssueResult::kDone;
  }
  resolve(site);
  const IssueResult result = port.issue(instruction_);
  if (result == IssueResult::kDone) count_pending_ops();
  return result;
}

IssueResult Interpreter::access_element(const AccessSite& site, bool is_load, IssuePort& port) {
  MemoryView element = views_[site.view];
  if (site.rank != element.rank) {
    return port.reject(fault_code::kIllegalOperand, "wrong number of indices",
                       site.operation.line);
  }
  for (int dim = 0; dim < site.rank; ++dim) {
    element.offset = add(element.offset, multiply(scalars_[site.indices[dim]].integer,
                                                  element.strides[dim]));
  }
  if (element.offset > kMaxReach / 8 || element.offset < -kMaxReach / 8) {
    return port.reject(is_load ? fault_code::kOutOfBoundsRead : fault_code::kOutOfBoundsWrite,
                       "the index is outside of any memory", site.operation.line);
  }
  element.rank = 0;
  const uint32_t address = origins_.of_address(site);
  if (address != kNoOrigin && !is_load) {
    return port.reject_garbage("where a number is stored", address, site.operation.line);
  }
  uint32_t origin = is_load ? kNoOrigin : origins_.of_scalar(site.value);
  const IssueResult result =
      is_load ? port.load_element(site, element, pending_ops_, scalars_[site.value], origin)
              : port.store_element(site, element, pending_ops_, scalars_[site.value], origin);
  if (is_load) origins_.set_scalar(site.value, address != kNoOrigin ? address : origin);
  if (result == IssueResult::kDone) count_pending_ops();
  return result;
}

}  // namespace npu::machine
