#include "decode/hivm_decoder.h"

namespace npu::machine {

const HivmDecoder::Entry HivmDecoder::kEntries[] = {
    // State that changes nothing here.
    {"set_mask_norm", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_nothing},
    {"set_ffts_base_addr", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_nothing},
    {"set_ctrl", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_control_bit},
    {"init_debug", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_nothing},
    {"finish_debug", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_nothing},
    {"debug", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_nothing},
    // Values.
    {"get_block_idx", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_fact},
    {"get_sub_block_idx", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_fact},
    {"get_block_num", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_fact},
    {"get_sub_block_num", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_fact},
    {"pointer_cast", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_pointer_cast},
    {"bitcast", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_view_bitcast},
    // Synchronisation.
    {"set_flag", Opcode::kSetFlag, Pipe::kScalar, &HivmDecoder::read_flag},
    {"wait_flag", Opcode::kWaitFlag, Pipe::kScalar, &HivmDecoder::read_flag},
    {"pipe_barrier", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_barrier},
    {"sync_block_set", Opcode::kBlockSet, Pipe::kScalar, &HivmDecoder::read_block_flag},
    {"sync_block_wait", Opcode::kBlockWait, Pipe::kScalar, &HivmDecoder::read_block_flag},
    {"sync_block_lock", Opcode::kBlockLock, Pipe::kScalar, &HivmDecoder::read_lock},
    {"sync_block_unlock", Opcode::kBlockUnlock, Pipe::kScalar, &HivmDecoder::read_lock},
    // Before the end of a kernel of the 950: passes the ticket on if the block has not done so.
    {"free_lock_var", Opcode::kBlockUnlock, Pipe::kScalar, &HivmDecoder::read_lock},
    // Data movement.
    {"load", Opcode::kLoad, Pipe::kMte2, &HivmDecoder::read_load},
    {"store", Opcode::kStore, Pipe::kMte3, &HivmDecoder::read_store},
    {"copy", Opcode::kCopy, Pipe::kVector, &HivmDecoder::read_copy},
    {"nd2nz", Opcode::kNd2Nz, Pipe::kMte2, &HivmDecoder::read_nd2nz},
    {"fixpipe", Opcode::kFixpipe, Pipe::kFixpipe, &HivmDecoder::read_fixpipe},
    {"mmadL1", Opcode::kMmad, Pipe::kCube, &HivmDecoder::read_mmad},
    // Vector.
    {"vexp", Opcode::kVexp, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vln", Opcode::kVln, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vabs", Opcode::kVabs, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vsqrt", Opcode::kVsqrt, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vrsqrt", Opcode::kVrsqrt, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vrec", Opcode::kVrec, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vrelu", Opcode::kVrelu, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vnot", Opcode::kVnot, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vcast", Opcode::kVcast, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vadd", Opcode::kVadd, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vsub", Opcode::kVsub, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vmul", Opcode::kVmul, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vdiv", Opcode::kVdiv, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vmax", Opcode::kVmax, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vmin", Opcode::kVmin, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vand", Opcode::kVand, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vor", Opcode::kVor, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vxor", Opcode::kVxor, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vshl", Opcode::kVshl, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vshr", Opcode::kVshr, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vpow", Opcode::kVpow, Pipe::kVector, &HivmDecoder::read_power},
    {"vcmp", Opcode::kVcmp, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vsel", Opcode::kVsel, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vbrc", Opcode::kVbrc, Pipe::kVector, &HivmDecoder::read_broadcast},
    {"vreduce", Opcode::kVreduce, Pipe::kVector, &HivmDecoder::read_reduce},
    {"vcumsum", Opcode::kVscan, Pipe::kVector, &HivmDecoder::read_scan},
    {"vcumprod", Opcode::kVscan, Pipe::kVector, &HivmDecoder::read_scan},
    {"varange", Opcode::kVarange, Pipe::kVector, &HivmDecoder::read_range},
    {"vinterleave", Opcode::kVinterleave, Pipe::kVector, &HivmDecoder::read_interleave},
    {"vdeinterleave", Opcode::kVdeinterleave, Pipe::kVector, &HivmDecoder::read_deinterleave},
    {"vtranspose", Opcode::kVtranspose, Pipe::kVector, &HivmDecoder::read_transpose},
    {"vgather", Opcode::kVgather, Pipe::kVector, &HivmDecoder::read_gather},
    {"vflip", Opcode::kVflip, Pipe::kVector, &HivmDecoder::read_flip},
    {"vsort", Opcode::kVsort, Pipe::kVector, &HivmDecoder::read_sort},
};

bool FunctionDecoder::decode_hivm(const mlir::Op& op, std::string_view name) {
  if (is_vector_function_) return unsupported(op, "an instruction inside a vector function");
  return HivmDecoder(*this, op).decode(name);
}

bool HivmDecoder::decode(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name != name) continue;
    site_.operation.opcode = entry.opcode;
    site_.operation.pipe = entry.pipe;
    site_.operation.line = op_.line;
    return (this->*entry.read)();
  }
  return fail("unknown op");
}

