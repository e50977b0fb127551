#include "views.h"

#include "memory_names.h"

namespace npu::machine {
namespace {

int64_t value_of(const NumberOperand& number, const Scalar* scalars) {
  return number.slot >= 0 ? scalars[number.slot].integer : number.value;
}

// Unsigned products wrap instead of overflowing; check_reach() judges the result.
int64_t product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

int64_t sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

void fill_row_major(MemoryView& view) {
  int64_t stride = 1;
  for (int dim = view.rank - 1; dim >= 0; --dim) {
    view.strides[dim] = stride;
    stride = product(stride, view.sizes[dim]);
  }
}

void make_subview(const ViewSite& site, const Scalar* scalars, const MemoryView& source,
                  MemoryView& view) {
  view.rank = 0;
  for (int dim = 0; dim < site.rank; ++dim) {
    const int64_t stride = source.strides[dim];
    view.offset = sum(view.offset, product(value_of(site.offsets[dim], scalars), stride));
    if (!(site.kept_mask >> dim & 1)) continue;
    view.sizes[view.rank] = value_of(site.sizes[dim], scalars);
    view.strides[view.rank] = product(value_of(site.strides[dim], scalars), stride);
    ++view.rank;
  }
}

// The stride of a group is that of its innermost dim with more than one element.
const char* make_collapse(const ViewSite& site, const MemoryView& source, MemoryView& view) {
  view.rank = static_cast<uint8_t>(site.rank > 0 ? site.group_of[site.rank - 1] + 1 : 0);
  for (int group = 0; group < view.rank; ++group) {
    view.sizes[group] = 1;
    view.strides[group] = 1;
    bool has_stride = false;
    for (int dim = site.rank - 1; dim >= 0; --dim) {
      if (site.group_of[dim] != group) continue;
      if (source.sizes[dim] == 1) {
        if (!has_stride && view.sizes[group] == 1) view.strides[group] = source.strides[dim];
        continue;
      }
      if (!has_stride) {
        view.strides[group] = source.strides[dim];
        has_stride = true;
      } else if (source.strides[dim] != product(view.strides[group], view.sizes[group])) {
        return "collapsed dims are not contiguous";
      }
      view.sizes[group] = product(view.sizes[group], source.sizes[dim]);
    }
  }
  return nullptr;
}

void make_expand(const ViewSite& site, const Scalar* scalars, const MemoryView& source,
                 MemoryView& view) {
  view.rank = site.rank;
  int group = -1;
  int64_t stride = 1;
  for (int dim = site.rank - 1; dim >= 0; --dim) {
    if (site.group_of[dim] != group) {
      group = site.group_of[dim];
      stride = source.strides[group];
    }
    view.sizes[dim] = value_of(site.sizes[dim], scalars);
    view.strides[dim] = stride;
    stride = product(stride, view.sizes[dim]);
  }
}

void make_pointer(const ViewSite& site, const Scalar* scalars, MemoryView& view) {
  view.space = site.space;
  view.type = site.type;
  view.rank = site.rank;
  view.buffer = -1;
  view.base_byte = value_of(site.offsets[0], scalars);
  view.offset = 0;
  for (int dim = 0; dim < site.rank; ++dim) view.sizes[dim] = value_of(site.sizes[dim], scalars);
  fill_row_major(view);
  for (int dim = 0; dim < site.rank; ++dim) {
    if (site.strides[dim].value != 0) view.strides[dim] = site.strides[dim].value;
  }
}

}  // namespace

std::string name_memory(const MemoryView& view) {
  if (view.space != MemorySpace::kGm) return space_name(view.space);
  if (view.buffer == kWorkspaceArgument) return "workspace";
  if (view.buffer == kLockArgument) return "lock";
  return "argument " + std::to_string(view.buffer - kLeadingArguments);
}

bool is_within_reach(const MemoryView& view) {
  using Wide = __int128;
  const auto magnitude = [](int64_t value) { return value < 0 ? -Wide(value) : Wide(value); };
  Wide reach = magnitude(view.offset) * 8 + magnitude(view.base_byte);
  Wide count = 1;
  for (int dim = 0; dim < view.rank; ++dim) {
    if (view.sizes[dim] > kMaxReach) return false;
    const Wide size = view.sizes[dim] > 0 ? view.sizes[dim] : 0;
    reach += size * magnitude(view.strides[dim]) * 8;
    count *= size > 0 ? size : 1;
    if (reach > kMaxReach || count > kMaxReach) return false;
  }
  return reach <= kMaxReach;
}

const char* make_view(const ViewSite& site, const Scalar* scalars, const MemoryView* views,
                      MemoryView& result) {
  MemoryView view;
  if (site.source >= 0) view = views[site.source];
  const char* error = nullptr;
  switch (site.kind) {
    case ViewKind::kPointer: make_pointer(site, scalars, view); break;
    case ViewKind::kReinterpret:
      view.rank = site.rank;
      view.offset = value_of(site.offsets[0], scalars);
      for (int dim = 0; dim < site.rank; ++dim) {
        view.sizes[dim] = value_of(site.sizes[dim], scalars);
        view.strides[dim] = value_of(site.strides[dim], scalars);
      }
      break;
    case ViewKind::kSubview:
      if (site.rank != view.rank) return "subview of another rank";
      make_subview(site, scalars, views[site.source], view);
      break;
    case ViewKind::kCollapse:
      if (site.rank != view.rank) return "collapse of another rank";
      error = make_collapse(site, views[site.source], view);
      break;
    case ViewKind::kExpand:
      if (site.rank == 0 || site.group_of[site.rank - 1] + 1 != view.rank) {
        return "expand of another rank";
      }
      make_expand(site, scalars, views[site.source], view);
      break;
    case ViewKind::kByteView:
      view.base_byte = sum(sum(view.base_byte, product(view.offset, bytes_of(view.type))),
                           value_of(site.offsets[0], scalars));
      view.offset = 0;
      view.type = site.type;
      view.rank = site.rank;
      for (int dim = 0; dim < site.rank; ++dim) view.sizes[dim] = value_of(site.sizes[dim], scalars);
      fill_row_major(view);
      break;
    case ViewKind::kBitcast: view.type = site.type; break;
    case ViewKind::kExtractBase:
      view.rank = 0;
      view.offset = 0;
      break;
  }
  if (!error && !is_within_reach(view)) error = "the view reaches beyond any memory";
  result = view;
  return error;
}

}  // namespace npu::machine
