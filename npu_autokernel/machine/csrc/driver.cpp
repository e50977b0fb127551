// A stand-alone program for sanitizer builds: loads dumps, runs them on pseudo-random buffers, and
// does the same with damaged copies. Whatever the text, the outcome is a report or a fault.
//
//   machine_driver [--copies N] [--seed S] [--show COPY] FILE...
//
// Prints one line per run, "FILE COPY: OUTCOME", the copy's number before it runs; copy 0 is the
// file as it is. --show prints the text of one copy instead, to look at what made it fail.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "clock/clock.h"
#include "damage.h"
#include "launch.h"
#include "program.h"

namespace npu::machine {
namespace {

constexpr int64_t kBufferBytes = 1 << 16;
constexpr uint64_t kStepLimit = 1000;
// A launch allows far more; here it would only cost time.
constexpr int64_t kMaxWorkspaceBytes = 1 << 26;
constexpr int64_t kGridBlocks = 2;

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<LaunchArgument> make_arguments(const Program& program, std::mt19937_64& random,
                                           std::vector<std::vector<uint64_t>>& buffers) {
  std::vector<LaunchArgument> arguments;
  for (const ArgumentType& type : program.user_arguments) {
    LaunchArgument argument;
    argument.is_buffer = type.is_memref;
    if (type.is_memref) {
      buffers.emplace_back(kBufferBytes / 8);
      for (uint64_t& word : buffers.back()) word = random() & 0x3f3f3f3f3f3f3f3fu;
      argument.buffer = {reinterpret_cast<uint8_t*>(buffers.back().data()), kBufferBytes, 0};
    } else if (is_float(type.element)) {
      argument.scalar.real = 0.5f;
    } else {
      argument.scalar.integer = static_cast<int64_t>(random() % 100);
    }
    arguments.push_back(argument);
  }
  return arguments;
}

LaunchOptions choose_options(std::mt19937_64& random) {
  LaunchOptions options;
  options.step_limit = kStepLimit;
  options.guard_bytes = 4096;
  options.functional = random() % 8 != 0;
  options.check_uninitialised = random() % 2 == 0;
  options.interleaved = random() % 2 == 0;
  options.interleaving_seed = random();
  options.overlapped = options.interleaving_seed % 4 >= 2;
  options.check_races = !options.interleaved && random() % 2 == 0;
  return options;
}

// The values do not matter here, only that the clock reads every instruction.
Clock make_clock(const Program& program) {
  ClockConstants constants;
  visit_constants(constants, [](std::string_view, double& value) { value = 1; });
  const CoreUse use = program.task_type == TaskType::kVector ? CoreUse::kVector
                      : program.task_type == TaskType::kCube ? CoreUse::kCube
                                                             : CoreUse::kMix;
  return Clock(SocNumbers(), constants, use, ClockOptions{true});
}

std::string execute(const Program& program, std::mt19937_64& random) {
  if (program.workspace_bytes_per_block > kMaxWorkspaceBytes) return "not run: large workspace";
  std::vector<std::vector<uint64_t>> buffers;
  const auto arguments = make_arguments(program, random, buffers);
  const LaunchOptions options = choose_options(random);
  Clock clock = make_clock(program);
  const bool is_timed = random() % 2 == 0 && !program.is_register_based;
  const int64_t grid[3] = {kGridBlocks, 1, 1};
  const LaunchResult result =
      launch(program, grid, arguments, SocNumbers(), options, is_timed ? &clock : nullptr);
  if (result.fault) return result.fault->code;
  if (is_timed) clock.finish(kGridBlocks);
  return "ok";
}

std::string load_and_execute(const std::string& text, std::mt19937_64& random) {
  const auto loaded = load_program(text);
  if (const auto* fault = std::get_if<Fault>(&loaded)) return fault->code;
  return execute(*std::get<0>(loaded), random);
}

// Each copy has numbers of its own, so that it can be made again without those before it.
void run_copies(const char* path, int first, int end, uint64_t seed, bool shows) {
  const std::string original = read_file(path);
  for (int copy = first; copy < end; ++copy) {
    std::mt19937_64 random(seed * 1000003u + static_cast<uint64_t>(copy));
    const std::string text = copy == 0 ? original : damage_text(original, random);
    if (shows) {
      std::fputs(text.c_str(), stdout);
      continue;
    }
    std::printf("%s %d: ", path, copy);
    std::fflush(stdout);
    std::printf("%s\n", load_and_execute(text, random).c_str());
  }
}

}  // namespace
}  // namespace npu::machine

int main(int argc, char** argv) {
  int copies = 0, shown = -1;
  uint64_t seed = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--copies" && i + 1 < argc) {
      copies = std::atoi(argv[++i]);
    } else if (word == "--show" && i + 1 < argc) {
      shown = std::atoi(argv[++i]);
    } else if (word == "--seed" && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (shown >= 0) {
      npu::machine::run_copies(argv[i], shown, shown + 1, seed, true);
    } else {
      npu::machine::run_copies(argv[i], 0, copies + 1, seed, false);
    }
  }
  return 0;
}
