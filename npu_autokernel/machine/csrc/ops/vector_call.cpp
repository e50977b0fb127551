// A call of a vector function: its own scalar code and registers, run to the end as one
// instruction of the vector pipe.
#include <vector>

#include "interpreter.h"
#include "ops/register_context.h"

namespace npu::machine {
namespace {

// No function on a memory of some hundred thousand bytes has more iterations than this.
constexpr uint64_t kMostIterations = 1 << 24;

class RegisterPort : public IssuePort {
 public:
  RegisterPort(ExecutionContext& context, const Function& function)
      : context_(context), registers_(static_cast<size_t>(function.register_count)) {}

  IssueResult execute_register_op(const RegisterSite& site, Scalar* scalars,
                                  const MemoryView* views) override {
    const RegisterContext run = {context_, registers_.data(), scalars, views,
                                 context_.chip.has_shadow(), origin_};
    return npu::machine::execute_register_op(site, run) ? IssueResult::kDone : IssueResult::kFault;
  }

  // The decoder lets nothing of these into a vector function.
  IssueResult issue(const Instruction& instruction) override {
    return reject(fault_code::kUnsupportedOp, "an instruction inside a vector function",
                  instruction.operation->line);
  }
  IssueResult load_element(const AccessSite& site, const MemoryView&, uint32_t, Scalar&,
                           uint32_t&) override {
    return reject(fault_code::kUnsupportedOp, "a scalar load", site.operation.line);
  }
  IssueResult store_element(const AccessSite& site, const MemoryView&, uint32_t, Scalar,
                            uint32_t) override {
    return reject(fault_code::kUnsupportedOp, "a scalar store", site.operation.line);
  }
  IssueResult reject_garbage(const std::string& what, uint32_t, uint32_t line) override {
    return reject(fault_code::kUninitialisedRead, what, line);
  }
  IssueResult reject(const char* code, const std::string& message, uint32_t line) override {
    context_.line = line;
    context_.fail(code, message);
    return IssueResult::kFault;
  }

 private:
  ExecutionContext& context_;
  std::vector<Register> registers_;
  uint32_t origin_ = kNoOrigin;
};

}  // namespace

bool execute_vector_call(const Instruction& instruction, ExecutionContext& context) {
  const VectorCall& call = *instruction.operation->call;
  Interpreter interpreter(*call.callee);
  interpreter.set_step_limit(kMostIterations);
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const VectorCall::Argument& argument = call.arguments[i];
    if (argument.is_view) {
      interpreter.set_view_argument(i, instruction.views[argument.position]);
    } else {
      interpreter.set_scalar_argument(i, instruction.scalars[argument.position]);
    }
  }
  interpreter.begin({});
  RegisterPort port(context, *call.callee);
  return interpreter.run(port, false) == Progress::kFinished;
}

}  // namespace npu::machine
