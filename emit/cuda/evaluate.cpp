#include "emit/cuda/evaluate.h"

#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

static std::optional<int64_t> computed(llvm::StringRef op, int64_t a, int64_t b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/" && b != 0) return a / b;
  if (op == "%" && b != 0) return a % b;
  return std::nullopt;
}

std::optional<int64_t> valueOf(const Expr &e,
                               llvm::function_ref<std::optional<int64_t>(const Expr &)> leaf) {
  if (e.isLiteral()) {
    int64_t value;
    if (llvm::StringRef(e.spelling()).getAsInteger(10, value)) return std::nullopt;
    return value;
  }
  if (e.isCallOf("int")) return valueOf(e.operand(1), leaf);
  if (!e.is(ExprKind::Binary)) return leaf(e);
  const auto a = valueOf(e.operand(0), leaf), b = valueOf(e.operand(1), leaf);
  if (!a || !b) return std::nullopt;
  return computed(e.spelling(), *a, *b);
}

}  // namespace tile2cu::emit
