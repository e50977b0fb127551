#include "clock/vector_cost.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "clock/bank_conflict.h"

namespace npu::machine {
namespace {

constexpr int64_t kRepeatBytes = 256;
constexpr int64_t kBlockBytes = 32;
constexpr int64_t kMaxRepeats = 255;  // of one hardware instruction

// Cycles per 256-byte repeat of 16-bit and of 32-bit elements, and startup relative to an add.
// Throughput: tables of the Ascend C documents, the vendor's per-instruction model and its fits on
// a device, which agree except where noted. Startup: fits on a device, single operations.
struct VectorCost {
  double repeat16;
  double repeat32;
  double startup;
};

VectorCost cost_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::kVexp: return {4, 2, 9};
    case Opcode::kVln: return {4, 2, 11};
    case Opcode::kVsqrt: return {4, 2, 17};
    case Opcode::kVdiv: return {4, 4, 9};  // documents say 2 for fp32; both models measured 4
    case Opcode::kVcast: return {1, 1, 10};
    case Opcode::kVcmp:
    case Opcode::kVsel: return {1, 1, 5};  // with two tensors 2, as for what reads banks twice
    case Opcode::kVand:
    case Opcode::kVor:
    case Opcode::kVxor: return {1, 1, -2};
    case Opcode::kVinterleave:
    case Opcode::kVdeinterleave: return {2, 2, 0};  // gather mask, built-in pattern
    case Opcode::kVgather: return {24, 12, 4};
    case Opcode::kVflip: return {24, 12, 4};         // a gather with a falling index
    case Opcode::kVtranspose: return {10.5, 10.5, 0};  // 21 cycles per 16 x 16 of 16 bits
    default: return {1, 1, 0};
  }
}

int64_t width_of(const MemoryView& view) {
  return view.is_bit_packed() ? 0 : bytes_of(view.type);
}

// The widest operand sets how many elements a repeat holds.
int64_t widest_element(const Instruction& instruction) {
  int64_t width = 1;
  for (int i = 0; i < instruction.input_count + instruction.output_count; ++i) {
    width = std::max(width, width_of(instruction.views[i]));
  }
  return width;
}

// The view that spans the work: the one with most elements.
const MemoryView& widest_view(const Instruction& instruction) {
  int best = 0;
  for (int i = 1; i < instruction.input_count + instruction.output_count; ++i) {
    if (instruction.views[i].element_count() > instruction.views[best].element_count()) best = i;
  }
  return instruction.views[best];
}

// How a set of views can be walked: runs of `run` elements, contiguous in every view.
struct Walk {
  int64_t runs = 1;
  int64_t run = 1;
  int from_last = 0;  // the first dim that is not part of a run
};

bool is_contiguous_dim(const MemoryView& view, int from_last, int64_t expected_stride) {
  const int dim = view.rank - 1 - from_last;
  return dim < 0 || view.sizes[dim] == 1 || view.strides[dim] == expected_stride;
}

bool spans(const MemoryView& view, const MemoryView& base, int from_last) {
  const int dim = view.rank - 1 - from_last;
  return dim >= 0 && view.sizes[dim] == base.sizes[base.rank - 1 - from_last];
}

Walk walk_of(const Instruction& instruction) {
  const MemoryView& base = widest_view(instruction);
  const int view_count = instruction.input_count + instruction.output_count;
  Walk walk;
  for (int from_last = 0; from_last < base.rank; ++from_last) {
    walk.from_last = from_last;
    bool joined = true;
    for (int i = 0; i < view_count && joined; ++i) {
      const MemoryView& view = instruction.views[i];
      // A row's one value is first spread over a block and then read with block stride 0.
      const bool is_spread = from_last == 0 || spans(view, base, from_last);
      joined = is_spread && is_contiguous_dim(view, from_last, walk.run);
    }
    if (!joined) break;
    walk.run *= base.sizes[base.rank - 1 - from_last];
    walk.from_last = from_last + 1;
  }
  walk.runs = std::max<int64_t>(1, base.element_count() / std::max<int64_t>(1, walk.run));
  return walk;
}

// Distance of successive runs of a view in 32-byte blocks.
int64_t block_stride_of(const MemoryView& view, const Walk& walk) {
  const int dim = view.rank - 1 - walk.from_last;
  if (dim < 0) return 1;
  return std::llabs(view.strides[dim]) * bytes_of(view.type) / kBlockBytes;
}

struct Repeats {
  double count = 0;
  double calls = 1;      // hardware instructions
  bool by_block = false;  // a repeat walks eight runs of a block each
  bool partial = false;   // the last repeat of a call is masked
};

