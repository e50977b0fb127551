#include "clock/l2.h"

#include <algorithm>

namespace npu::machine {
namespace {

constexpr double kMaxTouchedLines = 4e6;
constexpr int64_t kSampleMask = 15;  // one line in 16 when sampled

struct Line {
  double filled_at = -1;  // bytes filled into the cache when last touched; -1: never
  double touched_ns = 0;
  uint64_t readers = 0;  // one bit per core
  uint16_t reader_count = 0;
  int16_t last_core = -1;
  uint16_t reads = 0;    // until it is known to be hot
  uint16_t present = 0;  // blocks of 32 bytes
  uint32_t updates = 0;
  bool dirty = false;
  bool is_shared = false;  // a kernel block hit what another one had fetched
  int32_t last_block = -1;
};

uint16_t mask_of(int64_t first, int64_t last) {
  const int64_t low = first / kBlockBytes;
  const int64_t high = (last + kBlockBytes - 1) / kBlockBytes;
  const uint32_t bits = ((1u << (high - low)) - 1u) << low;
  return static_cast<uint16_t>(bits);
}

// The bytes of one line that a row touches.
struct Piece {
  int64_t first;
  int64_t last;
  bool asks_for_line;  // although it touches a part

  // What the request moves beyond the blocks asked for.
  double bytes_around() const {
    const int64_t blocks = (last + kBlockBytes - 1) / kBlockBytes - first / kBlockBytes;
    return static_cast<double>(request_bytes(first, last - first) - blocks * kBlockBytes);
  }
};

int count_blocks(uint16_t mask) {
  if (mask == 0) return 0;
  return mask == UINT16_MAX ? 16 : __builtin_popcount(mask);
}

class Cache {
 public:
  Cache(int64_t core_count, const SocNumbers& soc, bool sampled)
      : scale_(sampled ? kSampleMask + 1 : 1),
        capacity_(static_cast<double>(soc.l2_bytes) / static_cast<double>(scale_)),
        hot_readers_(static_cast<int>(std::max<int64_t>(2, core_count / 2))),
        sampled_(sampled) {}

  void replay(const TransferShape& shape, const RecordedTransfer& transfer) {
    GmRows rows = shape.rows;
    rows.first_byte = transfer.first_byte;
    visit_rows(rows, [&](int64_t first) { touch_row(shape, transfer, first); });
  }

  const MemoryTraffic& traffic() const { return traffic_; }

  // Makes room for `bytes` of a buffer at once.
  void reserve(int32_t buffer, int64_t bytes) {
    const size_t slot = static_cast<size_t>(buffer + 1);
    if (slot >= buffers_.size()) buffers_.resize(slot + 1);
    buffers_[slot].resize(std::max(buffers_[slot].size(), index_of(bytes / kLineBytes) + 1));
  }

  // Blocks that were not recorded fetch private lines of their own, and find the shared ones there.
  // Writes stay in the cache when everything that went through it fits.
  void settle(double block_share) {
    scale_traffic(block_share);
    for (int path = 0; path < kPathCount; ++path) {
      const double again = shared_cold_bytes_[path] * (block_share - 1.0);
      traffic_.hbm_read_bytes[path] -= again;
      traffic_.l2_shared_hit_bytes += again;
    }
    const double footprint = (footprint_ - shared_footprint_) * block_share + shared_footprint_;
    if (footprint <= capacity_) traffic_.hbm_write_bytes = 0;
    traffic_.hbm_write_bytes += bypassed_write_bytes_ * block_share;
  }

 private:
  void touch_row(const TransferShape& shape, const RecordedTransfer& transfer, int64_t first) {
    const int64_t begin = std::max<int64_t>(0, first);
    const int64_t end = first + shape.rows.row_bytes;
    const bool whole_lines = asks_for_whole_lines(begin, end - begin);
    for (int64_t line = begin / kLineBytes; line * kLineBytes < end; ++line) {
      if (sampled_ && ((line ^ (line >> 4) ^ (line >> 9)) & kSampleMask) != 0) continue;
      const int64_t base = line * kLineBytes;
      const int64_t low = std::max(begin, base) - base;
      const int64_t high = std::min(end, base + kLineBytes) - base;
      touch_line(shape, transfer, line_of(shape.rows.buffer, line),
                 {low, high, whole_lines && high - low < kLineBytes});
    }
  }

