// Garbage in the scalar pipe: for each slot of a function, where its value comes from if it was
// computed from memory that nothing wrote.
//
// Numbers and views carry their origin through arithmetic, selections and control flow; one that
// decides which step is next is reported. Until the first garbage is read there is nothing to do.
#pragma once

#include <cstdint>
#include <vector>

#include "program.h"
#include "shadow.h"

namespace npu::machine {

class ScalarOrigins {
 public:
  explicit ScalarOrigins(const Function& function) : function_(function) {}

  void clear() { is_active_ = false; }
  // Before a step runs: enters where its result comes from. The origin of garbage that decides what
  // the step does, if any does.
  uint32_t follow(const Step& step, const Scalar* scalars) {
    return is_active_ ? follow_garbage(step, scalars) : kNoOrigin;
  }
  // An element was read.
  void set_scalar(int32_t slot, uint32_t origin);
  uint32_t of_scalar(int32_t slot) const {
    return is_active_ ? scalars_[static_cast<size_t>(slot)] : kNoOrigin;
  }
  // Of the place an access goes to.
  uint32_t of_address(const AccessSite& site) const;
  // Enters the origins of its operands into an instruction.
  void describe(const IssueSite& site, Instruction& instruction) const;

 private:
  uint32_t follow_garbage(const Step& step, const Scalar* scalars);
  uint32_t of_result(const Step& step, const Scalar* scalars) const;
  uint32_t of_logic(const Step& step, const Scalar* scalars, int64_t deciding) const;
  uint32_t of_view(const ViewSite& site) const;
  uint32_t of_number(const NumberOperand& number) const {
    return number.slot >= 0 ? of_scalar(number.slot) : kNoOrigin;
  }
  uint32_t of_either(int32_t a, int32_t b) const {
    return of_scalar(a) != kNoOrigin ? of_scalar(a) : of_scalar(b);
  }
  uint32_t& view(int32_t slot) { return views_[static_cast<size_t>(slot)]; }
  uint32_t of_view_slot(int32_t slot) const { return views_[static_cast<size_t>(slot)]; }

  const Function& function_;
  // By slot; filled when the first garbage is read.
  std::vector<uint32_t> scalars_;
  std::vector<uint32_t> views_;
  bool is_active_ = false;
};

}  // namespace npu::machine
