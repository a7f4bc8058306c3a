#include "passes/launch/check_tuning.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/memory/alias.h"
#include "passes/analysis/memory/global_effects.h"
#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// The parameters that a kernel accesses memory through; nullopt for an access whose parameter is
// not known.
struct Accesses {
  std::vector<std::optional<unsigned>> reads, writes;

  explicit Accesses(const Kernel &kernel) {
    walk(const_cast<Kernel &>(kernel).body, [&](Op *op) {
      for (const GlobalEffect &effect : globalEffects(op)) {
        if (tableOf(effect.pointer)) continue;
        if (effect.reads) add(reads, effect.pointer);
        if (effect.writes) add(writes, effect.pointer);
      }
    });
  }

  static void add(std::vector<std::optional<unsigned>> &list, const Value *pointer) {
    auto base = basePointer(pointer);
    if (!llvm::is_contained(list, base)) list.push_back(base);
  }
};

// Why a kernel computes something else when it runs again; empty if it does not.
std::string whyOnce(const Kernel &kernel, const Tuning &tuning) {
  const Accesses accesses(kernel);
  auto name = [&](unsigned parameter) { return kernel.parameters[parameter].name; };
  auto isRestrict = [&](unsigned parameter) { return kernel.parameters[parameter].isRestrict; };
  for (auto write : accesses.writes) {
    if (!write) return "it is not known which memory it writes";
    const std::string &written = name(*write);
    if (llvm::any_of(tuning.preserved,
                     [&](const Tuning::Memory &memory) { return memory.pointer == written; }))
      continue;
    const std::string advice = fmt::format("write preserve(\"{}\", ...) that restores it", written);
    for (auto read : accesses.reads) {
      if (read == write)
        return fmt::format("it reads '{}', which it also writes; {}", written, advice);
      if (!read || (!isRestrict(*read) && !isRestrict(*write)))
        return fmt::format(
            "it writes '{}', which may be memory that it reads{}{}", written,
            read ? fmt::format(" through '{}'; declare one of them __restrict__, or ", name(*read))
                 : "; ",
            advice);
    }
  }
  return "";
}

bool isWritten(const Launcher &launcher, llvm::StringRef pointer) {
  return llvm::any_of(launcher.candidates, [&](const Kernel *kernel) {
    return llvm::any_of(Accesses(*kernel).writes, [&](std::optional<unsigned> write) {
      return !write || kernel->parameters[*write].name == pointer;
    });
  });
}

}  // namespace

llvm::LogicalResult check_tuning(Module &module, PassContext &context) {
  bool ok = true;
  for (Launcher &launcher : module.launchers) {
    if (!launcher.tuning) continue;
    for (const Tuning::Memory &memory : launcher.tuning->preserved) {
      if (isWritten(launcher, memory.pointer)) continue;
      context.diagnostics.report(DiagId::TuneNotWritten, memory.loc, {memory.pointer});
      ok = false;
    }
    for (const Kernel *kernel : launcher.candidates) {
      const std::string why = whyOnce(*kernel, *launcher.tuning);
      if (why.empty()) continue;
      launcher.tuning->timed = false;
      context.diagnostics.report(DiagId::TuneNotTimed, launcher.loc, {launcher.name, why});
      break;
    }
  }
  return llvm::success(ok);
}

}  // namespace tile2cu::passes
