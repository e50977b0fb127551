#include "trace/binding.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "core.h"
#include "trace/accesses.h"
#include "trace/describe.h"

namespace nb = nanobind;

namespace npu::machine {
namespace {

// A core that stands still after an instruction; both are null again once it goes on.
struct StoppedCore {
  Core* core = nullptr;
  const Instruction* instruction = nullptr;
};

Core& core_of(const StoppedCore& stopped) {
  if (!stopped.core) throw nb::value_error("the core has gone on");
  return *stopped.core;
}

MemorySpace space_named(const std::string& name) {
  if (name == "ub") return MemorySpace::kUb;
  if (name == "l1") return MemorySpace::kL1;
  if (name == "l0c") return MemorySpace::kL0c;
  throw nb::value_error("a memory is ub, l1 or l0c");
}

nb::bytes read_memory(const StoppedCore& stopped, const std::string& name, int64_t first,
                      int64_t size) {
  ChipMemory& chip = core_of(stopped).chip();
  const MemorySpace space = space_named(name);
  if (first < 0 || size < 0 || first > chip.size(space) || size > chip.size(space) - first) {
    const std::string message =
        "the range lies outside of " + name + ", which has " + std::to_string(chip.size(space)) + " bytes";
    throw nb::value_error(message.c_str());
  }
  return nb::bytes(reinterpret_cast<const char*>(chip.data(space)) + first,
                   static_cast<size_t>(size));
}

nb::list list_flags(const StoppedCore& stopped) {
  nb::list flags;
  for (const RaisedFlag& flag : core_of(stopped).raised_flags()) {
    flags.append(nb::make_tuple(pipe_name(flag.set_pipe), pipe_name(flag.wait_pipe), flag.event,
                                flag.count));
  }
  return flags;
}

nb::tuple tuple_of(const std::vector<int64_t>& numbers) {
  return nb::tuple(nb::cast(numbers));
}

nb::list accesses_to_python(const StoppedCore& stopped) {
  core_of(stopped);
  nb::list accesses;
  for (const OperandAccess& access : list_accesses(*stopped.instruction)) {
    accesses.append(nb::make_tuple(access.place, access.is_write, access.is_atomic,
                                   access.first_bit, access.bits, tuple_of(access.sizes),
                                   tuple_of(access.strides)));
  }
  return accesses;
}

std::string name_unit_flag(const StoppedCore& stopped) {
  core_of(stopped);
  switch (stopped.instruction->unit_flag) {
    case UnitFlag::kDisabled: return "disabled";
    case UnitFlag::kWithUpdate: return "with update";
    default: return "without update";
  }
}

// Ends what Python may do with the core, however the call ends.
struct Handle {
  Handle(Core& core, const Instruction& instruction)
      : object(nb::cast(StoppedCore{&core, &instruction})) {}
  ~Handle() { nb::cast<StoppedCore&>(object) = StoppedCore(); }
  nb::object object;
};

}  // namespace

void PythonStepper::after_instruction(Core& core, const Instruction& instruction) {
  nb::gil_scoped_acquire acquire;
  const Handle handle(core, instruction);
  const CoreId& id = core.id();
  const uint32_t line = instruction.operation->line;
  function_(core_name(id), id.block, line, program_.source_line(line),
            pipe_name(instruction.pipe()), opcode_name(instruction.opcode()),
            describe_operands(instruction), handle.object);
}

nb::tuple log_to_python(const CommitLog& log) {
  return nb::make_tuple(log.lines(), log.instruction_count());
}

void bind_trace(nb::module_& module) {
  nb::class_<StoppedCore>(module, "StoppedCore")
      .def("read_memory", &read_memory, nb::arg("space"), nb::arg("first"), nb::arg("size"))
      .def("list_accesses", &accesses_to_python)
      .def("unit_flag", &name_unit_flag)
      .def("list_flags", &list_flags);
}

}  // namespace npu::machine
