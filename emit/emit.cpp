// A whole .cu file: includes, device helpers, kernels, launchers.
#include "emit/emit.h"

#include <algorithm>

#include "emit/assemble_kernel.h"
#include "emit/contract_comment.h"
#include "emit/cuda/code_hash.h"
#include "emit/cuda/format.h"
#include "emit/cuda/occupied_names.h"
#include "emit/cuda/printer.h"
#include "emit/file_helpers.h"
#include "emit/file_text.h"
#include "emit/host/launchers.h"
#include "emit/host/records.h"
#include "emit/host/torch_operators.h"
#include "emit/lower/lower_kernel.h"
#include "emit/lower/tables.h"
#include "emit/lower/text_functions.h"
#include "emit/transform/merge_kernels.h"
#include "emit/undefine_macros.h"
#include "fmt/format.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

// The headers that words come from.
constexpr std::pair<const char *, const char *> kHeaders[] = {
    {"INFINITY", "<cmath>"},
    {"NAN", "<cmath>"},
    {"printf", "<cstdio>"},
    {"std::min", "<algorithm>"},
    {"std::max", "<algorithm>"},
    {"std::atomic", "<atomic>"},
    {"__half", "<cuda_fp16.h>"},
    {"__half2", "<cuda_fp16.h>"},
    {"__nv_fp8_e4m3", "<cuda_fp8.h>"},
    {"__nv_fp8_e5m2", "<cuda_fp8.h>"},
    {"__nv_bfloat16", "<cuda_bf16.h>"},
    {"__nv_bfloat162", "<cuda_bf16.h>"},
};

std::string sharedPrologue(int alignment) {
  return "// Dynamic shared memory: the size is an argument of the launch.\n"
         "extern __shared__ __align__(" +
         std::to_string(alignment) + ") unsigned char dynamic_smem[];\n";
}

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

