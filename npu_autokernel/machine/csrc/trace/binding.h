// The stepper and the commit log as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

#include "trace/commit_log.h"
#include "trace/stepper.h"

namespace npu::machine {

// Calls a Python function after each instruction, with the GIL; what that raises ends the run and
// reaches the caller of execute.
class PythonStepper final : public Stepper {
 public:
  PythonStepper(const Program& program, nanobind::object function)
      : program_(program), function_(std::move(function)) {}
  void after_instruction(Core& core, const Instruction& instruction) override;

 private:
  const Program& program_;
  nanobind::object function_;
};

// (lines, instructions in all).
nanobind::tuple log_to_python(const CommitLog& log);

void bind_trace(nanobind::module_& module);

}  // namespace npu::machine
