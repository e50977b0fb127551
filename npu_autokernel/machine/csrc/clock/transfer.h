// The global-memory side of one DMA instruction: rows, requests, and how long the engine is busy.
#pragma once

#include <cstdint>

#include "clock/constants.h"
#include "instruction.h"
#include "soc.h"

namespace npu::machine {

constexpr int64_t kLineBytes = 512;  // of L2; one request never crosses it
constexpr int64_t kSmallestRequest = 128;
constexpr int64_t kBlockBytes = 32;  // what an on-chip buffer is written in

constexpr int kOuterDims = 4;

// Rows of contiguous bytes in one buffer: `row_bytes` each, walked by up to four strides.
struct GmRows {
  int32_t buffer = -1;
  int64_t first_byte = 0;
  int64_t row_bytes = 0;
  int64_t counts[kOuterDims] = {1, 1, 1, 1};
  int64_t strides[kOuterDims] = {};  // bytes

  int64_t row_count() const { return counts[0] * counts[1] * counts[2] * counts[3]; }
  int64_t total_bytes() const { return row_count() * row_bytes; }
  // From the first byte to behind the last, at most.
  int64_t reach_bytes() const {
    int64_t reach = row_bytes;
    for (int dim = 0; dim < kOuterDims; ++dim) {
      reach += (counts[dim] - 1) * (strides[dim] > 0 ? strides[dim] : 0);
    }
    return reach;
  }
};

template <typename Visit>
void visit_rows(const GmRows& rows, Visit visit) {
  for (int64_t a = 0; a < rows.counts[0]; ++a) {
    for (int64_t b = 0; b < rows.counts[1]; ++b) {
      for (int64_t c = 0; c < rows.counts[2]; ++c) {
        const int64_t base = rows.first_byte + a * rows.strides[0] + b * rows.strides[1] +
                             c * rows.strides[2];
        for (int64_t d = 0; d < rows.counts[3]; ++d) visit(base + d * rows.strides[3]);
      }
    }
  }
}

GmRows rows_of(const MemoryView& view);

// The memory system answers with aligned pieces of 128, 256 or 512 bytes. A row that starts off
// such a piece and goes on into the next line asks for whole lines.
constexpr bool asks_for_whole_lines(int64_t first, int64_t row_bytes) {
  return first % kSmallestRequest != 0 && first / kLineBytes != (first + row_bytes - 1) / kLineBytes;
}

// What one request moves for `bytes` from `offset` into a line.
constexpr int64_t request_bytes(int64_t offset, int64_t bytes) {
  for (int64_t piece = kSmallestRequest; piece < kLineBytes; piece *= 2) {
    if (offset / piece == (offset + bytes - 1) / piece) return piece;
  }
  return kLineBytes;
}

// Lines that the rows touch, each one request to the memory system, and the bytes that those move.
struct Requests {
  int64_t count = 0;
  int64_t bytes = 0;
};
Requests requests_of(const GmRows& rows);

enum class Path : uint8_t { kLoadUb, kLoadL1, kStoreUb, kStoreL0c };
constexpr int kPathCount = 4;

// Nanoseconds the engine is busy with one instruction when no other core uses the memory.
double transfer_ns(Path path, const GmRows& rows, const Requests& requests, const SocNumbers& soc,
                   const ClockConstants& constants);

}  // namespace npu::machine
