// hivm.hir ops -> issue sites.
//
// One table names every op the machine knows, its pipe and the function that reads its operands.
// A property that is not named by that function is a fault: a variant we do not know is never
// executed as if it were the plain op.
#include <algorithm>

#include "decode/function_decoder.h"
#include "decode/segments.h"

namespace npu::machine {

class HivmDecoder {
 public:
  HivmDecoder(FunctionDecoder& owner, const mlir::Op& op) : owner_(owner), op_(op) {}

  bool decode(std::string_view name);

 private:
  struct Entry {
    std::string_view name;
    Opcode opcode;
    Pipe pipe;
    bool (HivmDecoder::*read)();
  };
  static const Entry kEntries[];

  // Operand layouts; each ends in emit_site().
  bool read_nothing() { return true; }
  bool read_fact();
  bool read_flag();
  bool read_barrier();
  bool read_block_flag();
  bool read_lock();
  bool read_elementwise();
  bool read_load();
  bool read_store();
  bool read_copy();
  bool read_nd2nz();
  bool read_mmad();
  bool read_fixpipe();
  bool read_broadcast();
  bool read_reduce();
  bool read_range();
  bool read_interleave();
  bool read_deinterleave();
  bool read_transpose();
  bool read_gather();
  bool read_flip();
  bool read_sort();
  bool read_view_bitcast() { return owner_.decode_view_bitcast(op_); }
  bool read_pointer_cast() { return owner_.decode_pointer_cast(op_); }

  // Adding operands; inputs first, then outputs, then temps.
  bool add_view(size_t operand, uint8_t& count);
  bool add_input(size_t operand) { return add_view(operand, site_.input_count); }
  bool add_output(size_t operand) { return add_view(operand, site_.output_count); }
  bool add_temps(Segment segment);
  bool add_scalar(size_t operand);
  bool add_source(size_t operand);  // a view or a number

  // Attributes.
  bool known(std::initializer_list<std::string_view> names) {
    return owner_.check_properties(op_, names);
  }
  std::string_view enum_of(std::string_view property, std::string_view fallback);
  std::optional<bool> bool_of(std::string_view property, bool fallback);
  std::optional<int64_t> integer_of(std::string_view property, int64_t fallback);
  bool read_dims(std::string_view property);
  bool require_empty(std::string_view property);
  bool require_bool(std::string_view property, bool value);
  bool read_segments(size_t count);
  bool read_pipe(std::string_view property, Pipe& pipe);

  bool emit_site();
  bool emit_flag(Opcode opcode, Pipe set_pipe, Pipe wait_pipe, int32_t event_slot);
  bool emit_l0_load(Opcode opcode, size_t operand, bool transposed);
  bool fail(const std::string& why) { return owner_.unsupported(op_, why); }

