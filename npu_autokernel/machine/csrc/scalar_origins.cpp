#include "scalar_origins.h"

namespace npu::machine {
namespace {

// Whether `b` of a step is a scalar slot that its result is computed from.
bool has_two_operands(StepKind kind) {
  switch (kind) {
    case StepKind::kSignExtend:
    case StepKind::kZeroExtend:
    case StepKind::kNegateBit:
    case StepKind::kNegateFloat:
    case StepKind::kAbsFloat:
    case StepKind::kSqrtFloat:
    case StepKind::kExpFloat:
    case StepKind::kLogFloat:
    case StepKind::kFloorFloat:
    case StepKind::kCeilFloat:
    case StepKind::kConvertFloat:
    case StepKind::kFloatOfSigned:
    case StepKind::kFloatOfUnsigned:
    case StepKind::kSignedOfFloat:
    case StepKind::kUnsignedOfFloat:
    case StepKind::kBitcast: return false;
    default: return true;
  }
}

}  // namespace

void ScalarOrigins::set_scalar(int32_t slot, uint32_t origin) {
  if (origin != kNoOrigin && !is_active_) {
    scalars_.assign(function_.initial_scalars.size(), kNoOrigin);
    views_.assign(function_.initial_views.size(), kNoOrigin);
    is_active_ = true;
  }
  if (is_active_) scalars_[static_cast<size_t>(slot)] = origin;
}

uint32_t ScalarOrigins::of_address(const AccessSite& site) const {
  if (!is_active_) return kNoOrigin;
  for (int dim = 0; dim < site.rank; ++dim) {
    if (of_scalar(site.indices[dim]) != kNoOrigin) return of_scalar(site.indices[dim]);
  }
  return of_view_slot(site.view);
}

void ScalarOrigins::describe(const IssueSite& site, Instruction& instruction) const {
  instruction.unwritten_scalars = 0;
  instruction.unwritten_views = 0;
  instruction.origin = kNoOrigin;
  if (!is_active_) return;
  const auto enter = [&](uint32_t origin, uint32_t& flags, int bit) {
    if (origin == kNoOrigin) return;
    flags |= 1u << bit;
    if (instruction.origin == kNoOrigin) instruction.origin = origin;
  };
  for (int i = 0; i < site.scalar_count; ++i) {
    enter(of_scalar(site.scalars[i]), instruction.unwritten_scalars, i);
  }
  for (int i = 0; i < site.input_count + site.output_count; ++i) {
    enter(of_view_slot(site.views[i]), instruction.unwritten_views, i);
  }
  if (site.operation.opcode != Opcode::kVarange) return;
  for (const NumberOperand& stride : site.range_strides) {
    enter(of_number(stride), instruction.unwritten_scalars, 0);
  }
}

uint32_t ScalarOrigins::follow_garbage(const Step& step, const Scalar* scalars) {
  switch (step.kind) {
    case StepKind::kJump:
    case StepKind::kReturn:
    case StepKind::kRegister:
    case StepKind::kLoadElement:
    case StepKind::kStoreElement: return kNoOrigin;
    case StepKind::kJumpUnless: return of_scalar(step.a);
    case StepKind::kJumpUnlessLess: return of_either(step.a, step.b);
    case StepKind::kIssue: {
      const IssueSite& site = function_.issue_sites[static_cast<size_t>(step.a)];
      return site.event_slot >= 0 ? of_scalar(site.event_slot) : kNoOrigin;
    }
    case StepKind::kMoveView: view(step.dst) = of_view_slot(step.a); return kNoOrigin;
    case StepKind::kSelectView: {
      const int32_t chosen = scalars[step.a].integer & 1 ? step.b : step.c;
      view(step.dst) = of_scalar(step.a) != kNoOrigin ? of_scalar(step.a) : of_view_slot(chosen);
      return kNoOrigin;
    }
    case StepKind::kMakeView: {
      const ViewSite& site = function_.view_sites[static_cast<size_t>(step.a)];
      view(site.dst) = of_view(site);
      return kNoOrigin;
    }
    default:
      scalars_[static_cast<size_t>(step.dst)] = of_result(step, scalars);
      return kNoOrigin;
  }
}

uint32_t ScalarOrigins::of_result(const Step& step, const Scalar* scalars) const {
  switch (step.kind) {
    case StepKind::kBlockIndex:
    case StepKind::kSubCoreIndex:
    case StepKind::kBlockCount:
    case StepKind::kSubCoreCount: return kNoOrigin;
    case StepKind::kViewOffset:
    case StepKind::kViewSize:
    case StepKind::kViewStride: return of_view_slot(step.a);
    case StepKind::kMove: return of_scalar(step.a);
    case StepKind::kSelect: {
      const int32_t chosen = scalars[step.a].integer & 1 ? step.b : step.c;
      return of_either(step.a, chosen);
    }
    case StepKind::kAnd: return of_logic(step, scalars, 0);
    case StepKind::kOr: return of_logic(step, scalars, step.width == 1 ? 1 : -1);
    default: return has_two_operands(step.kind) ? of_either(step.a, step.b) : of_scalar(step.a);
  }
}

// An operand that was written and decides the result alone leaves no garbage in it.
uint32_t ScalarOrigins::of_logic(const Step& step, const Scalar* scalars, int64_t deciding) const {
  for (const int32_t slot : {step.a, step.b}) {
    if (of_scalar(slot) == kNoOrigin && scalars[slot].integer == deciding) return kNoOrigin;
  }
  return of_either(step.a, step.b);
}

uint32_t ScalarOrigins::of_view(const ViewSite& site) const {
  for (const auto* numbers : {&site.offsets, &site.sizes, &site.strides}) {
    for (int dim = 0; dim < site.rank; ++dim) {
      if (of_number((*numbers)[dim]) != kNoOrigin) return of_number((*numbers)[dim]);
    }
  }
  // Rank 0 of a byte view or a pointer still has an offset.
  if (of_number(site.offsets[0]) != kNoOrigin) return of_number(site.offsets[0]);
  return site.source >= 0 ? of_view_slot(site.source) : kNoOrigin;
}

}  // namespace npu::machine
