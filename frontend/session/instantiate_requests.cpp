#include "frontend/session/instantiate_requests.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

namespace tile2cu::frontend {

// The identifiers of a request without their qualifiers, joined by _: scale<512, tl::float16>
// becomes scale_512_float16.
static std::string launcherName(llvm::StringRef request) {
  std::string name;
  while (!request.empty()) {
    llvm::StringRef word = request.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    request = request.drop_front(std::max<size_t>(word.size(), 1));
    if (word.empty() || request.starts_with("::")) continue;
    name += (name.empty() ? "" : "_") + word.str();
  }
  return name;
}

std::string instantiateRequests(const FrontendOptions &options) {
  const ir::Options &o = options.instantiateOptions;
  std::string text;
  for (llvm::StringRef request : options.instantiate) {
    if (text.empty()) text = "\n#line 1 \"<command line>\"\n";
    llvm::StringRef kernel = request.split('<').first.trim();
    auto [scope, last] = kernel.rsplit("::");
    if (last.empty()) scope = "";
    std::string launcher = llvm::formatv(
        "inline constexpr auto {0} = ::tl::instantiate({1}, {{.num_warps = {2}, .num_stages = {3}, "
        ".programs_per_block = {4}, .resident_threads = {5}, .min_blocks = {6}, .persistent = "
        "{7}});",
        launcherName(request), request, o.numWarps, o.numStages, o.programsPerBlock,
        o.residentThreads, o.minBlocks, o.persistent ? "true" : "false");
    text += scope.empty() ? launcher : fmt::format("namespace {} {{ {} }}", scope.str(), launcher);
    text += '\n';
  }
  return text;
}

}  // namespace tile2cu::frontend
