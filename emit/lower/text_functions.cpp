#include "emit/lower/text_functions.h"

#include "emit/cuda/free_names.h"
#include "emit/cuda/occupied_names.h"
#include "emit/cuda/text_words.h"
#include "emit/spelling/cuda_scalar.h"
#include "fmt/format.h"
#include "llvm/Support/Path.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;
namespace {

std::vector<DeviceCallOp> textsIn(const Module &module) {
  std::vector<DeviceCallOp> all;
  const auto visit = [&](const Op *op) {
    if (runsText(op)) all.emplace_back(op);
  };
  for (const Kernel &kernel : module.kernels) {
    ir::walk(kernel.body, visit);
    if (kernel.producer) ir::walk(*kernel.producer, visit);
  }
  return all;
}

// The names of the operands in the text.
llvm::SmallVector<llvm::StringRef, 4> parametersOf(const DeviceCallOp &call) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  llvm::StringRef(call->getString(Attr::parameters)).split(names, ", ");
  return names;
}

// static __device__ __forceinline__ float name(float x)
Function headOf(const DeviceCallOp &call, const std::string &name) {
  Function head;
  head.head = "static __device__ __forceinline__ " + cppType(call->result()->type.element());
  head.name = name;
  const auto parameters = parametersOf(call);
  for (unsigned i = 0; i < parameters.size(); ++i)
    head.parameters.push_back({typeOf(call->operand(i)->type), Symbol(parameters[i])});
  return head;
}

// The parts in which functions differ.
std::string keyOf(const DeviceCallOp &call) {
  std::string key =
      call.callee() + "(" + call->getString(Attr::parameters) + ")" + call->result()->type.str();
  for (const Value *operand : call->operands()) key += ", " + operand->type.str();
  return key + ": " + call->getString(Attr::text);
}

// exp2_approx_cuda: from the user's name for the reference, or that of what the call computes. No
// other name that the emitter makes has this end.
std::string wantedName(const DeviceCallOp &call) {
  if (!call.callee().empty()) return identifier(call.callee() + "_cuda");
  if (!call->result()->name.empty()) return identifier(call->result()->name + "_cuda");
  const Op *map = call->parentOp();
  while (map && map->kind != OpKind::Map) map = map->parentOp();
  const bool hasName = map && !map->result()->name.empty();
  return hasName ? identifier(map->result()->name + "_cuda") : "inline_cuda";
}

}  // namespace

bool runsText(const Op *op) {
  if (op->kind != OpKind::DeviceCall || !op->has(Attr::text)) return false;
  for (op = op->parentOp(); op; op = op->parentOp())
    if (op->kind == OpKind::DeviceCall) return false;
  return true;
}

TextFunctions::TextFunctions(const Module &module, Diagnostics &diagnostics) {
  for (const Launcher &launcher : module.launchers) {
    taken_.insert(launcher.name);
    llvm::SmallVector<llvm::StringRef, 4> spaces;
    llvm::StringRef(launcher.nameSpace).split(spaces, "::", -1, false);
    for (const llvm::StringRef space : spaces) taken_.insert(space.str());
  }
  const std::vector<DeviceCallOp> calls = textsIn(module);
  std::vector<std::string> texts;
  for (const DeviceCallOp &call : calls) texts.push_back(call->getString(Attr::text));
  for (const DeviceCallOp &call : calls) {
    add(call, module, texts);
    for (const llvm::StringRef name : parametersOf(call))
      if (occupiedName(name) == Occupied::Macro || name.starts_with("__"))
        diagnostics.report(DiagId::CudaParameter, call->loc, {name.str()});
  }
}

void TextFunctions::add(const DeviceCallOp &call, const Module &module,
                        llvm::ArrayRef<std::string> texts) {
  std::string &name = names_[keyOf(call)];
  if (!name.empty()) return;
  const std::string wanted = wantedName(call);
  name = wanted;
  const auto isUsed = [&] {
    return llvm::any_of(texts, [&](const std::string &text) { return mentions(text, name); }) ||
           !taken_.insert(name).second;
  };
  for (int i = 2; isUsed(); ++i) name = fmt::format("{}_{}", wanted, i);
  functions_.push_back({headOf(call, name), call->getString(Attr::text)});
  if (call->loc.line == 0) return;
  const llvm::StringRef file = llvm::sys::path::filename(module.files[call->loc.file]);
  functions_.back().head.comment = CommentText(
      fmt::format("cuda(...) at {}:{}, as it is written there.", file.str(), call->loc.line));
}

std::string TextFunctions::calleeOf(const DeviceCallOp &call) const {
  return "::" + names_.at(keyOf(call));
}

}  // namespace tile2cu::emit
