// Flags, barriers, cross-core flags, locks, and the facts about a core's place.
#include "decode/hivm_decoder.h"

namespace npu::machine {

// The 950 keeps modes of its conversions in control bits. Kernels set bit 60 to false, so that each
// conversion says itself whether it saturates, and bit 48 to true, so that conversions to a wider
// range do not; at their end they set bit 60 back. That is how the machine converts.
bool HivmDecoder::read_control_bit() {
  if (!known({"enable", "idx"})) return false;
  const auto enable = bool_of("enable", false);
  const auto index = integer_of("idx", -1);
  const bool is_usual = enable && index && (index == 60 || (index == 48 && *enable));
  return is_usual || fail("a control bit of unknown meaning");
}

bool HivmDecoder::read_fact() {
  if (op_.results.size() != 1) return fail("expected one result");
  const std::string_view name = op_.name.substr(std::string_view("hivm.hir.").size());
  const StepKind kind = name == "get_block_idx"       ? StepKind::kBlockIndex
                        : name == "get_sub_block_idx" ? StepKind::kSubCoreIndex
                        : name == "get_block_num"     ? StepKind::kBlockCount
                                                      : StepKind::kSubCoreCount;
  const int32_t result = owner_.define_scalar(op_, 0);
  owner_.emit({kind, 64, result});
  return result >= 0;
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

}  // namespace npu::machine
