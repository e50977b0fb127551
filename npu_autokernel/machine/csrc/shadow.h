// What of a memory was written: a bit of shadow for every bit, and where garbage comes from.
//
// An element was written if all its bits were. Bytes that nothing wrote get an origin when an
// instruction first reads them, and what is computed from them has the same origin.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "types.h"

namespace npu::machine {

struct Program;

constexpr uint8_t kWrittenByte = 0xff;
constexpr uint32_t kNoOrigin = 0;

enum class Garbage : uint8_t {
  kNeverWritten,  // first read in `line`
  kOutside,       // read in `line` from outside of an argument
  kScratch,       // left behind by the instruction in `line`
};

struct Origin {
  Garbage kind = Garbage::kNeverWritten;
  MemorySpace space = MemorySpace::kUb;
  int32_t buffer = -1;  // kGm: the argument
  ByteSpan bytes;
  uint32_t line = 0;
};

// The origins of one block, numbered from 1.
class OriginTable {
 public:
  // Knows the names of lines; outlives the table.
  void set_program(const Program& program) { program_ = &program; }
  void clear();
  uint32_t number_of(const Origin& origin);
  // For a sentence that goes "this comes from ...".
  std::string describe(uint32_t number) const;

 private:
  using Key = std::tuple<uint32_t, Garbage, MemorySpace, int32_t, int64_t>;
  const Program* program_ = nullptr;
  std::vector<Origin> origins_;
  std::map<Key, uint32_t> numbers_;
};

class Shadow {
 public:
  void resize(size_t size_bytes);
  // Nothing of the first `count` bytes is written any more.
  void forget(size_t count);
  std::vector<uint8_t>& bits() { return bits_; }

  // Views lie inside the memory.
  void mark(const MemoryView& view, bool written);
  bool is_written(const MemoryView& view) const { return find_unwritten(view) < 0; }
  // The first byte of the view that was not written, in the order of its elements, or -1.
  int64_t find_unwritten(const MemoryView& view) const;
  // The bytes from `first` up to the next that was written, `last` at most.
  ByteSpan unwritten_run(int64_t first, int64_t last) const;

  // Of the garbage in the 32 bytes around `byte`: who got there last.
  uint32_t origin(int64_t byte) const { return origins_[static_cast<size_t>(byte / kBlockBytes)]; }
  void set_origin(const MemoryView& view, uint32_t origin);

 private:
  static constexpr int64_t kBlockBytes = 32;
  std::vector<uint8_t> bits_;
  std::vector<uint32_t> origins_;
};

}  // namespace npu::machine
