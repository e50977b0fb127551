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
    {"vshr", RegisterOp::kShiftRight, &AveDecoder::read_shift},
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

}  // namespace npu::machine
