// Runs synthetic streams: each block's cores in turn, as far as their cross-core flags allow.
#include <map>
#include <stdexcept>

#include "clock/stream.h"

namespace npu::machine {
namespace {

// Walks a stream instruction by instruction.
class Cursor {
 public:
  explicit Cursor(const Stream& stream) : nodes_(stream.nodes()) {}

  // Moves to the next instruction; nullptr at the end.
  Stream::Node* next() {
    for (; position_ < nodes_.size(); ++position_) {
      Stream::Node& node = nodes_[position_];
      if (node.kind == Stream::Node::Kind::kLoop) {
        if (node.count <= 0) position_ = node.end;
        else indices_.push_back(0);
      } else if (node.kind == Stream::Node::Kind::kEnd) {
        if (++indices_.back() < nodes_[node.end].count) position_ = node.end;
        else indices_.pop_back();
      } else {
        resolve(node);
        return &node;
      }
    }
    return nullptr;
  }
  void advance() { ++position_; }

 private:
  void resolve(Stream::Node& node) {
    node.instruction.operation = &node.operation;
    if (node.event_period > 1 && !indices_.empty()) {
      node.instruction.event =
          node.first_event + static_cast<int32_t>(indices_.back() % node.event_period);
    }
    if (node.gm_view < 0) return;
    MemoryView& view = node.instruction.views[node.gm_view];
    int64_t bytes = 0;
    for (size_t level = 0; level < indices_.size() && level < node.loop_strides.size(); ++level) {
      bytes += indices_[level] * node.loop_strides[level];
    }
    view.offset = bytes / bytes_of(view.type);
  }

  std::vector<Stream::Node> nodes_;
  size_t position_ = 0;
  std::vector<int64_t> indices_;
};

// Counts cross-core flags so that a core only runs on when its wait is satisfied.
class CrossFlags {
 public:
  void set(int from, int32_t event) { ++sets_[{from, event}]; }
  bool try_take(int to, int cores, int32_t event) {
    const bool cube = to == 0;
    for (int from = cube ? 1 : 0; from < (cube ? cores : 1); ++from) {
      if (taken_[{from * 3 + to, event}] >= sets_[{from, event}]) return false;
    }
    for (int from = cube ? 1 : 0; from < (cube ? cores : 1); ++from) {
      ++taken_[{from * 3 + to, event}];
    }
    return true;
  }

 private:
  std::map<std::pair<int, int32_t>, int64_t> sets_, taken_;
};

CoreId core_of(CoreUse use, int index, int64_t block) {
  CoreId core;
  core.block = block;
  const bool cube = use == CoreUse::kCube || (use == CoreUse::kMix && index == 0);
  core.kind = cube ? CoreKind::kCube : CoreKind::kVector;
  core.sub_core = static_cast<uint8_t>(cube || use == CoreUse::kVector ? 0 : index - 1);
  return core;
}

// Runs one core until it ends or waits for another core; whether it moved.
bool run_core(Clock& clock, const CoreId& core, int index, int cores, Cursor& cursor,
              CrossFlags& flags, bool& ended) {
  bool moved = false;
  while (Stream::Node* node = cursor.next()) {
    const Opcode opcode = node->operation.opcode;
    const int32_t event = node->instruction.event;
    if (opcode == Opcode::kBlockWait && !flags.try_take(index, cores, event)) return moved;
    if (opcode == Opcode::kBlockSet) flags.set(index, event);
    clock.observe(core, node->instruction);
    cursor.advance();
    moved = true;
  }
  ended = true;
  clock.end_core(core, 0);
  return true;
}

void run_block(Clock& clock, CoreUse use, int64_t block, const BlockStreams& streams) {
  clock.begin_block(block);
  const int cores = static_cast<int>(streams.size());
  std::vector<Cursor> cursors(streams.begin(), streams.end());
  std::vector<char> ended(streams.size(), 0);
  CrossFlags flags;
  for (bool moved = true; moved;) {
    moved = false;
    for (int index = 0; index < cores; ++index) {
      if (ended[static_cast<size_t>(index)]) continue;
      bool done = false;
      moved |= run_core(clock, core_of(use, index, block), index, cores,
                        cursors[static_cast<size_t>(index)], flags, done);
      ended[static_cast<size_t>(index)] = done ? 1 : 0;
    }
  }
  for (char done : ended) {
    if (!done) throw std::invalid_argument("the streams of a block wait for each other for ever");
  }
  clock.end_block(block);
}

}  // namespace

TimingReport simulate(const std::vector<BlockStreams>& blocks, CoreUse use, const L2Bypass& bypass,
                      const SocNumbers& soc, const ClockConstants& constants,
                      const ClockOptions& options) {
  Clock clock(soc, constants, use, options);
  clock.set_l2_bypass(bypass.loads, bypass.stores);
  for (size_t block = 0; block < blocks.size(); ++block) {
    run_block(clock, use, static_cast<int64_t>(block), blocks[block]);
  }
  return clock.finish(static_cast<int64_t>(blocks.size()));
}

}  // namespace npu::machine