  FunctionDecoder& owner_;
  const mlir::Op& op_;
  IssueSite site_;
  std::vector<Segment> segments_;
};

const HivmDecoder::Entry HivmDecoder::kEntries[] = {
    // State that changes nothing here.
    {"set_mask_norm", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_nothing},
    {"set_ffts_base_addr", Opcode::kPipeBarrier, Pipe::kScalar, &HivmDecoder::read_nothing},
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
    {"vcmp", Opcode::kVcmp, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vsel", Opcode::kVsel, Pipe::kVector, &HivmDecoder::read_elementwise},
    {"vbrc", Opcode::kVbrc, Pipe::kVector, &HivmDecoder::read_broadcast},
    {"vreduce", Opcode::kVreduce, Pipe::kVector, &HivmDecoder::read_reduce},
    {"varange", Opcode::kVarange, Pipe::kVector, &HivmDecoder::read_range},
    {"vinterleave", Opcode::kVinterleave, Pipe::kVector, &HivmDecoder::read_interleave},
    {"vdeinterleave", Opcode::kVdeinterleave, Pipe::kVector, &HivmDecoder::read_deinterleave},
    {"vtranspose", Opcode::kVtranspose, Pipe::kVector, &HivmDecoder::read_transpose},
    {"vgather", Opcode::kVgather, Pipe::kVector, &HivmDecoder::read_gather},
    {"vflip", Opcode::kVflip, Pipe::kVector, &HivmDecoder::read_flip},
    {"vsort", Opcode::kVsort, Pipe::kVector, &HivmDecoder::read_sort},
};

bool FunctionDecoder::decode_hivm(const mlir::Op& op, std::string_view name) {
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

// --- operands ---------------------------------------------------------------------------------

bool HivmDecoder::add_view(size_t operand, uint8_t& count) {
  const auto slot = owner_.view_slot(op_, operand);
  if (!slot) return false;
  const int used = site_.input_count + site_.output_count + site_.temp_count;
  if (used == kMaxViews) return fail("more than 8 memref operands");
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
  if (site_.scalar_count == kMaxScalars) return fail("more than 4 number operands");
  site_.scalars[site_.scalar_count++] = *slot;
  return true;
}

bool HivmDecoder::add_source(size_t operand) {
  const auto value = owner_.lookup(op_, op_.operands[operand]);
  if (!value) return false;
  const uint8_t source = site_.source_count++;
  if (source >= 3) return fail("more than 3 sources");
  if (!value->is_view) return add_scalar(operand);
  site_.source_view[source] = static_cast<int8_t>(site_.input_count);
  return add_input(operand);
}

// --- attributes -------------------------------------------------------------------------------

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
  for (const auto& [name, value] : kNames) {
    if (name == text) {
      pipe = value;
      return true;
    }
  }
  return fail("unknown pipe " + std::string(text));
}

bool HivmDecoder::emit_site() {
  owner_.function_.issue_sites.push_back(site_);
  owner_.emit({StepKind::kIssue, 64, 0,
               static_cast<int32_t>(owner_.function_.issue_sites.size()) - 1});
  return true;
}

// --- values and synchronisation ---------------------------------------------------------------

bool HivmDecoder::read_fact() {
  if (op_.results.size() != 1) return fail("expected one result");
  const std::string_view name = op_.name.substr(std::string_view("hivm.hir.").size());
  const StepKind kind = name == "get_block_idx"       ? StepKind::kBlockIndex
                        : name == "get_sub_block_idx" ? StepKind::kSubCoreIndex
                        : name == "get_block_num"     ? StepKind::kBlockCount
                                                      : StepKind::kSubCoreCount;
  const Value result = owner_.define(op_, 0);
  owner_.emit({kind, 64, result.slot});
  return result.slot >= 0;
}

bool HivmDecoder::read_flag() {
  if (!known({"set_pipe", "wait_pipe", "static_event_id"})) return false;
  Operation& operation = site_.operation;
  if (!read_pipe("set_pipe", operation.set_pipe) || !read_pipe("wait_pipe", operation.wait_pipe)) {
    return false;
  }
  operation.pipe =
      operation.opcode == Opcode::kSetFlag ? operation.set_pipe : operation.wait_pipe;
  if (op_.property("static_event_id")) {
    const std::string_view id = enum_of("static_event_id", "");
    if (id.size() != 9 || id.substr(0, 8) != "EVENT_ID" || id[8] < '0' || id[8] > '7') {
      return fail("unknown event");
    }
    site_.static_event = id[8] - '0';
  } else {
    const auto slot = owner_.scalar_slot(op_, 0);
    if (!slot) return false;
    site_.event_slot = *slot;
  }
  return emit_site();
}

bool HivmDecoder::read_barrier() {
  if (!known({"pipe"})) return false;
  if (enum_of("pipe", "") == "PIPE_ALL") {
    site_.operation.all_pipes = true;
  } else if (!read_pipe("pipe", site_.operation.pipe)) {
    return false;
  }
  return emit_site();
}

bool HivmDecoder::read_block_flag() {
  if (!known({"operandSegmentSizes", "pipe", "static_flag_id", "tcore_type", "tpipe"})) {
    return false;
  }
  const bool is_set = site_.operation.opcode == Opcode::kBlockSet;
  // tpipe is the producer's pipe, pipe the one that waits.
  if (!read_pipe("tpipe", site_.operation.set_pipe) ||
      !read_pipe("pipe", site_.operation.wait_pipe)) {
    return false;
  }
  site_.operation.pipe = is_set ? site_.operation.set_pipe : site_.operation.wait_pipe;
  const auto flag = integer_of("static_flag_id", -1);
  if (!flag) return fail("unreadable flag");
  if (*flag >= 0) {
    if (*flag > 15) return fail("flag above 15");
    site_.static_event = static_cast<int32_t>(*flag);
  } else {
    const auto slot = owner_.scalar_slot(op_, 0);
    if (!slot) return false;
    site_.event_slot = *slot;
  }
  return emit_site();
}

bool HivmDecoder::read_lock() { return known({}) && add_input(0) && emit_site(); }

// --- vector -----------------------------------------------------------------------------------

bool HivmDecoder::read_elementwise() {
  Operation& operation = site_.operation;
  if (!known({"operandSegmentSizes", "broadcast", "transpose", "round_mode", "cast", "round",
              "compare_mode", "is_signed", "isSigned", "isHP"})) {
    return false;
  }
  if (!require_empty("transpose") || !read_dims("broadcast")) return false;
  if (!require_bool("is_signed", true) || !require_bool("isSigned", true) ||
      !require_bool("isHP", false)) {
    return false;
  }
  // `round` of vshr: the library passes "no rounding" to the instruction whatever it says.
  const auto segments = segments_of(op_);
  if (!segments || segments->size() < 2 || segments->size() > 3) return fail("operand segments");
  for (size_t i = 0; i < (*segments)[0].count; ++i) {
    if (!add_source((*segments)[0].first + i)) return false;
  }
  if ((*segments)[1].count != 1 || !add_output((*segments)[1].first)) return fail("one output");
  if (segments->size() == 3 && !add_temps((*segments)[2])) return false;

  if (operation.opcode == Opcode::kVcast) {
    static constexpr std::pair<std::string_view, RoundMode> kModes[] = {
        {"rint", RoundMode::kRint},   {"round", RoundMode::kRound},
        {"floor", RoundMode::kFloor}, {"ceil", RoundMode::kCeil},
        {"trunc", RoundMode::kTrunc}, {"truncwithoverflow", RoundMode::kTruncWithOverflow}};
    const std::string_view mode = enum_of("round_mode", "rint");
    const auto* found = std::find_if(std::begin(kModes), std::end(kModes),
                                     [&](const auto& entry) { return entry.first == mode; });
    if (found == std::end(kModes)) return fail("unknown round mode");
    operation.round_mode = found->second;
    const std::string_view sign = enum_of("cast", "cast_signed");
    if (sign != "cast_signed" && sign != "cast_unsigned") return fail("unknown cast");
    operation.cast_unsigned = sign == "cast_unsigned";
  }
  if (operation.opcode == Opcode::kVcmp) {
    static constexpr std::pair<std::string_view, CompareMode> kModes[] = {
        {"eq", CompareMode::kEq}, {"ne", CompareMode::kNe}, {"lt", CompareMode::kLt},
        {"gt", CompareMode::kGt}, {"ge", CompareMode::kGe}, {"le", CompareMode::kLe}};
    const std::string_view mode = enum_of("compare_mode", "eq");
    const auto* found = std::find_if(std::begin(kModes), std::end(kModes),
                                     [&](const auto& entry) { return entry.first == mode; });
    if (found == std::end(kModes)) return fail("unknown compare mode");
    operation.compare_mode = found->second;
  }
  return emit_site();
}

bool HivmDecoder::read_broadcast() {
  if (!known({"operandSegmentSizes", "broadcast_dims"}) || !read_dims("broadcast_dims")) {
    return false;
  }
  if (op_.operands.size() < 2 || op_.operands.size() > 3) return fail("operands");
  const auto source = owner_.lookup(op_, op_.operands[0]);
  const auto type = mlir::read_memref_type(op_.operand_types[1]);
  if (!source || !type) return fail("expected a memref output");
  if (type->space == MemorySpace::kL1) {
    if (source->is_view) return fail("broadcast of a memref into L1");
    site_.operation.opcode = Opcode::kL1Fill;
    site_.operation.pipe = Pipe::kMte2;
  }
  if (!add_source(0) || !add_output(1)) return false;
  if (op_.operands.size() == 3 && !add_temps({2, 1})) return false;
  return emit_site();
}

bool HivmDecoder::read_reduce() {
  if (!known({"operandSegmentSizes", "arith", "reduce_dims", "unsigned_src", "tie_break_left"})) {
    return false;
  }
  static constexpr std::pair<std::string_view, ReduceKind> kKinds[] = {
      {"sum", ReduceKind::kSum},
      {"prod", ReduceKind::kProd},
      {"max", ReduceKind::kMax},
      {"min", ReduceKind::kMin},
      {"max_with_index_left", ReduceKind::kMaxIndex},
      {"min_with_index_left", ReduceKind::kMinIndex},
      {"xori", ReduceKind::kXor},
      {"ori", ReduceKind::kOr},
      {"andi", ReduceKind::kAnd}};
  const std::string_view kind = enum_of("arith", "");
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const auto& entry) { return entry.first == kind; });
  if (found == std::end(kKinds)) return fail("unknown reduction");
  site_.operation.reduce_kind = found->second;
  if (!require_bool("unsigned_src", false) || !require_bool("tie_break_left", true) ||
      !read_dims("reduce_dims") || !read_segments(4)) {
    return false;
  }
  const bool with_index = found->second == ReduceKind::kMaxIndex ||
                          found->second == ReduceKind::kMinIndex;
  if (segments_[0].count != 1 || segments_[1].count != (with_index ? 2u : 1u)) {
    return fail("unexpected operand segments");
  }
  if (segments_[3].count != 0) return fail("explicit indices");
  if (!add_input(0)) return false;
  for (size_t i = 0; i < segments_[1].count; ++i) {
    if (!add_output(segments_[1].first + i)) return false;
  }
  return add_temps(segments_[2]) && emit_site();
}