// A run that fills repeats is walked repeat by repeat; runs of one block share a repeat, eight to
// one; shorter or odd runs take a repeat each.
Repeats repeats_of(const Instruction& instruction, const Walk& walk) {
  const int64_t run_bytes = walk.run * widest_element(instruction);
  Repeats repeats;
  repeats.partial = run_bytes % kRepeatBytes != 0 && run_bytes != kBlockBytes;
  if (walk.runs == 1) {
    repeats.count = std::ceil(static_cast<double>(run_bytes) / kRepeatBytes);
    return repeats;
  }
  if (run_bytes <= kBlockBytes) {
    repeats.count = std::ceil(static_cast<double>(walk.runs) / (kRepeatBytes / kBlockBytes));
    repeats.calls = std::ceil(repeats.count / kMaxRepeats);
    repeats.by_block = true;
    return repeats;
  }
  const double per_run = std::ceil(static_cast<double>(run_bytes) / kRepeatBytes);
  const double calls_by_column = per_run * std::ceil(static_cast<double>(walk.runs) / kMaxRepeats);
  repeats.count = walk.runs * per_run;
  repeats.calls = std::min<double>(static_cast<double>(walk.runs), calls_by_column);
  return repeats;
}

double repeat_cycles(Opcode opcode, int64_t element_bytes) {
  const VectorCost cost = cost_of(opcode);
  return element_bytes >= 4 ? cost.repeat32 : cost.repeat16;
}

double startup_cycles(Opcode opcode, const ClockConstants& constants) {
  return constants.vector_startup_cycles + cost_of(opcode).startup;
}

BankAccess access_of(const MemoryView& view, const Repeats& repeats, const Walk& walk) {
  return {span_of(view).first, repeats.by_block ? block_stride_of(view, walk) : 1};
}

// What the banks need for one repeat. Packed masks are not read block by block.
double bank_cycles_of(const Instruction& instruction, const Repeats& repeats, const Walk& walk,
                      const ClockConstants& constants) {
  BankAccesses accesses;
  for (int i = 0; i < instruction.input_count; ++i) {
    const MemoryView& input = instruction.input(i);
    if (!input.is_bit_packed()) accesses.add_input(access_of(input, repeats, walk));
  }
  if (instruction.output_count > 0) {
    accesses.result = access_of(instruction.output(0), repeats, walk);
  }
  return bank_cycles(accesses, constants);
}

bool reads_two_tensors(const Instruction& instruction) {
  return std::count_if(instruction.views, instruction.views + instruction.input_count,
                       [](const MemoryView& view) { return !view.is_bit_packed(); }) > 1;
}

double elementwise_cycles(const Instruction& instruction, const ClockConstants& constants) {
  const Opcode opcode = instruction.opcode();
  const Walk walk = walk_of(instruction);
  const Repeats repeats = repeats_of(instruction, walk);
  double base = repeat_cycles(opcode, widest_element(instruction));
  const bool compares = opcode == Opcode::kVcmp || opcode == Opcode::kVsel;
  if (compares && reads_two_tensors(instruction)) base = 2;
  const double per_repeat =
      std::max(base, bank_cycles_of(instruction, repeats, walk, constants));
  return startup_cycles(opcode, constants) +
         (repeats.calls - 1) * constants.vector_inner_call_cycles + repeats.count * per_repeat +
         (repeats.partial ? constants.vector_mask_cycles : 0);
}

bool reduces_last_dim(const Instruction& instruction) {
  const Operation& operation = *instruction.operation;
  const int last = instruction.input(0).rank - 1;
  const int8_t* dims_end = operation.dims + operation.dim_count;
  return operation.dim_count == 0 || std::find(operation.dims, dims_end, last) != dims_end;
}

// Whole-repeat reduction of one repeat: 7 cycles, 3 for a sum of fp32 (vendor's model); startup 46.
constexpr double kReduceStartup = 24;  // beyond an add
double row_reduce_cycles(ReduceKind kind, int64_t element_bytes) {
  return kind == ReduceKind::kSum && element_bytes >= 4 ? 3 : 7;
}

// Rows of a block or less: a repeat reduces eight of them, pairs all at once.
double block_reduce_cycles(ReduceKind kind, double rows, double row_bytes, int64_t width,
                           const ClockConstants& constants) {
  constexpr double kMaxStartup = 9, kSumStartup = 16;  // beyond an add; fits on a device
  const bool pairs = kind == ReduceKind::kSum && row_bytes <= 2.0 * static_cast<double>(width);
  const double rows_of_repeat =
      kRepeatBytes / (pairs ? 2.0 * static_cast<double>(width) : static_cast<double>(kBlockBytes));
  const double per_repeat = pairs || width >= 4 ? 1 : 7;
  return constants.vector_startup_cycles + (kind == ReduceKind::kSum ? kSumStartup : kMaxStartup) +
         std::ceil(rows / rows_of_repeat) * per_repeat;
}

