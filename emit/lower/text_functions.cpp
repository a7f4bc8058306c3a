#include "emit/lower/text_functions.h"

#include "emit/cuda/free_names.h"
#include "emit/cuda/occupied_names.h"
#include "emit/cuda/text_words.h"
#include "emit/spelling/cuda_scalar.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "passes/ir/text_operands.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

std::vector<const Op *> textsIn(const Module &module, bool forEmulator) {
  std::vector<const Op *> all;
  const auto visit = [&](const Op *op) {
    if (runsText(op) && (op->kind == OpKind::CudaEffect || !forEmulator)) all.push_back(op);
  };
  for (const Kernel &kernel : module.kernels) {
    ir::walk(kernel.body, visit);
    if (kernel.producer) ir::walk(*kernel.producer, visit);
  }
  return all;
}

// The names of the operands in the text.
llvm::SmallVector<llvm::StringRef, 4> parametersOf(const Op *call) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  llvm::StringRef(call->getString(Attr::parameters)).split(names, ", ");
  return names;
}

// void for a text that returns nothing.
std::string resultOf(const Op *call) {
  return call->numResults() ? cppType(call->result()->type.element()) : "void";
}

// static __device__ __forceinline__ float name(float x). A pointer that the text may not write
// through is one to const.
Function headOf(const Op *call, const std::string &name) {
  Function head;
  head.head = "static __device__ __forceinline__ " + resultOf(call);
  head.name = name;
  const auto names = parametersOf(call);
  for (const auto [i, operand] : llvm::enumerate(textOperands(call))) {
    Element type = operand->type.element();
    if (type.pointer) type.pointeeConst = !mayWrite(call, i);
    head.parameters.push_back({typeOf(Type(type)), Symbol(names[i])});
  }
  return head;
}

// The parts in which functions differ.
std::string keyOf(const Op *call, const std::string &text) {
  std::string key = call->getString(Attr::callee) + "(" + call->getString(Attr::parameters) + ")" +
                    resultOf(call);
  for (const auto [i, operand] : llvm::enumerate(textOperands(call)))
    key += ", " + operand->type.elementType().str() + (mayWrite(call, i) ? " written" : "");
  return key + ": " + text;
}

// exp2_approx_cuda: from the user's name for the reference, or that of what the call computes. No
// other name that the emitter makes has this end.
std::string wantedName(const Op *call) {
  const std::string &callee = call->getString(Attr::callee);
  if (!callee.empty()) return identifier(callee + "_cuda");
  if (call->numResults() && !call->result()->name.empty())
    return identifier(call->result()->name + "_cuda");
  const Op *map = call->parentOp();
  while (map && map->kind != OpKind::Map) map = map->parentOp();
  const bool hasName = map && !map->result()->name.empty();
  return hasName ? identifier(map->result()->name + "_cuda") : "inline_cuda";
}

}  // namespace

bool runsText(const Op *op) {
  if (op->kind == OpKind::CudaEffect) return true;
  if (op->kind != OpKind::DeviceCall || !op->has(Attr::text)) return false;
  for (op = op->parentOp(); op; op = op->parentOp())
    if (op->kind == OpKind::DeviceCall) return false;
  return true;
}

TextFunctions::TextFunctions(const Module &module, bool forEmulator, Diagnostics &diagnostics)
    : forEmulator_(forEmulator) {
  for (const Launcher &launcher : module.launchers) {
    taken_.insert(launcher.name);
    llvm::SmallVector<llvm::StringRef, 4> spaces;
    llvm::StringRef(launcher.nameSpace).split(spaces, "::", -1, false);
    for (const llvm::StringRef space : spaces) taken_.insert(space.str());
  }
  const std::vector<const Op *> calls = textsIn(module, forEmulator);
  std::vector<std::string> texts;
  for (const Op *call : calls) texts.push_back(textOf(call));
  for (const Op *call : calls) {
    add(call, module, texts);
    for (const llvm::StringRef name : parametersOf(call))
      if (occupiedName(name) == Occupied::Macro || name.starts_with("__"))
        diagnostics.report(DiagId::CudaParameter, call->loc, {name.str()});
  }
}

const std::string &TextFunctions::textOf(const Op *call) const {
  return call->getString(forEmulator_ ? Attr::reference : Attr::text);
}

void TextFunctions::add(const Op *call, const Module &module, llvm::ArrayRef<std::string> texts) {
  std::string &name = names_[keyOf(call, textOf(call))];
  if (!name.empty()) return;
  const std::string wanted = wantedName(call);
  name = wanted;
  const auto isUsed = [&] {
    return llvm::any_of(texts, [&](const std::string &text) { return mentions(text, name); }) ||
           !taken_.insert(name).second;
  };
  for (int i = 2; isUsed(); ++i) name = fmt::format("{}_{}", wanted, i);
  functions_.push_back({headOf(call, name), textOf(call)});
  if (call->loc.line == 0) return;
  const llvm::StringRef file = llvm::sys::path::filename(module.files[call->loc.file]);
  functions_.back().head.comment = CommentText(
      fmt::format("cuda(...) at {}:{}, as it is written there.", file.str(), call->loc.line));
}

std::string TextFunctions::calleeOf(const Op *call) const {
  return "::" + names_.at(keyOf(call, textOf(call)));
}

}  // namespace tile2cu::emit
