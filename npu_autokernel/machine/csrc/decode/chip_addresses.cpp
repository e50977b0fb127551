// Memory on chip -> view sites: at the address that the compiler planned, or behind all others.
#include <algorithm>

#include "decode/function_decoder.h"
#include "decode/segments.h"
#include "views.h"

namespace npu::machine {

bool FunctionDecoder::decode_pointer_cast(const mlir::Op& op) {
  if (!check_properties(op, {"operandSegmentSizes"})) return false;
  if (op.operands.empty() || op.results.size() != 1) return reject(op, "malformed");
  const auto type = mlir::read_memref_type(op.result_types[0]);
  const auto address = lookup(op, op.operands[0]);
  if (!type || !address || address->is_view) return reject(op, "expected a memref on chip");
  if (type->space == MemorySpace::kGm) return unsupported(op, "pointer into gm");
  if (const auto segments = segments_of(op); segments && (*segments)[0].count != 1) {
    return unsupported(op, "several addresses");
  }
  ViewSite site;
  site.kind = ViewKind::kPointer;
  site.space = type->space;
  site.type = type->element;
  site.rank = static_cast<uint8_t>(type->shape.size());
  site.offsets[0].slot = address->slot;
  size_t next = 1;
  bool is_static = address->is_constant;
  for (size_t dim = 0; dim < type->shape.size(); ++dim) {
    site.sizes[dim].value = type->shape[dim];
    if (type->shape[dim] == mlir::kDynamic) {
      const auto slot = scalar_slot(op, next++);
      if (!slot) return false;
      site.sizes[dim].slot = *slot;
      is_static = false;
    }
    // Row-major where the type leaves it open; the evaluation computes it.
    const int64_t stride = type->strides[dim];
    site.strides[dim].value = stride == mlir::kDynamic ? 0 : stride;
    is_static &= stride != mlir::kDynamic;
  }
  if (next != op.operands.size()) return reject(op, "sizes do not match");
  auto& footprint = function_.footprint_bytes[static_cast<int>(type->space)];
  if (is_static) {
    MemoryView view;
    view.space = type->space;
    view.type = type->element;
    view.rank = site.rank;
    view.base_byte = function_.initial_scalars[address->slot].integer;
    for (size_t dim = 0; dim < site.rank; ++dim) {
      view.sizes[dim] = site.sizes[dim].value;
      view.strides[dim] = site.strides[dim].value;
    }
    if (view.base_byte < 0 || !is_within_reach(view)) return reject(op, "impossible address");
    footprint = std::max(footprint, span_of(view).last);
  } else {
    footprint = INT64_MAX;
  }
  return emit_view(op, site);
}

// Memory that the compiler forgot to plan: at this stage every buffer has its address. It gets a
// place of its own behind all others, so that reading it is reading what nothing wrote.
bool FunctionDecoder::decode_alloc(const mlir::Op& op) {
  if (!check_properties(op, {"operandSegmentSizes", "alignment"})) return false;
  if (op.results.size() != 1 || !op.operands.empty()) return unsupported(op, "open size");
  const auto type = mlir::read_memref_type(op.result_types[0]);
  if (!type || type->space == MemorySpace::kGm || type->has_layout) {
    return unsupported(op, "not plain memory on chip");
  }
  ViewSite site;
  site.kind = ViewKind::kPointer;
  site.space = type->space;
  site.type = type->element;
  site.rank = static_cast<uint8_t>(type->shape.size());
  for (size_t dim = 0; dim < type->shape.size(); ++dim) {
    site.sizes[dim].value = type->shape[dim];
    site.strides[dim].value = type->strides[dim];
  }
  allocs_.push_back(function_.view_sites.size());
  return emit_view(op, site);
}

bool FunctionDecoder::place_allocs() {
  constexpr int64_t kAlignBytes = 32;
  for (size_t index : allocs_) {
    ViewSite& site = function_.view_sites[index];
    int64_t& end = function_.footprint_bytes[static_cast<int>(site.space)];
    MemoryView view;
    view.space = site.space;
    view.type = site.type;
    view.rank = site.rank;
    for (int dim = 0; dim < site.rank; ++dim) {
      view.sizes[dim] = site.sizes[dim].value;
      view.strides[dim] = site.strides[dim].value;
    }
    if (end > kMaxReach || !is_within_reach(view)) {
      fault_ = make_fault(fault_code::kUnsupportedOp,
                          "memref.alloc: beside memory whose end is not known", site.line);
      return false;
    }
    site.offsets[0].value = (end + kAlignBytes - 1) / kAlignBytes * kAlignBytes;
    end = site.offsets[0].value + span_of(view).last;
  }
  return true;
}

}  // namespace npu::machine
