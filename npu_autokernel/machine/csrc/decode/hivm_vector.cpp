// Vector ops.
#include "decode/hivm_decoder.h"

namespace npu::machine {

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
    const auto* found = find_named(kModes, mode);
    if (!found) return fail("unknown round mode");
    operation.round_mode = *found;
    const std::string_view sign = enum_of("cast", "cast_signed");
    if (sign != "cast_signed" && sign != "cast_unsigned") return fail("unknown cast");
    operation.cast_unsigned = sign == "cast_unsigned";
  }
  if (operation.opcode == Opcode::kVcmp) {
    static constexpr std::pair<std::string_view, CompareMode> kModes[] = {
        {"eq", CompareMode::kEq}, {"ne", CompareMode::kNe}, {"lt", CompareMode::kLt},
        {"gt", CompareMode::kGt}, {"ge", CompareMode::kGe}, {"le", CompareMode::kLe}};
    const std::string_view mode = enum_of("compare_mode", "eq");
    const auto* found = find_named(kModes, mode);
    if (!found) return fail("unknown compare mode");
    operation.compare_mode = *found;
  }
  return emit_site();
}

// The library squares the base and shifts the exponent where they are: both count as temporaries.
bool HivmDecoder::read_power() {
  if (!known({"operandSegmentSizes", "broadcast", "transpose"}) || !require_empty("broadcast") ||
      !require_empty("transpose") || !read_segments(3)) {
    return false;
  }
  if (segments_[0].count != 2 || segments_[1].count != 1) return fail("operand segments");
  if (!add_input(0) || !add_input(1) || !add_output(segments_[1].first)) return false;
  return add_temps(segments_[0]) && add_temps(segments_[2]) && emit_site();
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
      {"max_with_index_right", ReduceKind::kMaxIndex},
      {"min_with_index_right", ReduceKind::kMinIndex},
      {"xori", ReduceKind::kXor},
      {"ori", ReduceKind::kOr},
      {"andi", ReduceKind::kAnd}};
  const std::string_view kind = enum_of("arith", "");
  const auto* found = find_named(kKinds, kind);
  if (!found) return fail("unknown reduction");
  site_.operation.reduce_kind = *found;
  site_.operation.last_of_ties = kind.size() > 6 && kind.substr(kind.size() - 6) == "_right";
  if (!require_bool("unsigned_src", false) || !require_bool("tie_break_left", true) ||
      !read_dims("reduce_dims") || !read_segments(4)) {
    return false;
  }
  const bool with_index = *found == ReduceKind::kMaxIndex ||
                          *found == ReduceKind::kMinIndex;
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

bool HivmDecoder::read_scan() {
  if (!known({"cum_dims", "reverse"}) || !read_dims("cum_dims")) return false;
  const auto reversed = bool_of("reverse", false);
  const size_t temps = op_.operands.size() - 2;  // the 950's library has one
  if (!reversed || site_.operation.dim_count != 1 || op_.operands.size() < 2 || temps > 1) {
    return fail("unexpected scan");
  }
  site_.operation.reversed = *reversed;
  site_.operation.reduce_kind =
      op_.name == "hivm.hir.vcumprod" ? ReduceKind::kProd : ReduceKind::kSum;
  return add_input(0) && add_output(1) && add_temps({2, temps}) && emit_site();
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

}  // namespace npu::machine
