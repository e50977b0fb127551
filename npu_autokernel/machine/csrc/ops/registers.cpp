// Ops on vector registers: predicates, fills, arithmetic, comparison, reduction, shuffles.
//
// Every op works on all lanes that a register has; the predicate then zeroes those left out.
#include <algorithm>
#include <cmath>

#include "ops/register_context.h"
#include "scalar_arithmetic.h"

namespace npu::machine {
namespace {

int type_of(const RegisterSite& site) { return static_cast<int>(site.type); }

size_t element_bytes(ElementType type) {
  return type == ElementType::kI1 ? 1 : static_cast<size_t>(bytes_of(type));
}

void fill_lanes(const RegisterSite& site, Register& result, Scalar value) {
  const uint64_t bits = site.type == ElementType::kI1 ? static_cast<uint64_t>(value.integer & 1)
                                                      : raw_bits(value, site.type);
  const size_t width = element_bytes(site.type);
  for (int lane = 0; lane < site.lanes; ++lane) {
    std::memcpy(result.bytes + static_cast<size_t>(lane) * width, &bits, width);
  }
}

void set_first_lanes(const RegisterSite& site, const RegisterContext& run, int64_t count) {
  Register& result = run.of(site.dst);
  const auto set = static_cast<size_t>(std::clamp<int64_t>(count, 0, site.lanes));
  std::memset(result.bytes, 1, set);
  std::memset(result.bytes + set, 0, kMaxLanes - set);
  std::memset(result.known, 1, kMaxLanes);
}

bool run_first_lanes(const RegisterSite& site, const RegisterContext& run) {
  const int64_t first = run.scalars[site.number].integer;
  const int64_t count =
      site.number2 < 0 ? first : subtract(run.scalars[site.number2].integer, first);
  set_first_lanes(site, run, count);
  return true;
}

bool run_predicate_logic(const RegisterSite& site, const RegisterContext& run) {
  Register& result = run.of(site.dst);
  const Register& a = run.of(site.sources[0]);
  const bool is_not = site.op == RegisterOp::kPredicateNot;
  const Register& b = is_not ? a : run.of(site.sources[1]);
  const auto kernel = static_cast<BinaryKernel>(site.kernel);
  for (int lane = 0; lane < site.lanes; ++lane) {
    const int x = a.bytes[lane], y = b.bytes[lane];
    const int value = is_not                           ? 1 - x
                      : kernel == BinaryKernel::kAnd ? x & y
                      : kernel == BinaryKernel::kOr  ? x | y
                                                     : x ^ y;
    result.bytes[lane] = static_cast<uint8_t>(value);
  }
  finish_register(site, run, site.dst, is_not ? 1 : 2);
  return true;
}

bool run_broadcast(const RegisterSite& site, const RegisterContext& run) {
  fill_lanes(site, run.of(site.dst), run.scalars[site.number]);
  finish_register(site, run, site.dst, 0);
  return true;
}

bool run_broadcast_lane(const RegisterSite& site, const RegisterContext& run) {
  const Register source = run.of(site.sources[0]);
  Register& result = run.of(site.dst);
  const size_t width = element_bytes(site.type);
  for (int lane = 0; lane < site.lanes; ++lane) {
    std::memcpy(result.bytes + static_cast<size_t>(lane) * width, source.bytes, width);
  }
  finish_register(site, run, site.dst, 0);
  if (source.known[0]) return true;
  const uint8_t* mask = run.mask_of(site);
  for (int lane = 0; lane < site.lanes; ++lane) result.known[lane] = !mask[lane];
  return true;
}

bool run_index(const RegisterSite& site, const RegisterContext& run) {
  Register& result = run.of(site.dst);
  const Scalar start = run.scalars[site.number];
  const size_t width = element_bytes(site.type);
  for (int lane = 0; lane < site.lanes; ++lane) {
    const int step = site.is_falling ? -lane : lane;
    Scalar value = start;
    if (is_float(site.type)) {
      value.real += static_cast<float>(step);
    } else {
      value.integer = add(value.integer, step);
    }
    const uint64_t bits = raw_bits(value, site.type);
    std::memcpy(result.bytes + static_cast<size_t>(lane) * width, &bits, width);
  }
  finish_register(site, run, site.dst, 0);
  return true;
}

bool run_unary(const RegisterSite& site, const RegisterContext& run) {
  kernels().unary[site.kernel][type_of(site)](run.of(site.dst).bytes, 1,
                                              run.of(site.sources[0]).bytes, 1, site.lanes);
  finish_register(site, run, site.dst, 1);
  return true;
}

bool run_binary(const RegisterSite& site, const RegisterContext& run) {
  const BinaryRow row = kernels().binary[site.kernel][type_of(site)];
  Register& result = run.of(site.dst);
  const void* left = run.of(site.sources[0]).bytes;
  if (site.op == RegisterOp::kBinary) {
    row(result.bytes, 1, left, 1, run.of(site.sources[1]).bytes, 1, site.lanes);
    finish_register(site, run, site.dst, 2);
  } else {
    const uint64_t number = raw_bits(run.scalars[site.number], site.type);
    row(result.bytes, 1, left, 1, &number, 0, site.lanes);
    finish_register(site, run, site.dst, 1);
  }
  return true;
}

// The lanes as sign-extended integers, and back.
void load_lanes(const RegisterSite& site, const Register& source, int64_t* values) {
  kernels().load_int[type_of(site)](values, source.bytes, 1, site.lanes);
}

void store_lanes(const RegisterSite& site, Register& result, const int64_t* values) {
  kernels().store_int[type_of(site)](result.bytes, 1, values, site.lanes);
}

bool run_shift_right(const RegisterSite& site, const RegisterContext& run) {
  int64_t values[kMaxLanes], amounts[kMaxLanes];
  load_lanes(site, run.of(site.sources[0]), values);
  const bool by_vector = site.sources[1] >= 0;
  if (by_vector) {
    load_lanes(site, run.of(site.sources[1]), amounts);
  } else {
    std::fill_n(amounts, site.lanes, run.scalars[site.number].integer);
  }
  const bool is_arithmetic = (run.scalars[site.number2].integer & 1) != 0;
  const auto width = static_cast<unsigned>(bits_of(site.type));
  for (int lane = 0; lane < site.lanes; ++lane) {
    values[lane] = is_arithmetic ? shift_right_signed(values[lane], amounts[lane])
                                 : shift_right_unsigned(values[lane], amounts[lane], width);
  }
  store_lanes(site, run.of(site.dst), values);
  finish_register(site, run, site.dst, by_vector ? 2 : 1);
  return true;
}

// Library code of the chip's compiler; what it gives for a divisor of zero is not known.
bool run_integer_division(const RegisterSite& site, const RegisterContext& run) {
  int64_t left[kMaxLanes], right[kMaxLanes];
  load_lanes(site, run.of(site.sources[0]), left);
  load_lanes(site, run.of(site.sources[1]), right);
  const bool divides = site.op == RegisterOp::kDivide;
  Register& result = run.of(site.dst);
  bool is_undefined[kMaxLanes] = {};
  for (int lane = 0; lane < site.lanes; ++lane) {
    is_undefined[lane] = right[lane] == 0;
    left[lane] = divides ? divide_signed(left[lane], right[lane])
                         : remainder_signed(left[lane], right[lane]);
  }
  store_lanes(site, result, left);
  finish_register(site, run, site.dst, 2);
  const uint8_t* mask = run.mask_of(site);
  const size_t width = element_bytes(site.type);
  for (int lane = 0; lane < site.lanes; ++lane) {
    if (!is_undefined[lane] || !mask[lane]) continue;
    std::memset(result.bytes + static_cast<size_t>(lane) * width, kPoisonByte, width);
    result.known[lane] = 0;
  }
  return true;
}

bool run_compare(const RegisterSite& site, const RegisterContext& run) {
  const CompareRow row = kernels().compare[site.kernel][type_of(site)];
  uint8_t results[kMaxLanes];
  row(results, run.of(site.sources[0]).bytes, 1, run.of(site.sources[1]).bytes, 1, site.lanes);
  std::memcpy(run.of(site.dst).bytes, results, static_cast<size_t>(site.lanes));
  RegisterSite as_predicate = site;
  as_predicate.type = ElementType::kI1;
  finish_register(as_predicate, run, site.dst, 2);
  return true;
}

bool run_select(const RegisterSite& site, const RegisterContext& run) {
  const Register& mask = run.of(site.sources[0]);
  const Register& a = run.of(site.sources[1]);
  const Register& b = run.of(site.sources[2]);
  Register& result = run.of(site.dst);
  const SelectRow row = kernels().select[width_index(bytes_of(site.type))];
  row(result.bytes, 1, mask.bytes, a.bytes, 1, b.bytes, 1, site.lanes);
  for (int lane = 0; lane < site.lanes; ++lane) {
    result.known[lane] = mask.known[lane] && (mask.bytes[lane] ? a : b).known[lane];
  }
  return true;
}

// The lanes of the predicate become one; the other lanes of the result are zero.
bool run_reduce(const RegisterSite& site, const RegisterContext& run) {
  const Register source = run.of(site.sources[0]);
  const uint8_t* mask = run.mask_of(site);
  Register packed;
  int count = 0;
  bool is_known = true;
  const size_t width = element_bytes(site.type);
  for (int lane = 0; lane < site.lanes; ++lane) {
    if (!mask[lane]) continue;
    std::memcpy(packed.bytes + static_cast<size_t>(count++) * width,
                source.bytes + static_cast<size_t>(lane) * width, width);
    is_known &= source.known[lane] != 0;
  }
  if (count == 0) return run.fail(fault_code::kUnsupportedOp, "a reduction of no lanes");
  Register& result = run.of(site.dst);
  std::memset(&result, 0, sizeof result);
  kernels().reduce[site.kernel][type_of(site)](result.bytes, packed.bytes, 1, count);
  result.known[0] = is_known;
  return true;
}

bool run_single_floats(const RegisterSite& site, const RegisterContext& run) {
  const auto* a = reinterpret_cast<const float*>(run.of(site.sources[0]).bytes);
  const auto* b = reinterpret_cast<const float*>(run.of(site.sources[1]).bytes);
  float results[kMaxLanes];
  if (site.op == RegisterOp::kMultiplyAdd) {
    const auto* c = reinterpret_cast<const float*>(run.of(site.sources[2]).bytes);
    for (int lane = 0; lane < site.lanes; ++lane) results[lane] = std::fma(b[lane], c[lane], a[lane]);
  } else {
    for (int lane = 0; lane < site.lanes; ++lane) results[lane] = a[lane] - b[lane];
    const int exponential = static_cast<int>(UnaryKernel::kExp);
    kernels().unary[exponential][type_of(site)](results, 1, results, 1, site.lanes);
  }
  std::memcpy(run.of(site.dst).bytes, results, static_cast<size_t>(site.lanes) * sizeof(float));
  finish_register(site, run, site.dst, site.op == RegisterOp::kMultiplyAdd ? 3 : 2);
  return true;
}

bool run_wide_product(const RegisterSite& site, const RegisterContext& run) {
  int64_t left[kMaxLanes], right[kMaxLanes], high[kMaxLanes];
  load_lanes(site, run.of(site.sources[0]), left);
  load_lanes(site, run.of(site.sources[1]), right);
  for (int lane = 0; lane < site.lanes; ++lane) {
    high[lane] = multiply_high(left[lane], right[lane], 32, !site.is_unsigned);
    left[lane] = multiply(left[lane], right[lane]);
  }
  store_lanes(site, run.of(site.dst), left);
  store_lanes(site, run.of(site.dst2), high);
  finish_register(site, run, site.dst, 2);
  finish_register(site, run, site.dst2, 2);
  return true;
}

// Interleaved: lanes a0 b0 a1 b1 ... over both results. Deinterleaved: the reverse.
bool run_shuffle(const RegisterSite& site, const RegisterContext& run) {
  const Register a = run.of(site.sources[0]), b = run.of(site.sources[1]);
  const size_t width = element_bytes(site.type);
  const int lanes = site.lanes;
  for (int place = 0; place < 2 * lanes; ++place) {
    const bool joins = site.op == RegisterOp::kInterleave;
    const int from = joins ? (place % 2) * lanes + place / 2 : place;
    const int to = joins ? place : (place % 2) * lanes + place / 2;
    const Register& source = from < lanes ? a : b;
    Register& target = run.of(to < lanes ? site.dst : site.dst2);
    std::memcpy(target.bytes + static_cast<size_t>(to % lanes) * width,
                source.bytes + static_cast<size_t>(from % lanes) * width, width);
    target.known[to % lanes] = source.known[from % lanes];
  }
  return true;
}

}  // namespace

void finish_register(const RegisterSite& site, const RegisterContext& run, int32_t result,
                     int source_count) {
  Register& target = run.of(result);
  const uint8_t* mask = run.mask_of(site);
  if (mask && std::memchr(mask, 0, static_cast<size_t>(site.lanes))) {
    const size_t width = element_bytes(site.type);
    for (int lane = 0; lane < site.lanes; ++lane) {
      if (!mask[lane]) std::memset(target.bytes + static_cast<size_t>(lane) * width, 0, width);
    }
  }
  if (!run.tracks_unwritten) return;
  for (int lane = 0; lane < site.lanes; ++lane) {
    uint8_t is_known = 1;
    for (int i = 0; i < source_count; ++i) is_known &= run.of(site.sources[i]).known[lane];
    target.known[lane] = mask ? run.of(site.mask).known[lane] & (is_known | !mask[lane]) : is_known;
  }
}

bool execute_register_op(const RegisterSite& site, const RegisterContext& run) {
  run.context.line = site.line;
  switch (site.op) {
    case RegisterOp::kMove: run.of(site.dst) = run.of(site.sources[0]); return true;
    case RegisterOp::kLoad: return load_register(site, run);
    case RegisterOp::kStore: return store_register(site, run);
    case RegisterOp::kGather: return gather_register(site, run);
    case RegisterOp::kPattern: set_first_lanes(site, run, site.count); return true;
    case RegisterOp::kFirstLanes: return run_first_lanes(site, run);
    case RegisterOp::kPredicateLogic:
    case RegisterOp::kPredicateNot: return run_predicate_logic(site, run);
    case RegisterOp::kBroadcast: return run_broadcast(site, run);
    case RegisterOp::kBroadcastLane: return run_broadcast_lane(site, run);
    case RegisterOp::kIndex: return run_index(site, run);
    case RegisterOp::kUnary: return run_unary(site, run);
    case RegisterOp::kBinary:
    case RegisterOp::kBinaryNumber: return run_binary(site, run);
    case RegisterOp::kShiftRight: return run_shift_right(site, run);
    case RegisterOp::kDivide:
    case RegisterOp::kRemainder: return run_integer_division(site, run);
    case RegisterOp::kCompare: return run_compare(site, run);
    case RegisterOp::kSelect: return run_select(site, run);
    case RegisterOp::kReduce: return run_reduce(site, run);
    case RegisterOp::kCast: return convert_register(site, run);
    case RegisterOp::kExpOfDifference:
    case RegisterOp::kMultiplyAdd: return run_single_floats(site, run);
    case RegisterOp::kMultiplyWide: return run_wide_product(site, run);
    case RegisterOp::kInterleave:
    case RegisterOp::kDeinterleave: return run_shuffle(site, run);
  }
  return false;
}

}  // namespace npu::machine
