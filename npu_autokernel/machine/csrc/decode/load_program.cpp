// Text -> Program: the module's functions, their roles, and the launch facts that the host
// functions return as constants.
#include <algorithm>

#include "decode/function_decoder.h"
#include "decode/source_lines.h"
#include "mlir/parser.h"
#include "program.h"

namespace npu::machine {
namespace {

using mlir::Op;

constexpr size_t kMaxFaultText = 400;

bool contains(const mlir::Attribute* attribute, std::string_view text) {
  return attribute && attribute->value.find(text) != std::string_view::npos;
}

std::string_view name_of(const Op& function) {
  const mlir::Attribute* name = function.property("sym_name");
  return name ? mlir::read_quoted(name->value) : std::string_view();
}

// The value of the last integer constant of a host function: they only return one.
std::optional<int64_t> constant_of(const Op& function) {
  if (function.regions.size() != 1) return std::nullopt;
  std::optional<int64_t> value;
  for (const Op& op : function.regions[0].ops) {
    if (op.name == "func.return") continue;
    const mlir::Attribute* attribute = op.property("value");
    if (op.name != "arith.constant" || !attribute) return std::nullopt;
    value = mlir::read_integer(attribute->value);
  }
  return value;
}

int64_t count_ops(const Op& op) {
  int64_t count = 1;
  for (const mlir::Region& region : op.regions) {
    for (const Op& inner : region.ops) count += count_ops(inner);
  }
  return count;
}

// ffts address, lock, workspace; user arguments; three grid extents.
bool has_launch_arguments(const std::vector<ArgumentType>& arguments) {
  const auto is_number = [](const ArgumentType& argument) {
    return !argument.is_memref && !is_float(argument.element);
  };
  return is_number(arguments[0]) && arguments[kLockArgument].is_memref &&
         arguments[kWorkspaceArgument].is_memref &&
         std::all_of(arguments.end() - kTrailingArguments, arguments.end(), is_number);
}

bool same_types(const std::vector<ArgumentType>& a, const std::vector<ArgumentType>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ArgumentType& x, const ArgumentType& y) {
                      return x.is_memref == y.is_memref && x.element == y.element;
                    });
}

constexpr int64_t kMaxLockWords = 1 << 20;

class Loader {
 public:
  explicit Loader(std::string text) : program_(std::make_shared<Program>()) {
    program_->text = std::move(text);
    program_->line_starts.push_back(0);
    for (size_t i = 0; i < program_->text.size() && i < UINT32_MAX; ++i) {
      if (program_->text[i] == '\n') program_->line_starts.push_back(static_cast<uint32_t>(i + 1));
    }
  }

  std::variant<std::shared_ptr<const Program>, Fault> run() {
    auto parsed = mlir::parse_module(program_->text);
    if (const auto* error = std::get_if<mlir::ParseError>(&parsed)) {
      fault_ = make_fault(fault_code::kParseError, error->message, error->line, error->column);
    } else {
      program_->source_lines = list_source_lines(std::get<Op>(parsed));
      load(std::get<Op>(parsed));
    }
    if (!fault_) return std::shared_ptr<const Program>(program_);
    fault_->op_text = std::string(program_->line_text(fault_->line).substr(0, kMaxFaultText));
    fault_->source_line = program_->source_line(fault_->line);
    return *fault_;
  }

 private:
  bool load(const Op& module) {
    if (module.name != "builtin.module" || module.regions.size() != 1) {
      return fail(module, "expected a builtin.module");
    }
    program_->op_count = count_ops(module);
    program_->is_register_based = contains(module.annotation("hacc.target"), "Ascend950");
    for (const Op& op : module.regions[0].ops) {
      if (op.name == "memref.global" && !load_table(op)) return false;
      if (!is_vector_function(op)) continue;
      program_->is_register_based = true;
      if (!load_vector_function(op)) return false;
    }
    for (const Op& op : module.regions[0].ops) {
      if (op.name == "memref.global") continue;
      if (op.name != "func.func") return fail(op, "expected a function");
      if (is_vector_function(op)) continue;
      const bool is_host = contains(op.annotation("hacc.function_kind"), "HOST");
      if (!(is_host ? load_host_function(op) : load_device_function(op))) return false;
    }
    return check_functions(module);
  }

  bool load_host_function(const Op& op) {
    const mlir::Attribute* role = op.annotation("hacc.host_func_type");
    const auto value = constant_of(op);
    const auto store = [&](int64_t& target) {
      if (!value || *value < 0) return fail(op, "expected a constant result");
      target = *value;
      return true;
    };
    if (contains(role, "infer_workspace_shape_function")) {
      return store(program_->workspace_bytes_per_block);
    }
    if (contains(role, "infer_sync_block_lock_num_function")) {
      int64_t words = 0;
      if (!store(words)) return false;
      if (words > kMaxLockWords) return fail(op, "too many locks");
      program_->lock_bytes = words * 8;
      return true;
    }
    if (contains(role, "infer_sync_block_lock_init_function")) {
      return store(program_->lock_initial_value);
    }
    if (contains(role, "infer_task_type_function")) {
      int64_t type = 0;
      if (!store(type)) return false;
      if (type != 10 && type != 20 && type != 31 && type != 32) return fail(op, "task type");
      program_->task_type = static_cast<TaskType>(type);
      says_task_type_ = true;
    }
    return true;
  }

