// The text of a device helper without what a file has no use for: instructions for words of other
// widths, and the caching policy where there is but one.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tile2cu::emit {

// A macro that writes functions: a section of device/*.cuh that is `#define NAME(...)`.
struct HelperMacro {
  std::string comment, name, body;  // the rows of the body without the backslashes
  std::vector<std::string> parameters;
};
std::optional<HelperMacro> helperMacro(llvm::StringRef text);

// The functions that the macro writes for `call`, NAME(argument, ...).
std::string expanded(const HelperMacro &macro, llvm::StringRef call);

// The bytes of the words that a helper moves; 16 stands for more bytes as well, which are moved in
// several words. Empty: not known.
using Widths = std::set<int>;

// The text
//   * without functions whose last parameter is a word of another width: `uint16_t& word`;
//   * without the branches of `if constexpr (BYTES >= 4)` and of
//     `std::conditional_t<BYTES == 1, T, U>` that no width takes; where all take one, it stands
//     without the condition;
//   * without the widths of static_assert(BYTES == 4 || BYTES == 8) that are not among these.
std::string withWidths(llvm::StringRef text, const Widths &widths);

// The text for a file in which every access has its default policy: no function has the parameter
// `cache C` or is chosen by `policy<C>`.
std::string withoutPolicies(std::string text);

}  // namespace tile2cu::emit
