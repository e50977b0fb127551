// Who touched which bytes of GM: the lanes of the running block, and the blocks of the launch.
//
// GM is one memory for all arguments, by address. What is only read needs no record, so reads of
// many rows are set aside and entered when something in their reach is written.
#pragma once

#include <optional>
#include <vector>

#include "race/access_log.h"
#include "race/block_log.h"

namespace npu::machine {

// A view of a buffer whose first byte has the address `address`; what lies outside of its `size`
// bytes touches nothing of the caller's. `is_shared`: other blocks see the same bytes.
struct GmPlace {
  MemoryView view;
  int64_t address = 0;
  int64_t size = 0;
  bool is_shared = true;
};

struct GmAccess {
  MemoryAccess lane;
  BlockAccess block;
};

// Bytes are addresses. Without `earlier_lane` it is another block's access.
struct GmConflict {
  std::optional<MemoryAccess> earlier_lane;
  BlockAccess earlier_block;
  ByteSpan bytes;
};

class GmLog {
 public:
  explicit GmLog(size_t argument_count) : written_(argument_count), read_(argument_count) {}

  void begin_block(int64_t block);
  // The first conflict of an access that is not ordered after an earlier one.
  std::optional<GmConflict> enter(const GmPlace& place, const GmAccess& access,
                                  const HappensBefore& order,
                                  const AccessLog::Excuse& is_excused);

 private:
  struct DeferredRead {
    GmPlace place;
    GmAccess access;
    ByteSpan reach;
  };

  bool may_defer(const GmPlace& place, ByteSpan reach) const;
  void enter_deferred(ByteSpan written, const HappensBefore& order);
  std::optional<GmConflict> enter_runs(const GmPlace& place, const GmAccess& access,
                                       const HappensBefore& order,
                                       const AccessLog::Excuse& is_excused);
  std::optional<GmConflict> enter_run(int64_t first, int64_t last, bool is_shared,
                                      const GmAccess& access, const HappensBefore& order,
                                      const AccessLog::Excuse& is_excused);

  AccessLog lanes_;
  BlockLog blocks_;
  int64_t block_ = -1;
  std::vector<ByteSpan> written_;  // by argument, all bytes between its first and its last
  std::vector<ByteSpan> read_;     // the same, of deferred reads
  std::vector<DeferredRead> deferred_;
};

}  // namespace npu::machine
