// The decoded program: per device function a flat array of steps over numbered slots.
//
// Control flow is jumps over an explicit program counter, so a core can stop at any step and go on
// later. Constants are slots that are filled before the first step; a memref is a slot of its own
// kind. Steps with more operands than a Step holds point into a side table: sites.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fault.h"
#include "instruction.h"
#include "registers.h"
#include "types.h"

namespace npu::machine {

enum class StepKind : uint8_t {
  // Control: target in `dst`.
  kJump,
  kJumpUnless,    // a: condition
  kJumpUnlessLess,  // a < b, signed
  kReturn,
  // Slot copies, dst <- a.
  kMove,
  kMoveView,
  kSelect,      // dst <- a ? b : c
  kSelectView,  // the same for views; a is a scalar slot
  // Integers; the result is wrapped to `width` bits, sign-extended.
  kAdd,
  kSub,
  kMul,
  kDivSigned,
  kRemSigned,
  kDivUnsigned,
  kRemUnsigned,
  kFloorDiv,
  kCeilDiv,
  kMod,  // euclidean, of affine maps
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRightSigned,
  kShiftRightUnsigned,
  kMinSigned,
  kMaxSigned,
  kMinUnsigned,
  kMaxUnsigned,
  kCompareInteger,  // c: the predicate of arith.cmpi; width of the operands
  kSignExtend,      // wraps a to `width` bits
  kZeroExtend,      // a, `width` bits wide, without its sign
  kNegateBit,       // an i1 read as signed: 1 -> -1
  kMulHighSigned,   // upper `width` bits of a * b
  kMulHighUnsigned,
  // Floats; the result is rounded to `width`: 32, 16 (fp16) or 15 (bf16).
  kAddFloat,
  kSubFloat,
  kMulFloat,
  kFmaFloat,  // a * b + c, rounded once
  kDivFloat,
  kRemFloat,
  kMaximumFloat,  // NaN if either is
  kMinimumFloat,
  kMaxnumFloat,  // the other one if one is NaN
  kMinnumFloat,
  kNegateFloat,
  kAbsFloat,
  kSqrtFloat,
  kExpFloat,
  kLogFloat,
  kFloorFloat,
  kCeilFloat,
  kCompareFloat,     // c: the predicate of arith.cmpf
  kConvertFloat,     // extf, truncf
  kFloatOfSigned,    // sitofp, a wrapped to b = source bits
  kFloatOfUnsigned,  // uitofp
  kSignedOfFloat,    // fptosi, saturating
  kUnsignedOfFloat,
  kBitcast,  // a -> dst, b: source element type, c: result element type
  // Views; `a` indexes Function::view_sites.
  kMakeView,
  // Facts of view a: dst <- offset, sizes[b], strides[b].
  kViewOffset,
  kViewSize,
  kViewStride,
  // Memory by the scalar pipe; `a` indexes Function::access_sites.
  kLoadElement,
  kStoreElement,
  // Facts about where the core is.
  kBlockIndex,
  kSubCoreIndex,
  kBlockCount,
  kSubCoreCount,
  // Instructions for the pipes; `a` indexes Function::issue_sites.
  kIssue,
  // An op on vector registers; `a` indexes Function::register_sites.
  kRegister,
};

struct Step {
  StepKind kind;
  uint8_t width = 64;
  int32_t dst = 0;
  int32_t a = 0;
  int32_t b = 0;
  int32_t c = 0;
};

// A number that is known now or held by a scalar slot.
struct NumberOperand {
  int64_t value = 0;
  int32_t slot = -1;
};

enum class ViewKind : uint8_t {
  kPointer,      // offsets[0]: byte address on chip; sizes, strides; dst type
  kReinterpret,  // offsets[0], sizes, strides
  kSubview,      // offsets, sizes, strides relative to the source; kept dims
  kCollapse,     // group_of[d]: dim of the result that source dim d joins
  kExpand,       // group_of[d]: source dim that result dim d splits; sizes of the result
  kByteView,     // memref.view: offsets[0] bytes, sizes; dst type
  kBitcast,      // dst element type
  kExtractBase,  // memref.extract_strided_metadata: rank 0
};

struct ViewSite {
  ViewKind kind = ViewKind::kSubview;
  int32_t source = -1;
  int32_t dst = -1;
  uint8_t rank = 0;       // of offsets/sizes/strides
  uint8_t kept_mask = 0;  // kSubview: bit d set if dim d stays
  MemorySpace space = MemorySpace::kGm;
  ElementType type = ElementType::kI8;
  uint32_t line = 0;
  int8_t group_of[kMaxRank] = {};
  NumberOperand offsets[kMaxRank];
  NumberOperand sizes[kMaxRank];
  NumberOperand strides[kMaxRank];
};

struct AccessSite {
  Operation operation;  // kScalarLoad or kScalarStore
  int32_t view = -1;
  int32_t value = -1;  // scalar slot read or written
  uint8_t rank = 0;
  int32_t indices[kMaxRank] = {};
};

struct IssueSite {
  Operation operation;
  uint8_t input_count = 0;
  uint8_t output_count = 0;
  uint8_t temp_count = 0;
  uint8_t scalar_count = 0;
  uint8_t source_count = 0;
  int8_t source_view[3] = {kInputIsScalar, kInputIsScalar, kInputIsScalar};
  int32_t views[kMaxViews] = {};
  int32_t scalars[kMaxScalars] = {};
  int32_t event_slot = -1;  // the event is in this slot, else static_event
  int32_t static_event = 0;
  int32_t condition_slot = -1;   // skip the instruction if this slot ...
  int64_t skipped_when = 0;      // ... holds this value
  int32_t unit_flag_slot = -1;   // a UnitFlag; -1: disabled
  NumberOperand range_strides[kMaxRank];  // kVarange
};

struct ArgumentType {
  bool is_memref = false;
  ElementType element = ElementType::kI32;
};

struct Function {
  std::string name;
  CoreKind kind = CoreKind::kVector;
  std::vector<ArgumentType> arguments;
  std::vector<int32_t> argument_slots;  // scalar or view slot of each argument
  std::vector<Step> steps;
  std::vector<uint32_t> lines;  // of the dump, per step
  std::vector<ViewSite> view_sites;
  std::vector<AccessSite> access_sites;
  std::vector<IssueSite> issue_sites;
  std::vector<RegisterSite> register_sites;
  int32_t register_count = 0;
  std::vector<std::unique_ptr<const VectorCall>> calls;
  std::vector<Scalar> initial_scalars;  // constants filled in, the rest zero
  std::vector<MemoryView> initial_views;
  // Highest byte address + 1 that a pointer_cast reaches, per space.
  int64_t footprint_bytes[kMemorySpaceCount] = {};
};

enum class TaskType : uint8_t { kVector = 10, kCube = 20, kMixOneToOne = 31, kMixOneToTwo = 32 };

// Immutable after decoding, so any number of launches may share it.
struct Program {
  std::string text;
  std::vector<uint32_t> line_starts;  // byte of each line in text
  std::vector<uint32_t> source_lines;  // of the source, by line of the text; empty: not known
  std::string entry_name;
  TaskType task_type = TaskType::kVector;
  std::vector<Function> functions;  // one, or a cube and a vector function
  std::vector<ArgumentType> user_arguments;
  int64_t workspace_bytes_per_block = 0;
  int64_t lock_bytes = 0;
  int64_t lock_initial_value = 0;
  int64_t op_count = 0;
  std::vector<uint8_t> table_bytes;  // constants that the kernel finds in GM, all tables
  bool is_register_based = false;  // for the 950: vector code is in functions on registers

  std::string_view line_text(uint32_t line) const;
  // The line of the kernel's source that a line of the text was compiled from; 0: not known.
  uint32_t source_line(uint32_t line) const;
  // `source line 12, dump line 88`, or `dump line 88`.
  std::string place_name(uint32_t line) const;
};

// Arguments before the user's: ffts address, lock, workspace. After them: the grid.
constexpr int kLeadingArguments = 3;
constexpr int kTableArgument = 0;  // as a buffer; as an argument it is the ffts address
constexpr int kLockArgument = 1;
constexpr int kWorkspaceArgument = 2;
constexpr int kTrailingArguments = 3;

std::variant<std::shared_ptr<const Program>, Fault> load_program(std::string text);

}  // namespace npu::machine
