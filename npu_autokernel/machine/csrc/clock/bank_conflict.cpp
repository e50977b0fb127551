#include "clock/bank_conflict.h"

#include <algorithm>
#include <cstdlib>

namespace npu::machine {
namespace {

constexpr int kGroups = 16;
constexpr int kBlocksOfRepeat = 8;
constexpr int64_t kBlock = 32;
constexpr int64_t kGroupPeriod = kGroups * kBlock;

// Blocks that the busiest group serves.
int busiest_group(const BankAccess* accesses, int count) {
  int blocks[kGroups] = {};
  for (int i = 0; i < count; ++i) {
    const int64_t first = accesses[i].first_byte / kBlock;
    const int64_t stride = std::llabs(accesses[i].block_stride);
    const int taken = stride == 0 ? 1 : kBlocksOfRepeat;
    for (int block = 0; block < taken; ++block) ++blocks[(first + block * stride) % kGroups];
  }
  return *std::max_element(std::begin(blocks), std::end(blocks));
}

// A result exactly in the phase of an input is written behind it, one half a period apart beside
// it; any other one of the same bank gets in the way of the reads.
bool is_in_the_way(const BankAccess& result, const BankAccess& input) {
  const auto bank = [](int64_t address) { return address >> 16; };
  const int64_t phase = std::llabs(result.first_byte - input.first_byte) % kGroupPeriod;
  return bank(result.first_byte) == bank(input.first_byte) && phase >= kBlock &&
         phase != kGroupPeriod / 2;
}

}  // namespace

double bank_cycles(const BankAccesses& accesses, const ClockConstants& constants) {
  const int reads = std::max(1, busiest_group(accesses.inputs, accesses.input_count));
  const int writes = busiest_group(&accesses.result, 1);
  const int disturbed = static_cast<int>(
      std::count_if(accesses.inputs, accesses.inputs + accesses.input_count,
                    [&](const BankAccess& input) { return is_in_the_way(accesses.result, input); }));
  // Reads that take turns leave a cycle for the write unless all of them are of its bank.
  double delay = 0;
  if (disturbed > 0 && reads == 1) delay = constants.vector_overlap_cycles;
  if (disturbed > 0 && reads > 1 && disturbed == accesses.input_count) delay = 1;
  return std::max<double>(reads, writes) + delay;
}

}  // namespace npu::machine