bool HivmDecoder::read_range() {
  if (!known({"operandSegmentSizes"}) || !read_segments(3)) return false;
  if (segments_[0].count != 1 || segments_[1].count > 1 || segments_[2].count > kMaxRank) {
    return fail("unexpected operand segments");
  }
  if (!add_output(0)) return false;
  if (segments_[1].count == 1) {
    if (!add_scalar(segments_[1].first)) return false;
  } else {
    site_.scalars[site_.scalar_count++] = owner_.constant_slot(0);
  }
  for (size_t dim = 0; dim < segments_[2].count; ++dim) {
    const auto slot = owner_.scalar_slot(op_, segments_[2].first + dim);
    if (!slot) return false;
    site_.range_strides[dim].slot = *slot;
  }
  return emit_site();
}

bool HivmDecoder::read_interleave() {
  if (!known({"operandSegmentSizes", "interleave_channel_nums"}) || !read_segments(3)) {
    return false;
  }
  const auto channels = integer_of("interleave_channel_nums", 2);
  if (!channels || segments_[0].count != static_cast<size_t>(*channels) || *channels > 4) {
    return fail("unexpected channel count");
  }
  site_.operation.channel_count = static_cast<int8_t>(*channels);
  for (size_t i = 0; i < segments_[0].count; ++i) {
    if (!add_input(segments_[0].first + i)) return false;
  }
  return add_output(segments_[1].first) && add_temps(segments_[2]) && emit_site();
}

