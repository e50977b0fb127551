// Which block touched which bytes of GM: blocks run in any order, so they may not share what one
// of them writes, unless all updates are atomic or inside of the ordered lock.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace npu::machine {

struct BlockAccess {
  int64_t block = -1;
  uint32_t line = 0;
  bool is_write = false;
  bool is_atomic = false;
  bool is_locked = false;
};

class BlockLog {
 public:
  // Enters an access to bytes [first, last); an access of another block that it conflicts with.
  std::optional<BlockAccess> enter(int64_t first, int64_t last, const BlockAccess& access);

 private:
  // The last write, and two reads: if there are two, they are of different blocks, so one of them
  // conflicts with any write.
  struct Segment {
    int64_t last = 0;
    BlockAccess write;
    BlockAccess reads[2];
  };

  static std::optional<BlockAccess> find_conflict(const Segment& segment,
                                                  const BlockAccess& access);
  static void remember(Segment& segment, const BlockAccess& access);
  void split_at(int64_t byte);

  std::map<int64_t, Segment> segments_;  // by first byte; they do not overlap
};

}  // namespace npu::machine
