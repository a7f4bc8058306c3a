// `--instantiate 'softmax<1024>'`: the same as an instantiate variable next to the kernel in the
// source.
#pragma once
#include <string>

#include "frontend/frontend.h"

namespace tile2cu::frontend {

// C++ code to append to the user's source, so that Clang itself resolves names, template arguments
// and overloads:
//   inline constexpr auto softmax_1024 = ::tl::instantiate(softmax<1024>, {...});
std::string instantiateRequests(const FrontendOptions &options);

}  // namespace tile2cu::frontend