bool HivmDecoder::read_deinterleave() {
  if (!known({"operandSegmentSizes", "channel_num", "index_mode"})) return false;
  const auto channels = integer_of("channel_num", 2);
  const std::string_view mode = enum_of("index_mode", "ALL_CHANNELS");
  if (!channels || *channels < 2 || *channels > 64) return fail("unexpected channel count");
  site_.operation.channel_count = static_cast<int8_t>(*channels);
  if (mode == "CHANNEL_0" || mode == "CHANNEL_1") {
    site_.operation.channel = static_cast<int8_t>(mode.back() - '0');
  } else if (mode != "ALL_CHANNELS") {
    return fail("unknown index mode");
  }
  const size_t outputs = site_.operation.channel >= 0 ? 1 : static_cast<size_t>(*channels);
  if (op_.operands.size() != outputs + 1 || !add_input(0)) return fail("operands");
  for (size_t i = 0; i < outputs; ++i) {
    if (!add_output(1 + i)) return false;
  }
  return emit_site();
}

bool HivmDecoder::read_transpose() {
  if (!known({"operandSegmentSizes", "permutation", "disable_align"})) return false;
  if (!read_dims("permutation") || op_.operands.size() < 2) return fail("operands");
  return add_input(0) && add_output(1) && add_temps({2, op_.operands.size() - 2}) && emit_site();
}