void checkNames(const Module &module, const EmitOptions &options, Diagnostics &diagnostics) {
  for (const ir::Record &record : module.records)
    if (record.header.empty() && occupiedName(record.name) != Occupied::Free)
      diagnostics.report(DiagId::StructNameTaken, record.loc, {record.name});
  std::set<std::string> names, functions;
  for (const Launcher &launcher : module.launchers)
    if (launcher.tuning)
      for (const char *end : {"_pin", "_tuner"})
        functions.insert(launcher.nameSpace + "::" + launcher.name + end);
  for (const Launcher &launcher : module.launchers) {
    // C has no namespaces.
    if (options.externC && !names.insert(launcher.name).second)
      diagnostics.report(DiagId::LauncherTwice, launcher.loc, {launcher.name});
    else if (!functions.insert(launcher.nameSpace + "::" + launcher.name).second)
      diagnostics.report(DiagId::LauncherNameTaken, launcher.loc,
                         {launcher.name, "a name of another launcher or of its functions"});
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

// The kernels of a file and what they need.
struct Kernels {
  UsedWords words;
  std::set<std::string> dotted;   // helpers that no word shows (load.cs)
  std::set<std::string> headers;  // of the user's functions, with quotes or angle brackets
  int sharedAlignment = 0;        // of their shared memory; 0: they have none
};

uint64_t hashOf(const AssembledKernel &kernel) {
  CodeHash hash;
  for (const auto *all : {&kernel.own, &kernel.shared})
    for (const TopLevel &each : *all)
      std::visit([&](const auto &declaration) { hash.add(declaration); }, each);
  return hash.value();
}

// Whether it has a value of type double, which may have no name in the text.
bool hasDoubles(const Kernel &kernel) {
  bool found = false;
  const auto visit = [&](const Op *op) {
    for (const auto &result : op->results) found |= result->type.scalar() == Scalar::F64;
  };
  ir::walk(kernel.body, visit);
  if (kernel.producer) ir::walk(*kernel.producer, visit);
  return found;
}

// The headers of the user's functions that it calls, in the order of their names.
void addHeaders(const Kernel &kernel, std::set<std::string> &headers) {
  const auto visit = [&](const Op *op) {
    const auto function = DeviceCallOp::of(op);
    if (function && function->has(Attr::header)) headers.insert(op->getString(Attr::header));
  };
  ir::walk(kernel.body, visit);
  if (kernel.producer) ir::walk(*kernel.producer, visit);
}

// The texts that the kernel calls, and its tables, are code of it as well.
uint64_t hashWithTexts(uint64_t code, const Kernel &kernel) {
  CodeHash hash;
  hash.add(code);
  bool hasMore = false;
  ir::walk(kernel.body, [&](const Op *op) {
    if (const auto table = TableOp::of(op))
      for (const int64_t element : table.elements()) hash.add(static_cast<uint64_t>(element));
    if (runsText(op)) hash.add(llvm::StringRef(op->getString(Attr::text)));
    hasMore |= op->kind == OpKind::Table || runsText(op);
  });
  return hasMore ? hash.value() : code;
}

Kernels addKernels(std::vector<KernelGroup> &groups, bool tunes, const EmitOptions &options,
                   Pieces &pieces) {
  Kernels kernels;
  KnownDeclarations known;
  std::set<std::string> comments;  // of the user
  bool shared = false;
  int alignment = 128;
  for (KernelGroup &group : groups) {
    pieces.enter(group.first().nameSpace);
    const AssembledKernel kernel = assembleKernel(group, known);
    const bool isNew = comments.insert(group.first().comment).second;
    pieces.add(contractComment(group, options, !isNew), kernels.words);
    for (const TopLevel &each : kernel.own)
      std::visit([&](const auto &declaration) { pieces.add(declaration, kernels.words); }, each);
    if (tunes) group.code = hashWithTexts(hashOf(kernel), group.first());
    for (const KernelInstance &instance : group.instances) {
      kernels.dotted.insert(instance.text.helpers.begin(), instance.text.helpers.end());
      addHeaders(*instance.kernel, kernels.headers);
      if (hasDoubles(*instance.kernel)) kernels.words.addType("double");
      for (const SharedBuffer &buffer : instance.kernel->shared)
        alignment = std::max(alignment, buffer.alignment);
    }
    shared |= bool(group.smem);
  }
  pieces.enter("");
  kernels.sharedAlignment = shared ? alignment : 0;
  return kernels;
}

// Those that the kernels' statements call. They stand above the kernels.
void addTexts(const TextFunctions &texts, Pieces &pieces, UsedWords &words) {
  for (const TextFunction &function : texts.all())
    if (words.contain("::" + function.head.name)) pieces.add(function, words);
}

// The structs that no header of the user's defines.
void addRecords(const Module &module, Pieces &pieces, UsedWords &words) {
  for (const ir::Record &record : module.records) {
    if (!record.header.empty()) continue;
    pieces.enter(record.nameSpace);
    pieces.add(structOf(record), words);
  }
  pieces.enter("");
}

std::set<std::string> recordHeaders(const Module &module) {
  std::set<std::string> headers;
  for (const ir::Record &record : module.records)
    if (!record.header.empty()) headers.insert(record.header);
  return headers;
}

void addLaunchers(const Module &module, const std::vector<KernelGroup> &groups,
                  const EmitOptions &options, Pieces &pieces, UsedWords &words) {
  for (const KernelGroup &group : groups) {
    pieces.enter(group.first().nameSpace);
    pieces.add(launchFunction(group, options), words);
  }
  for (const Launcher &launcher : module.launchers) {
    pieces.enter(launcher.nameSpace);
    LauncherCode code = launcherCode(launcher, groups, options);
    if (!code.tuner.empty()) pieces.add(std::move(code.tuner), words);
    pieces.add(std::move(code.launcher), words);
    for (Function &other : code.others) pieces.add(std::move(other), words);
  }
  pieces.enter("");
}

struct Includes {
  std::set<std::string> ofFile;       // at the top
  std::set<std::string> ofLaunchers;  // above the launchers, so that the kernels come first
};

Includes includesOf(const Kernels &kernels, const UsedWords &launcherWords,
                    const FileHelpers &helpers, const EmitOptions &options) {
  Includes result{{"<cuda_runtime.h>", "<climits>", "<cstdint>"}, headersOf(launcherWords)};
  result.ofFile.merge(headersOf(kernels.words));
  result.ofFile.insert(helpers.includes.begin(), helpers.includes.end());
  result.ofLaunchers.insert(helpers.launcherIncludes.begin(), helpers.launcherIncludes.end());
  for (const std::string &name : result.ofFile) result.ofLaunchers.erase(name);
  if (options.emulator)
    for (const char *cudaOnly :
         {"<cuda.h>", "<cuda_runtime.h>", "<cuda_fp16.h>", "<cuda_bf16.h>", "<cuda_fp8.h>"}) {
      result.ofFile.erase(cudaOnly);
      result.ofLaunchers.erase(cudaOnly);
    }
  return result;
}

// The lines that include the user's headers, below a comment; empty if there are none.
std::string includesWith(const char *comment, const std::set<std::string> &headers) {
  std::string text;
  for (const std::string &header : headers) text += "#include " + header + "\n";
  return text.empty() ? "" : comment + text + "\n";
}

// A row of the table of contents: `what`, then the names. Further rows continue it.
std::string contentsRow(llvm::StringRef what, llvm::ArrayRef<std::string> names) {
  std::string text, row = "//   " + what.str() + std::string(11 - what.size(), ' ');
  const std::string indent = "//" + std::string(row.size() - 2, ' ');
  for (const std::string &name : names) {
    const bool isFirst = row.ends_with(' ');
    if (!isFirst && row.size() + name.size() + 2 > kColumns) {
      text += row + ",\n";
      row = indent;
    } else if (!isFirst) {
      row += ", ";
    }
    row += name;
  }
  return text + row + "\n";
}

// The macro that says that a launcher is declared: the headers of several files may declare one
// that their sources include, and only the first declaration may have a default argument.
std::string declaredMacro(const Launcher &launcher) {
  std::string name = "TILE2CU_DECLARES_";
  for (const char c : launcher.nameSpace)
    if (c != ':' || !llvm::StringRef(name).ends_with("_")) name += c == ':' ? '_' : c;
  if (!launcher.nameSpace.empty()) name += '_';
  return name + launcher.name;
}

// The kernels, and the functions to call.
std::string contents(const Module &module, const std::vector<KernelGroup> &groups) {
  std::vector<std::string> kernels, launchers;
  for (const KernelGroup &group : groups) kernels.push_back(group.name);
  for (const Launcher &launcher : module.launchers) launchers.push_back(launcher.name);
  std::string text = "//\n" + contentsRow("kernels", kernels);
  if (!launchers.empty()) text += contentsRow("launchers", launchers);
  return text;
}

}  // namespace

std::optional<CudaText> emitCuda(const Module &module, const EmitOptions &options,
                                 Diagnostics &diagnostics) {
  checkNames(module, options, diagnostics);
  const TextFunctions texts(module, options.emulator, diagnostics);
  const Tables tables(module);
  std::vector<KernelGroup> groups =
      groupKernels(module, [&](const Kernel &kernel, const passes::UnitAxes &unitAxes) {
        return lowerKernel(kernel, {options.preciseMath, unitAxes, options.fileNames, &texts,
                                    options.emulator, &tables});
      });
  if (diagnostics.hasErrors()) return std::nullopt;
  // A tuner's number is computed from the code of its candidates.
  const bool tunes = llvm::any_of(
      module.launchers, [](const Launcher &launcher) { return launcher.tuning.has_value(); });
  Pieces pieces, ofKernels, launchers;
  Kernels kernels = addKernels(groups, tunes, options, ofKernels);
  for (const Stmts &table : tables.all()) pieces.add(table, kernels.words);
  addTexts(texts, pieces, kernels.words);
  pieces.append(ofKernels);
  UsedWords launcherWords;
  if (options.headerName.empty()) addRecords(module, launchers, launcherWords);
  addLaunchers(module, groups, options, launchers, launcherWords);
  FileHelpers helpers = fileHelpers(kernels.words, launcherWords, kernels.dotted, options);
  const Includes includes = includesOf(kernels, launcherWords, helpers, options);
  pieces.add("// ---- launchers ----\n");
  if (!includes.ofLaunchers.empty())
    pieces.add(llvm::StringRef(formatCuda(includeText(includes.ofLaunchers))).rtrim('\n').str() +
               "\n");
  if (!helpers.launcherDeclarations.empty())
    pieces.add(llvm::StringRef(helpers.launcherDeclarations).ltrim('\n').str());
  pieces.append(launchers);

  const std::string ownHeader =
      options.headerName.empty() ? "" : "#include \"" + options.headerName + "\"\n\n";
  const std::string title = fmt::format(
      "// Generated by tile2cu from {}. Do not edit: change the source and run tile2cu again,\n"
      "// or take the file over and delete this line.\n{}\n",
      options.sourceName, contents(module, groups));
  const std::string undefined = undefineMacros(
      options, pieces,
      helpers.declarations + helpers.launcherDeclarations + helpers.definitions + helpers.header,
      helpers.areIncluded);
  // After ours: on the emulator, these define CUDA's words.
  std::set<std::string> ofRecords = recordHeaders(module);
  for (const std::string &header : kernels.headers) ofRecords.erase(header);
  const std::string userHeaders =
      includesWith("// The functions of the source's headers that kernels call.\n",
                   kernels.headers) +
      includesWith("// The structs of the source's headers that launchers take.\n", ofRecords);
  std::string head = formatCuda(title + undefined + includeText(includes.ofFile) + ownHeader +
                                userHeaders + helpers.guard) +
                     helpers.declarations;
  if (kernels.sharedAlignment) head += "\n" + sharedPrologue(kernels.sharedAlignment);
  CudaText text;
  text.file = layOut(std::move(head), pieces, module, options,
                     options.rowSources ? &text.sources : nullptr) +
              helpers.definitions;
  text.helpers = std::move(helpers.header);
  return text;
}

std::optional<std::string> emitHeader(const Module &module, const EmitOptions &options,
                                      Diagnostics &) {
  Pieces pieces;
  UsedWords words;
  EmitOptions declare = options;
  declare.headerName.clear();
  addRecords(module, pieces, words);
  for (const Launcher &launcher : module.launchers) {
    pieces.enter(launcher.nameSpace);
    const std::string guard = options.isIncluded(launcher.loc) ? declaredMacro(launcher) : "";
    if (!guard.empty()) pieces.add("#ifndef " + guard + "\n#define " + guard + "\n");
    Function head = launcherHead(launcher, declare, false);
    words.add(head);
    head.comment =
        launcher.comment.empty() ? launcher.candidates.front()->comment : launcher.comment;
    pieces.add(declarationOf(head));
    if (launcher.tuning) {
      Function pin = pinHead(launcher, declare);
      pin.comment = "Candidate number `candidate` of " + launcher.name +
                    " from now on, wherever it fits; -1: the fastest again.";
      pieces.add(declarationOf(pin));
    }
    if (!guard.empty()) pieces.add("#endif\n");
  }
  pieces.enter("");
  std::string head =
      "// Launchers generated by tile2cu from " + options.sourceName +
      ": each returns cudaSuccess, the launch's error, or\n"
      "// cudaErrorInvalidValue for arguments that the kernel does not take.\n#pragma once\n";
  if (options.emulator) {
    head += "#include \"tile2cu/device.cuh\"\n";
  } else {
    // In the order in which clang-format leaves them.
    for (const std::string &header : headersOf(words)) head += "#include " + header + "\n";
    head += "#include <cuda_runtime_api.h>\n\n#include <cstdint>\n";
  }
  if (const std::string users = includesWith("", recordHeaders(module)); !users.empty())
    head += "\n" + llvm::StringRef(users).rtrim('\n').str() + "\n";
  return layOut(formatCuda(head), pieces, module, options);
}

std::string emitTorch(const Module &module, const EmitOptions &options) {
  return torchOperators(module, options);
}

}  // namespace tile2cu::emit
