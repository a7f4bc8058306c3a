// A kernel with what belongs to it: combine functions, shared memory, the function itself, parts of
// it as functions of their own, and if a warp of its own copies, one function for each role.
#include "emit/assemble_kernel.h"

#include <set>

#include "emit/cuda/builder.h"
#include "emit/cuda/choose_names.h"
#include "emit/spelling/kernel_parameters.h"
#include "emit/spelling/parameter_names.h"
#include "emit/transform/count_rows.h"
#include "emit/transform/outline_functions.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/cluster.h"
#include "passes/target/occupancy.h"
#include "passes/target/tunables.h"

namespace tile2cu::emit {
using namespace ir;

// ---- what kernels have in common

KnownDeclarations::Name KnownDeclarations::find(const Kernel &kernel, Known declaration) {
  std::vector<Known> &known = all_[kernel.nameSpace + "::" + kernel.name];
  const auto same = llvm::find_if(known, [&](const Known &each) {
    const Function &a = each.function, &b = declaration.function;
    const Struct &x = each.record, &y = declaration.record;
    return x.comment == y.comment && x.numbers == y.numbers && x.members == y.members &&
           a.numbers == b.numbers && a.parameters == b.parameters && a.body == b.body;
  });
  if (same != known.end()) return {same->name, false};
  known.push_back(std::move(declaration));
  return {known.back().name, true};
}

KnownDeclarations::Name KnownDeclarations::nameOf(const Kernel &kernel, const Struct &record,
                                                  const std::string &wanted) {
  Known known{record, {}, wanted};
  known.record.members = withoutComments(record.members);
  return find(kernel, std::move(known));
}

KnownDeclarations::Name KnownDeclarations::nameOf(const Kernel &kernel, const Function &function,
                                                  const std::string &wanted) {
  Known known{{}, function, wanted};
  known.function.body = withoutComments(function.body);
  return find(kernel, std::move(known));
}

namespace {

// ---- numbers of a group and of threads

// constexpr int BLOCK_M = 128; ... : the numbers that `names` has, and those they are derived from,
// but not those in `known`.
Stmts constantsFor(const KernelGroup &group, const SymbolSet &names, const SymbolSet &known = {}) {
  SymbolSet all = names, used;
  for (const GroupNumber &number : llvm::reverse(group.numbers)) {
    // A derived number stands after those that it is derived from.
    if (!all.contains(number.name) || known.contains(number.name)) continue;
    used.insert(number.name);
    addSymbols(number.derivation, all);
  }
  Stmts constants;
  std::set<std::string> said;  // of N_TILES, and so not of N_TILES_2
  for (const GroupNumber &number : group.numbers) {
    if (number.isParameter || !used.contains(number.name)) continue;
    const bool isNew = !number.comment.empty() && said.insert(number.comment).second;
    constants.push_back(
        variable(word("constexpr int"), number.name,
                 number.derivation ? number.derivation : integer(number.values.front())));
    if (isNew) constants.back().note = number.comment;
  }
  return constants;
}

// Whether the statements use wgmma.
bool usesWarpgroups(const Stmts &stmts) {
  return anyOf(stmts, [](const Stmt &each) { return each.effect == Effect::Wgmma; });
}

// The thread's numbers that the statements use. Operands of wgmma are described by the warp's
// number: known to be the same in all lanes, the words for that are computed once for a warp and
// not in registers of each thread.
Stmts threadVariables(const Stmts &code, const SymbolSet &names, bool needsWarp,
                      bool declaresWarp = true) {
  const Expr type = word("int"), thread = member(word("threadIdx"), "x");
  const auto part = [&](const char *op) {
    return binary(Prec::Multiplicative, op, thread, integer(32));
  };
  Stmts variables;
  if (names.contains("tid")) variables.push_back(constant(type, "tid", thread));
  if (names.contains("lane")) variables.push_back(constant(type, "lane", part("%")));
  if (declaresWarp && (needsWarp || names.contains("warp"))) {
    const bool isGroup = usesWarpgroups(code);
    variables.push_back(isGroup ? constant(type, "warp",
                                           call("tile2cu::warp_broadcast", {part("/"), integer(0)}),
                                           "warp-uniform for the compiler")
                                : constant(type, "warp", part("/")));
  }
  return variables;
}

Stmts concatenated(Stmts a, Stmts b) {
  a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
  return a;
}

Struct sharedStruct(const KernelGroup &group) {
  const Stmts &members = group.text().sharedMembers;
  const SymbolSet names = symbolsIn(members);
  Struct record;
  record.comment =
      "Shared memory of one " + std::string(group.first().packed() ? "program" : "block") + ".";
  for (const GroupNumber &number : group.numbers) {
    if (!names.contains(number.name)) continue;
    if (number.isParameter)
      record.numbers.push_back(number.name);
    else
      record.members.push_back(
          variable(word("static constexpr int"), number.name, integer(number.values.front())));
  }
  record.members = concatenated(std::move(record.members), members);
  return record;
}

// ---- functions of parts

// Names by which a function of a kernel means something else: a parameter, a constant.
SymbolSet knownNames(const KernelGroup &group) {
  SymbolSet names;
  for (const Parameter &each : parametersOf(group.first())) names.insert(Symbol(each.name));
  for (const GroupNumber &each : group.numbers) names.insert(each.name);
  for (const Op *map : tensorMaps(group.first())) names.insert(Symbol(map->result()->name));
  return names;
}

// Gives the variables of a complete function of the kernel their names, and adds them to `chosen`.
void nameVariables(const KernelGroup &group, Function &function, SymbolMap &chosen) {
  for (const auto &[symbol, name] : chooseNames(function, knownNames(group))) chosen[symbol] = name;
}

// The names in a parameter, its own as well.
void addSymbols(const FunctionParameter &parameter, SymbolSet &names) {
  emit::addSymbols(parameter.type, names);
  for (const Expr &extent : parameter.extents) emit::addSymbols(extent, names);
  names.insert(parameter.name);
}

// A device function of the kernel, and its call, without the arguments for parameters of a local
// function. It is not `isNew` if another kernel of the same tile function has it already.
struct MadeFunction {
  Function function;
  Expr call;
  bool isNew = true;
};

// The line that the first of them with one comes from.
SourceLine firstSource(const Stmts &stmts) {
  for (const Stmt &stmt : stmts) {
    SourceLine found = stmt.source;
    forEachBody(stmt, [&](const Stmts &body) {
      if (!found) found = firstSource(body);
    });
    if (found) return found;
  }
  return {};
}

SourceLine sourceOf(const Kernel &kernel) { return {kernel.loc.file, kernel.loc.line}; }

// The parameters of the kernel that are in `names`: those of the source, the number of
// multiprocessors, which the launch function fills in, and tensor maps.
std::vector<FunctionParameter> parametersIn(const SymbolSet &names, const Kernel &kernel) {
  std::vector<FunctionParameter> all = functionParameters(kernel);
  all.push_back({word("int"), "num_sms"});
  for (const Op *map : tensorMaps(kernel)) {
    all.push_back({word("CUtensorMap"), Symbol(map->result()->name)});
    all.back().isConst = all.back().isReference = true;
  }
  llvm::erase_if(all, [&](const FunctionParameter &each) { return !names.contains(each.name); });
  return all;
}

// A function with the parameters that the part's statements use. A role has all of the kernel's
// pointers to itself; other parts see what was made of them before, so that theirs are not the only
// ones to what they point to.
MadeFunction makeFunction(const KernelGroup &group, Part part, bool isRole, bool takesSmem,
                          bool takesWarp, KnownDeclarations &known, SymbolMap &names) {
  const Kernel &kernel = group.first();
  const SymbolSet mentioned = symbolsIn(part.body);
  Function function;
  std::vector<Expr> arguments, numbers;
  auto add = [&](FunctionParameter parameter, const Symbol &argument) {
    function.parameters.push_back(std::move(parameter));
    arguments.push_back(named(argument));
  };
  if (takesSmem) {
    FunctionParameter smem{group.smemType(), "smem"};
    smem.isReference = true;
    add(smem, "smem");
  }
  for (FunctionParameter &parameter : parametersIn(mentioned, kernel)) {
    parameter.isRestrict &= isRole;
    add(parameter, parameter.name);
  }
  if (takesWarp) add({word("int"), "warp"}, "warp");
  for (const FunctionParameter &local : part.locals) add(local, local.name);
  llvm::append_range(function.parameters, part.parameters);

  // Parameters of the group, and the constants that types of parameters mention, which are deduced.
  SymbolSet inParameters;
  for (const FunctionParameter &parameter : function.parameters)
    addSymbols(parameter, inParameters);
  function.numbers = group.parameters();
  if (passes::formsClusters(kernel) && mentioned.contains("CLUSTER"))
    function.numbers.push_back("CLUSTER");
  for (const Symbol &number : function.numbers) numbers.push_back(named(number));
  std::vector<Symbol> deduced;
  for (const GroupNumber &number : group.numbers)
    if (!number.isParameter && inParameters.contains(number.name)) deduced.push_back(number.name);
  // The same for all kernels.
  llvm::sort(deduced, [](const Symbol &a, const Symbol &b) { return a.wanted() < b.wanted(); });
  llvm::append_range(function.numbers, deduced);

  function.source = firstSource(part.body);
  if (isRole || !function.source) function.source = sourceOf(kernel);
  Stmts variables = concatenated(constantsFor(group, mentioned, inParameters),
                                 threadVariables(part.body, mentioned, false, !takesWarp));
  const bool isComment = !part.body.empty() && part.body.front().as<Comment>();
  if (isComment && !variables.empty()) variables.push_back({Blank{}});
  function.body = concatenated(std::move(variables), std::move(part.body));
  function.comment = part.comment;
  function.head = "static __device__ __forceinline__ void";
  std::string wanted = group.base + "_" + part.name;
  if (llvm::any_of(parametersOf(kernel),
                   [&](const Parameter &each) { return each.name == wanted; }))
    wanted += "_part";
  nameVariables(group, function, names);
  const auto [name, isNew] = known.nameOf(kernel, function, wanted);
  function.name = name;
  return {std::move(function), call(instanceOf(name, numbers), arguments), isNew};
}

// Functions in the order in which the statements call them; what one calls itself stands before it.
class CallOrder {
 public:
  explicit CallOrder(std::vector<MadeFunction> &functions) : functions_(functions) {}

