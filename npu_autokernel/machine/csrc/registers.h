// Vector registers of the 950, and the ops that work on them.
//
// Vector code of that chip is in functions of their own, whose values are registers of 256 bytes
// and predicates. The compiler's vector<NxT> lies in a register with one element per lane of
// `lane_bits`: a f16 in lanes of 32 bits fills the even halves. The machine keeps the elements of
// all lanes side by side, one byte per lane of a predicate, and the decoder makes sure that an op
// is used for the lane width its operands have, so the gaps are never seen. An i64 takes a pair of
// registers; the pair counts as one, of 64 lanes.
//
// Lanes that a predicate leaves out are zero in the result, as documented for the chip.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "instruction.h"
#include "types.h"

namespace npu::machine {

constexpr int kRegisterBits = 2048;
constexpr int kMaxLanes = 256;
constexpr int kMaxRegisterBytes = 512;
constexpr int kUbAlignment = 32;  // of a plain load or store, in bytes

struct Register {
  alignas(64) uint8_t bytes[kMaxRegisterBytes];
  uint8_t known[kMaxLanes];  // 0: the lane came from bytes that nothing wrote
};

enum class RegisterOp : uint8_t {
  kMove,
  kLoad,
  kStore,
  kGather,
  kPattern,        // the first `count` lanes
  kFirstLanes,     // lanes below number, or number2 - number
  kPredicateLogic, // kernel: BinaryKernel and, or, xor
  kPredicateNot,
  kBroadcast,      // a number
  kBroadcastLane,  // lane 0
  kIndex,          // number, number + 1, ... or downwards
  kUnary,          // kernel: UnaryKernel
  kBinary,         // kernel: BinaryKernel
  kBinaryNumber,   // the same with a number on the right
  kShiftRight,     // by a number or a vector; number2: arithmetic
  kDivide,         // integers, toward zero
  kRemainder,
  kCompare,        // kernel: CompareKernel
  kSelect,         // sources: predicate, then, else
  kReduce,         // kernel: BinaryKernel; the result is in lane 0
  kCast,
  kExpOfDifference,
  kMultiplyAdd,    // sources: addend, factors
  kMultiplyWide,   // low halves in dst, high halves in dst2
  kInterleave,
  kDeinterleave,
};

struct RegisterSite {
  RegisterOp op = RegisterOp::kMove;
  ElementType type = ElementType::kF32;         // of the result's elements, or of what is stored
  ElementType source_type = ElementType::kF32;  // kCast, kCompare
  RoundMode round_mode = RoundMode::kRint;      // kCast
  uint8_t kernel = 0;
  int16_t lanes = 0;  // that a register has at this lane width
  int16_t count = 0;  // kPattern
  bool is_unsigned = false;  // kCast, kMultiplyWide
  bool one_lane = false;     // kLoad: fills all lanes; kStore: lane 0 only
  bool is_unaligned = false; // kLoad, kStore: any address
  bool is_by_count = false;  // kStore: the chip stores the first lanes, not those of the predicate
  bool is_falling = false;   // kIndex
  int32_t dst = -1, dst2 = -1;
  int32_t sources[3] = {-1, -1, -1};
  int32_t mask = -1;  // -1: all lanes
  int32_t number = -1, number2 = -1;
  int32_t view = -1;
  uint8_t rank = 0;  // of indices
  int32_t indices[kMaxRank] = {};
  uint32_t line = 0;
};

struct Function;

// A call of a vector function: where its arguments are in the instruction that stands for the call.
struct VectorCall {
  struct Argument {
    bool is_view = false;
    int8_t position = 0;  // in Instruction::views or Instruction::scalars
  };
  std::shared_ptr<const Function> callee;
  std::vector<Argument> arguments;
};

}  // namespace npu::machine
