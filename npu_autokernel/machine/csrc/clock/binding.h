// The clock's part of the extension module.
#pragma once

#include <nanobind/nanobind.h>

#include "clock/constants.h"
#include "clock/report.h"
#include "soc.h"

namespace npu::machine {

// From machine.soc.SocTable and machine.clock_constants.ClockConstants, attribute by attribute.
SocNumbers soc_from_python(nanobind::handle table);
ClockConstants constants_from_python(nanobind::handle table);

// A plain dict that machine/timing.py turns into its value.
nanobind::dict report_to_python(const TimingReport& report);

void bind_clock(nanobind::module_& module);

}  // namespace npu::machine
