// A whole .cu file: includes, device helpers, kernels, launchers.
#include "emit/emit.h"

#include <algorithm>

#include "emit/assemble_kernel.h"
#include "emit/contract_comment.h"
#include "emit/cuda/format.h"
#include "emit/cuda/occupied_names.h"
#include "emit/cuda/printer.h"
#include "emit/cuda/symbols.h"
#include "emit/cuda/text_words.h"
#include "emit/device/embedded_helpers.h"
#include "emit/device/paste_helpers.h"
#include "emit/host/launchers.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

// The headers that words come from.
constexpr std::pair<const char *, const char *> kHeaders[] = {
    {"INFINITY", "<cmath>"},       {"NAN", "<cmath>"},
    {"std::min", "<algorithm>"},   {"std::max", "<algorithm>"},
    {"std::atomic", "<atomic>"},   {"__half", "<cuda_fp16.h>"},
    {"__nv_fp8_", "<cuda_fp8.h>"}, {"__nv_bfloat16", "<cuda_bf16.h>"},
};

std::string sharedPrologue(int alignment) {
  return "// All kernels of this file carve their shared memory out of what the launch gives "
         "them.\n"
         "extern __shared__ __align__(" +
         std::to_string(alignment) + ") unsigned char dynamic_smem[];\n\n";
}

struct NamespaceScope {
  std::string &text;
  std::string open;
  void change(const std::string &name) {
    if (name == open) return;
    if (!open.empty()) text += "}  // namespace " + open + "\n\n";
    if (!name.empty()) text += "namespace " + name + " {\n\n";
    open = name;
  }
};

// The callers use the name of a launcher and of the namespaces around it, so it cannot be changed.
void reportOccupied(const std::string &name, Occupied what, const Launcher &launcher,
                    Diagnostics &diagnostics) {
  diagnostics.report(DiagId::LauncherNameTaken, launcher.loc,
                     {name, what == Occupied::Macro    ? "a macro of CUDA's or C's headers"
                            : what == Occupied::Global ? "a name of CUDA, C or the emitted text"
                                                       : "a function of CUDA's or C's headers"});
}

std::set<std::string> headersOf(const UsedWords &words) {
  std::set<std::string> headers;
  for (const auto &[word, header] : kHeaders)
    if (words.contain(word)) headers.insert(header);
  return headers;
}

std::string textOf(llvm::ArrayRef<TopLevel> all) {
  std::string text;
  for (const TopLevel &each : all)
    std::visit([&](const auto &declaration) { print(declaration, text); }, each);
  return text;
}

// The same without comments.
std::string codeOf(std::vector<TopLevel> all) {
  for (TopLevel &each : all) {
    if (auto *record = std::get_if<Struct>(&each)) {
      record->comment.clear();
      record->members = withoutComments(std::move(record->members));
    } else if (auto *function = std::get_if<Function>(&each)) {
      function->comment.clear();
      function->body = withoutComments(std::move(function->body));
    }
  }
  return textOf(all);
}

void checkNames(const Module &module, const EmitOptions &options, Diagnostics &diagnostics) {
  std::set<std::string> names;
  for (const Launcher &launcher : module.launchers) {
    // C has no namespaces.
    if (options.externC && !names.insert(launcher.name).second)
      diagnostics.report(DiagId::LauncherTwice, launcher.loc, {launcher.name});
    Occupied what = occupiedName(launcher.name);
    const bool mayOverload =
        what == Occupied::Overload || (what == Occupied::CFunction && !options.externC);
    if (what != Occupied::Free && !mayOverload)
      reportOccupied(launcher.name, what, launcher, diagnostics);
    llvm::SmallVector<llvm::StringRef, 4> spaces;
    llvm::StringRef(launcher.nameSpace).split(spaces, "::", -1, false);
    for (size_t i = 0; i < spaces.size(); ++i) {
      what = occupiedName(spaces[i]);
      const bool isFunction = what == Occupied::CFunction || what == Occupied::Overload;
      // The functions are in the global namespace.
      if (what != Occupied::Free && (i == 0 || !isFunction))
        reportOccupied(spaces[i].str(), what, launcher, diagnostics);
    }
  }
}

// Where code and preprocessor lines of the text, without comments, say the name.
void findMacro(llvm::StringRef text, const std::string &macro, bool &inCode, bool &inDirective) {
  if (!text.contains(macro)) return;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    const std::string code = line.split("//").first.ltrim().str();
    if (mentions(code, macro)) (code[0] == '#' ? inDirective : inCode) = true;
  }
}

// `#undef` for the macros of tile2cu's command line whose names are identifiers in the emitted
// text. The text never uses such a macro, but nvcc may get the same command line. A macro that a
// preprocessor line of the text asks for stays.
std::string undefineMacros(const EmitOptions &options, llvm::StringRef text, bool includesHelpers) {
  std::string undefined;
  for (const std::string &macro : options.macros) {
    bool inCode = false, inDirective = false;
    findMacro(text, macro, inCode, inDirective);
    if (includesHelpers)
      for (const EmbeddedFile &file : embeddedDeviceHelpers())
        findMacro(file.text, macro, inCode, inDirective);
    if (inCode && !inDirective) undefined += "#undef " + macro + "\n";
  }
  if (undefined.empty()) return "";
  return "\n// Names that tile2cu's command line defined as macros, and that this file uses for "
         "other things.\n" +
         undefined + "\n";
}

}  // namespace

