#include "passes/target/target.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::passes {

std::string Target::name() const {
  return "sm_" + std::to_string(sm) + (archSpecific ? "a" : familySpecific ? "f" : "");
}

std::optional<Target> parseTarget(llvm::StringRef text) {
  constexpr int kKnown[] = {75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};
  if (!text.consume_front("sm_")) text.consume_front("compute_");
  if (!text.consume_back("-real")) text.consume_back("-virtual");
  Target target;
  target.archSpecific = text.consume_back("a");
  if (!target.archSpecific) target.familySpecific = text.consume_back("f");
  if (text.getAsInteger(10, target.sm) || !llvm::is_contained(kKnown, target.sm))
    return std::nullopt;
  if (target.archSpecific && target.sm < 90) return std::nullopt;
  if (target.familySpecific && target.sm < 100) return std::nullopt;
  return target;
}

int64_t sharedLimit(const Target &target) {
  switch (target.sm) {
    case 75:
      return 64 * 1024;
    case 86:
    case 89:
    case 120:
      return 99 * 1024;
    case 80:
    case 87:
      return 163 * 1024;
    default:
      return target.sm < 80 ? 48 * 1024 : 227 * 1024;
  }
}

int64_t sharedLimit(const Target &target, int blocks) {
  constexpr int64_t kReserved = 1024;
  return (sharedLimit(target) + kReserved) / std::max(blocks, 1) - kReserved;
}

}  // namespace tile2cu::passes
