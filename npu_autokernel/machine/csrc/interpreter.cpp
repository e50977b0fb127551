#include "interpreter.h"

#include <algorithm>
#include <cmath>

#include "fault.h"
#include "scalar_arithmetic.h"
#include "views.h"

namespace npu::machine {

Interpreter::Interpreter(const Function& function)
    : function_(function),
      scalars_(function.initial_scalars),
      views_(function.initial_views),
      origins_(function) {}

void Interpreter::set_scalar_argument(size_t argument, Scalar value) {
  scalars_[function_.argument_slots[argument]] = value;
}

void Interpreter::set_view_argument(size_t argument, const MemoryView& view) {
  views_[function_.argument_slots[argument]] = view;
}

void Interpreter::begin(const BlockPosition& position) {
  position_ = position;
  pc_ = 0;
  pending_ops_ = 0;
  origins_.clear();
}

Progress Interpreter::run(IssuePort& port, bool single) {
  const Step* steps = function_.steps.data();
  Scalar* s = scalars_.data();
  size_t pc = pc_;
  uint32_t ops = pending_ops_;
  const auto stop = [&](Progress progress) {
    pc_ = pc;
    pending_ops_ = ops;
    return progress;
  };
  while (true) {
    const Step& step = steps[pc];
    Scalar& dst = s[step.dst];
    const unsigned width = step.width;
    ++ops;
    const uint32_t decides = origins_.follow(step, s);
    if (decides != kNoOrigin) {
      port.reject_garbage("a decision of the scalar pipe", decides, function_.lines[pc]);
      return stop(Progress::kFault);
    }
    switch (step.kind) {
      case StepKind::kJump:
        pc = static_cast<size_t>(step.dst);
        if (++jumps_ > step_limit_) {
          port.reject(fault_code::kStepLimit, "more loop iterations than the step limit allows",
                      function_.lines[pc]);
          return stop(Progress::kFault);
        }
        continue;
      case StepKind::kJumpUnless:
        if (!(s[step.a].integer & 1)) {
          pc = static_cast<size_t>(step.dst);
          continue;
        }
        break;
      case StepKind::kJumpUnlessLess:
        if (s[step.a].integer >= s[step.b].integer) {
          pc = static_cast<size_t>(step.dst);
          continue;
        }
        break;
      case StepKind::kReturn: return stop(Progress::kFinished);
      case StepKind::kMove: dst = s[step.a]; break;
      case StepKind::kMoveView: views_[step.dst] = views_[step.a]; break;
      case StepKind::kSelect: dst = s[step.a].integer & 1 ? s[step.b] : s[step.c]; break;
      case StepKind::kSelectView:
        views_[step.dst] = s[step.a].integer & 1 ? views_[step.b] : views_[step.c];
        break;

      case StepKind::kAdd: dst.integer = wrap(add(s[step.a].integer, s[step.b].integer), width); break;
      case StepKind::kSub:
        dst.integer = wrap(subtract(s[step.a].integer, s[step.b].integer), width);
        break;
      case StepKind::kMul:
        dst.integer = wrap(multiply(s[step.a].integer, s[step.b].integer), width);
        break;
      case StepKind::kDivSigned:
        dst.integer = wrap(divide_signed(s[step.a].integer, s[step.b].integer), width);
        break;
      case StepKind::kRemSigned:
        dst.integer = remainder_signed(s[step.a].integer, s[step.b].integer);
        break;
      case StepKind::kDivUnsigned: {
        const uint64_t divisor = unsigned_of(s[step.b].integer, width);
        const uint64_t value = unsigned_of(s[step.a].integer, width);
        dst.integer = divisor ? wrap(static_cast<int64_t>(value / divisor), width) : 0;
        break;
      }
      case StepKind::kRemUnsigned: {
        const uint64_t divisor = unsigned_of(s[step.b].integer, width);
        const uint64_t value = unsigned_of(s[step.a].integer, width);
        dst.integer = divisor ? wrap(static_cast<int64_t>(value % divisor), width) : 0;
        break;
      }
      case StepKind::kFloorDiv:
        dst.integer = divide_floor(s[step.a].integer, s[step.b].integer);
        break;
      case StepKind::kCeilDiv:
        dst.integer = divide_ceil(s[step.a].integer, s[step.b].integer);
        break;
      case StepKind::kMod: dst.integer = modulo(s[step.a].integer, s[step.b].integer); break;
      case StepKind::kAnd: dst.integer = s[step.a].integer & s[step.b].integer; break;
      case StepKind::kOr: dst.integer = s[step.a].integer | s[step.b].integer; break;
      case StepKind::kXor: dst.integer = s[step.a].integer ^ s[step.b].integer; break;
      case StepKind::kShiftLeft:
        dst.integer = wrap(shift_left(s[step.a].integer, s[step.b].integer, width), width);
        break;
      case StepKind::kShiftRightSigned:
        dst.integer = shift_right_signed(s[step.a].integer, s[step.b].integer);
        break;
      case StepKind::kShiftRightUnsigned:
        dst.integer =
            wrap(shift_right_unsigned(s[step.a].integer, s[step.b].integer, width), width);
        break;
      case StepKind::kMinSigned:
        dst.integer = std::min(s[step.a].integer, s[step.b].integer);
        break;
      case StepKind::kMaxSigned:
        dst.integer = std::max(s[step.a].integer, s[step.b].integer);
        break;
      case StepKind::kMinUnsigned:
      case StepKind::kMaxUnsigned: {
        const int64_t a = s[step.a].integer, b = s[step.b].integer;
        const bool less = unsigned_of(a, width) < unsigned_of(b, width);
        dst.integer = less == (step.kind == StepKind::kMinUnsigned) ? a : b;
        break;
      }
      case StepKind::kCompareInteger:
        dst.integer = compare_integers(s[step.a].integer, s[step.b].integer, step.c, width);
        break;
      case StepKind::kSignExtend: dst.integer = wrap(s[step.a].integer, width); break;
      case StepKind::kZeroExtend:
        dst.integer = static_cast<int64_t>(unsigned_of(s[step.a].integer, width));
        break;
      case StepKind::kNegateBit: dst.integer = -(s[step.a].integer & 1); break;
      case StepKind::kMulHighSigned:
      case StepKind::kMulHighUnsigned:
        dst.integer = multiply_high(s[step.a].integer, s[step.b].integer, width,
                                    step.kind == StepKind::kMulHighSigned);
        break;

      case StepKind::kAddFloat: dst.real = round_float(s[step.a].real + s[step.b].real, width); break;
      case StepKind::kSubFloat: dst.real = round_float(s[step.a].real - s[step.b].real, width); break;
      case StepKind::kMulFloat: dst.real = round_float(s[step.a].real * s[step.b].real, width); break;
      case StepKind::kFmaFloat:
        dst.real = round_float(std::fma(s[step.a].real, s[step.b].real, s[step.c].real), width);
        break;
      case StepKind::kDivFloat: dst.real = round_float(s[step.a].real / s[step.b].real, width); break;
      case StepKind::kRemFloat:
        dst.real = round_float(std::fmod(s[step.a].real, s[step.b].real), width);
        break;
      case StepKind::kMaximumFloat: {
        const float a = s[step.a].real, b = s[step.b].real;
        dst.real = a > b || a != a ? a : b;
        break;
      }
      case StepKind::kMinimumFloat: {
        const float a = s[step.a].real, b = s[step.b].real;
        dst.real = a < b || a != a ? a : b;
        break;
      }
      case StepKind::kMaxnumFloat: dst.real = std::fmax(s[step.a].real, s[step.b].real); break;
      case StepKind::kMinnumFloat: dst.real = std::fmin(s[step.a].real, s[step.b].real); break;
      case StepKind::kNegateFloat: dst.real = -s[step.a].real; break;
      case StepKind::kAbsFloat: dst.real = std::fabs(s[step.a].real); break;
      case StepKind::kSqrtFloat: dst.real = round_float(std::sqrt(s[step.a].real), width); break;
      case StepKind::kExpFloat: dst.real = round_float(std::exp(s[step.a].real), width); break;
      case StepKind::kLogFloat: dst.real = round_float(std::log(s[step.a].real), width); break;
      case StepKind::kFloorFloat: dst.real = std::floor(s[step.a].real); break;
      case StepKind::kCeilFloat: dst.real = std::ceil(s[step.a].real); break;
      case StepKind::kCompareFloat:
        dst.integer = compare_floats(s[step.a].real, s[step.b].real, step.c);
        break;
      case StepKind::kConvertFloat: dst.real = round_float(s[step.a].real, width); break;
      case StepKind::kFloatOfSigned:
        dst.real = round_float(static_cast<float>(s[step.a].integer), width);
        break;
      case StepKind::kFloatOfUnsigned:
        dst.real = round_float(
            static_cast<float>(unsigned_of(s[step.a].integer, static_cast<unsigned>(step.b))),
            width);
        break;
      case StepKind::kSignedOfFloat: dst.integer = signed_of_float(s[step.a].real, width); break;
      case StepKind::kUnsignedOfFloat: dst.integer = unsigned_of_float(s[step.a].real, width); break;
      case StepKind::kBitcast:
        dst = scalar_of_bits(raw_bits(s[step.a], static_cast<ElementType>(step.b)),
                             static_cast<ElementType>(step.c));
        break;

      case StepKind::kMakeView: {
        const ViewSite& site = function_.view_sites[step.a];
        const char* error = make_view(site, s, views_.data(), views_[site.dst]);
        if (error) {
          port.reject(fault_code::kIllegalOperand, error, site.line);
          return stop(Progress::kFault);
        }
        break;
      }
      case StepKind::kViewOffset: dst.integer = views_[step.a].offset; break;
      case StepKind::kViewSize: dst.integer = views_[step.a].sizes[step.b]; break;
      case StepKind::kViewStride: dst.integer = views_[step.a].strides[step.b]; break;

      case StepKind::kLoadElement:
      case StepKind::kStoreElement: {
        pending_ops_ = ops;
        const IssueResult result = access_element(function_.access_sites[step.a],
                                                  step.kind == StepKind::kLoadElement, port);
        if (result == IssueResult::kRetry) return stop(Progress::kBlocked);
        if (result == IssueResult::kFault) return stop(Progress::kFault);
        ops = pending_ops_;
        if (single) {
          ++pc;
          return stop(Progress::kAdvanced);
        }
        break;
      }

      case StepKind::kBlockIndex: dst.integer = position_.block_index; break;
      case StepKind::kSubCoreIndex: dst.integer = position_.sub_core_index; break;
      case StepKind::kBlockCount: dst.integer = position_.block_count; break;
      case StepKind::kSubCoreCount: dst.integer = position_.sub_core_count; break;

      case StepKind::kRegister:
        if (port.execute_register_op(function_.register_sites[step.a], s, views_.data()) !=
            IssueResult::kDone) {
          return stop(Progress::kFault);
        }
        break;

      case StepKind::kIssue: {
        --ops;  // an instruction is not a scalar op
        pending_ops_ = ops;
        const IssueResult result = issue_site(function_.issue_sites[step.a], port);
        if (result == IssueResult::kRetry) return stop(Progress::kBlocked);
        if (result == IssueResult::kFault) return stop(Progress::kFault);
        ops = pending_ops_;
        if (single) {
          ++pc;
          return stop(Progress::kAdvanced);
        }
        break;
      }
    }
    ++pc;
  }
}

}  // namespace npu::machine
