// The table from opcode to the rule of its written-ness, and what all rules share.
#include "ops/written.h"

#include "memory_names.h"
#include "views.h"

namespace npu::machine {
namespace {

using Rule = bool (*)(const Instruction&, ExecutionContext&);

// No default: an opcode without a rule does not compile.
Rule find_rule(Opcode opcode) {
  switch (opcode) {
    case Opcode::kSetFlag:
    case Opcode::kWaitFlag:
    case Opcode::kPipeBarrier:
    case Opcode::kBlockSet:
    case Opcode::kBlockWait:
    case Opcode::kBlockLock:
    case Opcode::kBlockUnlock:
    // Single elements carry their origin through the scalar pipe: scalar_origins.h.
    case Opcode::kScalarLoad:
    case Opcode::kScalarStore: return follow_nothing;
    // Between memories: element by element; a user's argument takes no garbage.
    case Opcode::kLoad: return follow_load;
    case Opcode::kStore: return follow_store;
    case Opcode::kNd2Nz: return follow_nd2nz;
    case Opcode::kFixpipe: return follow_fixpipe;
    // A product's element needs its row of A, its column of B, its bias, and what it adds to.
    case Opcode::kL0LoadA:
    case Opcode::kL0LoadB: return follow_l0_load;
    case Opcode::kLoadBias: return follow_load_bias;
    case Opcode::kMmad: return follow_mmad;
    // Written as their number is.
    case Opcode::kL1Fill:
    case Opcode::kVarange:
    case Opcode::kVbrc: return follow_fill;
    // Written where all inputs at the same place are.
    case Opcode::kVexp:
    case Opcode::kVln:
    case Opcode::kVabs:
    case Opcode::kVsqrt:
    case Opcode::kVrsqrt:
    case Opcode::kVrec:
    case Opcode::kVrelu:
    case Opcode::kVnot:
    case Opcode::kVcast:
    case Opcode::kVadd:
    case Opcode::kVsub:
    case Opcode::kVmul:
    case Opcode::kVdiv:
    case Opcode::kVmax:
    case Opcode::kVmin:
    case Opcode::kVxor:
    case Opcode::kVshl:
    case Opcode::kVshr:
    case Opcode::kVpow:
    case Opcode::kVcmp: return follow_elementwise;
    // Also where one input decides alone: a written 0 of an and, all ones of an or.
    case Opcode::kVand:
    case Opcode::kVor: return follow_logic;
    // Where the mask and the side it picks are.
    case Opcode::kVsel: return follow_select;
    // Where all that is combined, compared or looked up is.
    case Opcode::kVreduce: return follow_reduce;
    case Opcode::kVscan: return follow_scan;
    case Opcode::kVsort: return follow_sort;
    case Opcode::kVgather: return follow_gather;
    // Shadow bits move like the data.
    case Opcode::kCopy: return follow_copy;
    case Opcode::kVtranspose: return follow_transpose;
    case Opcode::kVinterleave: return follow_interleave;
    case Opcode::kVdeinterleave: return follow_deinterleave;
    case Opcode::kVflip: return follow_flip;
    // The lanes of its registers know themselves: registers.h.
    case Opcode::kVectorCall: return follow_vector_call;
  }
  return follow_nothing;
}

bool is_output(const Instruction& instruction, int view) {
  return view >= instruction.input_count &&
         view < instruction.input_count + instruction.output_count;
}

// Reading at an address made of garbage gives garbage; writing there is a fault.
bool check_addresses(const Instruction& instruction, ExecutionContext& context) {
  for (int view = 0; instruction.unwritten_views >> view; ++view) {
    if ((instruction.unwritten_views >> view & 1) && is_output(instruction, view)) {
      return fail_unwritten_number(context, "where an instruction writes", instruction.origin);
    }
  }
  return true;
}

}  // namespace

bool follow_written(const Instruction& instruction, ExecutionContext& context) {
  return check_addresses(instruction, context) &&
         find_rule(instruction.opcode())(instruction, context);
}

bool follow_nothing(const Instruction&, ExecutionContext&) { return true; }

bool follow_vector_call(const Instruction& instruction, ExecutionContext& context) {
  if (!instruction.unwritten_scalars && !instruction.unwritten_views) return true;
  return fail_unwritten_number(context, "an argument of a vector function", instruction.origin);
}

ShadowedView find_shadow(ExecutionContext& context, const MemoryView& view) {
  if (view.space != MemorySpace::kGm) return {&context.shadow_of(view.space), view};
  const GmBuffer& buffer = context.gm.buffers[view.buffer];
  ShadowedView found{buffer.shadow, view};
  found.view.base_byte -= buffer.origin;
  return found;
}

uint32_t find_origin(ExecutionContext& context, const MemoryView& view) {
  const ShadowedView local = find_shadow(context, view);
  if (!local.shadow) return kNoOrigin;
  const int64_t byte = local.shadow->find_unwritten(local.view);
  if (byte < 0) return kNoOrigin;
  const uint32_t known = local.shadow->origin(byte);
  if (known != kNoOrigin) return known;
  const ByteSpan run = local.shadow->unwritten_run(byte, span_of(local.view).last);
  return context.gm.origins.number_of(
      {Garbage::kNeverWritten, view.space, view.buffer, run, context.line});
}

bool follow_element_write(ExecutionContext& context, const MemoryView& element, uint32_t origin) {
  const ShadowedView local = find_shadow(context, element);
  if (!local.shadow) {
    const std::string target = name_memory(element);
    return origin == kNoOrigin ||
           fail_unwritten_number(context, "a number stored to " + target, origin);
  }
  local.shadow->mark(local.view, origin == kNoOrigin);
  if (origin != kNoOrigin) local.shadow->set_origin(local.view, origin);
  return true;
}

bool fail_unwritten_bytes(ExecutionContext& context, const MemoryView& view,
                          const MemoryView& target) {
  const ShadowedView local = find_shadow(context, view);
  const int64_t byte = local.shadow->find_unwritten(local.view);
  const ByteSpan run = local.shadow->unwritten_run(byte, span_of(local.view).last);
  const uint32_t origin = local.shadow->origin(byte);
  const std::string path = describe_bytes(run) + " of " + name_memory(view) +
                           " go to " + name_memory(target);
  const std::string source = origin == kNoOrigin
                                 ? ", and nothing wrote them"
                                 : "; they come from " + context.gm.origins.describe(origin);
  return context.fail(fault_code::kUninitialisedRead, path + source, run);
}

bool fail_unwritten_number(ExecutionContext& context, const std::string& what, uint32_t origin) {
  return context.fail(fault_code::kUninitialisedRead,
                      what + " comes from " + context.gm.origins.describe(origin));
}

}  // namespace npu::machine