  std::vector<MadeFunction *> of(const Stmts &stmts) {
    add(stmts);
    return std::move(ordered_);
  }

 private:
  void add(const Stmts &stmts) {
    forEachExpr(stmts, [&](const Expr &e) {
      walk(e, [&](const Expr &node) {
        if (!node.is(ExprKind::Word)) return;
        const auto called = llvm::find_if(functions_, [&](const MadeFunction &each) {
          return each.function.name == node.spelling();
        });
        if (called == functions_.end() || llvm::is_contained(ordered_, &*called)) return;
        add(called->function.body);
        ordered_.push_back(&*called);
      });
    });
  }

  std::vector<MadeFunction> &functions_;
  std::vector<MadeFunction *> ordered_;
};

// ---- the kernel

// The body of a kernel whose warps have two roles.
Stmts rolesBody(const KernelGroup &group, const Expr &consumer, const Expr &producer) {
  const Kernel &kernel = group.first();
  const Expr threads = group.threads(), thread = member(word("threadIdx"), "x");
  Builder out;
  const auto run = [&](const Expr &function, llvm::StringRef note = "") {
    out.add(evaluate(call(function, {}), note));
  };
  out.open(branchOn(binary(Prec::Equality, "==", thread, integer(0))));
  for (const Op *map : tensorMaps(kernel))
    out.add(evaluate(call("tile2cu::tma_prefetch_map", {named(Symbol(map->result()->name))})));
  out.append(group.text().ringStart);
  run(word("tile2cu::fence_mbarrier_init"));
  out.close();
  if (passes::formsClusters(kernel))
    run(instance("tile2cu::cluster_sync", {named("CLUSTER")}),
        "both blocks see the initialized mbarriers");
  else
    run(word("__syncthreads"), "the mbarriers are initialized");
  run(word("tile2cu::griddepcontrol_wait"), "up to here it overlaps the preceding kernel");
  run(word("tile2cu::griddepcontrol_launch_dependents"), "the dependent kernel may start too");
  out.add({Blank{}});
  // One warpgroup that computes has what it wants already, unless blocks share the registers.
  const bool movesRegisters = kernel.options.numWarps > 4 || kernel.options.minBlocks > 1;
  out.open(branchOn(binary(Prec::Relational, "<", thread, threads)));
  if (movesRegisters)
    run(instance("tile2cu::warpgroup_reg_alloc", {integer(passes::consumerRegisters(kernel))}));
  out.add(evaluate(consumer));
  out.openElse();
  if (movesRegisters) run(instance("tile2cu::warpgroup_reg_dealloc", {integer(24)}));
  out.add(shortIf(binary(Prec::Equality, "==", thread, threads), evaluate(producer)));
  out.close();
  return out.end();
}

// __launch_bounds__(256, 2)
Expr launchBounds(const KernelGroup &group) {
  const Kernel &kernel = group.first();
  std::vector<Expr> bounds{group.blockThreads()};
  if (kernel.options.minBlocks)
    bounds.push_back(integer(kernel.options.minBlocks));
  else if (kernel.producer)
    bounds.push_back(integer(1));
  else if (kernel.options.residentThreads)
    bounds.push_back(call("tile2cu::resident_blocks", {group.threads(), group.resident}));
  return call("__launch_bounds__", bounds);
}

// auto& smem = *reinterpret_cast<SoftmaxSmem*>(dynamic_smem);
Stmt sharedMemory(const KernelGroup &group) {
  const Expr cast =
      call(instance("reinterpret_cast", {pointerTo(group.smemType())}), {word("dynamic_smem")});
  const bool isPacked = group.first().packed();
  return variable(word("auto&"), "smem",
                  isPacked ? elementOf(cast, named("warp")) : unary("*", cast));
}

// static __global__ void matmul_kernel(...) { <its numbers, and `code`> }
Function globalFunction(KernelGroup &group, Stmts code, SymbolMap &chosen) {
  const Kernel &kernel = group.first();
  const SymbolSet names = symbolsIn(code);
  Function function;
  function.numbers = group.parameters();
  if (passes::formsClusters(kernel)) function.numbers.push_back("CLUSTER");
  function.head = "static __global__ void";
  function.launchBounds = launchBounds(group);
  function.name = group.name;
  function.source = sourceOf(kernel);
  function.parameters = parametersIn(names, kernel);
  for (FunctionParameter &parameter : function.parameters) {
    group.arguments.push_back(parameter.name);
    if (!parameter.isReference) continue;
    parameter = {word("const __grid_constant__ CUtensorMap"), parameter.name};
  }
  Stmts variables = concatenated(constantsFor(group, names),
                                 threadVariables(code, names, kernel.packed() && group.smem));
  if (group.smem) variables.push_back(sharedMemory(group));
  function.body = concatenated(std::move(variables), std::move(code));
  nameVariables(group, function, chosen);
  return function;
}

class Assembler {
 public:
  Assembler(KernelGroup &group, KnownDeclarations &known) : group_(group), known_(known) {}

