// A memory as segments of neighbouring bytes that share one state.
//
// Neighbours of equal state are joined, so a loop that walks a buffer element by element leaves one
// segment behind, and the next access starts looking where the last one ended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace npu::machine {

template <typename State>
class ByteSegments {
 public:
  ByteSegments() : cursor_(segments_.end()) {}
  ByteSegments(const ByteSegments&) = delete;
  ByteSegments& operator=(const ByteSegments&) = delete;

  void clear() {
    segments_.clear();
    cursor_ = segments_.end();
  }

  // Calls change(state, first, last) for every part of [first, last) that has one state; bytes never
  // changed before have State(). It may be called twice for the same part.
  template <typename Change>
  void change(int64_t first, int64_t last, Change change) {
    if (first >= last) return;
    auto at = find_before(first);
    if (lies_inside(at, first, last) && is_unchanged(at, first, last, change)) return;
    at = split(at, first);
    for (int64_t byte = first; byte < last; ++at) {
      at = take_part(at, byte, last);
      change(at->second.state, byte, at->second.last);
      byte = at->second.last;
      at = join_with_previous(at);
    }
    cursor_ = std::prev(at);
    if (at != segments_.end() && at->first == last) join_with_previous(at);
  }

 private:
  struct Segment {
    int64_t last;
    State state;
  };
  using Segments = std::map<int64_t, Segment>;
  using Place = typename Segments::iterator;

  // The last segment that starts at `byte` or before; end() if there is none.
  Place find_before(int64_t byte) {
    if (cursor_ != segments_.end() && cursor_->first <= byte) {
      Place next = std::next(cursor_);
      for (int step = 0; step < 3; ++step, ++next) {
        if (next == segments_.end() || byte < next->first) return std::prev(next);
      }
    }
    const Place next = segments_.upper_bound(byte);
    return next == segments_.begin() ? segments_.end() : std::prev(next);
  }

  // Of a segment that it would divide.
  bool lies_inside(Place at, int64_t first, int64_t last) const {
    return at != segments_.end() && last <= at->second.last &&
           last - first < at->second.last - at->first;
  }

  template <typename Change>
  static bool is_unchanged(Place at, int64_t first, int64_t last, Change& change) {
    State changed = at->second.state;
    change(changed, first, last);
    return changed == at->second.state;
  }

  // From the segment before `byte` to the first that starts at `byte` or later.
  Place split(Place at, int64_t byte) {
    if (at == segments_.end()) return segments_.begin();
    if (at->first == byte) return at;
    const Place next = std::next(at);
    if (at->second.last <= byte) return next;
    Segment tail = at->second;
    at->second.last = byte;
    return segments_.emplace_hint(next, byte, std::move(tail));
  }

  // A segment that starts at `byte` and does not reach beyond `last`; `at` is the first from there.
  Place take_part(Place at, int64_t byte, int64_t last) {
    if (at == segments_.end() || at->first > byte) {
      const int64_t end = at == segments_.end() ? last : std::min(at->first, last);
      return segments_.emplace_hint(at, byte, Segment{end, State()});
    }
    if (at->second.last > last) split(at, last);
    return at;
  }

  Place join_with_previous(Place at) {
    if (at == segments_.begin()) return at;
    const Place previous = std::prev(at);
    if (previous->second.last != at->first || !(previous->second.state == at->second.state)) {
      return at;
    }
    previous->second.last = at->second.last;
    segments_.erase(at);
    return previous;
  }

  Segments segments_;  // by first byte; they do not overlap
  Place cursor_;       // where the last change ended
};

}  // namespace npu::machine
