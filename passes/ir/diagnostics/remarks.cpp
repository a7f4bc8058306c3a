#include "passes/ir/diagnostics/remarks.h"

#include <map>
#include <set>
#include <tuple>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/ir/diagnostics/numbered_text.h"

namespace tile2cu::ir {
namespace {

constexpr size_t kMostNamed = 4;  // instances; of more, remarks that differ in numbers say how many

using Kernels = std::vector<const Kernel *>;  // in the order of the module

std::tuple<unsigned, unsigned, unsigned> placeOf(const Location &loc) {
  return {loc.file, loc.line, loc.column};
}

// softmax<1024>
std::string instanceName(const Kernel &kernel) {
  std::string arguments;
  for (const TemplateArgument &argument : kernel.templateArguments)
    arguments += (arguments.empty() ? "" : ", ") + argument.value;
  return kernel.name + (arguments.empty() ? "" : "<" + arguments + ">");
}

// The kernels that a launcher tries first: all but the variants for failed assumptions and for
// Hopper.
Kernels mainKernels(const Module &module) {
  std::set<const Kernel *> others;
  for (const Kernel &kernel : module.kernels)
    others.insert({kernel.scalarVariant, kernel.hopperVariant});
  Kernels result;
  for (const Kernel &kernel : module.kernels)
    if (!others.count(&kernel)) result.push_back(&kernel);
  return result;
}

// The options that distinguish an instance from others with the same arguments: " on 8 warps", " (8
// warps, 3 stages)".
std::string distinction(const Kernel &kernel, const Kernels &instances) {
  Kernels alike;
  for (const Kernel *other : instances)
    if (instanceName(*other) == instanceName(kernel)) alike.push_back(other);
  std::vector<std::string> words;
  auto add = [&](auto option, const std::string &what) {
    const size_t before = alike.size();
    llvm::erase_if(alike, [&](const Kernel *other) {
      return other->options.*option != kernel.options.*option;
    });
    if (alike.size() != before) words.push_back(what);
  };
  auto counted = [](int count, const char *what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  auto given = [](const char *what, int value) {
    return value ? what + (" = " + std::to_string(value)) : std::string("no ") + what;
  };
  const Options &own = kernel.options;
  add(&Options::numWarps, counted(own.numWarps, "warp"));
  const bool onlyWarps = !words.empty();
  add(&Options::numStages, counted(own.numStages, "stage"));
  add(&Options::minBlocks, given("min_blocks", own.minBlocks));
  add(&Options::residentThreads, given("resident_threads", own.residentThreads));
  add(&Options::persistent, own.persistent ? "persistent" : "not persistent");
  if (words.empty()) return "";
  return onlyWarps && words.size() == 1 ? " on " + words[0] : " (" + llvm::join(words, ", ") + ")";
}

// "softmax<1024>, <2048>" if not all instances of the same tile functions are meant.
std::string subject(const Kernels &meant, const Kernels &all) {
  Kernels instances;
  for (const Kernel *kernel : all)
    if (llvm::any_of(meant, [&](const Kernel *other) {
          return kernel->name == other->name && placeOf(kernel->loc) == placeOf(other->loc);
        }))
      instances.push_back(kernel);
  if (instances.size() == meant.size()) return "";
  std::string text, last;
  for (const Kernel *kernel : meant) {
    std::string name = instanceName(*kernel) + distinction(*kernel, instances);
    // Writes the name of the tile function once: softmax<1024>, <2048>.
    if (kernel->name == last && !kernel->templateArguments.empty()) name.erase(0, last.size());
    text += (text.empty() ? "" : ", ") + name;
    last = kernel->name;
  }
  return text;
}

// The instances for which a decision concerns both variants (or the only one), the Hopper variant
// alone, or the other one alone.
struct Forms {
  Kernels both, hopper, others;
};
Forms formsOf(const Kernels &meant, const Kernels &instances) {
  Forms forms;
  for (const Kernel *kernel : instances) {
    const bool general = llvm::is_contained(meant, kernel);
    const bool hopper =
        kernel->hopperVariant ? llvm::is_contained(meant, kernel->hopperVariant) : general;
    if (general && hopper) forms.both.push_back(kernel);
    if (!general && hopper) forms.hopper.push_back(kernel);
    if (general && !hopper) forms.others.push_back(kernel);
  }
  return forms;
}

}  // namespace

void reportAbout(const Kernel &kernel, const Module &module, Diagnostics &diagnostics, DiagId id,
                 Location loc, llvm::ArrayRef<std::string> arguments) {
  Diagnostic &diagnostic = diagnostics.report(id, loc, arguments);
  const Kernels instances = mainKernels(module);
  const auto main = llvm::find_if(instances, [&](const Kernel *one) {
    for (const Kernel *variant = one; variant; variant = variant->scalarVariant)
      if (variant == &kernel || variant->hopperVariant == &kernel) return true;
    return false;
  });
  if (main == instances.end()) return;
  if (const std::string name = subject({*main}, instances); !name.empty())
    diagnostic.message = name + ": " + diagnostic.message;
}

std::vector<Remark> remarksOf(const Module &module, llvm::ArrayRef<Decision> decisions,
                              Merge merge) {
  const Kernels instances = mainKernels(module);
  Kernels kernels = instances;
  for (const Kernel *kernel : instances)
    if (kernel->hopperVariant) kernels.push_back(kernel->hopperVariant);
  // Sorted by location. Different remarks about one location keep the order in which they were
  // made.
  struct Group {
    DiagId id;
    NumberedText text;
    Kernels meant;
  };
  std::map<std::tuple<unsigned, unsigned, unsigned>, std::pair<Location, std::vector<Group>>>
      places;
  for (const Decision &decision : decisions) {
    if (!llvm::is_contained(kernels, decision.kernel)) continue;
    auto &[loc, groups] = places[placeOf(decision.loc)];
    loc = decision.loc;
    const NumberedText text(decision.message, merge == Merge::ButForNumbers);
    auto same = llvm::find_if(groups, [&](const Group &group) {
      return group.id == decision.id && group.text.isLike(text);
    });
    if (same == groups.end())
      same = groups.insert(same, {decision.id, text, {}});
    else
      same->text.add(text);
    if (!llvm::is_contained(same->meant, decision.kernel)) same->meant.push_back(decision.kernel);
  }
  std::vector<Remark> remarks;
  auto say = [&](Location loc, const Group &group, const Kernels &meant, std::string where) {
    if (meant.empty()) return;
    std::string who = subject(meant, instances);
    if (merge == Merge::ButForNumbers && meant.size() > kMostNamed && !who.empty())
      who = fmt::format("{} instances", meant.size());
    if (!where.empty() && !who.empty()) where += ", ";
    remarks.push_back({group.id, loc, where + who, group.text.str()});
  };
  for (const auto &[place, located] : places)
    for (const Group &group : located.second) {
      const Forms forms = formsOf(group.meant, instances);
      say(located.first, group, forms.both, "");
      say(located.first, group, forms.hopper, "on Hopper");
      say(located.first, group, forms.others, "on other devices");
    }
  return remarks;
}

void reportDecisions(const Module &module, Diagnostics &diagnostics) {
  for (Remark &remark : remarksOf(module, diagnostics.decisions, Merge::Equal)) {
    const std::string who = remark.who.empty() ? "" : remark.who + ": ";
    diagnostics.all.push_back(
        {remark.id, severityOf(remark.id), remark.loc, who + remark.message, {}});
  }
  diagnostics.decisions.clear();
}

}  // namespace tile2cu::ir