bool HivmDecoder::read_gather() {
  if (!known({"operandSegmentSizes", "gather_axis"})) return false;
  const auto axis = integer_of("gather_axis", -1);
  if (!axis || *axis < -1 || *axis >= kMaxRank || op_.operands.size() < 3) return fail("operands");
  site_.operation.axis = static_cast<int8_t>(*axis);
  return add_input(0) && add_input(1) && add_output(2) &&
         add_temps({3, op_.operands.size() - 3}) && emit_site();
}

bool HivmDecoder::read_flip() {
  if (!known({"flip_axis"})) return false;
  const auto axis = integer_of("flip_axis", -1);
  if (!axis || *axis < -1 || *axis >= kMaxRank || op_.operands.size() != 2) return fail("operands");
  site_.operation.axis = static_cast<int8_t>(*axis);
  return add_input(0) && add_output(1) && emit_site();
}

bool HivmDecoder::read_sort() {
  if (!known({"operandSegmentSizes", "descending", "sort_axis"}) || !read_segments(3)) return false;
  const auto axis = integer_of("sort_axis", -1);
  const auto descending = bool_of("descending", false);
  if (!axis || *axis < -1 || *axis >= kMaxRank || !descending) return fail("attributes");
  if (segments_[0].count != 1 || segments_[1].count != 1) return fail("sort with indices");
  site_.operation.axis = static_cast<int8_t>(*axis);
  site_.operation.descending = *descending;
  return add_input(0) && add_output(1) && add_temps(segments_[2]) && emit_site();
}

// --- data movement ----------------------------------------------------------------------------

bool HivmDecoder::read_load() {
  if (!known({"operandSegmentSizes", "pad_mode", "init_out_buffer", "tcoretype",
              "may_implicit_transpose_with_last_axis", "eviction_policy"})) {
    return false;
  }
  if (!require_bool("init_out_buffer", false) ||
      !require_bool("may_implicit_transpose_with_last_axis", false) || !read_segments(6)) {
    return false;
  }
  const std::string_view mode = enum_of("pad_mode", "PadNull");
  if (mode != "PadNull" && mode != "PadValue") return fail("unknown pad mode");
  if (segments_[5].count != 0) return fail("init condition");
  if (!add_input(segments_[0].first) || !add_output(segments_[1].first)) return false;
  const auto read_optional = [this](size_t segment, bool& present) {
    present = segments_[segment].count == 1;
    if (present) return add_scalar(segments_[segment].first);
    site_.scalars[site_.scalar_count++] = owner_.constant_slot(0);
    return true;
  };
  return read_optional(2, site_.operation.has_pad_value) &&
         read_optional(3, site_.operation.has_left_padding) &&
         read_optional(4, site_.operation.has_right_padding) && emit_site();
}

bool HivmDecoder::read_store() {
  if (!known({"atomic_kind", "may_implicit_transpose_with_last_axis"})) return false;
  if (!require_bool("may_implicit_transpose_with_last_axis", false)) return false;
  static constexpr std::pair<std::string_view, AtomicKind> kKinds[] = {
      {"none", AtomicKind::kNone}, {"add", AtomicKind::kAdd},
      {"max", AtomicKind::kMax},   {"min", AtomicKind::kMin}};
  const std::string_view kind = enum_of("atomic_kind", "none");
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const auto& entry) { return entry.first == kind; });
  if (found == std::end(kKinds)) return fail("unknown atomic kind");
  site_.operation.atomic_kind = found->second;
  return add_input(0) && add_output(1) && emit_site();
}

bool HivmDecoder::read_copy() {
  if (!known({"operandSegmentSizes", "collapse_reassociation"})) return false;
  if (op_.operands.size() != 2) return fail("padded copy");
  return add_input(0) && add_output(1) && emit_site();
}

bool HivmDecoder::read_nd2nz() {
  if (!known({"operandSegmentSizes", "dst_continuous", "init_out_buffer"})) return false;
  if (!require_bool("init_out_buffer", false) || !require_bool("dst_continuous", true)) {
    return false;
  }
  if (op_.operands.size() != 2) return fail("operands");
  return add_input(0) && add_output(1) && emit_site();
}

