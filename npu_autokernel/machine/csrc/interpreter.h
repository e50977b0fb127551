// The scalar pipe of one core: walks the steps of a function, and hands resolved instructions to
// its port. It can stop at any instruction and go on later.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program.h"
#include "scalar_origins.h"

namespace npu::machine {

enum class IssueResult : uint8_t {
  kDone,
  kRetry,  // not now: the core stops here and issues the same instruction again
  kFault,
};

// What a core does with the instructions and element accesses of its scalar pipe. `origin` is where
// a number comes from that was read from memory nothing wrote, with checking on.
class IssuePort {
 public:
  virtual ~IssuePort() = default;
  virtual IssueResult issue(const Instruction& instruction) = 0;
  virtual IssueResult load_element(const AccessSite& site, const MemoryView& element,
                                   uint32_t scalar_ops_before, Scalar& value,
                                   uint32_t& origin) = 0;
  virtual IssueResult store_element(const AccessSite& site, const MemoryView& element,
                                    uint32_t scalar_ops_before, Scalar value,
                                    uint32_t origin) = 0;
  // Only code of vector functions has these.
  virtual IssueResult execute_register_op(const RegisterSite& site, Scalar* scalars,
                                          const MemoryView* views);
  virtual IssueResult reject(const char* code, const std::string& message, uint32_t line) = 0;
  // `what` was computed from memory that nothing wrote.
  virtual IssueResult reject_garbage(const std::string& what, uint32_t origin, uint32_t line) = 0;
};

enum class Progress : uint8_t { kAdvanced, kBlocked, kFinished, kFault };

struct BlockPosition {
  int64_t block_index = 0;
  int64_t block_count = 1;
  int64_t sub_core_index = 0;
  int64_t sub_core_count = 1;
};

class Interpreter {
 public:
  explicit Interpreter(const Function& function);

  void set_scalar_argument(size_t argument, Scalar value);
  void set_view_argument(size_t argument, const MemoryView& view);
  void begin(const BlockPosition& position);

  // Runs until blocked, finished, faulty, out of steps, or (single) one instruction was issued.
  Progress run(IssuePort& port, bool single);

  // Scalar ops since the last instruction or element access, and before it.
  uint32_t pending_scalar_ops() const { return pending_ops_; }
  uint64_t counted_scalar_ops() const { return counted_ops_; }
  // Limits the loop iterations of the whole launch.
  void set_step_limit(uint64_t limit) { step_limit_ = limit; }
  uint32_t line() const { return function_.lines[pc_]; }

 private:
  IssueResult issue_site(const IssueSite& site, IssuePort& port);
  IssueResult access_element(const AccessSite& site, bool is_load, IssuePort& port);
  void resolve(const IssueSite& site);
  void count_pending_ops() {
    counted_ops_ += pending_ops_;
    pending_ops_ = 0;
  }

  const Function& function_;
  std::vector<Scalar> scalars_;
  std::vector<MemoryView> views_;
  BlockPosition position_;
  size_t pc_ = 0;
  uint32_t pending_ops_ = 0;
  uint64_t counted_ops_ = 0;
  uint64_t jumps_ = 0;
  uint64_t step_limit_ = UINT64_MAX;
  ScalarOrigins origins_;
  Instruction instruction_;
};

}  // namespace npu::machine
