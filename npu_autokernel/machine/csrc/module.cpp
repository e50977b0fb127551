// The extension module: programs in, launches run with the GIL released, plain dicts out.
//
// machine/program.py and machine/execution.py turn the dicts into values; nothing else imports this
// module.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "clock/binding.h"
#include "clock/clock.h"
#include "half.h"
#include "launch.h"
#include "program.h"
#include "race/observer_pair.h"
#include "trace/binding.h"
#include "trace/describe.h"

namespace nb = nanobind;

namespace npu::machine {
namespace {

struct NativeProgram {
  std::shared_ptr<const Program> program;
};

nb::dict fault_to_python(const Fault& fault) {
  nb::dict result;
  result["code"] = fault.code;
  result["message"] = fault.message;
  result["op_text"] = fault.op_text;
  result["line"] = fault.line;
  result["column"] = fault.column;
  result["source_line"] = fault.source_line;
  result["core"] = nb::none();
  if (fault.has_core) {
    const bool is_cube = fault.core.kind == CoreKind::kCube;
    result["core"] = nb::make_tuple(is_cube ? "cube" : "vector", fault.core.sub_core,
                                    fault.core.block);
  }
  result["bytes"] = nb::make_tuple(fault.bytes.first, fault.bytes.last);
  return result;
}

nb::object load_from_python(std::string text) {
  std::variant<std::shared_ptr<const Program>, Fault> loaded;
  {
    nb::gil_scoped_release release;
    loaded = load_program(std::move(text));
  }
  if (const auto* fault = std::get_if<Fault>(&loaded)) return fault_to_python(*fault);
  return nb::cast(NativeProgram{std::get<0>(loaded)});
}

// How far up the program reaches into each memory of a core.
nb::dict footprint_to_python(const Program& program) {
  int64_t bytes[kMemorySpaceCount] = {};
  for (const Function& function : program.functions) {
    for (int space = 0; space < kMemorySpaceCount; ++space) {
      bytes[space] = std::max(bytes[space], function.footprint_bytes[space]);
    }
  }
  nb::dict result;
  result["ub"] = bytes[static_cast<int>(MemorySpace::kUb)];
  result["l1"] = bytes[static_cast<int>(MemorySpace::kL1)];
  result["l0c"] = bytes[static_cast<int>(MemorySpace::kL0c)];
  return result;
}

// (line of the dump, opcode) of everything that a pipe or the scalar pipe's memory access executes.
nb::list instructions_to_python(const Program& program) {
  nb::list result;
  const auto add = [&](const Operation& operation) {
    result.append(nb::make_tuple(operation.line, opcode_name(operation.opcode)));
  };
  for (const Function& function : program.functions) {
    for (const IssueSite& site : function.issue_sites) add(site.operation);
    for (const AccessSite& site : function.access_sites) add(site.operation);
  }
  return result;
}

nb::dict describe_program(const NativeProgram& native) {
  const Program& program = *native.program;
  nb::dict result;
  result["entry_name"] = program.entry_name;
  result["task_type"] = static_cast<int>(program.task_type);
  nb::list kinds, arguments;
  for (const Function& function : program.functions) {
    kinds.append(function.kind == CoreKind::kCube ? "cube" : "vector");
  }
  for (const ArgumentType& argument : program.user_arguments) {
    arguments.append(nb::make_tuple(type_name(argument.element), argument.is_memref));
  }
  result["core_kinds"] = kinds;
  result["arguments"] = arguments;
  result["workspace_bytes_per_block"] = program.workspace_bytes_per_block;
  result["lock_bytes"] = program.lock_bytes;
  result["op_count"] = program.op_count;
  result["source_lines"] = program.source_lines;
  result["instructions"] = instructions_to_python(program);
  result["is_register_based"] = program.is_register_based;
  result["footprint_bytes"] = footprint_to_python(program);
  return result;
}

// A tuple (address, size in bytes) is a buffer, else a number of the kernel's type.
LaunchArgument argument_from_python(nb::handle value, const ArgumentType* type) {
  LaunchArgument argument;
  if (nb::isinstance<nb::tuple>(value)) {
    const auto pair = nb::cast<nb::tuple>(value);
    argument.is_buffer = true;
    argument.buffer.data = reinterpret_cast<uint8_t*>(nb::cast<uintptr_t>(pair[0]));
    argument.buffer.size = nb::cast<int64_t>(pair[1]);
  } else if (type && is_float(type->element)) {
    const auto real = static_cast<float>(nb::cast<double>(value));
    argument.scalar.real = type->element == ElementType::kF16
                               ? float_of_fp16(fp16_of_float(real))
                               : type->element == ElementType::kBf16
                                     ? float_of_bf16(bf16_of_float(real))
                                     : real;
  } else if (!nb::try_cast(value, argument.scalar.integer)) {
    throw nb::type_error("a number of an integer type must be an int of 64 bits at most");
  }
  return argument;
}

LaunchOptions options_from_python(const nb::dict& dict) {
  LaunchOptions options;
  options.functional = nb::cast<bool>(dict["functional"]);
  options.check_uninitialised = nb::cast<bool>(dict["check_uninitialised"]);
  options.check_races = nb::cast<bool>(dict["check_races"]);
  options.interleaved = !dict["interleaving_seed"].is_none();
  if (options.interleaved) {
    options.interleaving_seed = nb::cast<uint64_t>(dict["interleaving_seed"]);
  }
  options.overlapped = nb::cast<bool>(dict["overlapped"]);
  options.blocks = nb::cast<std::vector<int64_t>>(dict["blocks"]);
  options.poison_seed = nb::cast<uint64_t>(dict["poison_seed"]);
  options.step_limit = nb::cast<uint64_t>(dict["step_limit"]);
  options.guard_bytes = nb::cast<int64_t>(dict["guard_bytes"]);
  return options;
}

// A clock if options["timing"] holds its constants, else none.
std::unique_ptr<Clock> clock_from_python(const Program& program, const SocNumbers& soc,
                                         const nb::dict& options) {
  if (options["timing"].is_none()) return nullptr;
  const CoreUse use = program.task_type == TaskType::kVector ? CoreUse::kVector
                      : program.task_type == TaskType::kCube ? CoreUse::kCube
                                                             : CoreUse::kMix;
  const ClockOptions clock_options{nb::cast<bool>(options["record_events"])};
  return std::make_unique<Clock>(soc, constants_from_python(options["timing"]), use,
                                 clock_options);
}

nb::dict counters_to_python(const Counters& counters) {
  nb::dict result;
  result["gm_bytes_read"] = counters.gm_bytes_read;
  result["gm_bytes_written"] = counters.gm_bytes_written;
  result["guard_reads"] = counters.guard_reads;
  result["scalar_ops"] = counters.scalar_ops;
  nb::dict instructions;
  for (int pipe = 0; pipe < kPipeCount; ++pipe) {
    instructions[pipe_name(static_cast<Pipe>(pipe))] = counters.instructions[pipe];
  }
  result["instructions"] = instructions;
  return result;
}

nb::dict execute_from_python(const NativeProgram& native, nb::tuple grid, nb::list arguments,
                             nb::handle soc, nb::dict options) {
  const Program& program = *native.program;
  int64_t extents[3];
  for (int axis = 0; axis < 3; ++axis) extents[axis] = nb::cast<int64_t>(grid[axis]);
  std::vector<LaunchArgument> launch_arguments;
  for (size_t i = 0; i < nb::len(arguments); ++i) {
    const ArgumentType* type =
        i < program.user_arguments.size() ? &program.user_arguments[i] : nullptr;
    launch_arguments.push_back(argument_from_python(arguments[i], type));
  }
  const SocNumbers numbers = soc_from_python(soc);
  LaunchOptions launch_options = options_from_python(options);
  std::optional<PythonStepper> stepper;
  if (!options["on_step"].is_none()) {
    stepper.emplace(program, nb::object(options["on_step"]));
    launch_options.stepper = &*stepper;
  }
  CommitLog log(program, nb::cast<size_t>(options["log_lines"]));
  const bool is_logged = nb::cast<size_t>(options["log_lines"]) > 0;
  const std::unique_ptr<Clock> clock = clock_from_python(program, numbers, options);
  LaunchResult run;
  TimingReport timing;
  {
    nb::gil_scoped_release release;
    InstructionObserver* observer = clock.get();
    std::optional<ObserverPair> pair;
    if (is_logged && clock) pair.emplace(*clock, log);
    if (is_logged) observer = pair ? static_cast<InstructionObserver*>(&*pair) : &log;
    run = launch(program, extents, launch_arguments, numbers, launch_options, observer);
    if (clock && !run.fault) timing = clock->finish(extents[0] * extents[1] * extents[2]);
  }
  nb::dict result;
  result["fault"] = nb::none();
  if (run.fault) result["fault"] = fault_to_python(*run.fault);
  result["counters"] = counters_to_python(run.counters);
  result["blocks_run"] = run.blocks_run;
  result["log"] = log_to_python(log);
  result["timing"] = nb::none();
  if (clock && !run.fault) result["timing"] = report_to_python(timing);
  return result;
}

}  // namespace
}  // namespace npu::machine

NB_MODULE(_native, module) {
  using namespace npu::machine;
  nb::set_leak_warnings(false);  // compiled models hold programs until the interpreter ends
  nb::class_<NativeProgram>(module, "NativeProgram");
  module.def("load_program", &load_from_python, nb::arg("text"));
  module.def("describe_program", &describe_program, nb::arg("program"));
  module.def("execute", &execute_from_python, nb::arg("program"), nb::arg("grid"),
             nb::arg("arguments"), nb::arg("soc"), nb::arg("options"));
  bind_clock(module);
  bind_trace(module);
}
