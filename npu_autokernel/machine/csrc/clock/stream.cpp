#include "clock/stream.h"

#include <map>
#include <stdexcept>

namespace npu::machine {
namespace {

Pipe pipe_named(const std::string& name) {
  static const std::map<std::string, Pipe> kPipes = {
      {"scalar", Pipe::kScalar}, {"vector", Pipe::kVector}, {"mte1", Pipe::kMte1},
      {"mte2", Pipe::kMte2},     {"mte3", Pipe::kMte3},     {"cube", Pipe::kCube},
      {"fixpipe", Pipe::kFixpipe}};
  const auto found = kPipes.find(name);
  if (found == kPipes.end()) throw std::invalid_argument("unknown pipe " + name);
  return found->second;
}

ElementType type_named(const std::string& name) {
  static const std::map<std::string, ElementType> kTypes = {
      {"float16", ElementType::kF16}, {"bfloat16", ElementType::kBf16},
      {"float32", ElementType::kF32}, {"hfloat32", ElementType::kF32},
      {"int8", ElementType::kI8},     {"int16", ElementType::kI16},
      {"int32", ElementType::kI32},   {"int64", ElementType::kI64},
      {"bool", ElementType::kI1}};
  const auto found = kTypes.find(name);
  if (found == kTypes.end()) throw std::invalid_argument("unknown type " + name);
  return found->second;
}

Opcode vector_named(const std::string& name) {
  static const std::map<std::string, Opcode> kOpcodes = {
      {"exp", Opcode::kVexp},       {"ln", Opcode::kVln},         {"abs", Opcode::kVabs},
      {"sqrt", Opcode::kVsqrt},     {"rsqrt", Opcode::kVrsqrt},   {"rec", Opcode::kVrec},
      {"relu", Opcode::kVrelu},     {"not", Opcode::kVnot},       {"cast", Opcode::kVcast},
      {"copy", Opcode::kCopy},      {"add", Opcode::kVadd},       {"sub", Opcode::kVsub},
      {"mul", Opcode::kVmul},       {"div", Opcode::kVdiv},       {"max", Opcode::kVmax},
      {"min", Opcode::kVmin},       {"and", Opcode::kVand},       {"or", Opcode::kVor},
      {"xor", Opcode::kVxor},       {"shl", Opcode::kVshl},       {"shr", Opcode::kVshr},
      {"cmp", Opcode::kVcmp},       {"sel", Opcode::kVsel},       {"sort", Opcode::kVsort},
      {"gather", Opcode::kVgather}, {"transpose", Opcode::kVtranspose},
      {"interleave", Opcode::kVinterleave}, {"deinterleave", Opcode::kVdeinterleave},
      {"flip", Opcode::kVflip},     {"broadcast", Opcode::kVbrc}, {"arange", Opcode::kVarange},
      {"scan", Opcode::kVscan}};
  const auto found = kOpcodes.find(name);
  if (found == kOpcodes.end()) throw std::invalid_argument("unknown vector operation " + name);
  return found->second;
}

MemoryView make_view(MemorySpace space, ElementType type, int64_t base_byte,
                     std::initializer_list<int64_t> sizes,
                     std::initializer_list<int64_t> strides) {
  MemoryView view;
  view.space = space;
  view.type = type;
  view.base_byte = base_byte;
  for (int64_t size : sizes) view.sizes[view.rank++] = size;
  int dim = 0;
  for (int64_t stride : strides) view.strides[dim++] = stride;
  return view;
}

// A row of elements in UB whose blocks of 32 bytes lie `block_stride` blocks apart.
MemoryView make_block_view(ElementType type, int64_t first_byte, int64_t elements,
                           int64_t block_stride) {
  const int64_t of_block = 32 / bytes_of(type);
  return make_view(MemorySpace::kUb, type, first_byte, {(elements + of_block - 1) / of_block, of_block},
                   {block_stride * of_block, 1});
}

MemoryView make_tile_view(const GmTile& tile, int64_t element_bytes) {
  const ElementType type = element_bytes == 4   ? ElementType::kF32
                           : element_bytes == 2 ? ElementType::kF16
                                                : ElementType::kI8;
  MemoryView view = make_view(MemorySpace::kGm, type, tile.first_byte,
                              {tile.rows, tile.row_bytes / element_bytes},
                              {tile.row_stride / element_bytes, 1});
  view.buffer = tile.buffer;
  return view;
}

}  // namespace

Stream::Node& Stream::add(Opcode opcode, Pipe pipe) {
  nodes_.emplace_back();
  Node& node = nodes_.back();
  node.operation.opcode = opcode;
  node.operation.pipe = pipe;
  node.instruction.scalar_ops_before = pending_scalar_ops_;
  pending_scalar_ops_ = 0;
  return node;
}

void Stream::begin_loop(int64_t count) {
  open_loops_.push_back(nodes_.size());
  nodes_.emplace_back();
  nodes_.back().kind = Node::Kind::kLoop;
  nodes_.back().count = count;
}

void Stream::end_loop() {
  if (open_loops_.empty()) throw std::invalid_argument("no loop is open");
  const size_t begin = open_loops_.back();
  open_loops_.pop_back();
  nodes_[begin].end = nodes_.size();
  nodes_.emplace_back();
  nodes_.back().kind = Node::Kind::kEnd;
  nodes_.back().end = begin;
}

void Stream::scalar_access(const std::string& space, int64_t count) {
  begin_loop(count);
  Node& node = add(Opcode::kScalarLoad, Pipe::kScalar);
  node.instruction.input_count = 1;
  node.instruction.views[0] =
      make_view(space == "gm" ? MemorySpace::kGm : MemorySpace::kUb, ElementType::kF32, 0, {}, {});
  end_loop();
}

Stream::Node& Stream::add_flag(Opcode opcode, const std::string& set_pipe,
                               const std::string& wait_pipe) {
  Node& node = add(opcode, pipe_named(opcode == Opcode::kSetFlag ? set_pipe : wait_pipe));
  node.operation.set_pipe = pipe_named(set_pipe);
  node.operation.wait_pipe = pipe_named(wait_pipe);
  return node;
}

void Stream::set_flag(const std::string& set_pipe, const std::string& wait_pipe, int32_t event,
                      int32_t period) {
  Node& node = add_flag(Opcode::kSetFlag, set_pipe, wait_pipe);
  node.instruction.event = node.first_event = event;
  node.event_period = period;
}

void Stream::wait_flag(const std::string& set_pipe, const std::string& wait_pipe, int32_t event,
                       int32_t period) {
  Node& node = add_flag(Opcode::kWaitFlag, set_pipe, wait_pipe);
  node.instruction.event = node.first_event = event;
  node.event_period = period;
}

void Stream::barrier(const std::string& pipe) {
  const bool all = pipe == "all";
  add(Opcode::kPipeBarrier, all ? Pipe::kScalar : pipe_named(pipe)).operation.all_pipes = all;
}

void Stream::set_gm(Node& node, int view, const GmTile& tile) {
  node.gm_view = view;
  node.loop_strides = tile.loop_strides;
}

void Stream::load(const GmTile& tile) {
  Node& node = add(Opcode::kLoad, Pipe::kMte2);
  node.instruction.input_count = node.instruction.output_count = 1;
  node.instruction.views[0] = make_tile_view(tile, 1);
  set_gm(node, 0, tile);
}

void Stream::load_l1(const GmTile& tile, bool as_fractals) {
  load(tile);
  if (as_fractals) nodes_.back().operation.opcode = Opcode::kNd2Nz;
  nodes_.back().instruction.views[1].space = MemorySpace::kL1;
}

void Stream::store(const GmTile& tile, bool atomic) {
  Node& node = add(Opcode::kStore, Pipe::kMte3);
  node.operation.atomic_kind = atomic ? AtomicKind::kAdd : AtomicKind::kNone;
  node.instruction.input_count = node.instruction.output_count = 1;
  node.instruction.views[1] = make_tile_view(tile, 1);
  set_gm(node, 1, tile);
}

void Stream::fixpipe(const GmTile& tile, int64_t element_bytes) {
  Node& node = add(Opcode::kFixpipe, Pipe::kFixpipe);
  node.instruction.input_count = node.instruction.output_count = 1;
  node.instruction.views[1] = make_tile_view(tile, element_bytes);
  set_gm(node, 1, tile);
}

void Stream::vector(const std::string& name, const std::string& type, int64_t elements,
                    const std::vector<int64_t>& inputs, int64_t result,
                    const std::string& result_type, const std::vector<int64_t>& block_strides) {
  if (inputs.empty() || inputs.size() > 3) throw std::invalid_argument("one to three inputs");
  if (!block_strides.empty() && block_strides.size() != inputs.size() + 1) {
    throw std::invalid_argument("a block stride for each input and the result");
  }
  Node& node = add(vector_named(name), Pipe::kVector);
  Instruction& instruction = node.instruction;
  const auto add_view = [&](ElementType element, int64_t first, size_t index) {
    instruction.views[index] =
        block_strides.empty()
            ? make_view(MemorySpace::kUb, element, first, {elements}, {1})
            : make_block_view(element, first, elements, block_strides[index]);
  };
  for (size_t i = 0; i < inputs.size(); ++i) add_view(type_named(type), inputs[i], i);
  add_view(type_named(result_type.empty() ? type : result_type), result, inputs.size());
  instruction.input_count = static_cast<uint8_t>(inputs.size());
  instruction.output_count = 1;
  if (node.operation.opcode == Opcode::kVscan) {
    node.operation.dim_count = 1;
    node.operation.dims[0] = 0;
  }
}

void Stream::copy_blocks(int64_t rows, int64_t row_blocks, int64_t block_stride) {
  Node& node = add(Opcode::kCopy, Pipe::kVector);
  node.instruction.input_count = node.instruction.output_count = 1;
  node.instruction.views[0] = make_view(MemorySpace::kUb, ElementType::kF16, 0,
                                        {rows, row_blocks, 16}, {row_blocks * 16, 16, 1});
  node.instruction.views[1] = make_view(MemorySpace::kUb, ElementType::kF16, 0x10000,
                                        {rows, row_blocks, 16}, {16, block_stride * 16, 1});
}

void Stream::reduce(const std::string& kind, const std::string& type, int64_t rows,
                    int64_t columns) {
  Node& node = add(Opcode::kVreduce, Pipe::kVector);
  node.operation.reduce_kind = kind == "max" ? ReduceKind::kMax : ReduceKind::kSum;
  node.operation.dim_count = 1;
  node.operation.dims[0] = 1;
  node.instruction.input_count = node.instruction.output_count = 1;
  node.instruction.views[0] =
      make_view(MemorySpace::kUb, type_named(type), 0, {rows, columns}, {columns, 1});
  node.instruction.views[1] = make_view(MemorySpace::kUb, type_named(type), 0, {rows, 1}, {1, 1});
}

void Stream::load_l0(bool is_a, const std::string& type, int64_t m, int64_t k, int64_t n) {
  Node& node = add(is_a ? Opcode::kL0LoadA : Opcode::kL0LoadB, Pipe::kMte1);
  node.instruction.input_count = 1;
  node.operation.hf32 = type == "hfloat32";
  node.instruction.views[0] =
      make_view(MemorySpace::kL1, type_named(type), 0, {is_a ? m : n, k}, {k, 1});
  node.instruction.scalar_count = 3;
  node.instruction.scalars[0].integer = m;
  node.instruction.scalars[1].integer = k;
  node.instruction.scalars[2].integer = n;
}

void Stream::multiply(const std::string& type, int64_t m, int64_t k, int64_t n) {
  Node& node = add(Opcode::kMmad, Pipe::kCube);
  node.operation.hf32 = type == "hfloat32";
  node.instruction.output_count = 1;
  node.instruction.scalar_count = 3;
  node.instruction.scalars[0].integer = m;
  node.instruction.scalars[1].integer = k;
  node.instruction.scalars[2].integer = n;
}

void Stream::matmul(const std::string& type, int64_t m, int64_t k, int64_t n) {
  load_l0(true, type, m, k, n);
  load_l0(false, type, m, k, n);
  multiply(type, m, k, n);
}

void Stream::cross_set(const std::string& pipe, int32_t event) {
  Node& node = add(Opcode::kBlockSet, pipe_named(pipe));
  node.operation.set_pipe = pipe_named(pipe);
  node.instruction.event = event;
}

void Stream::cross_wait(const std::string& pipe, int32_t event) {
  Node& node = add(Opcode::kBlockWait, pipe_named(pipe));
  node.operation.wait_pipe = pipe_named(pipe);
  node.instruction.event = event;
}

}  // namespace npu::machine
