// How the banks of UB slow one repeat of a vector instruction.
//
// UB addresses: byte[4:0], bank group[8:5], row[15:9], bank[17:16]. A repeat reads eight blocks of
// each input at once; a group serves one read and takes one write a cycle. The result is written
// one repeat later.
#pragma once

#include <cstdint>

#include "clock/constants.h"

namespace npu::machine {

// Where one operand of a repeat lies.
struct BankAccess {
  int64_t first_byte = 0;
  int64_t block_stride = 1;  // between its eight blocks of 32 bytes; 0: one block for all
};

constexpr int kMaxBankInputs = 4;

struct BankAccesses {
  BankAccess inputs[kMaxBankInputs];
  int input_count = 0;
  BankAccess result;

  void add_input(const BankAccess& input) {
    if (input_count < kMaxBankInputs) inputs[input_count++] = input;
  }
};

// Cycles that the banks need for one repeat, 1 without conflict.
double bank_cycles(const BankAccesses& accesses, const ClockConstants& constants);

}  // namespace npu::machine