std::optional<std::string> emitCuda(const Module &module, const EmitOptions &options,
                                    Diagnostics &diagnostics) {
  checkNames(module, options, diagnostics);
  std::vector<KernelGroup> groups = groupKernels(module, options);
  if (diagnostics.hasErrors()) return std::nullopt;
  std::string body;
  NamespaceScope scope{body, ""};
  std::set<std::string> dotted;
  UsedWords words;
  KnownDeclarations known;
  // A tuner's number is computed from the code of its candidates.
  const bool tunes = llvm::any_of(
      module.launchers, [](const Launcher &launcher) { return launcher.tuning.has_value(); });
  bool shared = false;
  int alignment = 128;
  for (KernelGroup &group : groups) {
    scope.change(group.first().nameSpace);
    const AssembledKernel kernel = assembleKernel(group, known);
    body += contractComment(group, options) + "\n" + textOf(kernel.own);
    for (const TopLevel &each : kernel.own)
      std::visit([&](const auto &declaration) { words.add(declaration); }, each);
    if (tunes) group.code = codeOf(kernel.own) + codeOf(kernel.shared);
    for (const KernelInstance &instance : group.instances) {
      dotted.insert(instance.text.helpers.begin(), instance.text.helpers.end());
      for (const SharedBuffer &buffer : instance.kernel->shared)
        alignment = std::max(alignment, buffer.alignment);
    }
    shared |= !group.smem.empty();
  }
  body += "// ---- launchers ----\n\n";
  for (const KernelGroup &group : groups) {
    scope.change(group.first().nameSpace);
    body += launchText(group, options, words);
  }
  for (const Launcher &launcher : module.launchers) {
    scope.change(launcher.nameSpace);
    body += launcherText(launcher, groups, options, words);
  }
  scope.change("");

  std::string head = "// Generated by tile2cu from " + options.sourceName +
                     ". Do not edit: change the source and run tile2cu again,\n"
                     "// or take the file over and delete this line.\n";
  std::set<std::string> includes = {"<cuda_runtime.h>", "<climits>", "<cstdint>"};
  includes.merge(headersOf(words));
  std::string helpers;
  bool include = options.includeDeviceHeader || options.emulator;
  if (include) {
    includes.insert("\"tile2cu/device.cuh\"");
    if (words.contain("tile2cu::tuner")) includes.insert("\"tile2cu/device/tune.cuh\"");
    if (!options.emulator) helpers = pasteUnfiledHelpers(words.all());
  } else {
    PastedHelpers pasted = pasteHelpers(words.all(), dotted);
    includes.insert(pasted.includes.begin(), pasted.includes.end());
    helpers = pasted.text;
  }
  if (!include || !helpers.empty())
    helpers =
        "// ==== device helpers: one small function an instruction, and what is built from them\n"
        "namespace tile2cu {\ninline namespace v1 {\n\n" +
        helpers + "}  // namespace v1\n}  // namespace tile2cu\n// ==== end of device helpers\n\n";
  if (options.emulator)
    for (const char *cudaOnly :
         {"<cuda.h>", "<cuda_runtime.h>", "<cuda_fp16.h>", "<cuda_bf16.h>", "<cuda_fp8.h>"})
      includes.erase(cudaOnly);
  // CUDA's headers, the standard library's, ours.
  std::string includeText;
  for (int kind = 0; kind < 3; ++kind) {
    std::string block;
    for (const std::string &name : includes) {
      int of = name[0] == '"' ? 2 : name.rfind("<cuda_", 0) == 0 ? 0 : 1;
      if (of == kind) block += "#include " + name + "\n";
    }
    if (!block.empty()) includeText += block + "\n";
  }
  if (!options.headerName.empty()) includeText += "#include \"" + options.headerName + "\"\n\n";
  return formatCuda(head + undefineMacros(options, helpers + body, include) + includeText) + "\n" +
         helpers + formatCuda((shared ? sharedPrologue(alignment) : "") + body);
}

std::optional<std::string> emitHeader(const Module &module, const EmitOptions &options,
                                      Diagnostics &) {
  std::string body;
  NamespaceScope scope{body, ""};
  UsedWords words;
  EmitOptions declare = options;
  declare.headerName.clear();
  for (const Launcher &launcher : module.launchers) {
    scope.change(launcher.nameSpace);
    std::string comment =
        launcher.comment.empty() ? launcher.candidates.front()->comment : launcher.comment;
    size_t at = 0;
    while (!comment.empty() && at <= comment.size()) {
      size_t end = std::min(comment.find('\n', at), comment.size());
      body += "//" + (end > at ? " " + comment.substr(at, end - at) : "") + "\n";
      at = end + 1;
    }
    body += launcherSignature(launcher, declare, false) + ";\n\n";
    for (const FunctionParameter &parameter : functionParameters(*launcher.candidates.front()))
      words.add(parameter.type);
    if (launcher.tuning)
      body += "// Candidate number `candidate` of " + launcher.name +
              " from now on, wherever it fits; -1: the fastest again.\n" +
              pinSignature(launcher, declare) + ";\n\n";
  }
  scope.change("");
  std::string head =
      "// Launchers generated by tile2cu from " + options.sourceName +
      ": each returns cudaSuccess, the launch's error, or\n"
      "// cudaErrorInvalidValue for arguments that the kernel does not take.\n#pragma once\n";
  if (options.emulator) {
    head += "#include \"tile2cu/device.cuh\"\n\n";
  } else {
    // In the order in which clang-format leaves them.
    for (const std::string &header : headersOf(words)) head += "#include " + header + "\n";
    head += "#include <cuda_runtime_api.h>\n";
    head += "\n#include <cstdint>\n\n";
  }
  return formatCuda(head + body);
}

}  // namespace tile2cu::emit
