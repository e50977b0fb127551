// Loads, stores and gathers of vector registers.
//
// A load fills every lane of the register, whatever the memref's extent: lanes that no predicate
// uses later may come from bytes beyond it, and from bytes beyond the end of UB.
#include <algorithm>

#include "ops/register_context.h"
#include "ops/written.h"

namespace npu::machine {
namespace {

// Elements of memory from the addressed one on, side by side.
MemoryView view_elements(const RegisterSite& site, const RegisterContext& run, int64_t count) {
  const MemoryView& base = run.views[site.view];
  MemoryView view = base;
  view.rank = 1;
  view.sizes[0] = count;
  view.strides[0] = 1;
  for (int dim = 0; dim < site.rank; ++dim) {
    view.offset += run.scalars[site.indices[dim]].integer * base.strides[dim];
  }
  return view;
}

MemoryView take_elements(const MemoryView& view, int64_t first, int64_t count) {
  MemoryView part = view;
  part.offset += first;
  part.sizes[0] = count;
  return part;
}

bool is_aligned(const MemoryView& view) {
  return view.is_bit_packed() || span_of(view).first % kUbAlignment == 0;
}

int64_t count_elements_in_ub(const MemoryView& view, RegisterContext const& run) {
  const int64_t size = run.context.chip.size(MemorySpace::kUb);
  const int64_t first = span_of(take_elements(view, 0, 1)).first;
  const int64_t room = view.is_bit_packed() ? (size - view.base_byte) * 8 - view.offset
                                            : (size - first) / bytes_of(view.type);
  return std::clamp<int64_t>(room, 0, view.sizes[0]);
}

void mark_known(const MemoryView& view, const RegisterContext& run, Register& result) {
  const int64_t count = view.sizes[0];
  const Shadow& shadow = run.context.shadow_of(view.space);
  if (shadow.is_written(view)) {
    std::fill_n(result.known, count, uint8_t{1});
    return;
  }
  if (run.origin == kNoOrigin) run.origin = find_origin(run.context, view);
  for (int64_t lane = 0; lane < count; ++lane) {
    result.known[lane] = shadow.is_written(take_elements(view, lane, 1));
  }
}

void broadcast_lane(const RegisterSite& site, Register& result) {
  const int width = site.type == ElementType::kI1 ? 1 : bytes_of(site.type);
  for (int lane = 1; lane < site.lanes; ++lane) {
    std::memcpy(result.bytes + lane * width, result.bytes, static_cast<size_t>(width));
    result.known[lane] = result.known[0];
  }
}

}  // namespace

bool load_register(const RegisterSite& site, const RegisterContext& run) {
  const MemoryView wanted = view_elements(site, run, site.one_lane ? 1 : site.lanes);
  ChipElements elements;
  const MemoryView first = take_elements(wanted, 0, 1);
  if (!locate(run.context, first, MemorySpace::kUb, Access::kRead, elements)) return false;
  if (!site.one_lane && !site.is_unaligned && !is_aligned(first)) {
    return run.fail(fault_code::kIllegalOperand, "a load from an address off 32 bytes");
  }
  const MemoryView view = take_elements(wanted, 0, count_elements_in_ub(wanted, run));
  Register& result = run.of(site.dst);
  std::memset(&result, 0, sizeof result);
  if (view.is_bit_packed()) {
    kernels().unpack_bits(result.bytes, elements.bytes, elements.bit, view.sizes[0]);
  } else {
    std::memcpy(result.bytes, elements.bytes,
                static_cast<size_t>(view.sizes[0] * bytes_of(site.type)));
  }
  if (run.tracks_unwritten) mark_known(view, run, result);
  if (site.one_lane) broadcast_lane(site, result);
  return true;
}

namespace {

// Stores lanes [first, first + count) and marks what is known of them.
bool store_lanes(const RegisterSite& site, const RegisterContext& run, const MemoryView& target,
                 int first, int count) {
  const MemoryView view = take_elements(target, first, count);
  ChipElements elements;
  if (!locate(run.context, view, MemorySpace::kUb, Access::kWrite, elements)) return false;
  const Register& source = run.of(site.sources[0]);
  if (view.is_bit_packed()) {
    kernels().pack_bits(elements.bytes, elements.bit, source.bytes + first, count);
  } else {
    const auto width = static_cast<size_t>(bytes_of(site.type));
    std::memcpy(elements.bytes, source.bytes + static_cast<size_t>(first) * width,
                static_cast<size_t>(count) * width);
  }
  if (!run.tracks_unwritten) return true;
  Shadow& shadow = run.context.shadow_of(view.space);
  shadow.mark(view, true);
  for (int lane = first; lane < first + count; ++lane) {
    if (source.known[lane]) continue;
    shadow.mark(take_elements(target, lane, 1), false);
    shadow.set_origin(take_elements(target, lane, 1), run.origin);
  }
  return true;
}

}  // namespace

bool store_register(const RegisterSite& site, const RegisterContext& run) {
  const uint8_t* mask = run.mask_of(site);
  const int lanes = site.one_lane ? 1 : site.lanes;
  const MemoryView target = view_elements(site, run, lanes);
  // A store of a predicate takes no predicate: the chip writes the bits of all lanes.
  if (site.type == ElementType::kI1) return store_lanes(site, run, target, 0, lanes);
  if (site.one_lane && !mask[0]) {
    return run.fail(fault_code::kUnsupportedOp, "a store of lane 0, which is masked");
  }
  if (!site.one_lane && !site.is_unaligned && !is_aligned(take_elements(target, 0, 1))) {
    return run.fail(fault_code::kIllegalOperand, "a store to an address off 32 bytes");
  }
  const auto* stop = static_cast<const uint8_t*>(std::memchr(mask, 0, static_cast<size_t>(lanes)));
  const int active = stop ? static_cast<int>(stop - mask) : lanes;
  const bool is_prefix = !stop || !std::memchr(stop, 1, static_cast<size_t>(mask + lanes - stop));
  if (site.is_by_count && !is_prefix) {
    return run.fail(fault_code::kUnsupportedOp, "a masked store that ignores its mask");
  }
  if (is_prefix) return active == 0 || store_lanes(site, run, target, 0, active);
  for (int lane = 0; lane < lanes; ++lane) {
    if (mask[lane] && !store_lanes(site, run, target, lane, 1)) return false;
  }
  return true;
}

bool gather_register(const RegisterSite& site, const RegisterContext& run) {
  const MemoryView base = view_elements(site, run, 1);
  const Register offsets = run.of(site.sources[0]);
  const uint8_t* mask = run.mask_of(site);
  Register& result = run.of(site.dst);
  std::memset(&result, 0, sizeof result);
  const int width = bytes_of(site.type);
  for (int lane = 0; lane < site.lanes; ++lane) {
    result.known[lane] = 1;
    if (!mask[lane]) continue;
    uint32_t offset = 0;
    std::memcpy(&offset, offsets.bytes + lane * width, static_cast<size_t>(width));
    const MemoryView element = take_elements(base, offset, 1);
    ChipElements elements;
    if (!locate(run.context, element, MemorySpace::kUb, Access::kRead, elements)) return false;
    std::memcpy(result.bytes + lane * width, elements.bytes, static_cast<size_t>(width));
    if (!run.tracks_unwritten) continue;
    const Shadow& shadow = run.context.shadow_of(element.space);
    result.known[lane] = offsets.known[lane] && shadow.is_written(element);
    if (run.origin == kNoOrigin) run.origin = find_origin(run.context, element);
  }
  return true;
}

}  // namespace npu::machine
