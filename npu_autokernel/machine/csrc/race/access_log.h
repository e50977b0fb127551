// Who touched which bytes of one memory last: the last write and the reads since, by byte range.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "race/happens_before.h"

namespace npu::machine {

struct MemoryAccess {
  int lane = -1;
  uint32_t number = 0;  // of the instruction on its lane
  uint32_t line = 0;    // of the dump
  bool is_write = false;
  bool is_atomic = false;
  bool rewrites = false;  // a write that leaves the bytes as they were
  uint32_t stores_before = 0;  // of a read: writes to GM by its core before it
};

struct Conflict {
  MemoryAccess earlier;
  int64_t first = 0;  // the bytes that both touch
  int64_t last = 0;
};

class AccessLog {
 public:
  void clear() { segments_.clear(); }

  // Enters an access to bytes [first, last); the first earlier access to any of them that it
  // conflicts with and that is not ordered before it. Two reads, or two atomic updates, never
  // conflict; nor do writes of two cores of which the later finds its bytes there: where a product is
  // not split, both vector cores store all of it.
  // `is_excused` is asked about each conflict, earlier access first; null: none is.
  using Excuse = std::function<bool(const MemoryAccess&, const MemoryAccess&)>;
  std::optional<Conflict> enter(int64_t first, int64_t last, const MemoryAccess& access,
                                const HappensBefore& order, const Excuse& is_excused = nullptr);

 private:
  struct Segment {
    int64_t last = 0;
    MemoryAccess write;
    std::vector<MemoryAccess> reads;  // at most one per lane
  };
  using Segments = std::map<int64_t, Segment>;

  void split_at(int64_t byte);
  Segments::iterator first_from(int64_t byte);
  static std::optional<MemoryAccess> find_conflict(const Segment& segment,
                                                   const MemoryAccess& access,
                                                   const HappensBefore& order,
                                                   const Excuse& is_excused);
  void enter_read(int64_t first, int64_t last, const MemoryAccess& access);
  void enter_write(int64_t first, int64_t last, const MemoryAccess& access);

  Segments segments_;  // by first byte; they do not overlap
};

}  // namespace npu::machine
