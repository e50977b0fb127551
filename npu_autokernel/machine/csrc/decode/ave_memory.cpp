// Loads, stores and gathers between UB and vector registers.
//
// A pattern says how elements in memory, always side by side, go to lanes: NORM as they are, UNPK
// and PK between narrow elements and wider lanes, BRC one element to all lanes, ONEPT one lane.
#include <utility>

#include "decode/ave_decoder.h"

namespace npu::machine {
namespace {

struct Pattern {
  std::string_view name;
  int element_bits;
  int lane_bits;  // 0: any
  bool is_single = false;
};

constexpr Pattern kLoads[] = {
    {"NORM", 8, 8},         {"NORM", 16, 16},       {"NORM", 32, 32},
    {"NORM", 64, 32},       {"NORM", 1, 0},         {"UNPK_B8", 8, 16},
    {"UNPK_B16", 16, 32},   {"UNPK4_B8", 8, 32},    {"BRC_B8", 8, 0, true},
    {"BRC_B16", 16, 0, true}, {"BRC_B32", 32, 0, true}};

constexpr Pattern kStores[] = {
    {"NORM_B8", 8, 8},      {"NORM_B16", 16, 16},     {"NORM_B32", 32, 32},
    {"NORM_B64", 64, 32},   {"NORM_B8", 1, 0},        {"PK_B16", 8, 16},
    {"PK_B32", 16, 32},     {"PK4_B32", 8, 32},       {"ONEPT_B8", 8, 0, true},
    {"ONEPT_B16", 16, 0, true}, {"ONEPT_B32", 32, 0, true}};

template <size_t N>
const Pattern* find_pattern(const Pattern (&patterns)[N], std::string_view name, int element_bits,
                            int lane_bits) {
  for (const Pattern& pattern : patterns) {
    const bool fits = pattern.lane_bits == 0 || pattern.lane_bits == lane_bits;
    if (pattern.name == name && pattern.element_bits == element_bits && fits) return &pattern;
  }
  return nullptr;
}

}  // namespace

bool AveDecoder::take_memory(size_t first, size_t count) {
  const auto view = owner_.view_slot(op_, first);
  if (!view) return false;
  const auto type = mlir::read_memref_type(op_.operand_types[first]);
  if (!type || type->space != MemorySpace::kUb) return fail("expected a memref in UB");
  if (type->element != site_.type) return fail("elements of another type than the memref's");
  if (count > kMaxRank || count != type->shape.size()) return fail("wrong number of indices");
  site_.view = *view;
  site_.rank = static_cast<uint8_t>(count);
  for (size_t dim = 0; dim < count; ++dim) {
    if (!take_number(first + 1 + dim, site_.indices[dim])) return false;
  }
  return true;
}

bool AveDecoder::read_load() {
  if (!known({"pattern"}) || op_.operands.empty() || op_.results.size() != 1) {
    return fail("a load of this form");
  }
  if (!define_result()) return false;
  const std::string_view name = enum_of("pattern");
  const Pattern* pattern = find_pattern(kLoads, name, bits_of(site_.type), lane_bits_);
  if (!pattern) return fail("pattern " + std::string(name) + " for these elements and lanes");
  site_.one_lane = pattern->is_single;
  site_.is_unaligned = has("ave.unaligned_ub_access");
  return take_memory(0, op_.operands.size() - 1);
}

// base, indices, predicate, vector
bool AveDecoder::read_store() {
  const size_t count = op_.operands.size();
  if (!known({"pattern"}) || count < 3 || !op_.results.empty()) return fail("malformed");
  const auto stored = take_register(count - 1);
  if (!stored) return false;
  site_.type = stored->type;
  site_.sources[0] = stored->slot;
  const std::string_view name = enum_of("pattern");
  const Pattern* pattern = find_pattern(kStores, name, bits_of(site_.type), lane_bits_);
  if (!pattern) return fail("pattern " + std::string(name) + " for these elements and lanes");
  site_.one_lane = pattern->is_single;
  site_.is_unaligned = has("ave.unaligned_ub_access");
  site_.is_by_count = site_.is_unaligned && !site_.one_lane;
  return take_memory(0, count - 3) && take_predicate(count - 2, site_.mask);
}

// base, indices, vector of element offsets, predicate
bool AveDecoder::read_gather() {
  const size_t count = op_.operands.size();
  if (!known({}) || count < 3 || !define_result()) return fail("malformed");
  const auto offsets = take_register(count - 2);
  if (!offsets) return false;
  const bool fills_lanes = bits_of(site_.type) == lane_bits_;
  const ElementType wanted = lane_bits_ == 32 ? ElementType::kI32 : ElementType::kI16;
  if (!fills_lanes || lane_bits_ == 8 || offsets->type != wanted) {
    return fail("a gather of these elements");
  }
  site_.sources[0] = offsets->slot;
  return take_memory(0, count - 3) && take_predicate(count - 1, site_.mask);
}

}  // namespace npu::machine
