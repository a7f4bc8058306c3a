#include "emit/transform/merge_kernels.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "emit/cuda/choose_names.h"
#include "emit/cuda/free_names.h"
#include "emit/spelling/host_expr.h"
#include "emit/spelling/kernel_parameters.h"
#include "emit/spelling/parameter_names.h"
#include "emit/transform/drop_unused.h"
#include "emit/transform/join_variables.h"
#include "emit/transform/tidy_branches.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/analysis/integer/grid_factors.h"
#include "passes/analysis/layout/row_threads.h"
#include "passes/analysis/memory/shared_usage.h"
#include "passes/analysis/value/cluster.h"
#include "passes/target/mma_instructions.h"

namespace tile2cu::emit {
using namespace ir;

namespace {

// In all of what is printed of a kernel but its functors.
void rename(KernelText &text, const SymbolMap &names) {
  for (Stmts *part : partsOf(text)) rename(*part, names);
  for (Constant &constant : text.constants) {
    if (const auto name = names.find(constant.name); name != names.end())
      constant.name = name->second;
    constant.derivation = renamed(constant.derivation, names);
  }
  for (Expr &condition : text.conditions) condition = renamed(condition, names);
}

// So that texts which differ in the numbers of symbols alone are the same.
void renumber(KernelText &text) {
  SymbolMap numbers;
  for (const Constant &constant : text.constants)
    if (constant.name.isOpen())
      numbers.try_emplace(constant.name, constant.name.renumbered(numbers.size()));
  for (const Stmts *part : partsOf(std::as_const(text))) addNumbers(*part, numbers);
  rename(text, numbers);
}

bool isUsers(const Kernel &kernel, const Constant &constant) {
  return llvm::any_of(templateArgumentsOf(kernel), [&](const TemplateArgument &argument) {
    return constant.name == Symbol(argument.name);
  });
}

// Whether they are extents of different axes of one layout.
bool areInOneTile(const Constant &a, const Constant &b) {
  return llvm::any_of(a.tiles, [&](unsigned tile) { return b.tiles.contains(tile); });
}

// Gives the constants their names: of a role, the first has no number. A variable that wants the
// name has priority.
void nameConstants(const Kernel &kernel, KernelText &text) {
  SymbolMap names;
  FreeNames free;
  for (const Constant &constant : text.constants)
    if (constant.name.isOpen())
      names[constant.name];
    else
      free.reserve(constant.name.wanted());
  for (const TemplateArgument &argument : templateArgumentsOf(kernel)) free.reserve(argument.name);
  for (const Parameter &parameter : parametersOf(kernel)) free.reserve(parameter.name);
  const SymbolSet mentioned = symbolsIn(text);
  for (const Symbol &symbol : mentioned)
    if (!names.contains(symbol)) free.reserve(symbol.wanted());
  const auto isFree = [&](llvm::StringRef name) { return free.isFree(name); };
  for (const Constant &constant : text.constants)
    if (constant.name.isOpen())
      names[constant.name] = Symbol(free.take(constant.name.freeName(isFree)));
  rename(text, names);
}

// Leaves the conditions that all kernels of the group have.
void uniteConditions(KernelGroup &group) {
  llvm::erase_if(group.instances.front().text.conditions, [&](const Expr &condition) {
    return llvm::any_of(group.instances, [&](const KernelInstance &instance) {
      return !llvm::is_contained(instance.text.conditions, condition);
    });
  });
}

// Numbers of one role that are equal in all kernels of the group become one.
void uniteConstants(KernelGroup &group) {
  auto constantsOf = [](KernelInstance &instance) -> std::vector<Constant> & {
    return instance.text.constants;
  };
  KernelText &text = group.instances.front().text;
  std::vector<Constant> &constants = text.constants;
  auto isFixed = [&](const Constant &constant) { return isUsers(group.first(), constant); };
  auto areEqual = [&](size_t i, size_t j) {
    return llvm::all_of(group.instances, [&](KernelInstance &instance) {
      return constantsOf(instance)[i].value == constantsOf(instance)[j].value;
    });
  };
  auto drop = [&](size_t i) {
    for (KernelInstance &instance : group.instances)
      constantsOf(instance).erase(constantsOf(instance).begin() + i);
  };
  SymbolSet printed = symbolsIn(text);
  printed.insert("VEC");  // for the launch bounds
  for (const Constant &constant : constants) addSymbols(constant.derivation, printed);
  for (size_t i = constants.size(); i-- > 0;)
    if (!isFixed(constants[i]) && !printed.contains(constants[i].name)) drop(i);
  for (size_t j = 0; j < constants.size(); ++j) {
    if (isFixed(constants[j])) continue;
    for (size_t i = 0; i < j; ++i) {
      if (isFixed(constants[i]) || constants[i].name.wanted() != constants[j].name.wanted() ||
          constants[i].derivation != constants[j].derivation ||
          constants[i].comment != constants[j].comment || !areEqual(i, j) ||
          areInOneTile(constants[i], constants[j]))
        continue;
      constants[i].tiles.merge(std::set(constants[j].tiles));
      rename(text, {{constants[j].name, constants[i].name}});
      drop(j);
      --j;
      break;
    }
  }
  nameConstants(group.first(), text);
}

// The numbers of a group in the order in which they are declared: the user's, warps, the rest, and
// those that are computed from them.
void collectNumbers(KernelGroup &group) {
  const Kernel &kernel = group.first();
  const std::vector<Constant> &constants = group.text().constants;
  auto add = [&](const Symbol &name, const Expr &derivation, const std::string &comment,
                 auto valueOf) {
    GroupNumber number{name, derivation, comment, {}, false};
    for (const KernelInstance &instance : group.instances)
      number.values.push_back(valueOf(instance));
    for (int64_t value : number.values)
      number.isParameter |= !derivation && value != number.values.front();
    group.numbers.push_back(std::move(number));
  };
  auto addConstant = [&](size_t i) {
    add(constants[i].name, constants[i].derivation, constants[i].comment,
        [&](const KernelInstance &instance) { return instance.text.constants[i].value; });
  };
  for (size_t i = 0; i < constants.size(); ++i)
    if (!constants[i].derivation && isUsers(kernel, constants[i])) addConstant(i);
  if (!kernel.packed())
    add("NUM_WARPS", {}, "",
        [](const KernelInstance &instance) { return instance.kernel->options.numWarps; });
  for (size_t i = 0; i < constants.size(); ++i)
    if (!constants[i].derivation && !isUsers(kernel, constants[i])) addConstant(i);
  if (kernel.packed() && !group.find("PROGRAMS_PER_BLOCK"))
    add("PROGRAMS_PER_BLOCK", {}, "",
        [](const KernelInstance &instance) { return instance.kernel->programsPerBlock; });

  // Resident threads: one number, or one for vectors and one for single elements, or a parameter.
  std::set<int64_t> wide, narrow;
  const GroupNumber *vec = group.find("VEC");
  for (size_t i = 0; i < group.instances.size(); ++i)
    (vec && vec->isParameter && vec->values[i] == 1 ? narrow : wide)
        .insert(group.instances[i].kernel->options.residentThreads);
  std::set<int64_t> all = wide;
  all.insert(narrow.begin(), narrow.end());
  if (all.size() == 1) {
    group.resident = integer(*all.begin());
  } else if (wide.size() == 1 && narrow.size() == 1) {
    group.resident = conditional(binary(Prec::Relational, ">", named("VEC"), integer(1)),
                                 integer(*wide.begin()), integer(*narrow.begin()));
  } else {
    group.resident = named("RESIDENT_THREADS");
    add("RESIDENT_THREADS", {}, "",
        [](const KernelInstance &instance) { return instance.kernel->options.residentThreads; });
  }
  SymbolSet names = symbolsIn(group.text());
  for (const Constant &constant : constants) addSymbols(constant.derivation, names);
  if (names.contains("NUM_THREADS"))
    add("NUM_THREADS", threadsOf(named("NUM_WARPS")), "",
        [](const KernelInstance &instance) { return 32 * instance.kernel->options.numWarps; });
  // Derivations in an order in which each uses only what stands before it.
  std::vector<bool> done(constants.size(), false);
  for (size_t i = 0; i < constants.size(); ++i) done[i] = !constants[i].derivation;
  for (size_t round = 0; round < constants.size(); ++round)
    for (size_t i = 0; i < constants.size(); ++i) {
      if (done[i]) continue;
      bool ready = true;
      for (size_t j = 0; j < constants.size(); ++j)
        ready &= done[j] || j == i || !mentions(constants[i].derivation, constants[j].name);
      if (!ready) continue;
      addConstant(i);
      done[i] = true;
    }
}

// The numbers that the launch function computes: of programs, and the sizes of tensors. Last, for
// each extent of the grid, whether it checks the product.
std::vector<Expr> computedByHost(const Kernel &kernel) {
  std::vector<const Value *> values;
  if (const Op *grid = kernel.grid()) llvm::append_range(values, grid->operands());
  const size_t extents = values.size();
  llvm::append_range(values, passes::evenCounts(kernel));
  for (const Op *map : tensorMaps(kernel)) llvm::append_range(values, map->operands());
  std::vector<Expr> all = hostExprs(values, kernel);
  for (const Value *extent : llvm::ArrayRef(values).take_front(extents))
    all.push_back(passes::productFits(passes::factorsOf(extent)) ? integer(1) : integer(0));
  return all;
}

bool haveSameBoxes(const Op *a, const Op *b) {
  return a->getInts(Attr::box) == b->getInts(Attr::box);
}

// Whether the kernels are instances of one tile function that are launched alike.
bool areLaunchedAlike(const Kernel &a, const Kernel &b) {
  return a.nameSpace == b.nameSpace && a.name == b.name && a.packed() == b.packed() &&
         a.explicitGrid == b.explicitGrid && functionParameters(a) == functionParameters(b) &&
         llvm::equal(tensorMaps(a), tensorMaps(b), haveSameBoxes) &&
         computedByHost(a) == computedByHost(b);
}

// Whether two kernels that are launched alike can be one template, over the numbers in which they
// differ.
bool isSameText(const KernelText &a, const KernelText &b) {
  return llvm::equal(partsOf(a), partsOf(b),
                     [](const Stmts *p, const Stmts *q) { return *p == *q; }) &&
         llvm::equal(a.constants, b.constants,
                     [](const Constant &p, const Constant &q) {
                       return p.name == q.name && p.derivation == q.derivation;
                     }) &&
         llvm::equal(a.functors, b.functors, [](const Struct &p, const Struct &q) {
           return p.name == q.name && p.members == q.members;
         });
}

bool areOneTemplate(const KernelInstance &a, const KernelInstance &b) {
  return areLaunchedAlike(*a.kernel, *b.kernel) && isSameText(a.text, b.text);
}

// Functors of one text are defined once in a namespace; different ones of one name get a number.
void uniteFunctors(std::vector<KernelGroup> &groups) {
  std::map<std::string, std::map<std::string, Stmts>> all;  // namespace -> name -> members
  for (KernelGroup &group : groups) {
    std::map<std::string, Stmts> &known = all[group.first().nameSpace];
    KernelText &text = group.instances.front().text;
    SymbolMap names;
    for (Struct &functor : text.functors) {
      rename(functor.members, names);  // of functors inside of it, which come before
      const std::string wanted = functor.name.wanted().str();
      std::string name = wanted;
      auto it = known.find(name);
      for (int i = 2; it != known.end() && it->second != functor.members; ++i) {
        name = wanted + std::to_string(i);
        it = known.find(name);
      }
      names[functor.name] = Symbol(name);
      if (it != known.end()) continue;
      known[name] = functor.members;
      group.functors.push_back(
          {functor.comment, {}, Symbol(name), functor.members, functor.source});
    }
    rename(text, names);
  }
}

// The text of a kernel without copies of variables, and without numbers that nobody reads.
KernelText lowered(const Kernel &kernel, const passes::UnitAxes &unitAxes, LowerKernel lower) {
  KernelText text = lower(kernel, unitAxes);
  for (Stmts *part : {&text.body, &text.producer})
    *part = dropUnused(tidyBranches(joinVariables(std::move(*part))));
  // The launch function has names for the template arguments that it uses, as the kernel has.
  for (const Expr &computed : computedByHost(kernel))
    for (const TemplateArgument &argument : templateArgumentsOf(kernel)) {
      const Symbol name(argument.name);
      const bool isKnown =
          llvm::any_of(text.constants, [&](const Constant &each) { return each.name == name; });
      if (computed && name && argument.integer && !isKnown && mentions(computed, name))
        text.constants.push_back({name, *argument.integer, {}, ""});
    }
  renumber(text);
  return text;
}

KernelInstance instantiate(const Kernel *kernel, LowerKernel lower) {
  KernelInstance instance;
  instance.kernel = kernel;
  instance.text = lowered(*kernel, passes::UnitAxes({passes::kAllFullRows}), lower);
  instance.sharedBytes = passes::sharedBytes(*kernel);
  return instance;
}

// A loop that runs once in all kernels of the group is written as what it does. The kernels are
// lowered again for that, because one lowering cannot do both:
//   * The texts with all loops say which kernels share a text. Kernels that are launched alike may
//     have different texts, and an axis that has extent 1 in one group may be longer in another.
//   * The text without a loop is not the one with it less some statements. Without the axis, a tile
//     is a variable instead of an array or vector, accesses call other helpers, loop nests have
//     other steps (nest_steps.h), and other tiles share storage (tile_storage.h).
void dropUnitLoops(KernelGroup &group, LowerKernel lower) {
  std::vector<size_t> unit;
  const std::vector<Constant> &constants = group.text().constants;
  for (size_t i = 0; i < constants.size(); ++i)
    if (constants[i].isLoop() &&
        std::all_of(group.instances.begin(), group.instances.end(),
                    [&](const KernelInstance &each) { return each.text.constants[i].value == 1; }))
      unit.push_back(i);
  if (unit.empty()) return;
  std::vector<KernelInstance> written = group.instances;
  for (KernelInstance &instance : written) {
    // By their registers: names may be others without these loops.
    std::set<std::string> axes;
    if (!group.dividesFullRows) axes.insert(passes::kAllFullRows);
    for (size_t i : unit) axes.insert(instance.text.constants[i].axis);
    instance.text = lowered(*instance.kernel, passes::UnitAxes(std::move(axes)), lower);
  }
  // They share one text still, or keep the one with the loops.
  if (llvm::all_of(written, [&](const KernelInstance &instance) {
        return isSameText(instance.text, written.front().text);
      }))
    group.instances = std::move(written);
}

// The texts in which rows that take all threads are written as shorter ones are. A kernel is
// lowered once more at most, however many kernels it is compared with.
class DividedRows {
 public:
  explicit DividedRows(LowerKernel lower) : lower_(lower) {}

