#include "shadow.h"

#include <algorithm>
#include <cstring>

#include "loop_nest.h"
#include "memory_names.h"
#include "views.h"

namespace npu::machine {
namespace {

// The first byte in [first, last) that is not kWrittenByte; `last` if there is none.
int64_t find_in_run(const uint8_t* bits, int64_t first, int64_t last) {
  constexpr int kWords = 16;
  for (; first + kWords * 8 <= last; first += kWords * 8) {
    uint64_t words[kWords];
    std::memcpy(words, bits + first, sizeof words);
    uint64_t all = ~uint64_t{0};
    for (uint64_t word : words) all &= word;
    if (all != ~uint64_t{0}) break;
  }
  while (first < last && bits[first] == kWrittenByte) ++first;
  return first;
}

// Calls run(first, last) for the bytes of a view of whole bytes, as few and as long as its rows
// allow, until it returns false.
template <typename Run>
void for_each_run(const MemoryView& view, Run run) {
  const int64_t width = bytes_of(view.type);
  LoopNest nest(view);
  nest.add(view);
  nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    const int64_t start = view.base_byte + (view.offset + at[0]) * width;
    if (by[0] == 1) return run(start, start + count * width);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t first = start + i * by[0] * width;
      if (!run(first, first + width)) return false;
    }
    return true;
  });
}

// The same for a bit-packed view: visit(byte, mask of the bits in it).
template <typename Visit>
void for_each_byte_of_bits(const MemoryView& view, Visit visit) {
  LoopNest nest(view);
  nest.add(view);
  nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    for (int64_t i = 0; i < count;) {
      const int64_t bit = view.offset + at[0] + i * by[0];
      const int64_t taken = by[0] == 1 ? std::min(8 - (bit & 7), count - i) : 1;
      const auto mask = static_cast<uint8_t>(((1u << taken) - 1) << (bit & 7));
      if (!visit(view.base_byte + (bit >> 3), mask)) return false;
      i += taken;
    }
    return true;
  });
}

}  // namespace

void OriginTable::clear() {
  origins_.clear();
  numbers_.clear();
}

uint32_t OriginTable::number_of(const Origin& origin) {
  const Key key{origin.line, origin.kind, origin.space, origin.buffer, origin.bytes.first};
  const auto [found, is_new] = numbers_.try_emplace(key, origins_.size() + 1);
  if (is_new) origins_.push_back(origin);
  return found->second;
}

std::string OriginTable::describe(uint32_t number) const {
  const Origin& origin = origins_[number - 1];
  MemoryView memory;
  memory.space = origin.space;
  memory.buffer = origin.buffer;
  const std::string bytes = describe_bytes(origin.bytes) + " of " + name_memory(memory);
  const std::string place = program_->place_name(origin.line);
  switch (origin.kind) {
    case Garbage::kOutside:
      return "a read outside of " + name_memory(memory) + " in " + place;
    case Garbage::kScratch: return bytes + ", scratch of the instruction in " + place;
    default: return bytes + ", which nothing wrote, read in " + place;
  }
}

void Shadow::resize(size_t size_bytes) {
  bits_.assign(size_bytes, 0);
  origins_.assign(size_bytes / kBlockBytes + 1, kNoOrigin);
}

void Shadow::forget(size_t count) {
  std::fill_n(bits_.begin(), count, uint8_t{0});
  std::fill_n(origins_.begin(), (count + kBlockBytes - 1) / kBlockBytes, kNoOrigin);
}

void Shadow::mark(const MemoryView& view, bool written) {
  uint8_t* bits = bits_.data();
  if (view.is_bit_packed()) {
    for_each_byte_of_bits(view, [&](int64_t byte, uint8_t mask) {
      bits[byte] = static_cast<uint8_t>(written ? bits[byte] | mask : bits[byte] & ~mask);
      return true;
    });
    return;
  }
  for_each_run(view, [&](int64_t first, int64_t last) {
    std::memset(bits + first, written ? kWrittenByte : 0, static_cast<size_t>(last - first));
    return true;
  });
}

int64_t Shadow::find_unwritten(const MemoryView& view) const {
  const uint8_t* bits = bits_.data();
  int64_t found = -1;
  if (view.is_bit_packed()) {
    for_each_byte_of_bits(view, [&](int64_t byte, uint8_t mask) {
      if ((bits[byte] & mask) != mask) found = byte;
      return found < 0;
    });
    return found;
  }
  for_each_run(view, [&](int64_t first, int64_t last) {
    const int64_t byte = find_in_run(bits, first, last);
    if (byte < last) found = byte;
    return found < 0;
  });
  return found;
}

ByteSpan Shadow::unwritten_run(int64_t first, int64_t last) const {
  int64_t end = first;
  while (end < last && bits_[static_cast<size_t>(end)] != kWrittenByte) ++end;
  return {first, end};
}

void Shadow::set_origin(const MemoryView& view, uint32_t origin) {
  if (view.is_bit_packed()) {
    for_each_byte_of_bits(view, [&](int64_t byte, uint8_t) {
      origins_[static_cast<size_t>(byte / kBlockBytes)] = origin;
      return true;
    });
    return;
  }
  for_each_run(view, [&](int64_t first, int64_t last) {
    std::fill(origins_.begin() + first / kBlockBytes,
              origins_.begin() + (last - 1) / kBlockBytes + 1, origin);
    return true;
  });
}

}  // namespace npu::machine
