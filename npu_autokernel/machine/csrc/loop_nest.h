// A loop over the elements of several views of one shape, as few and as long rows as possible.
#pragma once

#include <cstdint>

#include "types.h"

namespace npu::machine {

constexpr int kMaxNestOperands = 6;

// Strides and offsets are in elements of each operand (bits for a bit-packed i1), relative to the
// view's own element 0.
class LoopNest {
 public:
  explicit LoopNest(const MemoryView& shape) : rank_(shape.rank) {
    for (int dim = 0; dim < rank_; ++dim) {
      sizes_[dim] = shape.sizes[dim];
      if (sizes_[dim] <= 0) empty_ = true;
    }
  }

  // A view of the same rank; a dimension of one element is repeated. False: shapes do not match.
  bool add(const MemoryView& view) {
    if (view.rank != rank_ || operands_ == kMaxNestOperands) return false;
    for (int dim = 0; dim < rank_; ++dim) {
      const bool repeats = view.sizes[dim] == 1 && sizes_[dim] != 1;
      if (!repeats && view.sizes[dim] != sizes_[dim]) return false;
      strides_[operands_][dim] = repeats ? 0 : view.strides[dim];
    }
    ++operands_;
    return true;
  }

  // An operand that repeats one element.
  bool add_scalar() {
    if (operands_ == kMaxNestOperands) return false;
    for (int dim = 0; dim < rank_; ++dim) strides_[operands_][dim] = 0;
    ++operands_;
    return true;
  }

  // An operand with strides of the caller's.
  bool add_strides(const int64_t* strides) {
    if (operands_ == kMaxNestOperands) return false;
    for (int dim = 0; dim < rank_; ++dim) strides_[operands_][dim] = strides[dim];
    ++operands_;
    return true;
  }

  // Calls row(offsets, strides, count) until it returns false; true if all returned true.
  // keep_inner: the last dim stays a row of its own.
  template <typename Row>
  bool for_each_row(Row row, bool keep_inner = false) {
    if (empty_) return true;
    coalesce(keep_inner);
    int64_t offsets[kMaxNestOperands] = {};
    int64_t counters[kMaxRank] = {};
    while (true) {
      if (!row(offsets, inner_strides_, inner_count_)) return false;
      int dim = outer_rank_ - 1;
      for (; dim >= 0; --dim) {
        if (++counters[dim] < outer_sizes_[dim]) {
          advance(offsets, dim, 1);
          break;
        }
        counters[dim] = 0;
        advance(offsets, dim, 1 - outer_sizes_[dim]);
      }
      if (dim < 0) return true;
    }
  }

 private:
  void advance(int64_t* offsets, int dim, int64_t steps) {
    for (int op = 0; op < operands_; ++op) offsets[op] += steps * outer_strides_[op][dim];
  }

  bool merges(int dim, int64_t count, const int64_t* strides) const {
    for (int op = 0; op < operands_; ++op) {
      if (strides_[op][dim] != strides[op] * count) return false;
    }
    return true;
  }

  // Drops unit dims and joins neighbours that all operands walk evenly.
  void coalesce(bool keep_inner) {
    int64_t merged_sizes[kMaxRank], merged_strides[kMaxRank][kMaxNestOperands];
    int merged = 0;  // innermost first
    for (int dim = rank_ - 1; dim >= 0; --dim) {
      if (sizes_[dim] == 1 && !(keep_inner && dim == rank_ - 1)) continue;
      const bool may_join = merged > 0 && !(keep_inner && merged == 1);
      if (may_join && merges(dim, merged_sizes[merged - 1], merged_strides[merged - 1])) {
        merged_sizes[merged - 1] *= sizes_[dim];
        continue;
      }
      merged_sizes[merged] = sizes_[dim];
      for (int op = 0; op < operands_; ++op) merged_strides[merged][op] = strides_[op][dim];
      ++merged;
    }
    inner_count_ = merged > 0 ? merged_sizes[0] : 1;
    for (int op = 0; op < operands_; ++op) inner_strides_[op] = merged > 0 ? merged_strides[0][op] : 0;
    outer_rank_ = merged > 1 ? merged - 1 : 0;
    for (int outer = 0; outer < outer_rank_; ++outer) {
      const int from = merged - 1 - outer;
      outer_sizes_[outer] = merged_sizes[from];
      for (int op = 0; op < operands_; ++op) outer_strides_[op][outer] = merged_strides[from][op];
    }
  }

  int rank_;
  int operands_ = 0;
  bool empty_ = false;
  int64_t sizes_[kMaxRank] = {};
  int64_t strides_[kMaxNestOperands][kMaxRank] = {};
  int outer_rank_ = 0;
  int64_t outer_sizes_[kMaxRank] = {};
  int64_t outer_strides_[kMaxNestOperands][kMaxRank] = {};
  int64_t inner_count_ = 1;
  int64_t inner_strides_[kMaxNestOperands] = {};
};

}  // namespace npu::machine
