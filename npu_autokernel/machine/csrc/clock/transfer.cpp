#include "clock/transfer.h"

#include <algorithm>

namespace npu::machine {
namespace {

struct Dim {
  int64_t count;
  int64_t stride;  // bytes
};

// Dims of a view from the outermost, without those of extent 1; neighbours that walk on are joined.
int joined_dims(const MemoryView& view, Dim (&dims)[kMaxRank]) {
  const int64_t width = bytes_of(view.type);
  int count = 0;
  for (int dim = 0; dim < view.rank; ++dim) {
    if (view.sizes[dim] == 1) continue;
    const Dim next{view.sizes[dim], view.strides[dim] * width};
    if (count > 0 && dims[count - 1].stride == next.count * next.stride) {
      dims[count - 1] = {dims[count - 1].count * next.count, next.stride};
    } else {
      dims[count++] = next;
    }
  }
  return count;
}

// A row starts with a part of a line, goes on with whole lines and ends with a part.
Requests requests_of_row(int64_t first, int64_t row_bytes) {
  Requests requests;
  const bool whole_lines = asks_for_whole_lines(first, row_bytes);
  int64_t offset = (first % kLineBytes + kLineBytes) % kLineBytes;
  int64_t left = row_bytes;
  const auto take = [&](int64_t bytes) {
    requests.bytes += whole_lines ? kLineBytes : request_bytes(offset, bytes);
    requests.count += 1;
    left -= bytes;
    offset = 0;
  };
  take(std::min(left, kLineBytes - offset));
  requests.count += left / kLineBytes;
  requests.bytes += left / kLineBytes * kLineBytes;
  left %= kLineBytes;
  if (left > 0) take(left);
  return requests;
}

bool all_strides_divide(const GmRows& rows, int64_t by) {
  return std::all_of(std::begin(rows.strides), std::end(rows.strides),
                     [by](int64_t stride) { return stride % by == 0; });
}

double peak_bytes_per_cycle(Path path, const SocNumbers& soc, const ClockConstants& constants) {
  switch (path) {
    case Path::kLoadUb: return soc.l2_read_vector_bytes_per_cycle;
    case Path::kLoadL1: return soc.l2_read_cube_bytes_per_cycle;
    default: return constants.store_bytes_per_cycle;
  }
}

}  // namespace

GmRows rows_of(const MemoryView& view) {
  GmRows rows;
  rows.buffer = view.buffer;
  const int64_t width = bytes_of(view.type);
  rows.first_byte = view.base_byte + view.offset * width;
  rows.row_bytes = view.is_empty() ? 0 : width;
  if (view.is_empty()) return rows;
  Dim dims[kMaxRank];
  int count = joined_dims(view, dims);
  if (count > 0 && dims[count - 1].stride == width) rows.row_bytes *= dims[--count].count;
  // More dims than a walk holds are joined into the first: their rows lie elsewhere, their number
  // and length are the same.
  for (int dim = 0; dim < count; ++dim) {
    const int slot = std::max(0, kOuterDims - count + dim);
    rows.counts[slot] *= dims[dim].count;
    rows.strides[slot] = dims[dim].stride;
  }
  return rows;
}

Requests requests_of(const GmRows& rows) {
  if (rows.row_bytes == 0) return {};
  if (all_strides_divide(rows, kLineBytes)) {
    const Requests each = requests_of_row(rows.first_byte, rows.row_bytes);
    return {each.count * rows.row_count(), each.bytes * rows.row_count()};
  }
  Requests total;
  visit_rows(rows, [&](int64_t first) {
    const Requests row = requests_of_row(first, rows.row_bytes);
    total.count += row.count;
    total.bytes += row.bytes;
  });
  return total;
}

// One hardware instruction moves one plane of rows. It is bound by issue and rows, or by bytes.
double transfer_ns(Path path, const GmRows& rows, const Requests& requests, const SocNumbers& soc,
                   const ClockConstants& constants) {
  const double instructions = static_cast<double>(rows.counts[0] * rows.counts[1] * rows.counts[2]);
  const double row_count = static_cast<double>(rows.row_count());
  const double by_rows = instructions * constants.dma_issue_cycles +
                         (row_count - instructions) * constants.dma_row_cycles;
  const double by_bytes =
      static_cast<double>(requests.bytes) / peak_bytes_per_cycle(path, soc, constants);
  return std::max(by_rows, by_bytes) * 1000.0 / soc.clock_mhz;
}

}  // namespace npu::machine
