// Conversions between element types, lane by lane, and rounding to whole numbers.
//
// The chip converts between the elements at the even (part_even) or first (pp0) place of each lane;
// with elements of the source and of the result both in such lanes that is one to one.
#include <utility>

#include "decode/ave_decoder.h"

namespace npu::machine {
namespace {

const RoundMode* find_round_mode(std::string_view name) {
  static constexpr std::pair<std::string_view, RoundMode> kModes[] = {
      {"rint", RoundMode::kRint},   {"round", RoundMode::kRound},
      {"floor", RoundMode::kFloor}, {"ceil", RoundMode::kCeil},
      {"trunc", RoundMode::kTrunc}, {"truncwithoverflow", RoundMode::kTrunc}};
  for (const auto& entry : kModes) {
    if (entry.first == name) return &entry.second;
  }
  return nullptr;
}

struct Conversion {
  std::string_view name;
  bool from_float;
  bool to_float;
  bool widens;
  bool is_unsigned;
};

constexpr Conversion kConversions[] = {
    {"vextf", true, true, true, false},     {"vtruncf", true, true, false, false},
    {"vextsi", false, false, true, false},  {"vextui", false, false, true, true},
    {"vtrunci", false, false, false, false}, {"vfptosi", true, false, false, false},
    {"vsitofp", false, true, false, false}, {"vuitofp", false, true, false, true}};

}  // namespace

bool AveDecoder::read_cast() {
  if (!known({"part", "pp", "rnd", "sat", "uni"}) || op_.operands.size() != 2) {
    return fail("malformed");
  }
  if (!define_result()) return false;
  const auto source = take_register(0);
  if (!source) return false;
  site_.sources[0] = source->slot;
  site_.source_type = source->type;
  if (op_.property("part") && enum_of("part") != "part_even") return fail("an odd part");
  if (op_.property("pp") && enum_of("pp") != "pp0") return fail("a part that is not the first");
  const std::string_view name = op_.name.substr(std::string_view("ave.hir.").size());
  for (const Conversion& conversion : kConversions) {
    if (conversion.name != name) continue;
    const ElementType from = site_.source_type, to = site_.type;
    const bool is_bool = from == ElementType::kI1 || to == ElementType::kI1;
    const int change = bits_of(to) - bits_of(from);
    const bool is_resize = conversion.from_float == conversion.to_float;
    const bool resizes = is_resize ? (conversion.widens ? change > 0 : change < 0) : true;
    if (is_bool || is_float(from) != conversion.from_float ||
        is_float(to) != conversion.to_float || !resizes) {
      return fail("a conversion between these types");
    }
    site_.is_unsigned = conversion.is_unsigned;
  }
  if (op_.property("rnd")) {
    const RoundMode* mode = find_round_mode(enum_of("rnd"));
    if (!mode) return fail("unknown round mode");
    site_.round_mode = *mode;
  } else if (is_float(site_.source_type) && !is_float(site_.type)) {
    return fail("no round mode");
  }
  const mlir::Attribute* saturates = op_.property("sat");
  const auto sat = saturates ? mlir::read_bool(saturates->value) : std::optional(false);
  if (!sat) return fail("unreadable saturation");
  // Without saturation a float becomes an infinity, and an integer keeps its low bits.
  if (is_float(site_.type) || !is_float(site_.source_type)) {
    if (*sat) return fail("a saturating conversion");
  } else if (!*sat) {
    site_.round_mode = site_.round_mode == RoundMode::kTrunc ? RoundMode::kTruncWithOverflow
                                                             : site_.round_mode;
    if (site_.round_mode != RoundMode::kTruncWithOverflow) return fail("wraps and rounds");
  }
  const bool from_integer_rounds = !is_float(site_.source_type) && is_float(site_.type) &&
                                   site_.round_mode != RoundMode::kRint &&
                                   site_.round_mode != RoundMode::kTrunc;
  if (from_integer_rounds) return fail("this rounding of an integer");
  return take_predicate(1, site_.mask);
}

bool AveDecoder::read_rounding() {
  if (!known({"rnd"}) || op_.operands.size() != 2 || !define_result()) return fail("malformed");
  static constexpr std::pair<std::string_view, UnaryKernel> kKernels[] = {
      {"rint", UnaryKernel::kRint},   {"round", UnaryKernel::kRound},
      {"floor", UnaryKernel::kFloor}, {"ceil", UnaryKernel::kCeil},
      {"trunc", UnaryKernel::kTrunc}};
  if (!is_float(site_.type)) return fail("rounding of integers");
  const std::string_view name = enum_of("rnd");
  for (const auto& [known_name, kernel] : kKernels) {
    if (known_name != name) continue;
    site_.kernel = static_cast<uint8_t>(kernel);
    return take_vector(0, site_.sources[0]) && take_predicate(1, site_.mask);
  }
  return fail("unknown round mode");
}

}  // namespace npu::machine
