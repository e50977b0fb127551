// memref ops -> view sites and element accesses.
#include <algorithm>

#include "decode/function_decoder.h"
#include "decode/segments.h"
#include "views.h"

namespace npu::machine {
bool FunctionDecoder::decode_memref(const mlir::Op& op, std::string_view name) {
  if (name == "load") return decode_element_access(op, true);
  if (name == "store") return decode_element_access(op, false);
  if (name == "alloc") return decode_alloc(op);
  if (name == "alloca") return decode_variable(op);
  if (name == "get_global") return decode_table(op);
  if (op.operands.empty() || op.results.empty()) return unsupported(op, "unknown op");
  if (name == "cast" || name == "memory_space_cast") {
    const auto source = lookup(op, op.operands[0]);
    if (!source) return false;
    if (!source->is_view || op.results.size() != 1) return reject(op, "malformed");
    bind(std::string(op.results[0]), *source);
    return true;
  }
  if (name == "reinterpret_cast") return decode_reinterpret_cast(op);
  if (name == "subview") return decode_subview(op);
  if (name == "collapse_shape") return decode_reshape(op, true);
  if (name == "expand_shape") return decode_reshape(op, false);
  if (name == "view") return decode_byte_view(op);
  if (name == "extract_strided_metadata") return decode_metadata(op);
  if (name == "dim") {
    const auto source = view_slot(op, 0);
    const auto dim = lookup(op, op.operands.back());
    if (!source || !dim) return false;
    if (dim->is_view || !dim->is_constant) return unsupported(op, "open index");
    const int64_t index = function_.initial_scalars[dim->slot].integer;
    if (index < 0 || index >= kMaxRank) return unsupported(op, "open index");
    const int32_t result = define_scalar(op, 0);
    emit({StepKind::kViewSize, 64, result, *source, static_cast<int32_t>(index)});
    return result >= 0;
  }
  return unsupported(op, "unknown op");
}

bool FunctionDecoder::fill_numbers(const mlir::Op& op, std::string_view static_name,
                                   size_t first_operand, size_t operand_count,
                                   NumberOperand* numbers, uint8_t& rank) {
  const mlir::Attribute* attribute = op.property(static_name);
  const auto values = attribute ? mlir::read_integer_array(attribute->value) : std::nullopt;
  if (!values || values->size() > kMaxRank) return reject(op, "unreadable static sizes");
  size_t used = 0;
  for (size_t dim = 0; dim < values->size(); ++dim) {
    numbers[dim].value = (*values)[dim];
    if ((*values)[dim] != mlir::kDynamic) continue;
    if (used == operand_count) return reject(op, "a dynamic size is missing");
    const auto slot = scalar_slot(op, first_operand + used++);
    if (!slot) return false;
    numbers[dim].slot = *slot;
  }
  if (used != operand_count) return reject(op, "too many dynamic sizes");
  rank = static_cast<uint8_t>(values->size());
  return true;
}

bool FunctionDecoder::emit_view(const mlir::Op& op, ViewSite site) {
  const Value result = define(op, 0);
  if (result.slot < 0) return false;
  if (!result.is_view) return reject(op, "expected a memref result");
  site.dst = result.slot;
  site.line = op.line;
  function_.view_sites.push_back(site);
  emit({StepKind::kMakeView, 64, 0, static_cast<int32_t>(function_.view_sites.size()) - 1});
  return true;
}

bool FunctionDecoder::decode_reinterpret_cast(const mlir::Op& op) {
  const auto segments = segments_of(op);
  const auto source = view_slot(op, 0);
  if (!source) return false;
  if (!segments || segments->size() != 4) return reject(op, "malformed segments");
  if (!check_properties(op, {"operandSegmentSizes", "static_offsets", "static_sizes",
                             "static_strides"})) {
    return false;
  }
  ViewSite site;
  site.kind = ViewKind::kReinterpret;
  site.source = *source;
  uint8_t offset_rank = 0, stride_rank = 0;
  if (!fill_geometry(op, *segments, site, offset_rank, stride_rank)) return false;
  if (offset_rank != 1 || stride_rank != site.rank) return reject(op, "ranks differ");
  return emit_view(op, site);
}

// Offsets, sizes and strides: literals of the properties, operands where a literal says dynamic.
bool FunctionDecoder::fill_geometry(const mlir::Op& op, const std::vector<Segment>& parts,
                                    ViewSite& site, uint8_t& offset_rank, uint8_t& stride_rank) {
  return fill_numbers(op, "static_offsets", parts[1].first, parts[1].count, site.offsets,
                      offset_rank) &&
         fill_numbers(op, "static_sizes", parts[2].first, parts[2].count, site.sizes, site.rank) &&
         fill_numbers(op, "static_strides", parts[3].first, parts[3].count, site.strides,
                      stride_rank);
}

bool FunctionDecoder::decode_subview(const mlir::Op& op) {
  const auto segments = segments_of(op);
  const auto source = view_slot(op, 0);
  const auto result = mlir::read_memref_type(op.result_types[0]);
  if (!source) return false;
  if (!segments || segments->size() != 4 || !result) return reject(op, "malformed segments");
  if (!check_properties(op, {"operandSegmentSizes", "static_offsets", "static_sizes",
                             "static_strides"})) {
    return false;
  }
  ViewSite site;
  site.kind = ViewKind::kSubview;
  site.source = *source;
  uint8_t offset_rank = 0, stride_rank = 0;
  if (!fill_geometry(op, *segments, site, offset_rank, stride_rank)) return false;
  if (offset_rank != site.rank || stride_rank != site.rank) return reject(op, "ranks differ");
  // Match the result's dims in order; a source dim that fits none is a dropped unit dim.
  const size_t target_rank = result->shape.size();
  size_t matched = 0;
  for (uint8_t dim = 0; dim < site.rank; ++dim) {
    const int64_t size = site.sizes[dim].slot < 0 ? site.sizes[dim].value : mlir::kDynamic;
    const bool fits = matched < target_rank && result->shape[matched] == size;
    if (!fits && size == 1) continue;
    if (matched == target_rank) return reject(op, "result rank does not match");
    site.kept_mask |= static_cast<uint8_t>(1u << dim);
    ++matched;
  }
  if (matched != target_rank) return reject(op, "result rank does not match");
  return emit_view(op, site);
}

bool FunctionDecoder::decode_reshape(const mlir::Op& op, bool collapse) {
  if (!check_properties(op, {"operandSegmentSizes", "reassociation", "static_output_shape"})) {
    return false;
  }
  const auto source = view_slot(op, 0);
  const mlir::Attribute* attribute = op.property("reassociation");
  const auto groups = attribute ? mlir::read_nested_array(attribute->value) : std::nullopt;
  if (!source) return false;
  if (!groups || groups->size() > kMaxRank) return reject(op, "unreadable reassociation");
  ViewSite site;
  site.kind = collapse ? ViewKind::kCollapse : ViewKind::kExpand;
  site.source = *source;
  int64_t dim = 0;
  for (size_t group = 0; group < groups->size(); ++group) {
    for (int64_t member : (*groups)[group]) {
      if (member != dim || dim >= kMaxRank) return reject(op, "dims out of order");
      site.group_of[dim++] = static_cast<int8_t>(group);
    }
  }
  site.rank = static_cast<uint8_t>(dim);
  if (!collapse) {
    uint8_t rank = 0;
    if (!fill_numbers(op, "static_output_shape", 1, op.operands.size() - 1, site.sizes, rank)) {
      return false;
    }
    if (rank != site.rank) return reject(op, "output shape does not match");
  }
  return emit_view(op, site);
}

bool FunctionDecoder::decode_byte_view(const mlir::Op& op) {
  if (!check_properties(op, {"operandSegmentSizes"})) return false;
  const auto source = view_slot(op, 0);
  const auto shift = scalar_slot(op, 1);
  const auto type = mlir::read_memref_type(op.result_types[0]);
  if (!source || !shift || !type) return reject(op, "malformed");
  ViewSite site;
  site.kind = ViewKind::kByteView;
  site.source = *source;
  site.type = type->element;
  site.rank = static_cast<uint8_t>(type->shape.size());
  site.offsets[0].slot = *shift;
  size_t next = 2;
  for (size_t dim = 0; dim < type->shape.size(); ++dim) {
    site.sizes[dim].value = type->shape[dim];
    if (type->shape[dim] != mlir::kDynamic) continue;
    const auto slot = scalar_slot(op, next++);
    if (!slot) return false;
    site.sizes[dim].slot = *slot;
  }
  if (next != op.operands.size()) return reject(op, "sizes do not match");
  return emit_view(op, site);
}

bool FunctionDecoder::decode_view_bitcast(const mlir::Op& op) {
  if (!check_properties(op, {})) return false;
  const auto source = view_slot(op, 0);
  const auto from = op.operand_types.empty() ? std::nullopt
                                             : mlir::read_memref_type(op.operand_types[0]);
  const auto to = op.result_types.empty() ? std::nullopt
                                          : mlir::read_memref_type(op.result_types[0]);
  if (!source || !from || !to) return reject(op, "expected memrefs");
  if (bits_of(from->element) != bits_of(to->element)) return unsupported(op, "widths differ");
  ViewSite site;
  site.kind = ViewKind::kBitcast;
  site.source = *source;
  site.type = to->element;
  return emit_view(op, site);
}

// Results: base buffer, offset, sizes, strides.
bool FunctionDecoder::decode_metadata(const mlir::Op& op) {
  const auto source = view_slot(op, 0);
  if (!source) return false;
  if (op.results.size() < 2 || op.results.size() % 2 != 0) return reject(op, "malformed");
  ViewSite site;
  site.kind = ViewKind::kExtractBase;
  site.source = *source;
  if (!emit_view(op, site)) return false;
  emit({StepKind::kViewOffset, 64, define_scalar(op, 1), *source});
  const auto rank = static_cast<int32_t>(op.results.size() / 2 - 1);
  for (int32_t dim = 0; dim < rank; ++dim) {
    emit({StepKind::kViewSize, 64, define_scalar(op, 2 + dim), *source, dim});
    emit({StepKind::kViewStride, 64, define_scalar(op, 2 + rank + dim), *source, dim});
  }
  return !fault_;
}

bool FunctionDecoder::decode_element_access(const mlir::Op& op, bool is_load) {
  if (is_vector_function_) return unsupported(op, "a scalar access inside a vector function");
  if (!check_properties(op, {"nontemporal", "alignment"})) return false;
  const size_t view_operand = is_load ? 0 : 1;
  if (op.operands.size() <= view_operand) return reject(op, "malformed");
  const auto place = lookup(op, op.operands[view_operand]);
  if (!place) return false;
  if (place->is_variable) return decode_variable_access(op, *place, is_load);
  const auto view = view_slot(op, view_operand);
  if (!view) return false;
  AccessSite site;
  site.operation.opcode = is_load ? Opcode::kScalarLoad : Opcode::kScalarStore;
  site.operation.pipe = Pipe::kScalar;
  site.operation.line = op.line;
  site.view = *view;
  const size_t rank = op.operands.size() - view_operand - 1;
  if (rank > kMaxRank) return reject(op, "rank above 8");
  site.rank = static_cast<uint8_t>(rank);
  for (size_t dim = 0; dim < rank; ++dim) {
    const auto index = scalar_slot(op, view_operand + 1 + dim);
    if (!index) return false;
    site.indices[dim] = *index;
  }
  if (is_load) {
    if (op.results.size() != 1) return reject(op, "no result");
    site.value = define_scalar(op, 0);
  } else {
    const auto value = scalar_slot(op, 0);
    if (!value) return false;
    site.value = *value;
  }
  function_.access_sites.push_back(site);
  emit({is_load ? StepKind::kLoadElement : StepKind::kStoreElement, 64, 0,
        static_cast<int32_t>(function_.access_sites.size()) - 1});
  return site.value >= 0;
}

}  // namespace npu::machine