  // Adds a kernel to the group if they share such a text.
  bool join(KernelGroup &group, KernelInstance &instance) {
    if (!areLaunchedAlike(group.first(), *instance.kernel)) return false;
    const auto hasFullRows = [&](const KernelInstance &each) { return of(each).hasFullRows; };
    if (!hasFullRows(instance) && llvm::none_of(group.instances, hasFullRows)) return false;
    const KernelText &text = textOf(instance);
    const auto isSame = [&](const KernelInstance &each) { return isSameText(textOf(each), text); };
    // In a group that has such a text, all have the first one's.
    const auto known = llvm::MutableArrayRef(group.instances)
                           .take_front(group.dividesFullRows ? 1 : group.instances.size());
    if (!llvm::all_of(known, isSame)) return false;
    for (KernelInstance &each : known) each.text = textOf(each);
    instance.text = text;
    group.instances.push_back(std::move(instance));
    group.dividesFullRows = true;
    return true;
  }

 private:
  struct Rows {
    bool hasFullRows;
    std::optional<KernelText> text;
  };

  Rows &of(const KernelInstance &instance) {
    const auto [known, isNew] = rows_.try_emplace(instance.kernel);
    if (isNew) known->second.hasFullRows = !passes::fullRows(*instance.kernel).empty();
    return known->second;
  }
  const KernelText &textOf(const KernelInstance &instance) {
    Rows &rows = of(instance);
    // Without such rows, the text is the same.
    if (!rows.hasFullRows) return instance.text;
    if (!rows.text) rows.text = lowered(*instance.kernel, {}, lower_);
    return *rows.text;
  }