// Rows are folded pairwise until one repeat is left, which a whole-repeat reduction finishes; a
// reduction over rows is folding alone. The results with an index take both twice.
double reduce_cycles(const Instruction& instruction, const ClockConstants& constants) {
  const MemoryView& input = instruction.input(0);
  const int64_t width = std::max<int64_t>(1, width_of(input));
  const double elements = static_cast<double>(std::max<int64_t>(1, input.element_count()));
  const double results =
      static_cast<double>(std::max<int64_t>(1, instruction.output(0).element_count()));
  const double row_bytes = elements / results * static_cast<double>(width);
  const double startup = constants.vector_startup_cycles;
  const ReduceKind kind = instruction.operation->reduce_kind;
  const bool indexed = kind == ReduceKind::kMaxIndex || kind == ReduceKind::kMinIndex;
  double cycles = startup;
  if (!reduces_last_dim(instruction)) {
    const double steps = std::ceil(std::log2(std::max(2.0, elements / results)));
    cycles = std::ceil(elements * static_cast<double>(width) / kRepeatBytes) + steps * startup;
  } else if (row_bytes <= kBlockBytes) {
    cycles = block_reduce_cycles(kind, results, row_bytes, width, constants);
  } else {
    const double folds = std::max(0.0, std::ceil(std::log2(row_bytes / kRepeatBytes)));
    const double folded = folds > 0 ? results * row_bytes / kRepeatBytes : 0;
    cycles = folded + folds * startup + results * row_reduce_cycles(kind, width) + startup +
             kReduceStartup;
  }
  return indexed ? 2 * cycles : cycles;
}

// A row or column is spread by block broadcasts and copies: each result repeat is written once.
double broadcast_cycles(const Instruction& instruction, const ClockConstants& constants) {
  const MemoryView& result = instruction.output(0);
  const double bytes = static_cast<double>(result.element_count()) *
                       static_cast<double>(std::max<int64_t>(1, width_of(result)));
  const double repeats = std::ceil(bytes / kRepeatBytes);
  const double calls = instruction.input_count > 0 ? 2 : 1;
  return calls * constants.vector_startup_cycles + repeats;
}

// A ramp doubles: each step adds a constant to what is there.
double range_cycles(const Instruction& instruction, const ClockConstants& constants) {
  const MemoryView& result = instruction.output(0);
  const double elements = static_cast<double>(std::max<int64_t>(2, result.element_count()));
  const double repeats = elements * bytes_of(result.type) / kRepeatBytes;
  return std::ceil(std::log2(elements)) * constants.vector_startup_cycles + repeats;
}

// One dependent instruction per slice.
double scan_cycles(const Instruction& instruction, const ClockConstants& constants) {
  const MemoryView& input = instruction.input(0);
  const auto slices = static_cast<double>(input.sizes[instruction.operation->dims[0]]);
  const double bytes = static_cast<double>(input.element_count() * bytes_of(input.type));
  const double repeats = std::ceil(bytes / std::max(slices, 1.0) / kRepeatBytes);
  return slices * (constants.vector_startup_cycles + repeats);
}

// 32 elements are sorted in 16 cycles; four lists are merged at two elements a cycle.
double sort_cycles(const Instruction& instruction, const ClockConstants& constants) {
  const double elements =
      static_cast<double>(std::max<int64_t>(32, instruction.input(0).element_count()));
  const MemoryView& input = instruction.input(0);
  const double row = std::max<double>(32, static_cast<double>(input.sizes[input.rank - 1]));
  const double merges = std::ceil(std::log2(row / 32) / 2);
  return constants.vector_startup_cycles * (1 + merges) + elements / 2 * (1 + merges);
}

}  // namespace

double vector_cycles(const Instruction& instruction, const ClockConstants& constants) {
  switch (instruction.opcode()) {
    case Opcode::kVreduce: return reduce_cycles(instruction, constants);
    case Opcode::kVscan: return scan_cycles(instruction, constants);
    case Opcode::kVbrc: return broadcast_cycles(instruction, constants);
    case Opcode::kVarange: return range_cycles(instruction, constants);
    case Opcode::kVsort: return sort_cycles(instruction, constants);
    default: return elementwise_cycles(instruction, constants);
  }
}

}  // namespace npu::machine
