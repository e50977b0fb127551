// Arithmetic, comparison, selection, reduction and shuffles.
#include <algorithm>
#include <utility>

#include "decode/ave_decoder.h"

namespace npu::machine {
namespace {

constexpr uint8_t kernel_of(BinaryKernel kernel) { return static_cast<uint8_t>(kernel); }

}  // namespace

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

// vector, amount (a number, or of vshr a vector), predicate, arithmetic (for right shifts)
bool AveDecoder::read_shift() {
  if (!known({}) || op_.operands.size() != 4 || !define_result()) return fail("malformed");
  if (is_float(site_.type) || site_.type == ElementType::kI1) return fail("shift of a float");
  const bool by_vector = op_.name == "ave.hir.vshr";
  return take_vector(0, site_.sources[0]) &&
         (by_vector ? take_vector(1, site_.sources[1]) : take_number(1, site_.number)) &&
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
