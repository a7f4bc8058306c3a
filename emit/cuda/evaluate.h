// The value of integer arithmetic in the text.
#pragma once
#include <optional>

#include "emit/cuda/ast.h"

namespace tile2cu::emit {

// Of literals, + - * / %, int(x), and what `leaf` knows the value of; none of anything else.
std::optional<int64_t> valueOf(const Expr &e,
                               llvm::function_ref<std::optional<int64_t>(const Expr &)> leaf);

}  // namespace tile2cu::emit