bool HivmDecoder::add_view(size_t operand, uint8_t& count) {
  const auto slot = owner_.view_slot(op_, operand);
  if (!slot) return false;
  const int used = site_.input_count + site_.output_count + site_.temp_count;
  if (used == kMaxViews) return fail("more memref operands than an instruction has");
  site_.views[used] = *slot;
  ++count;
  return true;
}

bool HivmDecoder::add_temps(Segment segment) {
  for (size_t i = 0; i < segment.count; ++i) {
    if (!add_view(segment.first + i, site_.temp_count)) return false;
  }
  return true;
}

bool HivmDecoder::add_scalar(size_t operand) {
  const auto slot = owner_.scalar_slot(op_, operand);
  if (!slot) return false;
  if (site_.scalar_count == kMaxScalars) return fail("more number operands than an instruction has");
  site_.scalars[site_.scalar_count++] = *slot;
  return true;
}

bool HivmDecoder::add_source(size_t operand) {
  if (operand >= op_.operands.size()) return fail("an operand is missing");
  const auto value = owner_.lookup(op_, op_.operands[operand]);
  if (!value) return false;
  const uint8_t source = site_.source_count++;
  if (source >= 3) return fail("more than 3 sources");
  if (!value->is_view) return add_scalar(operand);
  site_.source_view[source] = static_cast<int8_t>(site_.input_count);
  return add_input(operand);
}

std::string_view HivmDecoder::enum_of(std::string_view property, std::string_view fallback) {
  const mlir::Attribute* attribute = op_.property(property);
  return attribute ? mlir::read_enum(attribute->value) : fallback;
}

std::optional<bool> HivmDecoder::bool_of(std::string_view property, bool fallback) {
  const mlir::Attribute* attribute = op_.property(property);
  return attribute ? mlir::read_bool(attribute->value) : fallback;
}

std::optional<int64_t> HivmDecoder::integer_of(std::string_view property, int64_t fallback) {
  const mlir::Attribute* attribute = op_.property(property);
  return attribute ? mlir::read_integer(attribute->value) : fallback;
}

bool HivmDecoder::read_dims(std::string_view property) {
  const mlir::Attribute* attribute = op_.property(property);
  if (!attribute) return true;
  const auto dims = mlir::read_integer_array(attribute->value);
  if (!dims || dims->size() > kMaxRank) return fail("unreadable " + std::string(property));
  for (int64_t dim : *dims) {
    if (dim < 0 || dim >= kMaxRank) return fail("dimension out of range");
    site_.operation.dims[site_.operation.dim_count++] = static_cast<int8_t>(dim);
  }
  return true;
}

bool HivmDecoder::require_empty(std::string_view property) {
  const mlir::Attribute* attribute = op_.property(property);
  if (!attribute) return true;
  const auto values = mlir::read_integer_array(attribute->value);
  return (values && values->empty()) || fail(std::string(property) + " is not empty");
}

bool HivmDecoder::require_bool(std::string_view property, bool value) {
  return bool_of(property, value) == value || fail("variant of " + std::string(property));
}

bool HivmDecoder::read_segments(size_t count) {
  const auto segments = segments_of(op_);
  if (!segments || segments->size() != count) return fail("unexpected operand segments");
  segments_ = *segments;
  return true;
}

bool HivmDecoder::read_pipe(std::string_view property, Pipe& pipe) {
  static constexpr std::pair<std::string_view, Pipe> kNames[] = {
      {"PIPE_S", Pipe::kScalar},  {"PIPE_V", Pipe::kVector},  {"PIPE_MTE1", Pipe::kMte1},
      {"PIPE_MTE2", Pipe::kMte2}, {"PIPE_MTE3", Pipe::kMte3}, {"PIPE_M", Pipe::kCube},
      {"PIPE_FIX", Pipe::kFixpipe}};
  const std::string_view text = enum_of(property, "");
  const Pipe* found = find_named(kNames, text);
  if (!found) return fail("unknown pipe " + std::string(text));
  pipe = *found;
  return true;
}

bool HivmDecoder::emit_site() {
  owner_.function_.issue_sites.push_back(site_);
  owner_.emit({StepKind::kIssue, 64, 0,
               static_cast<int32_t>(owner_.function_.issue_sites.size()) - 1});
  return true;
}

}  // namespace npu::machine