  LowerKernel lower_;
  std::map<const Kernel *, Rows> rows_;
};

// nvcc takes no range of threadIdx.x from the launch bounds: where a row takes all threads, the row
// of each step would be computed and kept in a register, though it is the step's number. A producer
// warp comes after the threads that are counted here.
void boundThreads(KernelText &text) {
  if (!text.producer.empty()) return;
  const Expr isThread =
      binary(Prec::Relational, "<", member(word("threadIdx"), "x"), named("NUM_THREADS"));
  Stmts body{evaluate(call("__builtin_assume", {isThread}), "a row of all threads is row 0"),
             {Blank{}}};
  llvm::append_range(body, text.body);
  text.body = std::move(body);
}

// Softmax, if neither the file nor the kernel means something else by it.
std::string nameOfStruct(const KernelGroup &group, const std::set<std::string> &taken) {
  FreeNames free;
  for (const Symbol &name : knownNames(group)) free.reserve(name.wanted());
  for (const TemplateArgument &each : templateArgumentsOf(group.first())) free.reserve(each.name);
  const std::string camel = camelCase(group.base), other = camel + "Kernel";
  std::string name = camel;
  for (int i = 1; !free.isFree(name) || taken.count(name); ++i)
    name = i == 1 ? other : fmt::format("{}_{}", other, i);
  return name;
}

}  // namespace

SymbolSet knownNames(const KernelGroup &group) {
  SymbolSet names;
  for (const Parameter &each : parametersOf(group.first())) names.insert(Symbol(each.name));
  for (const GroupNumber &each : group.numbers) names.insert(each.name);
  for (const Op *map : tensorMaps(group.first())) names.insert(Symbol(map->result()->name));
  if (!group.structName.empty()) names.insert(Symbol(group.structName));
  return names;
}

// The ends of the names of variants: matmul_unit_stride_bk, matmul_strided, softmax_unaligned.
static std::map<const Kernel *, std::string> variantSuffixes(
    llvm::ArrayRef<KernelInstance> instances) {
  std::map<const Kernel *, std::string> suffixes;
  for (const KernelInstance &instance : instances) {
    const Kernel *variant = instance.kernel->scalarVariant;
    if (!variant) continue;
    const std::set<unsigned> &before = instance.kernel->assumptions.ones;
    std::string suffix = before.empty() ? "_unaligned" : "_strided";
    if (!variant->assumptions.ones.empty()) suffix = "_unit";
    for (unsigned index : variant->assumptions.ones)
      if (!before.count(index)) suffix += "_" + variant->parameters[index].identifier();
    suffixes[variant] = suffix;
    if (variant->hopperVariant) suffixes[variant->hopperVariant] = suffix;
  }
  return suffixes;
}

// The names of the user's that the file has.
static std::set<std::string> namesOf(const Module &module) {
  std::set<std::string> names;
  for (const Launcher &launcher : module.launchers) names.insert(launcher.name);
  for (const ir::Record &record : module.records) names.insert(record.name);
  return names;
}

std::vector<KernelGroup> groupKernels(const Module &module, LowerKernel lower) {
  std::vector<const Kernel *> kernels;
  auto add = [&](const Kernel *kernel) {
    if (kernel && std::find(kernels.begin(), kernels.end(), kernel) == kernels.end())
      kernels.push_back(kernel);
  };
  for (const Launcher &launcher : module.launchers) {
    for (const Kernel *kernel : launcher.candidates) add(kernel);
    for (const Kernel *kernel : launcher.candidates)
      while ((kernel = kernel->scalarVariant)) add(kernel);
    for (const Kernel *kernel : launcher.candidates)
      for (; kernel; kernel = kernel->scalarVariant) add(kernel->hopperVariant);
  }
  std::vector<KernelInstance> instances;
  instances.reserve(kernels.size());
  for (const Kernel *kernel : kernels) instances.push_back(instantiate(kernel, lower));
  std::vector<KernelGroup> groups;
  DividedRows dividedRows(lower);
  const std::map<const Kernel *, std::string> suffixes = variantSuffixes(instances);
  for (KernelInstance &instance : instances) {
    auto group = llvm::find_if(groups, [&](const KernelGroup &each) {
      return areOneTemplate(each.instances.front(), instance);
    });
    if (group != groups.end()) {
      group->instances.push_back(std::move(instance));
    } else if (llvm::none_of(groups,
                             [&](KernelGroup &each) { return dividedRows.join(each, instance); })) {
      groups.emplace_back().instances.push_back(std::move(instance));
    }
  }
  for (KernelGroup &group : groups) {
    dropUnitLoops(group, lower);
    if (group.dividesFullRows)
      for (KernelInstance &instance : group.instances) boundThreads(instance.text);
  }
  uniteFunctors(groups);
  // Names: the tile function's, and what tells apart several texts of one function.
  std::set<std::string> taken = namesOf(module);
  for (const KernelGroup &group : groups)
    for (const Struct &functor : group.functors) taken.insert(functor.name.wanted().str());
  const auto isTaken = [&](const std::string &name) {
    return taken.count(name + "_kernel") || taken.count("launch_" + name);
  };
  for (KernelGroup &group : groups) {
    const Kernel &kernel = group.first();
    bool alone = std::count_if(groups.begin(), groups.end(), [&](const KernelGroup &other) {
                   return other.first().name == kernel.name;
                 }) == 1;
    std::string name = kernel.name;
    if (!alone && kernel.packed()) name += "_warp";
    if (kernel.forHopper) name += "_hopper";
    if (const auto suffix = suffixes.find(&kernel); isTaken(name) && suffix != suffixes.end())
      name += suffix->second;
    if (isTaken(name))
      for (const TemplateArgument &argument : kernel.templateArguments) {
        std::string value = argument.value;
        for (char &c : value)
          if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
        name += "_" + value;
      }
    std::string base = name;
    for (int i = 2; isTaken(name); ++i) name = base + "_" + std::to_string(i);
    group.base = name;
    group.name = name + "_kernel";
    taken.insert(group.name);
    if (!group.text().sharedMembers.empty()) {
      const std::string camel = camelCase(name);
      std::string smem = camel + "Smem";
      for (int i = 2; !taken.insert(smem).second; ++i) smem = fmt::format("{}_{}Smem", camel, i);
      group.smem = Symbol(smem);
    }
    uniteConditions(group);
    uniteConstants(group);
    collectNumbers(group);
    group.structName = nameOfStruct(group, taken);
    taken.insert(group.structName);
  }
  return groups;
}

}  // namespace tile2cu::emit
