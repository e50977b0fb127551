// A stand-alone program for sanitizer builds: loads dumps, runs them on pseudo-random buffers, and
// does the same with damaged copies. Whatever the text, the outcome is a report or a fault.
//
//   machine_driver [--mutations N] [--seed S] FILE...
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "launch.h"
#include "program.h"

namespace npu::machine {
namespace {

constexpr int64_t kBufferBytes = 1 << 16;
constexpr uint64_t kStepLimit = 20000;

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Damage of the kinds a broken tool chain or a wrong edit makes.
std::string mutate(const std::string& text, std::mt19937_64& random) {
  std::string result = text;
  const auto below = [&random](size_t limit) { return limit == 0 ? 0 : random() % limit; };
  const int edits = 1 + static_cast<int>(below(4));
  for (int edit = 0; edit < edits && !result.empty(); ++edit) {
    const size_t at = below(result.size());
    switch (below(6)) {
      case 0: result[at] = static_cast<char>(32 + below(95)); break;
      case 1: result.erase(at, 1 + below(40)); break;
      case 2: result.insert(at, result.substr(below(result.size()), below(80))); break;
      case 3: {  // another number
        const size_t digit = result.find_first_of("0123456789", at);
        if (digit != std::string::npos) result[digit] = static_cast<char>('0' + below(10));
        break;
      }
      case 4: {  // a number with more digits
        const size_t digit = result.find_first_of("0123456789", at);
        if (digit != std::string::npos) result.insert(digit, std::to_string(random()));
        break;
      }
      default: {  // a line goes
        const size_t start = result.rfind('\n', at), end = result.find('\n', at);
        if (start != std::string::npos && end != std::string::npos) {
          result.erase(start, end - start);
        }
      }
    }
  }
  return result;
}

std::string execute(const Program& program, std::mt19937_64& random) {
  std::vector<std::vector<uint64_t>> buffers;
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
  LaunchOptions options;
  options.step_limit = kStepLimit;
  options.guard_bytes = 4096;
  options.check_uninitialised = random() % 2 == 0;
  options.interleaved = random() % 2 == 0;
  options.interleaving_seed = random();
  const int64_t grid[3] = {2, 1, 1};
  const LaunchResult result = launch(program, grid, arguments, SocNumbers(), options, nullptr);
  return result.fault ? result.fault->code : "ok";
}

std::string load_and_execute(const std::string& text, std::mt19937_64& random) {
  const auto loaded = load_program(text);
  if (const auto* fault = std::get_if<Fault>(&loaded)) return fault->code;
  return execute(*std::get<0>(loaded), random);
}

}  // namespace
}  // namespace npu::machine

int main(int argc, char** argv) {
  using namespace npu::machine;
  int mutations = 0;
  uint64_t seed = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--mutations") == 0 && i + 1 < argc) {
      mutations = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      const std::string text = read_file(argv[i]);
      std::mt19937_64 random(seed);
      std::printf("%s: %s\n", argv[i], load_and_execute(text, random).c_str());
      int loaded = 0;
      for (int round = 0; round < mutations; ++round) {
        loaded += load_and_execute(mutate(text, random), random) == "ok";
      }
      if (mutations > 0) std::printf("  %d of %d damaged copies ran to the end\n", loaded, mutations);
    }
  }
  return 0;
}
