// Predicates, and fills by numbers, lanes and running indices.
#include <algorithm>
#include <utility>

#include "decode/ave_decoder.h"

namespace npu::machine {

bool AveDecoder::read_pattern() {
  if (!known({"pattern"}) || !define_result()) return false;
  if (site_.type != ElementType::kI1) return fail("expected a predicate");
  const std::string_view name = enum_of("pattern");
  const int lanes = site_.lanes;
  const std::pair<std::string_view, int> kPatterns[] = {
      {"ALL", lanes}, {"ALLF", 0},  {"H", lanes / 2}, {"Q", lanes / 4}, {"VL1", 1},
      {"VL2", 2},     {"VL3", 3},   {"VL4", 4},       {"VL8", 8},       {"VL16", 16},
      {"VL32", 32},   {"VL64", 64}, {"VL128", 128}};
  for (const auto& [known_name, count] : kPatterns) {
    if (known_name != name) continue;
    site_.count = static_cast<int16_t>(std::min(count, lanes));
    return true;
  }
  return fail("unknown pattern " + std::string(name));
}

// plt: lane i if i < number. Its second result, what is left, is not bound: a use of it is a fault.
// pltm: lane i if i + number < number2.
bool AveDecoder::read_first_lanes() {
  const bool has_offset = op_.operands.size() == 2;
  if (!known({}) || op_.operands.empty() || op_.operands.size() > 2 || !define_result()) {
    return fail("malformed");
  }
  return site_.type == ElementType::kI1 ? take_number(0, site_.number) &&
                                              (!has_offset || take_number(1, site_.number2))
                                        : fail("expected a predicate");
}

bool AveDecoder::read_predicate_logic() {
  const size_t sources = site_.op == RegisterOp::kPredicateNot ? 1 : 2;
  if (!known({"masked_type"}) || !define_result()) return false;
  if (op_.operands.size() != sources + 1) return fail("malformed");
  return site_.type == ElementType::kI1 && take_sources(0, sources) &&
         take_predicate(sources, site_.mask);
}

bool AveDecoder::read_broadcast() {
  return known({}) && define_result() && take_number(0, site_.number) &&
         take_predicate(1, site_.mask);
}

bool AveDecoder::read_broadcast_all() {
  return known({}) && op_.operands.size() == 1 && define_result() && take_number(0, site_.number);
}

bool AveDecoder::read_broadcast_lane() {
  const mlir::Attribute* low = op_.property("low");
  if (!known({"low"}) || !low || mlir::read_bool(low->value) != true) {
    return fail("a broadcast that is not of the lowest lane");
  }
  return define_result() && take_vector(0, site_.sources[0]) && take_predicate(1, site_.mask);
}

bool AveDecoder::read_index() {
  const std::string_view direction = enum_of("increase_p");
  if (!known({"increase_p"}) || (direction != "INCREASE" && direction != "DECREASE")) {
    return fail("unknown direction");
  }
  site_.is_falling = direction == "DECREASE";
  return define_result() && site_.type != ElementType::kI1 && take_number(0, site_.number);
}

}  // namespace npu::machine
