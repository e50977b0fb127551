// Who touched which bytes of one memory last, by byte range: the last write, and the reads and
// atomic updates since. Neither of these orders the other, so all of them count.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "race/byte_segments.h"
#include "race/happens_before.h"

namespace npu::machine {

struct MemoryAccess {
  int8_t lane = -1;
  bool is_write = false;
  bool is_atomic = false;
  bool rewrites = false;       // a write that leaves the bytes as they were
  uint32_t number = 0;         // of the instruction on its lane
  uint32_t line = 0;           // of the dump
  uint32_t stores_before = 0;  // of a transfer that reads: writes to GM by its core before it

  bool operator==(const MemoryAccess& other) const {
    return lane == other.lane && is_write == other.is_write && is_atomic == other.is_atomic &&
           rewrites == other.rewrites && number == other.number && line == other.line &&
           stores_before == other.stores_before;
  }
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
  // conflict; nor do writes of two cores of which the later finds its bytes there: where a product
  // is not split, both vector cores store all of it.
  // `is_excused` is asked about each conflict, earlier access first; null: none is.
  using Excuse = std::function<bool(const MemoryAccess&, const MemoryAccess&)>;
  std::optional<Conflict> enter(int64_t first, int64_t last, const MemoryAccess& access,
                                const HappensBefore& order, const Excuse& is_excused = nullptr);

 private:
  struct State {
    MemoryAccess write;  // not atomic
    MemoryAccess since;  // the first read or atomic update after it; most often there is one
    std::vector<MemoryAccess> more_since;  // the others, one read and one update per lane at most

    bool operator==(const State& other) const {
      return write == other.write && since == other.since && more_since == other.more_since;
    }
    void remember(const MemoryAccess& access);
  };

  static std::optional<MemoryAccess> find_conflict(const State& state, const MemoryAccess& access,
                                                   const HappensBefore& order,
                                                   const Excuse& is_excused);

  ByteSegments<State> segments_;
};

}  // namespace npu::machine
