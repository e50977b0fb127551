#include "decode/ave_decoder.h"

#include <algorithm>
#include <utility>

namespace npu::machine {
namespace {

constexpr uint8_t kernel_of(UnaryKernel kernel) { return static_cast<uint8_t>(kernel); }
constexpr uint8_t kernel_of(BinaryKernel kernel) { return static_cast<uint8_t>(kernel); }

}  // namespace

const AveDecoder::Entry AveDecoder::kEntries[] = {
    // Predicates.
    {"pge", RegisterOp::kPattern, &AveDecoder::read_pattern},
    {"plt", RegisterOp::kFirstLanes, &AveDecoder::read_first_lanes},
    {"pltm", RegisterOp::kFirstLanes, &AveDecoder::read_first_lanes},
    {"preg.and", RegisterOp::kPredicateLogic, &AveDecoder::read_predicate_logic,
     kernel_of(BinaryKernel::kAnd)},
    {"preg.or", RegisterOp::kPredicateLogic, &AveDecoder::read_predicate_logic,
     kernel_of(BinaryKernel::kOr)},
    {"preg.xor", RegisterOp::kPredicateLogic, &AveDecoder::read_predicate_logic,
     kernel_of(BinaryKernel::kXor)},
    {"preg.not", RegisterOp::kPredicateNot, &AveDecoder::read_predicate_logic},
    // Memory.
    {"vload", RegisterOp::kLoad, &AveDecoder::read_load},
    {"masked_store", RegisterOp::kStore, &AveDecoder::read_store},
    {"vgather", RegisterOp::kGather, &AveDecoder::read_gather},
    // Fills.
    {"broadcast", RegisterOp::kBroadcast, &AveDecoder::read_broadcast},
    {"scalar_broadcast", RegisterOp::kBroadcast, &AveDecoder::read_broadcast_all},
    {"vector_broadcast", RegisterOp::kBroadcastLane, &AveDecoder::read_broadcast_lane},
    {"vci", RegisterOp::kIndex, &AveDecoder::read_index},
    // One vector.
    {"vabs", RegisterOp::kUnary, &AveDecoder::read_elementwise, kernel_of(UnaryKernel::kAbs)},
    {"vrelu", RegisterOp::kUnary, &AveDecoder::read_elementwise, kernel_of(UnaryKernel::kRelu)},
    {"vnot", RegisterOp::kUnary, &AveDecoder::read_integers, kernel_of(UnaryKernel::kNot)},
    {"vexp", RegisterOp::kUnary, &AveDecoder::read_floats, kernel_of(UnaryKernel::kExp)},
    {"vln", RegisterOp::kUnary, &AveDecoder::read_floats, kernel_of(UnaryKernel::kLn)},
    {"vsqrt", RegisterOp::kUnary, &AveDecoder::read_floats, kernel_of(UnaryKernel::kSqrt)},
    {"vtrc", RegisterOp::kUnary, &AveDecoder::read_rounding},
    // Two vectors.
    {"vadd", RegisterOp::kBinary, &AveDecoder::read_elementwise, kernel_of(BinaryKernel::kAdd)},
    {"vsub", RegisterOp::kBinary, &AveDecoder::read_elementwise, kernel_of(BinaryKernel::kSub)},
    {"vmul", RegisterOp::kBinary, &AveDecoder::read_elementwise, kernel_of(BinaryKernel::kMul)},
    {"vmax", RegisterOp::kBinary, &AveDecoder::read_elementwise, kernel_of(BinaryKernel::kMax)},
    {"vmin", RegisterOp::kBinary, &AveDecoder::read_elementwise, kernel_of(BinaryKernel::kMin)},
    {"vsmax", RegisterOp::kBinary, &AveDecoder::read_integers, kernel_of(BinaryKernel::kMax)},
    {"vsmin", RegisterOp::kBinary, &AveDecoder::read_integers, kernel_of(BinaryKernel::kMin)},
    {"vand", RegisterOp::kBinary, &AveDecoder::read_integers, kernel_of(BinaryKernel::kAnd)},
    {"vor", RegisterOp::kBinary, &AveDecoder::read_integers, kernel_of(BinaryKernel::kOr)},
    {"vxor", RegisterOp::kBinary, &AveDecoder::read_integers, kernel_of(BinaryKernel::kXor)},
    {"vdiv", RegisterOp::kBinary, &AveDecoder::read_elementwise, kernel_of(BinaryKernel::kDiv)},
    {"vdivfhp", RegisterOp::kBinary, &AveDecoder::read_single_floats,
     kernel_of(BinaryKernel::kDiv)},
    {"vmod", RegisterOp::kRemainder, &AveDecoder::read_integers},
    {"vexpdif", RegisterOp::kExpOfDifference, &AveDecoder::read_single_floats},
    {"mull", RegisterOp::kMultiplyWide, &AveDecoder::read_wide_product},
    {"vintlv", RegisterOp::kInterleave, &AveDecoder::read_shuffle},
    {"vdintlv", RegisterOp::kDeinterleave, &AveDecoder::read_shuffle},
    // Three vectors.
    {"vmula", RegisterOp::kMultiplyAdd, &AveDecoder::read_single_floats},
    // A vector and a number.
    {"vadds", RegisterOp::kBinaryNumber, &AveDecoder::read_with_number,
     kernel_of(BinaryKernel::kAdd)},
    {"vmuls", RegisterOp::kBinaryNumber, &AveDecoder::read_with_number,
     kernel_of(BinaryKernel::kMul)},
    {"vmaxs", RegisterOp::kBinaryNumber, &AveDecoder::read_with_number,
     kernel_of(BinaryKernel::kMax)},
    {"vmins", RegisterOp::kBinaryNumber, &AveDecoder::read_with_number,
     kernel_of(BinaryKernel::kMin)},
    {"vsmaxs", RegisterOp::kBinaryNumber, &AveDecoder::read_with_number,
     kernel_of(BinaryKernel::kMax)},
    {"vsmins", RegisterOp::kBinaryNumber, &AveDecoder::read_with_number,
     kernel_of(BinaryKernel::kMin)},
    {"vshls", RegisterOp::kBinaryNumber, &AveDecoder::read_shift, kernel_of(BinaryKernel::kShl)},
    {"vshrs", RegisterOp::kShiftRight, &AveDecoder::read_shift},
    // The rest.
    {"vcmp", RegisterOp::kCompare, &AveDecoder::read_compare},
    {"vsel", RegisterOp::kSelect, &AveDecoder::read_select},
    {"reduction", RegisterOp::kReduce, &AveDecoder::read_reduce},
    {"vextf", RegisterOp::kCast, &AveDecoder::read_cast},
    {"vextsi", RegisterOp::kCast, &AveDecoder::read_cast},
    {"vextui", RegisterOp::kCast, &AveDecoder::read_cast},
    {"vtruncf", RegisterOp::kCast, &AveDecoder::read_cast},
    {"vtrunci", RegisterOp::kCast, &AveDecoder::read_cast},
    {"vfptosi", RegisterOp::kCast, &AveDecoder::read_cast},
    {"vsitofp", RegisterOp::kCast, &AveDecoder::read_cast},
    {"vuitofp", RegisterOp::kCast, &AveDecoder::read_cast},
};

bool FunctionDecoder::decode_ave(const mlir::Op& op, std::string_view name) {
  if (!is_vector_function_) return unsupported(op, "outside of a vector function");
  return AveDecoder(*this, op).decode(name);
}

bool AveDecoder::decode(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name != name) continue;
    site_.op = entry.op;
    site_.kernel = entry.kernel;
    site_.line = op_.line;
    return read_lanes() && (this->*entry.read)() && emit();
  }
  return fail("unknown op");
}

