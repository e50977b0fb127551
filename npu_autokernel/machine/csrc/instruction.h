// The resolved instruction: what the scalar pipe hands to execution, clock and race check alike.
//
// An Operation is decoded once per op of the dump and never changes. An Instruction is one dynamic
// execution of it: operands are resolved views and numbers, nothing is left to look up. A macro op
// of the dump (mmadL1) reaches the sinks as what the library runs: flag waits, the loads into L0A
// and L0B on MTE1, flag sets, and the multiplication on the cube pipe. Its inner k-loop over the L0
// ping-pong buffers is left to the reader of {m, k, n}.
#pragma once

#include <cstdint>

#include "types.h"

namespace npu::machine {

enum class Opcode : uint8_t {
  // Synchronisation inside a core. kWaitFlag runs on wait_pipe, kSetFlag on set_pipe.
  kSetFlag,
  kWaitFlag,
  kPipeBarrier,  // Operation::all_pipes: every pipe
  // Synchronisation between cores. kBlockSet runs on set_pipe, kBlockWait on wait_pipe.
  kBlockSet,
  kBlockWait,
  kBlockLock,
  kBlockUnlock,
  // One element read or written by the scalar pipe (memref.load, memref.store).
  kScalarLoad,
  kScalarStore,
  // Data movement.
  kLoad,     // GM -> UB, MTE2
  kStore,    // UB -> GM, MTE3, possibly atomic
  kNd2Nz,    // GM rows -> L1 fractals, MTE2
  kL1Fill,   // number -> L1, MTE2
  kFixpipe,  // L0C fractals -> rows in GM or L1, FIX; on the 950 also in a vector core's UB
  kCopy,     // UB -> UB, V; on the 950 also UB -> L1 of the block's cube core, MTE3
  // Cube.
  kL0LoadA,  // L1 fractals -> L0A, MTE1; input a
  kL0LoadB,  // L1 fractals -> L0B, MTE1; input b
  kLoadBias,  // a row in L1 -> the bias table, MTE1; input bias
  kMmad,     // L0A x L0B -> L0C, M; output c. It follows its loads: the library's own flag
             // orders M after them, no kWaitFlag is issued for that
  // Vector, elementwise with one input.
  kVexp,
  kVln,
  kVabs,
  kVsqrt,
  kVrsqrt,
  kVrec,
  kVrelu,
  kVnot,
  kVcast,
  // Vector, elementwise with two inputs.
  kVadd,
  kVsub,
  kVmul,
  kVdiv,
  kVmax,
  kVmin,
  kVand,
  kVor,
  kVxor,
  kVshl,
  kVshr,
  kVpow,
  kVcmp,
  // Vector, the rest.
  kVsel,
  kVbrc,
  kVreduce,
  kVscan,  // vcumsum, vcumprod
  kVarange,
  kVinterleave,
  kVdeinterleave,
  kVtranspose,
  kVgather,
  kVflip,
  kVsort,
  // A whole vector function of the 950; inputs and outputs are what it reads and writes.
  kVectorCall,
};

enum class RoundMode : uint8_t { kRint, kRound, kFloor, kCeil, kTrunc, kTruncWithOverflow };
enum class CompareMode : uint8_t { kEq, kNe, kLt, kGt, kGe, kLe };
enum class ReduceKind : uint8_t { kSum, kProd, kMax, kMin, kMaxIndex, kMinIndex, kXor, kOr, kAnd };
enum class AtomicKind : uint8_t { kNone, kAdd, kMax, kMin };
// How a product and fixpipe hand over a tile of L0C without an event; see unit_flags.h.
enum class UnitFlag : uint8_t { kDisabled, kWithoutUpdate, kWithUpdate };

constexpr int kMaxViews = 24;   // memref operands of one instruction
constexpr int kMaxScalars = 8;  // number operands of one instruction
constexpr int kDynamicEvent = -1;

struct VectorCall;

// The part of an instruction that is known when the dump is decoded.
struct Operation {
  Opcode opcode = Opcode::kPipeBarrier;
  Pipe pipe = Pipe::kScalar;  // where the instruction runs
  uint32_t line = 0;          // line of the dump, from 1

