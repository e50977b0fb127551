// One hivm.hir op -> issue sites.
//
// A table in hivm_decoder.cpp names every op the machine knows, its pipe and the function that reads
// its operands; those functions are in hivm_sync.cpp, hivm_vector.cpp and hivm_transfer.cpp. A
// property that is not named by an op's function is a fault: a variant we do not know is never
// executed as if it were the plain op.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decode/function_decoder.h"
#include "decode/segments.h"

namespace npu::machine {

class HivmDecoder {
 public:
  HivmDecoder(FunctionDecoder& owner, const mlir::Op& op) : owner_(owner), op_(op) {}

  bool decode(std::string_view name);

 private:
  struct Entry {
    std::string_view name;
    Opcode opcode;
    Pipe pipe;
    bool (HivmDecoder::*read)();
  };
  static const Entry kEntries[];

  // Operand layouts; each ends in emit_site().
  bool read_nothing() { return true; }
  bool read_control_bit();
  bool read_fact();
  bool read_flag();
  bool read_barrier();
  bool read_block_flag();
  bool read_lock();
  bool read_elementwise();
  bool read_power();
  bool read_load();
  bool read_store();
  bool read_copy();
  bool read_nd2nz();
  bool read_mmad();
  bool read_fixpipe();
  bool read_broadcast();
  bool read_reduce();
  bool read_range();
  bool read_interleave();
  bool read_deinterleave();
  bool read_transpose();
  bool read_gather();
  bool read_scan();
  bool read_flip();
  bool read_sort();
  bool read_view_bitcast() { return owner_.decode_view_bitcast(op_); }
  bool read_pointer_cast() { return owner_.decode_pointer_cast(op_); }

  // Adding operands; inputs first, then outputs, then temps.
  bool add_view(size_t operand, uint8_t& count);
  bool add_input(size_t operand) { return add_view(operand, site_.input_count); }
  bool add_output(size_t operand) { return add_view(operand, site_.output_count); }
  bool add_temps(Segment segment);
  bool add_scalar(size_t operand);
  bool add_source(size_t operand);  // a view or a number

  // Attributes.
  bool known(std::initializer_list<std::string_view> names) {
    return owner_.check_properties(op_, names);
  }
  std::string_view enum_of(std::string_view property, std::string_view fallback);
  std::optional<bool> bool_of(std::string_view property, bool fallback);
  std::optional<int64_t> integer_of(std::string_view property, int64_t fallback);
  bool read_dims(std::string_view property);
  bool require_empty(std::string_view property);
  bool require_bool(std::string_view property, bool value);
  bool read_segments(size_t count);
  bool read_pipe(std::string_view property, Pipe& pipe);

  bool emit_site();
  bool emit_flag(Opcode opcode, Pipe set_pipe, Pipe wait_pipe, int32_t event_slot);
  bool emit_l0_load(Opcode opcode, size_t operand, bool transposed);
  bool read_unit_flag(Segment conditions);
  bool fail(const std::string& why) { return owner_.unsupported(op_, why); }

  FunctionDecoder& owner_;
  const mlir::Op& op_;
  IssueSite site_;
  std::vector<Segment> segments_;
};

// The value of `name` in a table of names, or null.
template <typename T, size_t N>
const T* find_named(const std::pair<std::string_view, T> (&table)[N], std::string_view name) {
  for (const auto& entry : table) {
    if (entry.first == name) return &entry.second;
  }
  return nullptr;
}

}  // namespace npu::machine
