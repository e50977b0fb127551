#include "clock/binding.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "clock/stream.h"
#include "trace/describe.h"

namespace nb = nanobind;

namespace npu::machine {
namespace {

constexpr const char* kPathNames[kPathCount] = {"load_ub", "load_l1", "store_ub", "store_l0c"};
constexpr const char* kUseNames[] = {"vector", "cube", "mix"};
constexpr const char* kAccuracyNames[] = {"wide", "mixed", "narrow", "tiny"};

nb::dict pipes_to_python(const double (&values)[kPipeCount]) {
  nb::dict result;
  for (int pipe = 0; pipe < kPipeCount; ++pipe) result[pipe_name(static_cast<Pipe>(pipe))] = values[pipe];
  return result;
}

nb::dict cores_to_python(const CoreTimes& times) {
  nb::dict result;
  result["cores"] = times.cores;
  result["mean_us"] = times.mean_us;
  result["slowest_us"] = times.slowest_us;
  result["pipe_busy_us"] = pipes_to_python(times.pipe_busy_us);
  result["mean_pipe_busy_us"] = pipes_to_python(times.mean_pipe_busy_us);
  return result;
}

nb::dict paths_to_python(const double (&values)[kPathCount]) {
  nb::dict result;
  for (int path = 0; path < kPathCount; ++path) result[kPathNames[path]] = values[path];
  return result;
}

nb::list waits_to_python(const TimingReport& report) {
  nb::list result;
  for (int waiting = 0; waiting < kPipeCount; ++waiting) {
    for (int source = 0; source < kPipeCount; ++source) {
      const double us = report.waits_us[waiting][source];
      if (us <= 0) continue;
      result.append(nb::make_tuple(pipe_name(static_cast<Pipe>(waiting)),
                                   pipe_name(static_cast<Pipe>(source)), us));
    }
  }
  return result;
}

nb::list events_to_python(const std::vector<TimelineEvent>& events) {
  nb::list result;
  for (const TimelineEvent& event : events) {
    result.append(nb::make_tuple(core_name({event.kind, event.sub_core, 0}), pipe_name(event.pipe),
                                 event.line, event.start_us, event.end_us));
  }
  return result;
}

nb::list flags_to_python(const std::vector<TimelineFlag>& flags) {
  nb::list result;
  for (const TimelineFlag& flag : flags) {
    result.append(nb::make_tuple(core_name(flag.set_core), pipe_name(flag.set_pipe), flag.set_us,
                                 core_name(flag.wait_core), pipe_name(flag.wait_pipe),
                                 flag.passed_us, flag.event, flag.line));
  }
  return result;
}

CoreUse use_named(const std::string& name) {
  for (int use = 0; use < 3; ++use) {
    if (name == kUseNames[use]) return static_cast<CoreUse>(use);
  }
  throw nb::value_error("use must be vector, cube or mix");
}

nb::dict simulate_from_python(const std::vector<BlockStreams>& blocks, const std::string& use,
                              nb::handle soc, nb::handle constants, bool loads_bypass_l2,
                              bool stores_bypass_l2, bool record_events) {
  return report_to_python(simulate(blocks, use_named(use), {loads_bypass_l2, stores_bypass_l2},
                                   soc_from_python(soc), constants_from_python(constants),
                                   {record_events}));
}

}  // namespace

SocNumbers soc_from_python(nb::handle table) {
  SocNumbers soc;
  const auto read = [&](const char* name, auto& value) {
    value = nb::cast<std::decay_t<decltype(value)>>(table.attr(name));
  };
  read("ub_bytes", soc.ub_bytes);
  read("l1_bytes", soc.l1_bytes);
  read("l0a_bytes", soc.l0a_bytes);
  read("l0b_bytes", soc.l0b_bytes);
  read("l0c_bytes", soc.l0c_bytes);
  read("cube_cores", soc.cube_cores);
  read("vector_cores", soc.vector_cores);
  read("l2_bytes", soc.l2_bytes);
  read("clock_mhz", soc.clock_mhz);
  read("hbm_read_tbps", soc.hbm_read_tbps);
  read("hbm_read_l1_tbps", soc.hbm_read_l1_tbps);
  read("hbm_read_write_tbps", soc.hbm_read_write_tbps);
  read("l2_read_tbps", soc.l2_read_tbps);
  read("l2_read_write_tbps", soc.l2_read_write_tbps);
  read("l2_read_cube_bytes_per_cycle", soc.l2_read_cube_bytes_per_cycle);
  read("l2_read_vector_bytes_per_cycle", soc.l2_read_vector_bytes_per_cycle);
  read("launch_one_core_us", soc.launch_one_core_us);
  read("launch_vector_us", soc.launch_vector_us);
  read("launch_cube_us", soc.launch_cube_us);
  read("launch_mix_us", soc.launch_mix_us);
  return soc;
}

ClockConstants constants_from_python(nb::handle table) {
  ClockConstants constants;
  visit_constants(constants, [&](std::string_view name, double& value) {
    value = nb::cast<double>(table.attr(std::string(name).c_str()));
  });
  return constants;
}

nb::dict report_to_python(const TimingReport& report) {
  nb::dict result;
  result["latency_us"] = report.latency_us;
  result["launch_us"] = report.launch_us;
  result["core_us"] = report.core_us;
  result["alone_us"] = report.alone_us;
  result["shared_us"] = report.shared_us;
  result["stretch"] = report.stretch;
  result["imbalance"] = report.imbalance;
  result["blocks"] = report.blocks;
  result["use"] = kUseNames[static_cast<int>(report.use)];
  result["accuracy_class"] = kAccuracyNames[static_cast<int>(report.accuracy)];
  result["expected_error"] = report.expected_error;
  result["vector"] = cores_to_python(report.vector);
  result["cube"] = cores_to_python(report.cube);
  result["moved_bytes"] = paths_to_python(report.traffic.moved_bytes);
  result["hbm_read_bytes"] = paths_to_python(report.traffic.hbm_read_bytes);
  result["hbm_write_bytes"] = report.traffic.hbm_write_bytes;
  result["l2_hit_bytes"] = report.traffic.l2_hit_bytes + report.traffic.l2_shared_hit_bytes;
  result["waits"] = waits_to_python(report);
  result["events"] = events_to_python(report.events);
  result["flags"] = flags_to_python(report.flags);
  return result;
}

void bind_clock(nb::module_& module) {
  nb::class_<GmTile>(module, "GmTile")
      .def(nb::init<>())
      .def_rw("buffer", &GmTile::buffer)
      .def_rw("first_byte", &GmTile::first_byte)
      .def_rw("rows", &GmTile::rows)
      .def_rw("row_bytes", &GmTile::row_bytes)
      .def_rw("row_stride", &GmTile::row_stride)
      .def_rw("loop_strides", &GmTile::loop_strides);
  nb::class_<Stream>(module, "Stream")
      .def(nb::init<>())
      .def("begin_loop", &Stream::begin_loop)
      .def("end_loop", &Stream::end_loop)
      .def("scalar", &Stream::scalar)
      .def("scalar_access", &Stream::scalar_access)
      .def("set_flag", &Stream::set_flag, nb::arg("set_pipe"), nb::arg("wait_pipe"),
           nb::arg("event") = 0, nb::arg("period") = 1)
      .def("wait_flag", &Stream::wait_flag, nb::arg("set_pipe"), nb::arg("wait_pipe"),
           nb::arg("event") = 0, nb::arg("period") = 1)
      .def("barrier", &Stream::barrier)
      .def("load", &Stream::load)
      .def("load_l1", &Stream::load_l1, nb::arg("tile"), nb::arg("as_fractals") = true)
      .def("store", &Stream::store, nb::arg("tile"), nb::arg("atomic") = false)
      .def("fixpipe", &Stream::fixpipe)
      .def("vector", &Stream::vector, nb::arg("name"), nb::arg("type"), nb::arg("elements"),
           nb::arg("inputs"), nb::arg("result"), nb::arg("result_type") = "",
           nb::arg("block_strides") = std::vector<int64_t>())
      .def("copy_blocks", &Stream::copy_blocks)
      .def("reduce", &Stream::reduce)
      .def("load_l0", &Stream::load_l0)
      .def("multiply", &Stream::multiply)
      .def("matmul", &Stream::matmul)
      .def("cross_set", &Stream::cross_set)
      .def("cross_wait", &Stream::cross_wait);
  module.def("simulate", &simulate_from_python, nb::arg("blocks"), nb::arg("use"), nb::arg("soc"),
             nb::arg("constants"), nb::arg("loads_bypass_l2") = false,
             nb::arg("stores_bypass_l2") = false, nb::arg("record_events") = false,
             "Times synthetic streams: one list of streams per block.");
}

}  // namespace npu::machine