  AssembledKernel run() {
    const Kernel &kernel = group_.first();
    const KernelText &text = group_.text();
    for (const Struct &functor : group_.functors) result_.own.push_back(functor);
    if (group_.smem) {
      Struct record = sharedStruct(group_);
      const auto [name, isNew] = known_.nameOf(kernel, record, group_.smem.wanted().str());
      record.name = group_.smem = Symbol(name);
      add(std::move(record), isNew);
    }
    Stmts code;
    if (kernel.producer) {
      MadeFunction producer =
          role("producer",
               "The producer: one thread, which loads the stages of the ring buffers by TMA.",
               text.producer);
      MadeFunction consumer = role("consumer", "The consumer warps, which compute.", text.body);
      code = rolesBody(group_, consumer.call, producer.call);
      add(std::move(producer.function), producer.isNew);
      add(std::move(consumer.function), consumer.isNew);
    } else {
      code = inParts(text.body);
    }
    add(globalFunction(group_, std::move(code), names_), true);
    return std::move(result_);
  }

 private:
  template <class T>
  void add(T declaration, bool isNew) {
    (isNew ? result_.own : result_.shared).push_back(std::move(declaration));
  }

  MadeFunction role(const char *name, const char *comment, const Stmts &statements) {
    return makeFunction(group_, {name, comment, {}, inParts(statements), {}}, true, true, false,
                        known_, names_);
  }

