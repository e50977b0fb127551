// Which block touched which bytes of GM: blocks run in any order, so they may not share what one
// of them writes, unless all updates are atomic or inside of the ordered lock.
#pragma once

#include <cstdint>
#include <optional>

#include "race/byte_segments.h"

namespace npu::machine {

struct BlockAccess {
  int64_t block = -1;
  uint32_t line = 0;
  bool is_write = false;
  bool is_atomic = false;
  bool is_locked = false;

  bool operator==(const BlockAccess& other) const {
    return block == other.block && line == other.line && is_write == other.is_write &&
           is_atomic == other.is_atomic && is_locked == other.is_locked;
  }
};

class BlockLog {
 public:
  // Enters an access to bytes [first, last); an access of another block that it conflicts with.
  std::optional<BlockAccess> enter(int64_t first, int64_t last, const BlockAccess& access);

 private:
  // Two writes and two reads. Accesses of two blocks that are kept did not conflict; a later one
  // of a third block that conflicts with any conflicts with one of two.
  struct State {
    BlockAccess writes[2];
    BlockAccess reads[2];

    bool operator==(const State& other) const {
      return writes[0] == other.writes[0] && writes[1] == other.writes[1] &&
             reads[0] == other.reads[0] && reads[1] == other.reads[1];
    }
  };

  static std::optional<BlockAccess> find_conflict(const State& state, const BlockAccess& access);

  ByteSegments<State> segments_;
};

}  // namespace npu::machine