// The width of a lane is an annotation, as are hints for the compiler's last step.
bool AveDecoder::read_lanes() {
  for (const mlir::Attribute& annotation : op_.attributes) {
    static constexpr std::string_view kKnown[] = {
        "element_alignment_bit_width", "functionType",            "mask_op_idx",
        "hivm.is_continuous",          "ave.unaligned_ub_access", "reductionOp"};
    if (std::find(std::begin(kKnown), std::end(kKnown), annotation.name) == std::end(kKnown)) {
      return fail("unknown annotation " + std::string(annotation.name));
    }
  }
  const mlir::Attribute* width = op_.annotation("element_alignment_bit_width");
  const auto bits = width ? mlir::read_integer(width->value) : std::nullopt;
  if (!bits || (*bits != 8 && *bits != 16 && *bits != 32)) return fail("unknown width of a lane");
  lane_bits_ = static_cast<uint8_t>(*bits);
  site_.lanes = static_cast<int16_t>(kRegisterBits / *bits);
  if (const mlir::Attribute* layout = op_.annotation("functionType")) {
    static constexpr std::string_view kKnown[] = {"norm", "pk",   "pk4",  "even",
                                                  "pb8",  "pb16", "pb32", "none"};
    const std::string_view name = mlir::read_enum(layout->value);
    if (std::find(std::begin(kKnown), std::end(kKnown), name) == std::end(kKnown)) {
      return fail("unknown layout " + std::string(name));
    }
  }
  return true;
}

