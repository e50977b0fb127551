// Evaluation of view sites: pointer_cast, reinterpret_cast, subview and the reshapes.
#pragma once

#include <string>

#include "program.h"

namespace npu::machine {

// No view reaches further than this many bytes from its base, so later arithmetic cannot overflow.
constexpr int64_t kMaxReach = int64_t{1} << 46;

// Where a view lies, for a message: `argument 2`, counted as the user's, `workspace`, `ub`.
std::string name_memory(const MemoryView& view);

// Whether all of the view lies within kMaxReach of its base.
bool is_within_reach(const MemoryView& view);

// Writes the view; null is success, else why the view is impossible.
const char* make_view(const ViewSite& site, const Scalar* scalars, const MemoryView* views,
                      MemoryView& result);

}  // namespace npu::machine