  // Exactly one line of 16 neighbours is in a sample.
  size_t index_of(int64_t line) const { return static_cast<size_t>(sampled_ ? line >> 4 : line); }

  Line& line_of(int32_t buffer, int64_t line) {
    const size_t slot = static_cast<size_t>(buffer + 1);
    if (slot >= buffers_.size()) buffers_.resize(slot + 1);
    std::vector<Line>& lines = buffers_[slot];
    const size_t index = index_of(line);
    if (index >= lines.size()) lines.resize(std::max(index + 1, lines.size() * 2));
    return lines[index];
  }

  // What a request moves beyond the bytes asked for comes from where those come from; it is not
  // kept, so the neighbour's request moves it again. A line asked for although a part is touched
  // always comes from HBM: so say the documented slow-downs of rows off their lines, in matrices
  // that L2 could hold as in others.
  void touch_line(const TransferShape& shape, const RecordedTransfer& transfer, Line& line,
                  Piece piece) {
    const uint16_t mask = mask_of(piece.first, piece.last);
    const bool resident = line.filled_at >= 0 && filled_ - line.filled_at < capacity_;
    if (!resident) {
      line.present = 0;
      line.dirty = false;
    }
    const double scale = static_cast<double>(scale_ * kBlockBytes);
    const int missing = count_blocks(static_cast<uint16_t>(mask & ~line.present));
    double miss_bytes = missing * scale;
    double hit_bytes = (count_blocks(mask) - missing) * scale;
    if (is_load(shape.path)) {
      if (piece.asks_for_line) {
        miss_bytes = static_cast<double>(scale_ * kLineBytes);
        hit_bytes = 0;
      } else {
        (missing > 0 ? miss_bytes : hit_bytes) +=
            static_cast<double>(scale_) * piece.bytes_around();
      }
      traffic_.hbm_read_bytes[static_cast<int>(shape.path)] += miss_bytes;
      note_reader(shape, transfer, line);
      note_sharing(shape, transfer, line, hit_bytes);
      (line.reader_count > 1 ? traffic_.l2_shared_hit_bytes : traffic_.l2_hit_bytes) += hit_bytes;
    } else {
      if (shape.updates) note_update(shape, line, miss_bytes, hit_bytes);
      const double written = line.dirty ? miss_bytes : miss_bytes + hit_bytes;
      (shape.bypasses_l2 ? bypassed_write_bytes_ : traffic_.hbm_write_bytes) += written;
      line.dirty = !shape.bypasses_l2;
    }
    if (shape.bypasses_l2) return;
    if (line.filled_at < 0) footprint_ += kLineBytes;
    if (!resident) filled_ += kLineBytes;
    line.present = static_cast<uint16_t>(line.present | mask);
    line.filled_at = filled_;
  }

  void note_update(const TransferShape& shape, Line& line, double miss_bytes, double hit_bytes) {
    traffic_.hbm_read_bytes[static_cast<int>(shape.path)] += miss_bytes;
    traffic_.l2_hit_bytes += hit_bytes;
    traffic_.most_updates = std::max<double>(traffic_.most_updates, ++line.updates);
  }

  void note_sharing(const TransferShape& shape, const RecordedTransfer& transfer, Line& line,
                    double hit_bytes) {
    if (hit_bytes > 0 && line.last_block != transfer.block && !line.is_shared) {
      line.is_shared = true;
      shared_footprint_ += kLineBytes;
      shared_cold_bytes_[static_cast<int>(shape.path)] += hit_bytes;
    }
    line.last_block = transfer.block;
  }

  void scale_traffic(double factor) {
    for (double& bytes : traffic_.hbm_read_bytes) bytes *= factor;
    for (double* count : {&traffic_.hbm_write_bytes, &traffic_.l2_hit_bytes,
                          &traffic_.l2_shared_hit_bytes, &traffic_.hot_requests,
                          &traffic_.same_order_requests, &traffic_.most_updates}) {
      *count *= factor;
    }
  }

  static bool is_load(Path path) { return path == Path::kLoadUb || path == Path::kLoadL1; }