  // Attributes; each is meaningful for the opcodes named.
  Pipe set_pipe = Pipe::kScalar;               // flags and cross-core flags
  Pipe wait_pipe = Pipe::kScalar;              // flags and cross-core flags
  bool all_pipes = false;                      // kPipeBarrier
  RoundMode round_mode = RoundMode::kRint;     // kVcast
  bool cast_unsigned = false;                  // kVcast: the integer side is unsigned
  CompareMode compare_mode = CompareMode::kEq; // kVcmp
  ReduceKind reduce_kind = ReduceKind::kSum;   // kVreduce; kVscan: sum or product
  AtomicKind atomic_kind = AtomicKind::kNone;  // kStore
  bool has_pad_value = false;                  // kLoad: scalars[0]
  bool has_left_padding = false;               // kLoad: scalars[1], elements
  bool has_right_padding = false;              // kLoad: scalars[2], elements
  bool transposed = false;                     // kL0LoadA, kL0LoadB: stored transposed in L1
  bool hf32 = false;                           // kL0LoadA/B, kMmad: fp32 inputs rounded to HF32
  bool biased = false;                         // kMmad: starts from the bias table
  bool relu = false;                           // kFixpipe
  bool splits_rows = false;                    // kFixpipe: a half to each vector core's UB
  bool splits_columns = false;                 // the same, halves of columns
  bool descending = false;                     // kVsort
  bool last_of_ties = false;                   // kVreduce with an index: the last of equals wins
  bool reversed = false;                       // kVscan: from the last slice
  int8_t axis = 0;                             // kVflip, kVsort, kVgather
  int8_t channel = -1;                         // kVdeinterleave: the one channel, -1: all
  int8_t channel_count = 2;                    // kVinterleave, kVdeinterleave
  const VectorCall* call = nullptr;            // kVectorCall
  uint8_t dim_count = 0;                       // of dims
  int8_t dims[kMaxRank] = {};                  // kVreduce, kVscan: reduced; kVbrc, elementwise:
                                               // broadcast; kVtranspose: permutation
};

// Where each operand of a vector op comes from: an input is a view or a number (vadd x, 1.0).
constexpr int8_t kInputIsScalar = -1;

// Scalars by opcode: kLoad {pad value, left padding, right padding}; kVbrc and kL1Fill {value};
// kVarange {start}, strides in range_strides; kL0LoadA, kL0LoadB, kLoadBias {m, k, n};
// kMmad {m, k, n, clear}; elementwise: the numbers among the inputs, in order.
struct Instruction {
  const Operation* operation = nullptr;
  uint8_t input_count = 0;   // views[0, input_count)
  uint8_t output_count = 0;  // the next output_count views
  uint8_t temp_count = 0;    // the next temp_count views: clobbered, no meaning
  uint8_t scalar_count = 0;
  int8_t source_view[3] = {kInputIsScalar, kInputIsScalar, kInputIsScalar};  // elementwise only:
                                               // view of input i, or kInputIsScalar: next scalar
  uint8_t source_count = 0;                    // elementwise: inputs, views and numbers together
  // With checking on: bit i is set if scalars[i], or where views[i] lies, was computed from memory
  // that nothing wrote; `origin` is where one of them comes from.
  uint32_t unwritten_scalars = 0;
  uint32_t unwritten_views = 0;
  uint32_t origin = 0;
  int32_t event = 0;             // flag id, cross-core flag id
  UnitFlag unit_flag = UnitFlag::kDisabled;  // kMmad, kFixpipe
  bool rewrites = false;         // kStore, kScalarStore: GM held every byte of it before
  uint32_t scalar_ops_before = 0;  // scalar-pipe ops since the core's previous instruction
  Scalar scalars[kMaxScalars] = {};
  int64_t range_strides[kMaxRank] = {};
  MemoryView views[kMaxViews];

  const MemoryView& input(int index) const { return views[index]; }
  const MemoryView& output(int index) const { return views[input_count + index]; }
  const MemoryView& temp(int index) const { return views[input_count + output_count + index]; }
  Opcode opcode() const { return operation->opcode; }
  Pipe pipe() const { return operation->pipe; }
};

// One core of one block: sub_core is 0 or 1 for the two vector cores of a mix kernel.
struct CoreId {
  CoreKind kind = CoreKind::kVector;
  uint8_t sub_core = 0;
  int64_t block = 0;
};

// Watches a run. Calls come in program order for each core; a kBlockWait is reported after the
// kBlockSet instructions that satisfied it. Clock and race check are observers.
class InstructionObserver {
 public:
  virtual ~InstructionObserver() = default;
  virtual void begin_block(int64_t block) = 0;
  virtual void observe(const CoreId& core, const Instruction& instruction) = 0;
  virtual void end_core(const CoreId& core, uint32_t scalar_ops_after) = 0;
  virtual void end_block(int64_t block) = 0;
};

}  // namespace npu::machine