  // The statements of a function, if they are too many with some of them in functions of their own.
  Stmts inParts(const Stmts &statements) {
    const SymbolSet names = symbolsIn(statements);
    const bool isGroup = usesWarpgroups(statements);
    const size_t above = countRows(parametersIn(names, group_.first())) +
                         countRows(constantsFor(group_, names)) +
                         countRows(threadVariables(statements, names, false));
    const auto without = [](size_t all, size_t some) { return all - std::min(all, some); };
    std::vector<MadeFunction> parts;
    auto define = [&](Part part) {
      const SymbolSet own = symbolsIn(part.body);
      parts.push_back(makeFunction(group_, std::move(part), false, own.contains("smem"),
                                   isGroup && own.contains("warp"), known_, names_));
      return parts.back().call;
    };
    Stmts rest = outline(statements, without(passes::tunables().function_rows, above),
                         without(passes::tunables().function_rows_with_steps, above), define);
    for (MadeFunction *part : CallOrder(parts).of(rest))
      add(std::move(part->function), part->isNew);
    return rest;
  }

  KernelGroup &group_;
  KnownDeclarations &known_;
  AssembledKernel result_;
  SymbolMap names_;  // of all variables; that of the function around counts
};

}  // namespace

AssembledKernel assembleKernel(KernelGroup &group, KnownDeclarations &known) {
  return Assembler(group, known).run();
}

}  // namespace tile2cu::emit