  bool load_device_function(const Op& op) {
    Function function;
    function.name = std::string(name_of(op));
    const mlir::Attribute* kind = op.annotation("hivm.func_core_type");
    if (contains(kind, "AIC>")) {
      function.kind = CoreKind::kCube;
    } else if (contains(kind, "AIV>")) {
      function.kind = CoreKind::kVector;
    } else {
      return fail(op, "neither a cube nor a vector function");
    }
    if (!op.property("function_type") ||
        op.property("function_type")->value.find("-> ()") == std::string_view::npos) {
      return fail(op, "a device function returns nothing");
    }
    FunctionDecoder decoder(function, fault_, scope_);
    if (!decoder.decode(op)) return false;
    program_->functions.push_back(std::move(function));
    return true;
  }

  // Vector functions are decoded before their callers, wherever they stand. None calls another.
  bool load_vector_function(const Op& op) {
    auto function = std::make_shared<Function>();
    function->name = std::string(name_of(op));
    FunctionDecoder decoder(*function, fault_, empty_scope_);
    if (!decoder.decode(op)) return false;
    const std::string name = function->name;
    if (!scope_.vector_functions.emplace(name, std::move(function)).second) {
      return fail(op, "two functions of one name");
    }
    return true;
  }

  // Constants printed as bytes: dense<"0x...">.
  bool load_table(const Op& op) {
    const mlir::Attribute* value = op.property("initial_value");
    const mlir::Attribute* type = op.property("type");
    const auto memref = type ? mlir::read_memref_type(type->value) : std::nullopt;
    const auto bytes = value ? mlir::read_dense_bytes(value->value) : std::nullopt;
    const bool is_row = memref && memref->shape.size() == 1 && memref->shape[0] > 0 &&
                        !memref->has_layout && memref->space == MemorySpace::kGm &&
                        memref->element != ElementType::kI1;
    if (!is_row || !bytes || !op.property("constant")) {
      return fail_unsupported(op, "a table of this form");
    }
    std::vector<uint8_t>& table = program_->table_bytes;
    const auto count = static_cast<int64_t>(bytes->size());
    if (memref->shape[0] != count / bytes_of(memref->element) ||
        count % bytes_of(memref->element) != 0) {
      return fail(op, "the bytes do not fill the table");
    }
    table.resize((table.size() + 31) / 32 * 32);
    const ConstantTable entry{static_cast<int64_t>(table.size()), *memref};
    table.insert(table.end(), bytes->begin(), bytes->end());
    return scope_.tables.emplace(std::string(name_of(op)), entry).second ||
           fail(op, "two tables of one name");
  }

  bool check_functions(const Op& module) {
    auto& functions = program_->functions;
    if (functions.empty() || functions.size() > 2) return fail(module, "one or two kernels");
    const bool is_mix = functions.size() == 2;
    // The compiler of the 950 leaves the task type to what the functions say.
    if (!says_task_type_) {
      program_->task_type = is_mix ? TaskType::kMixOneToTwo
                            : functions[0].kind == CoreKind::kCube ? TaskType::kCube
                                                                   : TaskType::kVector;
    }
    const bool says_mix = program_->task_type == TaskType::kMixOneToOne ||
                          program_->task_type == TaskType::kMixOneToTwo;
    if (is_mix != says_mix) return fail(module, "the task type does not match the functions");
    if (is_mix) {
      if (functions[0].kind == functions[1].kind) return fail(module, "two kernels of one kind");
      if (functions[0].kind == CoreKind::kVector) std::swap(functions[0], functions[1]);
    }
    const auto& arguments = functions[0].arguments;
    constexpr size_t kAdded = kLeadingArguments + kTrailingArguments;
    if (arguments.size() < kAdded) return fail(module, "too few kernel arguments");
    for (const Function& function : functions) {
      if (!same_types(function.arguments, arguments)) {
        return fail(module, "the two kernels take different arguments");
      }
      if (!has_launch_arguments(function.arguments)) {
        return fail(module, "unexpected leading or trailing kernel arguments");
      }
    }
    program_->user_arguments.assign(arguments.begin() + kLeadingArguments,
                                    arguments.end() - kTrailingArguments);
    std::string name = functions[0].name;
    for (const std::string suffix : {"_mix_aic", "_mix_aiv"}) {
      if (name.size() > suffix.size() &&
          name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0) {
        name.resize(name.size() - suffix.size());
      }
    }
    program_->entry_name = name;
    return true;
  }

  bool fail_unsupported(const Op& op, const std::string& why) {
    if (!fault_) {
      fault_ = make_fault(fault_code::kUnsupportedOp, std::string(op.name) + ": " + why, op.line);
    }
    return false;
  }

  bool fail(const Op& op, const std::string& why) {
    if (!fault_) {
      fault_ = make_fault(fault_code::kParseError, std::string(op.name) + ": " + why, op.line);
    }
    return false;
  }

  std::shared_ptr<Program> program_;
  std::optional<Fault> fault_;
  bool says_task_type_ = false;
  ModuleScope scope_;
  const ModuleScope empty_scope_;
};

}  // namespace

std::string_view Program::line_text(uint32_t line) const {
  if (line == 0 || line > line_starts.size()) return {};
  const size_t start = line_starts[line - 1];
  const size_t end = line < line_starts.size() ? line_starts[line] - 1 : text.size();
  std::string_view view = std::string_view(text).substr(start, end - start);
  while (!view.empty() && view.front() == ' ') view.remove_prefix(1);
  return view;
}

uint32_t Program::source_line(uint32_t line) const {
  return line < source_lines.size() ? source_lines[line] : 0;
}

std::string Program::place_name(uint32_t line) const {
  const uint32_t source = source_line(line);
  const std::string place = "dump line " + std::to_string(line);
  return source == 0 ? place : "source line " + std::to_string(source) + ", " + place;
}

std::variant<std::shared_ptr<const Program>, Fault> load_program(std::string text) {
  return Loader(std::move(text)).run();
}

}  // namespace npu::machine
