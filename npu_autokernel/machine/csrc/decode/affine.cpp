#include "decode/affine.h"

#include <cctype>
#include <string>

#include "mlir/cursor.h"

namespace npu::machine {
namespace {

constexpr int kMaxDepth = 64;

class MapLowering {
 public:
  MapLowering(std::string_view text, const std::vector<int32_t>& operands,
              const AffineTarget& target)
      : cursor_(text), operands_(operands), target_(target) {}

  std::optional<std::vector<int32_t>> run() {
    if (!cursor_.expect("affine_map<") || !read_names("(", ")")) return std::nullopt;
    cursor_.skip_space();
    if (cursor_.peek() == '[' && !read_names("[", "]")) return std::nullopt;
    if (names_.size() != operands_.size()) return std::nullopt;
    std::vector<int32_t> results;
    if (!cursor_.expect("->") || !cursor_.expect("(")) return std::nullopt;
    do {
      results.push_back(lower_sum(0));
    } while (!cursor_.failed() && cursor_.accept(","));
    if (!cursor_.expect(")") || !cursor_.expect(">") || cursor_.failed()) return std::nullopt;
    return results;
  }

 private:
  bool read_names(std::string_view open, std::string_view close) {
    if (!cursor_.expect(open)) return false;
    if (cursor_.accept(close)) return true;
    do {
      names_.push_back(cursor_.read_identifier());
    } while (!cursor_.failed() && cursor_.accept(","));
    return cursor_.expect(close);
  }

  int32_t lower_sum(int depth) {
    int32_t left = lower_product(depth);
    while (!cursor_.failed()) {
      if (cursor_.accept("+")) {
        left = target_.emit_binary(StepKind::kAdd, left, lower_product(depth));
      } else if (!cursor_.starts_with("->") && cursor_.accept("-")) {
        left = target_.emit_binary(StepKind::kSub, left, lower_product(depth));
      } else {
        break;
      }
    }
    return left;
  }

  int32_t lower_product(int depth) {
    int32_t left = lower_unary(depth);
    while (!cursor_.failed()) {
      if (cursor_.accept("*")) {
        left = target_.emit_binary(StepKind::kMul, left, lower_unary(depth));
      } else if (cursor_.accept("floordiv")) {
        left = target_.emit_binary(StepKind::kFloorDiv, left, lower_unary(depth));
      } else if (cursor_.accept("ceildiv")) {
        left = target_.emit_binary(StepKind::kCeilDiv, left, lower_unary(depth));
      } else if (cursor_.accept("mod")) {
        left = target_.emit_binary(StepKind::kMod, left, lower_unary(depth));
      } else {
        break;
      }
    }
    return left;
  }

  int32_t lower_unary(int depth) {
    if (depth > kMaxDepth) {
      cursor_.fail("the affine expression is nested too deeply");
      return 0;
    }
    cursor_.skip_space();
    if (cursor_.accept("-")) {
      const int32_t zero = target_.constant(0);
      return target_.emit_binary(StepKind::kSub, zero, lower_unary(depth + 1));
    }
    if (cursor_.accept("(")) {
      const int32_t inner = lower_sum(depth + 1);
      cursor_.expect(")");
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(cursor_.peek()))) {
      return target_.constant(cursor_.read_integer());
    }
    const std::string_view name = cursor_.read_identifier();
    for (size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return operands_[i];
    }
    cursor_.fail("unknown name in an affine map");
    return 0;
  }

  mlir::Cursor cursor_;
  const std::vector<int32_t>& operands_;
  const AffineTarget& target_;
  std::vector<std::string_view> names_;
};

}  // namespace

std::optional<std::vector<int32_t>> lower_affine_map(std::string_view map,
                                                     const std::vector<int32_t>& operands,
                                                     const AffineTarget& target) {
  return MapLowering(map, operands, target).run();
}

}  // namespace npu::machine
