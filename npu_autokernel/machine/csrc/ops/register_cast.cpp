// Conversions of vector registers: the rows of vcast, and integers rounded toward zero to f32.
#include <cmath>

#include "ops/cast.h"
#include "ops/register_context.h"
#include "scalar_arithmetic.h"

namespace npu::machine {
namespace {

// The float next to `value` on the side of zero, or the float equal to it.
float truncate_to_float(int64_t value) {
  const auto nearest = static_cast<float>(value);
  const bool grew = std::fabs(static_cast<long double>(nearest)) >
                    std::fabs(static_cast<long double>(value));
  return grew ? std::nextafterf(nearest, 0.0f) : nearest;
}

void truncate_integers(const RegisterSite& site, const Register& source, Register& result) {
  int64_t values[kMaxLanes];
  float floats[kMaxLanes];
  const int from = static_cast<int>(site.source_type);
  kernels().load_int[from](values, source.bytes, 1, site.lanes);
  for (int lane = 0; lane < site.lanes; ++lane) floats[lane] = truncate_to_float(values[lane]);
  kernels().store_float[static_cast<int>(site.type)](result.bytes, 1, floats, site.lanes);
}

}  // namespace

bool convert_register(const RegisterSite& site, const RegisterContext& run) {
  Register source = run.of(site.sources[0]);
  Register& result = run.of(site.dst);
  const bool truncates_integers = !is_float(site.source_type) && is_float(site.type) &&
                                  site.round_mode == RoundMode::kTrunc;
  if (truncates_integers) {
    truncate_integers(site, source, result);
  } else {
    RowOperand from, to;
    from.type = site.source_type;
    from.bytes = source.bytes;
    to.type = site.type;
    to.bytes = result.bytes;
    cast_row({&from, &to, site.round_mode, site.is_unsigned}, site.lanes);
  }
  finish_register(site, run, site.dst, 1);
  return true;
}

}  // namespace npu::machine
