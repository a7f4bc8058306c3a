// The -W and -R options of our own groups (diagnostics.def). Clang does not know them, so they are
// removed from its arguments and applied here by Clang's rules: the last option for a group counts.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::frontend {

class WarningGroups {
 public:
  // Removes our options from `clangArgs`; general ones (-w, -Werror) are read and kept.
  explicit WarningGroups(std::vector<std::string> &clangArgs);

  // Whether a diagnostic is shown, and its severity.
  bool isShown(const ir::Diagnostic &diagnostic) const;
  ir::Severity severity(const ir::Diagnostic &diagnostic) const;
  // " [-Wunused-kernel]", " [-Werror,-Wunused-kernel]", " [-Rtile,T2C102]" or nothing.
  std::string suffix(const ir::Diagnostic &diagnostic) const;

 private:
  bool take(const std::string &argument);
  // Whether it is a remark about a loss that -Wperf shows as a warning.
  bool isPerf(const ir::Diagnostic &diagnostic) const;

  std::map<std::string, bool, std::less<>> enabled_;  // group -> on or off
  std::map<std::string, bool, std::less<>> asError_;  // group -> error or not
  bool noWarnings_ = false, allErrors_ = false;
};

}  // namespace tile2cu::frontend
