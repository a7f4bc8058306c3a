#include "emit/device/architecture_guard.h"

#include <algorithm>

#include "fmt/format.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tile2cu::emit {
namespace {

using Rows = llvm::ArrayRef<llvm::StringRef>;

// The architecture that a row asks for: #if __CUDA_ARCH__ >= 800. Nothing if it asks for none.
Architecture askedFor(llvm::StringRef row) {
  if (row == "#ifdef __CUDA_ARCH_FEAT_SM90_ALL") return {90, true};
  int number = 0;
  if (!row.consume_front("#if __CUDA_ARCH__ >= ") || row.getAsInteger(10, number)) return {};
  return {number / 10, false};
}

// The row of the conditional's #else or #endif: the first of its own from `at` on.
size_t nextBranch(Rows rows, size_t at) {
  for (int depth = 0; at < rows.size(); ++at) {
    if (rows[at].starts_with("#if")) ++depth;
    if (depth == 0 && (rows[at].starts_with("#el") || rows[at].starts_with("#endif"))) break;
    if (rows[at].starts_with("#endif")) --depth;
  }
  return at;
}

bool traps(Rows branch) { return !branch.empty() && branch.front().trim() == "__trap();"; }

}  // namespace

std::string withoutGuards(llvm::StringRef text, const Architecture &written, Architecture &needed) {
  llvm::SmallVector<llvm::StringRef> all;
  text.split(all, '\n');
  const Rows rows = all;
  std::string result;
  auto append = [&](Rows some) {
    for (const llvm::StringRef row : some) result += row.str() + "\n";
  };
  for (size_t at = 0; at < rows.size(); ++at) {
    const Architecture asked = askedFor(rows[at]);
    const bool holds = asked.isSm90a ? written.isSm90a : asked.sm <= written.sm;
    const size_t other = asked.sm && holds ? nextBranch(rows, at + 1) : rows.size();
    const size_t end = other < rows.size() ? nextBranch(rows, other + 1) : rows.size();
    if (end == rows.size() || rows[other] != "#else" ||
        !traps(rows.slice(other + 1, end - other - 1))) {
      append(rows.slice(at, 1));
      continue;
    }
    append(rows.slice(at + 1, other - at - 1));
    needed.sm = std::max(needed.sm, asked.sm);
    needed.isSm90a |= asked.isSm90a;
    at = end;
  }
  result.pop_back();  // the text ends as before
  return result;
}

std::string architectureGuard(const Architecture &needed) {
  if (needed.isSm90a)
    return "#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)\n"
           "#error \"tile2cu wrote this file for sm_90a: compile it with "
           "-gencode=arch=compute_90a,code=sm_90a\"\n"
           "#endif\n";
  if (!needed.sm) return "";
  const std::string sm = std::to_string(needed.sm);
  return fmt::format(
      "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < {0}0\n"
      "#error \"this file is for sm_{0} and later; for older GPUs, run tile2cu with another "
      "--arch\"\n#endif\n",
      sm);
}

}  // namespace tile2cu::emit
