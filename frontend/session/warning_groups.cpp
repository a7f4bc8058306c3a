#include "frontend/session/warning_groups.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "passes/ir/diagnostics/explanations.h"

namespace tile2cu::frontend {
namespace {

constexpr llvm::StringRef kGroups[] = {
#define DIAG(Id, severity, group, text) group,
#include "passes/ir/diagnostics/diagnostics.def"
};

// The group of the remarks about losses, as warnings.
constexpr llvm::StringLiteral kPerf = "perf";

bool isOurs(llvm::StringRef group) {
  return group == kPerf || (!group.empty() && llvm::is_contained(kGroups, group));
}

}  // namespace

WarningGroups::WarningGroups(std::vector<std::string> &clangArgs) {
  llvm::erase_if(clangArgs, [&](const std::string &argument) { return take(argument); });
}

bool WarningGroups::take(const std::string &argument) {
  llvm::StringRef text = argument;
  if (text == "-w") noWarnings_ = true;
  if (text == "-Werror") allErrors_ = true;
  if (text == "-Wno-error") allErrors_ = false;
  if (!text.consume_front("-W") && !text.consume_front("-R")) return false;
  bool on = !text.consume_front("no-");
  if (text.consume_front("error=")) {
    if (!isOurs(text)) return false;
    asError_[text.str()] = on;
    if (on) enabled_[text.str()] = true;
    return true;
  }
  if (!isOurs(text)) return false;
  enabled_[text.str()] = on;
  return true;
}

bool WarningGroups::isPerf(const ir::Diagnostic &diagnostic) const {
  const auto it = enabled_.find(kPerf);
  return it != enabled_.end() && it->second && !noWarnings_ &&
         ir::isLoss(diagnostic.id, diagnostic.message);
}

bool WarningGroups::isShown(const ir::Diagnostic &diagnostic) const {
  if (diagnostic.severity == ir::Severity::Error || diagnostic.severity == ir::Severity::Note)
    return true;
  if (isPerf(diagnostic)) return true;
  if (diagnostic.severity == ir::Severity::Warning && noWarnings_) return false;
  llvm::StringRef group = ir::groupOf(diagnostic.id);
  if (auto it = enabled_.find(group.str()); it != enabled_.end()) return it->second;
  return diagnostic.severity == ir::Severity::Warning || group.empty();
}

ir::Severity WarningGroups::severity(const ir::Diagnostic &diagnostic) const {
  const bool perf = isPerf(diagnostic);
  if (!perf && diagnostic.severity != ir::Severity::Warning) return diagnostic.severity;
  auto it = asError_.find(perf ? kPerf.str() : ir::groupOf(diagnostic.id).str());
  bool error = it != asError_.end() ? it->second : allErrors_;
  return error ? ir::Severity::Error : ir::Severity::Warning;
}

std::string WarningGroups::suffix(const ir::Diagnostic &diagnostic) const {
  const bool perf = isPerf(diagnostic);
  std::string group = perf ? kPerf.str() : ir::groupOf(diagnostic.id).str();
  if (group.empty()) return "";
  if (const ir::Explanation *explanation = ir::explanationOf(diagnostic.id))
    group += "," + explanation->name();
  if (!perf && diagnostic.severity == ir::Severity::Remark) return " [-R" + group + "]";
  const bool error = severity(diagnostic) == ir::Severity::Error &&
                     (perf || diagnostic.severity == ir::Severity::Warning);
  return (error ? " [-Werror,-W" : " [-W") + group + "]";
}

}  // namespace tile2cu::frontend
