// One ave.hir op, the register-level code of the 950 -> a register site.
//
// The table in ave_decoder.cpp names every op the machine knows and the function that reads its
// operands; those functions are in the other files of this family, named below. A property
// or annotation that is not named, an element type an op has no meaning for, and operands whose
// lanes are not those of the op are faults: nothing is executed as something similar.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "decode/function_decoder.h"
#include "kernels/kernel_table.h"

namespace npu::machine {

class AveDecoder {
 public:
  AveDecoder(FunctionDecoder& owner, const mlir::Op& op) : owner_(owner), op_(op) {}

  bool decode(std::string_view name);

 private:
  struct Entry {
    std::string_view name;
    RegisterOp op;
    bool (AveDecoder::*read)();
    uint8_t kernel = 0;
  };
  static const Entry kEntries[];

  // ave_fill.cpp
  bool read_pattern();
  bool read_first_lanes();
  bool read_predicate_logic();
  bool read_broadcast();
  bool read_broadcast_all();
  bool read_broadcast_lane();
  bool read_index();
  // ave_arithmetic.cpp
  bool read_elementwise();         // vectors and a predicate
  bool read_integers();            // the same for integers only
  bool read_floats();              // for floats only
  bool read_single_floats();       // for f32 only
  bool read_with_number();
  bool read_shift();
  bool read_compare();
  bool read_select();
  bool read_reduce();
  bool read_wide_product();
  bool read_shuffle();
  // ave_memory.cpp
  bool read_load();
  bool read_store();
  bool read_gather();
  // ave_convert.cpp
  bool read_cast();
  bool read_rounding();

  // Operands: vectors in order into sources, predicates, numbers; false with a fault.
  bool take_sources(size_t first, size_t count);
  std::optional<Value> take_register(size_t operand);
  bool take_vector(size_t operand, int32_t& slot);
  bool take_predicate(size_t operand, int32_t& slot);
  bool take_number(size_t operand, int32_t& slot);
  bool take_memory(size_t first, size_t count);  // base and indices

  bool known(std::initializer_list<std::string_view> properties);
  bool read_lanes();       // element_alignment_bit_width
  bool define_result(size_t result = 0);
  bool emit();
  std::string_view enum_of(std::string_view property);
  bool has(std::string_view annotation) const { return op_.annotation(annotation) != nullptr; }
  bool fits_lanes(ElementType type) const;
  bool fail(const std::string& why) { return owner_.unsupported(op_, why); }

  FunctionDecoder& owner_;
  const mlir::Op& op_;
  RegisterSite site_;
  uint8_t lane_bits_ = 0;
};

}  // namespace npu::machine
