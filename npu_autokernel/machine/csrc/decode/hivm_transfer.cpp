// Data movement, and the cube macro as the instructions the library runs for it.
#include "decode/hivm_decoder.h"

namespace npu::machine {

// may_implicit_transpose_with_last_axis tells passes of the compiler that the last axis may be
// strided in GM. What is moved, element by element, does not depend on it.
bool HivmDecoder::read_load() {
  if (!known({"operandSegmentSizes", "pad_mode", "init_out_buffer", "tcoretype",
              "may_implicit_transpose_with_last_axis", "eviction_policy"})) {
    return false;
  }
  if (!require_bool("init_out_buffer", false) || !read_segments(6)) return false;
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
  static constexpr std::pair<std::string_view, AtomicKind> kKinds[] = {
      {"none", AtomicKind::kNone}, {"add", AtomicKind::kAdd},
      {"max", AtomicKind::kMax},   {"min", AtomicKind::kMin}};
  const std::string_view kind = enum_of("atomic_kind", "none");
  const auto* found = find_named(kKinds, kind);
  if (!found) return fail("unknown atomic kind");
  site_.operation.atomic_kind = *found;
  return add_input(0) && add_output(1) && emit_site();
}

bool HivmDecoder::read_copy() {
  if (!known({"operandSegmentSizes", "collapse_reassociation"})) return false;
  if (op_.operands.size() != 2) return fail("padded copy");
  const auto target = mlir::read_memref_type(op_.operand_types[1]);
  // Only the 950 has a path from UB to L1. What it makes of a part of a buffer is not known: in
  // dumps that do so, rows end up where fractals are read.
  if (target && target->space == MemorySpace::kL1) {
    if (target->has_layout) return fail("a part of a buffer in L1");
    site_.operation.pipe = Pipe::kMte3;
  }
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
  if (!known({"operandSegmentSizes", "dma_mode", "pre_quant", "pre_relu", "channel_split",
              "unit_flag_mode", "dual_dst_mode"}) ||
      !read_segments(4)) {
    return false;
  }
  if (enum_of("dma_mode", "normal") != "nz2nd") return fail("dma mode");
  if (!require_bool("channel_split", false)) return false;
  static constexpr std::pair<std::string_view, ElementType> kRounding[] = {
      {"NO_QUANT", ElementType::kF32},
      {"F322F16", ElementType::kF16},
      {"F322BF16", ElementType::kBf16}};
  const auto* rounding = find_named(kRounding, enum_of("pre_quant", "NO_QUANT"));
  if (!rounding) return fail("pre_quant");
  const std::string_view halves = enum_of("dual_dst_mode", "NO_DUAL");
  site_.operation.splits_rows = halves == "ROW_SPLIT";
  site_.operation.splits_columns = halves == "COLUMN_SPLIT";
  if (halves != "NO_DUAL" && halves != "ROW_SPLIT" && halves != "COLUMN_SPLIT") {
    return fail("dual_dst_mode");
  }
  const std::string_view relu = enum_of("pre_relu", "NO_RELU");
  if (relu != "NO_RELU" && relu != "NORMAL_RELU") return fail("pre_relu");
  site_.operation.relu = relu == "NORMAL_RELU";
  if (segments_[0].count != 1 || segments_[1].count != 1 || segments_[3].count != 0) {
    return fail("operands");
  }
  // What is written tells a run how to round, so it has to be what the attribute says.
  const auto written = mlir::read_memref_type(op_.operand_types[1]);
  if (!written || (written->element != *rounding && written->element != ElementType::kI32)) {
    return fail("pre_quant of another type");
  }
  return read_unit_flag(segments_[2]) && add_input(0) && add_output(1) && emit_site();
}

// The first mode whose condition holds, disabled where none does; without conditions the one mode.
bool HivmDecoder::read_unit_flag(Segment conditions) {
  static constexpr std::pair<std::string_view, UnitFlag> kModes[] = {
      {"DISABLED", UnitFlag::kDisabled},
      {"ENABLED_WITHOUT_UPDATE", UnitFlag::kWithoutUpdate},
      {"ENABLED_WITH_UPDATE", UnitFlag::kWithUpdate}};
  const mlir::Attribute* attribute = op_.property("unit_flag_mode");
  const auto modes = attribute ? mlir::read_enum_array(attribute->value)
                               : std::vector<std::string_view>();
  if (!modes || (conditions.count == 0 ? modes->size() > 1 : modes->size() != conditions.count)) {
    return fail("unit flag modes");
  }
  const auto slot_of = [this](UnitFlag mode) {
    return owner_.constant_slot(static_cast<int64_t>(mode));
  };
  int32_t chosen = modes->empty() ? -1 : slot_of(UnitFlag::kDisabled);
  for (size_t i = modes->size(); i-- > 0;) {
    const UnitFlag* mode = find_named(kModes, (*modes)[i]);
    if (!mode) return fail("unit flag mode");
    if (conditions.count == 0) {
      chosen = slot_of(*mode);
      continue;
    }
    const auto condition = owner_.scalar_slot(op_, conditions.first + i);
    if (!condition) return false;
    const int32_t selected = owner_.new_scalar_slot();
    owner_.emit({StepKind::kSelect, 64, selected, *condition, slot_of(*mode), chosen});
    chosen = selected;
  }
  site_.unit_flag_slot = chosen;
  return true;
}

// mmadL1: a, b, init, m, k, n, c, sync arguments, unit-flag conditions, bias (one row in L1, added
// where the product clears what was in L0C). The sync arguments are: the MTE2 -> MTE1 flags to wait
// for before loading a and b, the MTE1 -> MTE2 flags to set after, a loop counter, and two
// M -> MTE1 flags that the library waits for and sets again, so they cancel out here. -1: none.
bool HivmDecoder::read_mmad() {
  if (!known({"operandSegmentSizes", "a_transpose", "b_transpose", "enable_HF32",
              "unit_flag_mode"}) ||
      !read_segments(10)) {
    return false;
  }
  for (size_t i = 0; i < 7; ++i) {
    if (segments_[i].count != 1) return fail("unexpected operand segments");
  }
  if (segments_[7].count != 0 && segments_[7].count != 7) return fail("sync arguments");
  if (segments_[9].count > 1) return fail("bias");
  site_.operation.biased = segments_[9].count == 1;
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
         (!site_.operation.biased ||
          emit_l0_load(Opcode::kLoadBias, segments_[9].first, false)) &&
         emit_l0_load(Opcode::kL0LoadB, 1, *transpose_b) &&
         emit_flag(Opcode::kSetFlag, Pipe::kMte1, Pipe::kMte2, events[3]) && add_output(6) &&
         read_unit_flag(segments_[8]) && emit_site();
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