  void note_reader(const TransferShape& shape, const RecordedTransfer& transfer, Line& line) {
    const uint64_t reader = uint64_t{1} << (transfer.core & 63);
    if ((line.readers & reader) == 0) ++line.reader_count;
    line.readers |= reader;
    if (line.reads < UINT16_MAX) ++line.reads;
    if (line.reader_count >= hot_readers_) {
      traffic_.hot_requests += static_cast<double>(scale_ * line.reads);
      line.reads = 0;  // those before it was known to be hot are made up for
      const bool together = transfer.start_ns - line.touched_ns < shape.busy_ns / 2;
      if (line.last_core != transfer.core && together) {
        traffic_.same_order_requests += static_cast<double>(scale_);
      }
    }
    line.last_core = static_cast<int16_t>(transfer.core);
    line.touched_ns = transfer.start_ns;
  }

  int64_t scale_;
  double capacity_;
  int hot_readers_;
  bool sampled_;
  double filled_ = 0;
  double footprint_ = 0;
  double shared_footprint_ = 0;
  double bypassed_write_bytes_ = 0;
  double shared_cold_bytes_[kPathCount] = {};
  std::vector<std::vector<Line>> buffers_;
  MemoryTraffic traffic_;
};

double count_all_requests(const TransferRecord& record) {
  double requests = 0;
  for (const RecordedTransfer& transfer : record.transfers()) {
    requests += static_cast<double>(record.shape(transfer.shape).request_count);
  }
  return requests;
}

// How far each buffer is touched, in bytes; by the buffer's number and one.
std::vector<int64_t> measure_extents(const TransferRecord& record) {
  std::vector<int64_t> extents;
  for (const RecordedTransfer& transfer : record.transfers()) {
    const GmRows& rows = record.shape(transfer.shape).rows;
    const size_t slot = static_cast<size_t>(rows.buffer + 1);
    if (slot >= extents.size()) extents.resize(slot + 1);
    extents[slot] = std::max(extents[slot], transfer.first_byte + rows.reach_bytes());
  }
  return extents;
}

void add_totals(const TransferRecord& record, double block_share, MemoryTraffic& traffic) {
  for (const RecordedTransfer& transfer : record.transfers()) {
    const TransferShape& shape = record.shape(transfer.shape);
    const double bytes = block_share * static_cast<double>(shape.rows.total_bytes());
    traffic.moved_bytes[static_cast<int>(shape.path)] += bytes;
    if (shape.rows.row_bytes < kLineBytes) traffic.short_row_bytes += bytes;
    if (shape.asks_for_more) traffic.unaligned_bytes += bytes;
  }
}

}  // namespace

void TransferRecord::sort_by_start() {
  std::stable_sort(transfers_.begin(), transfers_.end(), [](const auto& left, const auto& right) {
    return left.start_ns < right.start_ns;
  });
}

bool TransferRecord::is_alike(const TransferShape& shape, const TransferShape& wanted) {
  const GmRows& rows = wanted.rows;
  const auto offset_in_block = [](int64_t byte) { return byte & (kBlockBytes - 1); };
  return shape.path == wanted.path && shape.bypasses_l2 == wanted.bypasses_l2 &&
         shape.updates == wanted.updates &&
         shape.rows.buffer == rows.buffer && shape.rows.row_bytes == rows.row_bytes &&
         offset_in_block(shape.rows.first_byte) == offset_in_block(rows.first_byte) &&
         std::equal(std::begin(rows.counts), std::end(rows.counts), shape.rows.counts) &&
         std::equal(std::begin(rows.strides), std::end(rows.strides), shape.rows.strides);
}

MemoryTraffic replay_through_l2(TransferRecord& record, int64_t core_count, double block_share,
                                const SocNumbers& soc) {
  record.sort_by_start();
  Cache cache(core_count, soc, count_all_requests(record) > kMaxTouchedLines);
  const std::vector<int64_t> extents = measure_extents(record);
  for (size_t slot = 0; slot < extents.size(); ++slot) {
    cache.reserve(static_cast<int32_t>(slot) - 1, extents[slot]);
  }
  for (const RecordedTransfer& transfer : record.transfers()) {
    cache.replay(record.shape(transfer.shape), transfer);
  }
  cache.settle(block_share);
  MemoryTraffic traffic = cache.traffic();
  add_totals(record, block_share, traffic);
  return traffic;
}

}  // namespace npu::machine
