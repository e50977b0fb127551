// Which traffic the L2 cache serves: transfers are replayed in the order of their start times.
//
// The cache starts cold, holds lines of 512 bytes with a mask of what is present, and drops what
// was not touched while a whole capacity was filled. Large runs are sampled by line, capacity
// likewise.
#pragma once

#include <cstdint>
#include <vector>

#include "clock/transfer.h"
#include "soc.h"

namespace npu::machine {

// Transfers of a run mostly have few shapes, so what does not change is kept once.
struct TransferShape {
  Path path = Path::kLoadUb;
  bool bypasses_l2 = false;
  bool updates = false;  // an atomic store: L2 reads, adds and writes
  double busy_ns = 0;
  int64_t request_count = 0;
  bool asks_for_more = false;  // requests move much beyond the rows
  GmRows rows;  // of the first transfer of this shape
};

struct RecordedTransfer {
  double start_ns = 0;
  int64_t first_byte = 0;
  int32_t shape = 0;
  int32_t block = 0;
  int32_t core = 0;
};

class TransferRecord {
 public:
  // The shape of `rows`, found again or added; `make` fills in what depends on it.
  template <typename Make>
  int32_t shape_of(const TransferShape& wanted, Make make);
  void add(const RecordedTransfer& transfer) { transfers_.push_back(transfer); }

  const TransferShape& shape(int32_t index) const { return shapes_[static_cast<size_t>(index)]; }
  const std::vector<RecordedTransfer>& transfers() const { return transfers_; }
  void sort_by_start();

 private:
  static bool is_alike(const TransferShape& shape, const TransferShape& wanted);

  std::vector<TransferShape> shapes_;
  std::vector<RecordedTransfer> transfers_;
  int32_t last_shape_ = 0;
};

template <typename Make>
int32_t TransferRecord::shape_of(const TransferShape& wanted, Make make) {
  // The most recent shapes are tried first; a run with very many shapes just keeps more of them.
  constexpr int32_t kRecent = 8;
  const int32_t count = static_cast<int32_t>(shapes_.size());
  for (int32_t back = 0; back < kRecent && back < count; ++back) {
    const int32_t index = (last_shape_ - back + count) % count;
    if (is_alike(shape(index), wanted)) return last_shape_ = index;
  }
  shapes_.push_back(wanted);
  make(shapes_.back());
  return last_shape_ = count;
}

// Bytes moved.
struct MemoryTraffic {
  double hbm_read_bytes[kPathCount] = {};  // by path; of the stores only atomic ones read
  double hbm_write_bytes = 0;
  double l2_hit_bytes = 0;         // of lines that one core reads
  double l2_shared_hit_bytes = 0;  // of lines that several cores read
  double moved_bytes[kPathCount] = {};
  double short_row_bytes = 0;      // in rows shorter than a line
  double unaligned_bytes = 0;      // in rows whose requests move much beyond them
  double hot_requests = 0;         // reads of lines that most cores read
  double same_order_requests = 0;  // of those, at the same time as another core
  double most_updates = 0;         // atomic stores to the line that gets most
};

// Sorts the record by time. `core_count`: cores that ran. `block_share`: blocks of the launch for
// each one recorded; the others are taken to read the same shared lines and private ones of their
// own.
MemoryTraffic replay_through_l2(TransferRecord& record, int64_t core_count, double block_share,
                                const SocNumbers& soc);

}  // namespace npu::machine