bool AveDecoder::known(std::initializer_list<std::string_view> properties) {
  return owner_.check_properties(op_, properties);
}

// i64 lies in lanes of 32 bits, as a pair of registers.
bool AveDecoder::fits_lanes(ElementType type) const {
  if (type == ElementType::kIndex) return false;
  return type == ElementType::kI64 ? lane_bits_ == 32 : bits_of(type) <= lane_bits_;
}

std::string_view AveDecoder::enum_of(std::string_view property) {
  const mlir::Attribute* attribute = op_.property(property);
  return attribute ? mlir::read_enum(attribute->value) : std::string_view();
}

std::optional<Value> AveDecoder::take_register(size_t operand) {
  if (operand >= op_.operands.size()) {
    fail("an operand is missing");
    return std::nullopt;
  }
  const auto value = owner_.lookup(op_, op_.operands[operand]);
  if (!value) return std::nullopt;
  if (!value->is_register || value->lane_bits != lane_bits_) {
    fail("an operand does not lie in lanes of this width");
    return std::nullopt;
  }
  return value;
}

bool AveDecoder::take_vector(size_t operand, int32_t& slot) {
  const auto value = take_register(operand);
  if (!value) return false;
  if (value->type != site_.type) return fail("an operand is not of the op's type");
  slot = value->slot;
  return true;
}

bool AveDecoder::take_predicate(size_t operand, int32_t& slot) {
  const auto value = take_register(operand);
  if (!value) return false;
  if (value->type != ElementType::kI1) return fail("expected a predicate");
  slot = value->slot;
  return true;
}

bool AveDecoder::take_number(size_t operand, int32_t& slot) {
  const auto found = owner_.scalar_slot(op_, operand);
  if (!found) return false;
  slot = *found;
  return true;
}

// Vectors of the result's type, then the predicate that ends the operands.
bool AveDecoder::take_sources(size_t first, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!take_vector(first + i, site_.sources[i])) return false;
  }
  return true;
}

bool AveDecoder::define_result(size_t result) {
  if (result >= op_.results.size()) return fail("a result is missing");
  const auto type = mlir::read_vector_type(op_.result_types[result]);
  if (!type || !fits_lanes(type->element) || type->lanes > site_.lanes) {
    return fail("a result that does not fit its lanes");
  }
  Value value = owner_.new_value(op_.result_types[result]);
  value.lane_bits = lane_bits_;
  const bool is_pack = op_.results.size() > 1;
  owner_.bind(std::string(op_.results[result]) + (is_pack ? "#" + std::to_string(result) : ""),
              value);
  (result == 0 ? site_.dst : site_.dst2) = value.slot;
  site_.type = type->element;
  return true;
}

bool AveDecoder::emit() {
  owner_.function_.register_sites.push_back(site_);
  owner_.emit({StepKind::kRegister, 64, 0,
               static_cast<int32_t>(owner_.function_.register_sites.size()) - 1});
  return true;
}

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

// Operands: the vectors, then the predicate. Integer division is another op than that of floats.
bool AveDecoder::read_elementwise() {
  if (!known({"cast"}) || op_.operands.size() < 2 || op_.operands.size() > 4) {
    return fail("malformed");
  }
  if (op_.property("cast") && enum_of("cast") != "cast_signed") return fail("unsigned operands");
  if (!define_result()) return false;
  const bool divides =
      site_.op == RegisterOp::kBinary && site_.kernel == kernel_of(BinaryKernel::kDiv);
  if (divides && !is_float(site_.type)) site_.op = RegisterOp::kDivide;
  const auto& unary = kernels().unary;
  const auto& binary = kernels().binary;
  const int type = static_cast<int>(site_.type);
  const bool exists = site_.op == RegisterOp::kUnary    ? unary[site_.kernel][type] != nullptr
                      : site_.op == RegisterOp::kBinary ? binary[site_.kernel][type] != nullptr
                                                        : true;
  if (site_.type == ElementType::kI1 || !exists) return fail("not defined for this type");
  const size_t expected = site_.op == RegisterOp::kUnary         ? 1
                          : site_.op == RegisterOp::kMultiplyAdd ? 3
                                                                 : 2;
  const size_t count = op_.operands.size() - 1;
  if (count != expected) return fail("wrong number of operands");
  return take_sources(0, count) && take_predicate(count, site_.mask);
}

bool AveDecoder::read_integers() {
  return read_elementwise() && (!is_float(site_.type) || fail("not defined for floats"));
}

