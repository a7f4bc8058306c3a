#include "emit/file_helpers.h"

#include "emit/cuda/format.h"
#include "emit/device/paste_helpers.h"
#include "fmt/format.h"

namespace tile2cu::emit {
namespace {

std::string inNamespace(llvm::StringRef text) {
  return "namespace tile2cu {\ninline namespace v1 {\n\n" + text.rtrim('\n').str() +
         "\n\n}  // namespace v1\n}  // namespace tile2cu\n";
}

// Device helpers between the lines that mark them. Empty if there is none.
std::string helperBlock(const std::string &what, const std::string &text) {
  if (text.empty()) return "";
  return fmt::format("\n// ==== device helpers{}\n{}// ==== end of device helpers\n", what,
                     inNamespace(text));
}

// A header of all that the file uses.
std::string headerText(const PastedHelpers &pasted, const EmitOptions &options) {
  const std::string guard = architectureGuard(pasted.needed);
  const std::string head = formatCuda(
      fmt::format("// Device helpers of what tile2cu generates from {}.\n#pragma once\n{}",
                  options.sourceName, includeText(pasted.includes)));
  return fmt::format("{}{}{}\n{}", head, guard.empty() ? "" : "\n", guard,
                     inNamespace(pasted.definitions));
}

}  // namespace

std::string includeText(const std::set<std::string> &includes) {
  std::string text;
  for (int kind = 0; kind < 3; ++kind) {
    std::string block;
    for (const std::string &name : includes) {
      const bool isCuda = llvm::StringRef(name).starts_with("<cuda_");
      const int of = name[0] == '"' ? 2 : isCuda ? 0 : 1;
      if (of == kind) block += "#include " + name + "\n";
    }
    if (!block.empty()) text += block + "\n";
  }
  return text;
}

FileHelpers fileHelpers(const UsedWords &kernels, const UsedWords &launchers,
                        const std::set<std::string> &dotted, const EmitOptions &options) {
  std::set<std::string> words = kernels.all();
  words.insert(launchers.all().begin(), launchers.all().end());
  FileHelpers helpers;
  helpers.areIncluded = options.helpers == Helpers::Include || options.emulator;
  if (helpers.areIncluded) {
    helpers.includes.insert("\"tile2cu/device.cuh\"");
    if (launchers.contain("tile2cu::tuner")) helpers.includes.insert("\"tile2cu/device/tune.cuh\"");
    if (!options.emulator)
      helpers.declarations = helperBlock(": those that no header has", pasteUnfiledHelpers(words));
    return helpers;
  }
  if (options.helpers == Helpers::Header) {
    helpers.includes.insert("\"" + options.helperHeader + "\"");
    helpers.header = headerText(pasteWholeHelpers(words, dotted, options.written), options);
    return helpers;
  }
  const PastedHelpers pasted =
      pasteHelpers(kernels.all(), dotted, launchers.all(), options.written);
  const std::string where = ": declared here, defined at the end of the file";
  helpers.includes = pasted.includes;
  helpers.launcherIncludes = pasted.launcherIncludes;
  helpers.guard = architectureGuard(pasted.needed);
  helpers.declarations = helperBlock(where, pasted.declarations);
  helpers.launcherDeclarations = helperBlock(" of launchers" + where, pasted.launcherDeclarations);
  helpers.definitions = helperBlock(": definitions", pasted.definitions);
  return helpers;
}

}  // namespace tile2cu::emit
