// Cross-core flags of one block: one cube core and one or two vector cores.
//
// A set by the cube releases every vector core once; the cube passes a wait when every vector core
// has set once more. Counts, so a core may run ahead.
#pragma once

#include <algorithm>
#include <cstdint>

#include "instruction.h"

namespace npu::machine {

constexpr int kBlockFlagCount = 16;

class BlockSync {
 public:
  explicit BlockSync(int vector_cores) : vector_cores_(vector_cores) {}

  void begin_block() { *this = BlockSync(vector_cores_); }

  void set(const CoreId& core, int flag, uint32_t line) {
    set_lines_[flag] = line;
    if (core.kind == CoreKind::kCube) {
      ++cube_sets_[flag];
    } else {
      ++vector_sets_[flag][core.sub_core];
    }
  }

  bool may_pass(const CoreId& core, int flag) const {
    if (core.kind == CoreKind::kVector) {
      return cube_sets_[flag] > vector_waits_[flag][core.sub_core];
    }
    const int* sets = vector_sets_[flag];
    return *std::min_element(sets, sets + vector_cores_) > cube_waits_[flag];
  }

  void pass(const CoreId& core, int flag) {
    if (core.kind == CoreKind::kCube) {
      ++cube_waits_[flag];
    } else {
      ++vector_waits_[flag][core.sub_core];
    }
  }

  // The line of the dump in which a flag was set last.
  uint32_t set_line(int flag) const { return set_lines_[flag]; }

  // A flag that was set and not waited for as often, or -1.
  int find_unbalanced() const {
    for (int flag = 0; flag < kBlockFlagCount; ++flag) {
      for (int sub_core = 0; sub_core < vector_cores_; ++sub_core) {
        if (cube_sets_[flag] != vector_waits_[flag][sub_core] ||
            vector_sets_[flag][sub_core] != cube_waits_[flag]) {
          return flag;
        }
      }
    }
    return -1;
  }

 private:
  int vector_cores_;
  int cube_sets_[kBlockFlagCount] = {};
  int cube_waits_[kBlockFlagCount] = {};
  int vector_sets_[kBlockFlagCount][2] = {};
  int vector_waits_[kBlockFlagCount][2] = {};
  uint32_t set_lines_[kBlockFlagCount] = {};
};

}  // namespace npu::machine