bool HivmDecoder::read_fixpipe() {
  if (!known({"operandSegmentSizes", "dma_mode", "pre_quant", "pre_relu", "channel_split"})) {
    return false;
  }
  if (enum_of("dma_mode", "normal") != "nz2nd") return fail("dma mode");
  if (!require_bool("channel_split", false)) return false;
  const std::string_view quant = enum_of("pre_quant", "NO_QUANT");
  if (quant != "NO_QUANT" && quant != "F322F16" && quant != "F322BF16") return fail("pre_quant");
  const std::string_view relu = enum_of("pre_relu", "NO_RELU");
  if (relu != "NO_RELU" && relu != "NORMAL_RELU") return fail("pre_relu");
  site_.operation.relu = relu == "NORMAL_RELU";
  if (op_.operands.size() != 2) return fail("operands");
  return add_input(0) && add_output(1) && emit_site();
}

// mmadL1: a, b, init, m, k, n, c, sync arguments, unit-flag conditions, bias. The sync arguments
// are: the MTE2 -> MTE1 flags to wait for before loading a and b, the MTE1 -> MTE2 flags to set
// after, a loop counter, and two M -> MTE1 flags that the library waits for and sets again, so
// they cancel out here. -1: none.
bool HivmDecoder::read_mmad() {
  if (!known({"operandSegmentSizes", "a_transpose", "b_transpose", "enable_HF32"}) ||
      !read_segments(10)) {
    return false;
  }
  for (size_t i = 0; i < 7; ++i) {
    if (segments_[i].count != 1) return fail("unexpected operand segments");
  }
  if (segments_[7].count != 0 && segments_[7].count != 7) return fail("sync arguments");
  if (segments_[8].count != 0) return fail("unit flag");
  if (segments_[9].count != 0) return fail("bias");
  const auto transpose_a = bool_of("a_transpose", false);
  const auto transpose_b = bool_of("b_transpose", false);
  const auto hf32 = bool_of("enable_HF32", false);
  if (!transpose_a || !transpose_b || !hf32) return fail("attributes");
  site_.operation.hf32 = *hf32;
  if (!add_scalar(3) || !add_scalar(4) || !add_scalar(5) || !add_scalar(2)) return false;

  int32_t events[4] = {-1, -1, -1, -1};
  for (size_t i = 0; segments_[7].count == 7 && i < 4; ++i) {
    const auto slot = owner_.scalar_slot(op_, segments_[7].first + i);
    if (!slot) return false;
    events[i] = *slot;
  }
  return emit_flag(Opcode::kWaitFlag, Pipe::kMte2, Pipe::kMte1, events[0]) &&
         emit_l0_load(Opcode::kL0LoadA, 0, *transpose_a) &&
         emit_flag(Opcode::kSetFlag, Pipe::kMte1, Pipe::kMte2, events[2]) &&
         emit_flag(Opcode::kWaitFlag, Pipe::kMte2, Pipe::kMte1, events[1]) &&
         emit_l0_load(Opcode::kL0LoadB, 1, *transpose_b) &&
         emit_flag(Opcode::kSetFlag, Pipe::kMte1, Pipe::kMte2, events[3]) && add_output(6) &&
         emit_site();
}

bool HivmDecoder::emit_flag(Opcode opcode, Pipe set_pipe, Pipe wait_pipe, int32_t event_slot) {
  if (event_slot < 0) return true;
  const IssueSite macro = site_;
  site_ = IssueSite();
  site_.operation.opcode = opcode;
  site_.operation.line = op_.line;
  site_.operation.set_pipe = set_pipe;
  site_.operation.wait_pipe = wait_pipe;
  site_.operation.pipe = opcode == Opcode::kSetFlag ? set_pipe : wait_pipe;
  site_.event_slot = event_slot;
  site_.condition_slot = event_slot;
  site_.skipped_when = -1;
  const bool emitted = emit_site();
  site_ = macro;
  return emitted;
}

bool HivmDecoder::emit_l0_load(Opcode opcode, size_t operand, bool transposed) {
  const IssueSite macro = site_;
  site_.operation.opcode = opcode;
  site_.operation.pipe = Pipe::kMte1;
  site_.operation.transposed = transposed;
  const bool emitted = add_input(operand) && emit_site();
  site_ = macro;
  return emitted;
}

}  // namespace npu::machine
