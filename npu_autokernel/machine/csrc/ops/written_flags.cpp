#include "ops/written_flags.h"

namespace npu::machine {
namespace {

template <typename T>
void match_row(uint8_t* flags, const void* elements, int64_t stride, int64_t count, uint8_t byte) {
  T pattern;
  std::memset(&pattern, byte, sizeof pattern);
  const auto* values = static_cast<const T*>(elements);
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) flags[i] = values[i] == pattern;
  } else {
    for (int64_t i = 0; i < count; ++i) flags[i] = values[i * stride] == pattern;
  }
}

template <typename T>
void write_row(void* elements, int64_t stride, const uint8_t* flags, int64_t count) {
  auto* values = static_cast<T*>(elements);
  for (int64_t i = 0; i < count; ++i) values[i * stride] = static_cast<T>(flags[i] ? ~T{0} : T{0});
}

using MatchRow = void (*)(uint8_t*, const void*, int64_t, int64_t, uint8_t);
using WriteRow = void (*)(void*, int64_t, const uint8_t*, int64_t);
// By width_index().
constexpr MatchRow kMatchRow[] = {match_row<uint8_t>, match_row<uint16_t>, match_row<uint32_t>,
                                  match_row<uint64_t>};
constexpr WriteRow kWriteRow[] = {write_row<uint8_t>, write_row<uint16_t>, write_row<uint32_t>,
                                  write_row<uint64_t>};

}  // namespace

bool match_elements(ExecutionContext& context, const MemoryView& view, const MemoryView& shape,
                    uint8_t byte, Flags& flags) {
  RowOperand in;
  if (!set_view(context, in, view, Access::kRead)) return false;
  int64_t dense[kMaxRank];
  fill_dense_strides(shape, dense);
  LoopNest nest(shape);
  nest.add_strides(dense);
  if (!nest.add(view)) return false;
  flags.resize(static_cast<size_t>(shape.element_count()));
  const MatchRow match = kMatchRow[width_index(bytes_of(view.type))];
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    uint8_t* row = flags.data() + at[0];
    if (in.is_bit_packed) {
      load_bools(row, in, at[1], by[1], count);
      for (int64_t i = 0; byte == 0 && i < count; ++i) row[i] ^= 1;
    } else {
      match(row, in.at(at[1]), by[1], count, byte);
    }
    return true;
  });
}

bool write_flags(ExecutionContext& context, const MemoryView& view, const Flags& flags) {
  const OnShadow on_shadow(context);
  RowOperand out;
  if (!set_view(context, out, view, Access::kWrite)) return false;
  int64_t dense[kMaxRank];
  fill_dense_strides(view, dense);
  LoopNest nest(view);
  nest.add(view);
  nest.add_strides(dense);
  const WriteRow write = kWriteRow[width_index(bytes_of(view.type))];
  return nest.for_each_row([&](const int64_t* at, const int64_t* by, int64_t count) {
    const uint8_t* row = flags.data() + at[1];
    if (out.is_bit_packed) {
      store_bools(out, at[0], by[0], row, count);
    } else {
      write(out.at(at[0]), by[0], row, count);
    }
    return true;
  });
}

}  // namespace npu::machine