bool AveDecoder::read_floats() {
  return read_elementwise() && (is_float(site_.type) || fail("not defined for integers"));
}

bool AveDecoder::read_single_floats() {
  return read_elementwise() && (site_.type == ElementType::kF32 || fail("defined for f32 only"));
}

bool AveDecoder::read_with_number() {
  if (!known({}) || op_.operands.size() != 3 || !define_result()) return fail("malformed");
  if (site_.type == ElementType::kI1) return fail("not defined for this type");
  return take_vector(0, site_.sources[0]) && take_number(1, site_.number) &&
         take_predicate(2, site_.mask);
}

// vector, amount, predicate, arithmetic (for right shifts)
bool AveDecoder::read_shift() {
  if (!known({}) || op_.operands.size() != 4 || !define_result()) return fail("malformed");
  if (is_float(site_.type) || site_.type == ElementType::kI1) return fail("shift of a float");
  return take_vector(0, site_.sources[0]) && take_number(1, site_.number) &&
         take_predicate(2, site_.mask) && take_number(3, site_.number2);
}

bool AveDecoder::read_compare() {
  static constexpr std::pair<std::string_view, CompareKernel> kKinds[] = {
      {"EQ", CompareKernel::kEq}, {"NE", CompareKernel::kNe}, {"GT", CompareKernel::kGt},
      {"GE", CompareKernel::kGe}, {"LT", CompareKernel::kLt}, {"LE", CompareKernel::kLe}};
  if (!known({"cmp"}) || op_.operands.size() != 3 || !define_result()) return fail("malformed");
  const std::string_view name = enum_of("cmp");
  const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const auto& entry) { return entry.first == name; });
  if (kind == std::end(kKinds)) return fail("unknown comparison " + std::string(name));
  site_.kernel = static_cast<uint8_t>(kind->second);
  const auto left = take_register(0);
  if (!left) return false;
  if (site_.type != ElementType::kI1 || left->type == ElementType::kI1) {
    return fail("not defined for this type");
  }
  site_.type = site_.source_type = left->type;
  return take_sources(0, 2) && take_predicate(2, site_.mask);
}

bool AveDecoder::read_select() {
  if (!known({}) || op_.operands.size() != 3 || !define_result()) return fail("malformed");
  if (site_.type == ElementType::kI1) return fail("not defined for predicates");
  return take_predicate(0, site_.sources[0]) && take_vector(1, site_.sources[1]) &&
         take_vector(2, site_.sources[2]);
}

// Narrow integers are summed in a wider type and cut, which has not been seen yet.
bool AveDecoder::read_reduce() {
  static constexpr std::pair<std::string_view, BinaryKernel> kKinds[] = {
      {"add", BinaryKernel::kAdd}, {"max", BinaryKernel::kMax}, {"min", BinaryKernel::kMin}};
  if (!known({"kind"}) || op_.operands.size() != 2 || !define_result()) return fail("malformed");
  const std::string_view name = enum_of("kind");
  const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const auto& entry) { return entry.first == name; });
  if (kind == std::end(kKinds)) return fail("unknown reduction " + std::string(name));
  if (site_.type != ElementType::kF32 && site_.type != ElementType::kI32) {
    return fail("not defined for this type");
  }
  site_.kernel = kernel_of(kind->second);
  return take_vector(0, site_.sources[0]) && take_predicate(1, site_.mask);
}

bool AveDecoder::read_wide_product() {
  if (!known({"cast"}) || op_.operands.size() != 3 || op_.results.size() != 2) {
    return fail("malformed");
  }
  const std::string_view sign = op_.property("cast") ? enum_of("cast") : "cast_signed";
  if (sign != "cast_signed" && sign != "cast_unsigned") return fail("unknown cast");
  site_.is_unsigned = sign == "cast_unsigned";
  if (!define_result(0) || !define_result(1)) return false;
  if (site_.type != ElementType::kI32) return fail("not defined for this type");
  return take_sources(0, 2) && take_predicate(2, site_.mask);
}

// Halves of two registers, element by element: only where elements fill their lanes.
bool AveDecoder::read_shuffle() {
  if (!known({"layout_change"}) || op_.operands.size() != 2 || op_.results.size() != 2) {
    return fail("malformed");
  }
  const mlir::Attribute* change = op_.property("layout_change");
  if (change && change->value.find("UNCHANGED") == std::string_view::npos) {
    return fail("a shuffle that changes the lanes");
  }
  if (!define_result(0) || !define_result(1)) return false;
  if (bits_of(site_.type) != lane_bits_) return fail("elements that do not fill their lanes");
  return take_sources(0, 2);
}

}  // namespace npu::machine
