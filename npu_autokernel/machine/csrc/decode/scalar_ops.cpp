// arith, math and affine -> integer and float steps.
#include <algorithm>

#include "decode/affine.h"
#include "decode/function_decoder.h"

namespace npu::machine {
namespace {

struct NamedStep {
  std::string_view name;
  StepKind kind;
};

constexpr NamedStep kIntegerOps[] = {
    {"addi", StepKind::kAdd},
    {"subi", StepKind::kSub},
    {"muli", StepKind::kMul},
    {"divsi", StepKind::kDivSigned},
    {"remsi", StepKind::kRemSigned},
    {"divui", StepKind::kDivUnsigned},
    {"remui", StepKind::kRemUnsigned},
    {"floordivsi", StepKind::kFloorDiv},
    {"ceildivsi", StepKind::kCeilDiv},
    {"andi", StepKind::kAnd},
    {"ori", StepKind::kOr},
    {"xori", StepKind::kXor},
    {"shli", StepKind::kShiftLeft},
    {"shrsi", StepKind::kShiftRightSigned},
    {"shrui", StepKind::kShiftRightUnsigned},
    {"minsi", StepKind::kMinSigned},
    {"maxsi", StepKind::kMaxSigned},
    {"minui", StepKind::kMinUnsigned},
    {"maxui", StepKind::kMaxUnsigned},
};

constexpr NamedStep kFloatOps[] = {
    {"addf", StepKind::kAddFloat},         {"subf", StepKind::kSubFloat},
    {"mulf", StepKind::kMulFloat},         {"divf", StepKind::kDivFloat},
    {"remf", StepKind::kRemFloat},         {"maximumf", StepKind::kMaximumFloat},
    {"minimumf", StepKind::kMinimumFloat}, {"maxnumf", StepKind::kMaxnumFloat},
    {"minnumf", StepKind::kMinnumFloat},   {"negf", StepKind::kNegateFloat},
};

constexpr NamedStep kMathOps[] = {
    {"absf", StepKind::kAbsFloat},   {"sqrt", StepKind::kSqrtFloat},
    {"exp", StepKind::kExpFloat},    {"log", StepKind::kLogFloat},
    {"floor", StepKind::kFloorFloat}, {"ceil", StepKind::kCeilFloat},
};

template <size_t N>
std::optional<StepKind> find_step(const NamedStep (&table)[N], std::string_view name) {
  for (const NamedStep& entry : table) {
    if (entry.name == name) return entry.kind;
  }
  return std::nullopt;
}

ElementType type_of(std::string_view text) {
  return mlir::read_element_type(text).value_or(ElementType::kIndex);
}

}  // namespace

bool FunctionDecoder::decode_arith(const mlir::Op& op, std::string_view name) {
  if (op.results.empty()) return reject(op, "no result");
  if (name == "constant") return decode_constant(op);
  if (name == "select") return decode_select(op);
  if (name == "mulsi_extended") return decode_extended_multiply(op, true);
  if (name == "mului_extended") return decode_extended_multiply(op, false);
  if (!check_properties(op, {"overflowFlags", "fastmath", "predicate", "isExact"})) return false;

  const ElementType type = type_of(op.result_types[0]);
  if (const auto kind = find_step(kIntegerOps, name)) {
    const auto a = scalar_slot(op, 0), b = scalar_slot(op, 1);
    if (!a || !b || is_float(type)) return reject(op, "expected integers");
    const int32_t result = define_scalar(op, 0);
    emit({*kind, integer_width(type), result, *a, *b});
    return result >= 0;
  }
  if (const auto kind = find_step(kFloatOps, name)) {
    const bool is_unary = *kind == StepKind::kNegateFloat;
    const auto a = scalar_slot(op, 0);
    const auto b = is_unary ? a : scalar_slot(op, 1);
    if (!a || !b || !is_float(type)) return reject(op, "expected floats");
    const int32_t result = define_scalar(op, 0);
    emit({*kind, float_width(type), result, *a, *b});
    return result >= 0;
  }
  if (name == "cmpi" || name == "cmpf") {
    const auto a = scalar_slot(op, 0), b = scalar_slot(op, 1);
    const mlir::Attribute* attribute = op.property("predicate");
    const int64_t predicate =
        attribute ? mlir::read_integer(attribute->value).value_or(-1) : int64_t{-1};
    const int64_t limit = name == "cmpi" ? 9 : 15;
    if (!a || !b || predicate < 0 || predicate > limit) {
      return reject(op, "malformed comparison");
    }
    const ElementType operand = type_of(op.operand_types[0]);
    const bool is_signed_order = predicate >= 2 && predicate <= 5;
    if (name == "cmpi" && operand == ElementType::kI1 && is_signed_order) {
      return unsupported(op, "signed order of i1");
    }
    const int32_t result = define_scalar(op, 0);
    const StepKind kind = name == "cmpi" ? StepKind::kCompareInteger : StepKind::kCompareFloat;
    emit({kind, integer_width(operand), result, *a, *b, static_cast<int32_t>(predicate)});
    return result >= 0;
  }
  return decode_arith_cast(op, name);
}

bool FunctionDecoder::decode_constant(const mlir::Op& op) {
  const mlir::Attribute* attribute = op.property("value");
  const auto type = mlir::read_element_type(op.result_types[0]);
  if (!attribute || !type) return unsupported(op, "constant of this type");
  const auto value = mlir::read_constant(attribute->value, *type);
  if (!value) return reject(op, "unreadable constant");
  int32_t slot;
  if (is_float(*type)) {
    slot = new_scalar_slot();
    function_.initial_scalars[slot] = *value;
  } else {
    slot = constant_slot(value->integer);
  }
  bind(std::string(op.results[0]), {false, slot, *type, true});
  return true;
}

bool FunctionDecoder::decode_select(const mlir::Op& op) {
  if (op.operands.size() != 3) return reject(op, "select takes three operands");
  const auto condition = scalar_slot(op, 0);
  const auto if_true = lookup(op, op.operands[1]);
  const auto if_false = lookup(op, op.operands[2]);
  if (!condition || !if_true || !if_false) return false;
  const Value result = define(op, 0);
  if (result.slot < 0) return false;
  if (if_true->is_view != result.is_view || if_false->is_view != result.is_view) {
    return reject(op, "select of different kinds");
  }
  if (result.is_register || if_true->is_register || if_false->is_register) {
    return unsupported(op, "select of vector registers");
  }
  const StepKind kind = result.is_view ? StepKind::kSelectView : StepKind::kSelect;
  emit({kind, 64, result.slot, *condition, if_true->slot, if_false->slot});
  return true;
}

bool FunctionDecoder::decode_extended_multiply(const mlir::Op& op, bool is_signed) {
  const auto a = scalar_slot(op, 0), b = scalar_slot(op, 1);
  if (!a || !b || op.results.size() != 2) return reject(op, "malformed");
  const uint8_t width = integer_width(type_of(op.result_types[0]));
  const int32_t low = define_scalar(op, 0), high = define_scalar(op, 1);
  emit({StepKind::kMul, width, low, *a, *b});
  emit({is_signed ? StepKind::kMulHighSigned : StepKind::kMulHighUnsigned, width, high, *a,
        *b});
  return low >= 0 && high >= 0;
}

bool FunctionDecoder::decode_arith_cast(const mlir::Op& op, std::string_view name) {
  if (op.operands.size() != 1) return unsupported(op, "unknown op");
  const ElementType from = type_of(op.operand_types[0]);
  const ElementType to = type_of(op.result_types[0]);
  const uint8_t from_width = integer_width(from), to_width = integer_width(to);
  const auto source = scalar_slot(op, 0);
  if (!source) return false;

  StepKind kind;
  uint8_t width = to_width;
  int32_t b = 0, c = 0;
  const bool narrows = to_width <= from_width;
  if (name == "index_cast" || name == "extsi" || name == "trunci") {
    kind = from == ElementType::kI1 && to != ElementType::kI1 ? StepKind::kNegateBit
                                                              : StepKind::kSignExtend;
  } else if (name == "extui" || name == "index_castui") {
    kind = narrows ? StepKind::kSignExtend : StepKind::kZeroExtend;
    width = narrows ? to_width : from_width;
  } else if (name == "sitofp" || name == "uitofp") {
    kind = name == "sitofp" ? StepKind::kFloatOfSigned : StepKind::kFloatOfUnsigned;
    width = float_width(to);
    b = from_width;
  } else if (name == "fptosi" || name == "fptoui") {
    kind = name == "fptosi" ? StepKind::kSignedOfFloat : StepKind::kUnsignedOfFloat;
  } else if (name == "extf" || name == "truncf") {
    kind = StepKind::kConvertFloat;
    width = float_width(to);
  } else if (name == "bitcast") {
    kind = StepKind::kBitcast;
    b = static_cast<int32_t>(from);
    c = static_cast<int32_t>(to);
  } else {
    return unsupported(op, "unknown op");
  }
  const int32_t result = define_scalar(op, 0);
  emit({kind, width, result, *source, b, c});
  return result >= 0;
}

bool FunctionDecoder::decode_fma(const mlir::Op& op) {
  const ElementType type = type_of(op.result_types[0]);
  const auto a = scalar_slot(op, 0), b = scalar_slot(op, 1), c = scalar_slot(op, 2);
  if (!a || !b || !c || !is_float(type)) return reject(op, "expected floats");
  const int32_t result = define_scalar(op, 0);
  emit({StepKind::kFmaFloat, float_width(type), result, *a, *b, *c});
  return result >= 0;
}

bool FunctionDecoder::decode_math(const mlir::Op& op, std::string_view name) {
  const auto kind = find_step(kMathOps, name);
  const bool is_known = kind || name == "absi" || name == "fma";
  if (!is_known || op.results.size() != 1) return unsupported(op, "unknown op");
  if (!check_properties(op, {"fastmath"})) return false;
  if (name == "fma") return decode_fma(op);
  const ElementType type = type_of(op.result_types[0]);
  const auto source = scalar_slot(op, 0);
  if (!kind) {  // the larger of a number and its negative
    if (!source || is_float(type)) return reject(op, "expected an integer");
    const uint8_t width = integer_width(type);
    const int32_t negative = new_scalar_slot(), result = define_scalar(op, 0);
    emit({StepKind::kSub, width, negative, constant_slot(0), *source});
    emit({StepKind::kMaxSigned, width, result, *source, negative});
    return result >= 0;
  }
  if (!source || !is_float(type)) return reject(op, "expected a float");
  const int32_t result = define_scalar(op, 0);
  emit({*kind, float_width(type), result, *source});
  return result >= 0;
}

bool FunctionDecoder::decode_affine(const mlir::Op& op, std::string_view name) {
  if (name != "apply" && name != "min" && name != "max") return unsupported(op, "unknown op");
  if (!check_properties(op, {"map"}) || op.results.size() != 1) return reject(op, "malformed");
  const mlir::Attribute* map = op.property("map");
  if (!map) return reject(op, "no map");
  std::vector<int32_t> operands;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const auto slot = scalar_slot(op, i);
    if (!slot) return false;
    operands.push_back(*slot);
  }
  AffineTarget target;
  target.constant = [this](int64_t value) { return constant_slot(value); };
  target.emit_binary = [this](StepKind kind, int32_t a, int32_t b) {
    const int32_t slot = new_scalar_slot();
    emit({kind, 64, slot, a, b});
    return slot;
  };
  const auto results = lower_affine_map(map->value, operands, target);
  if (!results || results->empty()) return reject(op, "unreadable affine map");
  if (name == "apply" && results->size() != 1) return reject(op, "apply has one result");
  int32_t best = results->front();
  const StepKind fold = name == "min" ? StepKind::kMinSigned : StepKind::kMaxSigned;
  for (size_t i = 1; i < results->size(); ++i) best = target.emit_binary(fold, best, (*results)[i]);
  bind(std::string(op.results[0]), {false, best, ElementType::kIndex, false});
  return true;
}

}  // namespace npu::machine
