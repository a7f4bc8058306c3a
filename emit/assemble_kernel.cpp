// A kernel with what belongs to it: combine functions, shared memory and the function itself. If
// parts of it are functions of their own, or its warps have roles, which are functions, these are
// members of a struct.
#include "emit/assemble_kernel.h"

#include <set>

#include "emit/cuda/builder.h"
#include "emit/cuda/choose_names.h"
#include "emit/cuda/free_names.h"
#include "emit/spelling/kernel_parameters.h"
#include "emit/spelling/parameter_names.h"
#include "emit/transform/assert_sizes.h"
#include "emit/transform/count_rows.h"
#include "emit/transform/merge_kernels.h"
#include "emit/transform/outline_functions.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/value/cluster.h"
#include "passes/target/occupancy.h"
#include "passes/target/tunables.h"

namespace tile2cu::emit {
using namespace ir;

// ---- what kernels have in common

KnownDeclarations::Name KnownDeclarations::nameOf(const Kernel &kernel, const Struct &record,
                                                  const std::string &wanted) {
  std::vector<Known> &known = all_[kernel.nameSpace + "::" + kernel.name];
  Known declaration{record.comment, record.numbers, withoutComments(record.members), wanted};
  const auto same = llvm::find_if(known, [&](const Known &each) {
    return each.comment == declaration.comment && each.numbers == declaration.numbers &&
           each.members == declaration.members;
  });
  if (same != known.end()) return {same->name, false};
  known.push_back(std::move(declaration));
  return {wanted, true};
}

namespace {

// ---- numbers of a group and of threads

// The numbers that `names` has, and those they are derived from.
SymbolSet numbersFor(const KernelGroup &group, const SymbolSet &names) {
  SymbolSet all = names, used;
  for (const GroupNumber &number : llvm::reverse(group.numbers)) {
    // A derived number stands after those that it is derived from.
    if (!all.contains(number.name)) continue;
    used.insert(number.name);
    addSymbols(number.derivation, all);
  }
  return used;
}

// constexpr int BLOCK_M = 128; ... : those that are not parameters of the template.
Stmts constantsFor(const KernelGroup &group, const SymbolSet &names,
                   const char *type = "constexpr int") {
  const SymbolSet used = numbersFor(group, names);
  Stmts constants;
  std::set<std::string> said;  // of N_TILES, and so not of N_TILES_2
  for (const GroupNumber &number : group.numbers) {
    if (number.isParameter || !used.contains(number.name)) continue;
    const bool isNew = !number.comment.empty() && said.insert(number.comment).second;
    constants.push_back(
        variable(word(type), number.name,
                 number.derivation ? number.derivation : integer(number.values.front())));
    if (isNew) constants.back().note = number.comment;
  }
  return constants;
}

// The assertions of those numbers and of the parameters.
Stmts assertionsFor(const KernelGroup &group, const SymbolSet &names) {
  SymbolSet declared = numbersFor(group, names);
  for (const Symbol &parameter : group.parameters()) declared.insert(parameter);
  return assertSizes(group, declared);
}

// Whether the statements use wgmma.
bool usesWarpgroups(const Stmts &stmts) {
  return anyOf(stmts, [](const Stmt &each) { return each.effect == Effect::Wgmma; });
}

// The number of the thread's warp in a function.
enum class Warp : uint8_t {
  Own,
  // Operands of wgmma are described by it: known to be the same in all lanes, the words for that
  // are computed once for a warp and not in registers of each thread.
  Uniform,
  OfStruct,  // a variable of the struct, which another function has set
};

constexpr const char *kUniform = "warp-uniform for the compiler";

Expr warpNumber(bool isUniform) {
  const Expr number =
      binary(Prec::Multiplicative, "/", member(word("threadIdx"), "x"), integer(32));
  return isUniform ? call("tile2cu::warp_broadcast", {number, integer(0)}) : number;
}

// The thread's numbers that are among the names.
Stmts threadVariables(const SymbolSet &names, Warp warp, bool needsWarp = false) {
  const Expr type = word("int"), thread = member(word("threadIdx"), "x");
  Stmts variables;
  if (names.contains("tid")) variables.push_back(constant(type, "tid", thread));
  if (names.contains("lane"))
    variables.push_back(
        constant(type, "lane", binary(Prec::Multiplicative, "%", thread, integer(32))));
  if (warp == Warp::OfStruct || (!needsWarp && !names.contains("warp"))) return variables;
  const bool isUniform = warp == Warp::Uniform;
  variables.push_back(constant(type, "warp", warpNumber(isUniform), isUniform ? kUniform : ""));
  return variables;
}

Stmts concatenated(Stmts a, Stmts b) {
  a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
  return a;
}

std::string sharedComment(const KernelGroup &group) {
  return "Shared memory of one " + std::string(group.first().packed() ? "program" : "block") + ".";
}

// That of a kernel of one function, with the numbers that it needs.
Struct sharedStruct(const KernelGroup &group) {
  const Stmts &members = group.text().sharedMembers;
  const SymbolSet names = symbolsIn(members);
  Struct record;
  record.comment = sharedComment(group);
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

// ---- functions

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

// The names of a struct's functions, none of which is a name of something else in the struct.
class FunctionNames {
 public:
  explicit FunctionNames(const KernelGroup &group) {
    for (const char *name : {"smem", "Smem", "num_sms"}) free_.reserve(name);
    for (const Symbol &name : knownNames(group)) free_.reserve(name.wanted());
  }

  std::string take(const std::string &wanted) {
    return free_.take(free_.isFree(wanted) ? wanted : wanted + "_part");
  }

 private:
  FreeNames free_;
};

// A member function of the kernel's struct, which has the constants, the shared memory and the
// kernel's parameters. `variables`: the thread's numbers, which each function computes for itself,
// as that is cheaper than to keep them.
Function memberFunction(const KernelGroup &group, const std::string &name, Part part,
                        Stmts variables) {
  Function function;
  function.head = "__device__ __forceinline__ void";
  function.name = name;
  function.comment = part.comment;
  function.source = sourceOf(group.first());
  function.parameters = std::move(part.locals);
  llvm::append_range(function.parameters, part.parameters);
  const bool isComment = !part.body.empty() && part.body.front().as<Comment>();
  if (isComment && !variables.empty()) variables.push_back({Blank{}});
  function.body = concatenated(std::move(variables), std::move(part.body));
  chooseNames(function, knownNames(group));
  return function;
}

// Functions in the order in which the statements call them; what one calls itself stands before it.
class CallOrder {
 public:
  explicit CallOrder(std::vector<Function> &functions) : functions_(functions) {}

  std::vector<Function> of(const Stmts &stmts) {
    add(stmts);
    std::vector<Function> ordered;
    for (const size_t at : ordered_) ordered.push_back(std::move(functions_[at]));
    return ordered;
  }

 private:
  void add(const Stmts &stmts) {
    forEachExpr(stmts, [&](const Expr &e) {
      walk(e, [&](const Expr &node) {
        if (!node.is(ExprKind::Word)) return;
        const auto called = llvm::find_if(
            functions_, [&](const Function &each) { return each.name == node.spelling(); });
        const size_t at = called - functions_.begin();
        if (called == functions_.end() || llvm::is_contained(ordered_, at)) return;
        add(called->body);
        ordered_.push_back(at);
      });
    });
  }

  std::vector<Function> &functions_;
  std::vector<size_t> ordered_;
};

// ---- the kernel

// The body of a kernel whose warps have two roles.
Stmts rolesBody(const KernelGroup &group, const std::string &consumer,
                const std::string &producer) {
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
  run(word(consumer));
  out.openElse();
  if (movesRegisters) run(instance("tile2cu::warpgroup_reg_dealloc", {integer(24)}));
  out.add(
      shortIf(binary(Prec::Equality, "==", thread, threads), evaluate(call(word(producer), {}))));
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
  else if (group.boundsResidentThreads())
    bounds.push_back(call("tile2cu::resident_blocks", {group.threads(), group.resident}));
  return call("__launch_bounds__", bounds);
}

// The number of blocks in a cluster, where that is a parameter of the kernel.
Expr clusterOf(const Kernel &kernel) {
  return passes::formsClusters(kernel) ? named("CLUSTER") : Expr{};
}

std::vector<Symbol> numbersOf(const KernelGroup &group) {
  std::vector<Symbol> numbers = group.parameters();
  if (const Expr cluster = clusterOf(group.first())) numbers.push_back(cluster.symbol());
  return numbers;
}

// auto& smem = *reinterpret_cast<SoftmaxSmem*>(dynamic_smem);
Stmt sharedMemory(const KernelGroup &group) {
  const Expr cast =
      call(instance("reinterpret_cast", {pointerTo(group.smemType(clusterOf(group.first())))}),
           {word("dynamic_smem")});
  const bool isPacked = group.first().packed();
  return variable(word("auto&"), "smem",
                  isPacked ? elementOf(cast, named("warp")) : unary("*", cast));
}

// static __global__ void matmul_kernel(...) { <its numbers, and `code`> }
Function globalFunction(KernelGroup &group, Stmts code) {
  const Kernel &kernel = group.first();
  const SymbolSet names = symbolsIn(code);
  Function function;
  function.numbers = numbersOf(group);
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
  Stmts variables;
  if (!group.hasStruct)
    variables = concatenated(constantsFor(group, names), assertionsFor(group, names));
  llvm::append_range(variables,
                     threadVariables(names, usesWarpgroups(code) ? Warp::Uniform : Warp::Own,
                                     kernel.packed() && group.smem));
  if (group.smem) variables.push_back(sharedMemory(group));
  function.body = concatenated(std::move(variables), std::move(code));
  chooseNames(function, knownNames(group));
  return function;
}

// smem, in, out: what the kernel gives to its struct
std::vector<FunctionParameter> dataOf(const KernelGroup &group, const SymbolSet &names) {
  std::vector<FunctionParameter> data;
  if (group.smem) {
    data.push_back({word("Smem"), "smem"});
    data.back().isReference = true;
  }
  llvm::append_range(data, parametersIn(names, group.first()));
  return data;
}

// T x; const T& x;
Stmt dataMember(const FunctionParameter &of) {
  if (!of.isReference) return variable(of.type, of.name);
  return variable(word((of.isConst ? "const " : "") + of.type.str() + "&"), of.name);
}

// The names in the struct of these functions.
SymbolSet namesInStruct(const KernelGroup &group, llvm::ArrayRef<Function> functions) {
  SymbolSet names = symbolsIn(group.text().sharedMembers);
  for (const Function &function : functions) {
    addSymbols(function.body, names);
    for (const FunctionParameter &parameter : function.parameters) {
      addSymbols(parameter.type, names);
      for (const Expr &extent : parameter.extents) addSymbols(extent, names);
    }
  }
  return names;
}

// A kernel of several functions: its constants, each once, its shared memory, its parameters, and
// the functions, which need no parameters for any of these.
Struct structOf(const KernelGroup &group, std::vector<Function> functions, const SymbolSet &names,
                const std::string &setterOfWarp) {
  Struct record;
  record.comment = fmt::format("The constants, {}parameters and functions of {}.",
                               group.smem ? "shared memory, " : "", group.name);
  record.numbers = numbersOf(group);
  record.name = Symbol(group.structName);
  record.source = sourceOf(group.first());
  record.members =
      concatenated(constantsFor(group, names, "static constexpr int"), assertionsFor(group, names));
  if (group.smem) {
    Struct smem;
    smem.comment = sharedComment(group);
    smem.name = "Smem";
    smem.members = group.text().sharedMembers;
    record.structs.push_back(std::move(smem));
  }
  for (const FunctionParameter &each : dataOf(group, names))
    record.data.push_back(dataMember(each));
  if (!setterOfWarp.empty()) {
    record.data.push_back(variable(word("int"), "warp", integer(0)));
    record.data.back().note = fmt::format("set by {}(); {}", setterOfWarp, kUniform);
  }
  record.functions = std::move(functions);
  return record;
}

// Softmax<NUM_WARPS>{smem, in, out}.run();
Stmt callOfStruct(const KernelGroup &group, const SymbolSet &names, const std::string &function) {
  std::vector<Expr> arguments;
  for (const FunctionParameter &each : dataOf(group, names)) arguments.push_back(named(each.name));
  return evaluate(
      method(braces(group.structType(clusterOf(group.first())), arguments), function, {}));
}

class Assembler {
 public:
  Assembler(KernelGroup &group, KnownDeclarations &known) : group_(group), known_(known) {}

  AssembledKernel run() {
    for (const Struct &functor : group_.functors) result_.own.push_back(functor);
    Stmts code = group_.first().producer ? inRoles() : inParts(group_.text().body);
    if (functions_.empty()) {
      if (group_.smem) addSharedStruct();
    } else {
      code = inStruct(std::move(code));
    }
    result_.own.push_back(globalFunction(group_, std::move(code)));
    return std::move(result_);
  }

 private:
  void addSharedStruct() {
    Struct record = sharedStruct(group_);
    const auto [name, isNew] = known_.nameOf(group_.first(), record, group_.smem.wanted().str());
    record.name = group_.smem = Symbol(name);
    (isNew ? result_.own : result_.shared).push_back(std::move(record));
  }

  // Makes the code a function of the struct as well. The kernel calls that.
  Stmts inStruct(Stmts code) {
    group_.hasStruct = true;
    const std::string run = names_.take("run");
    addCaller(run, "", std::move(code));
    const SymbolSet names = namesInStruct(group_, functions_);
    result_.own.push_back(structOf(group_, std::move(functions_), names, setterOfWarp_));
    Stmts kernel;
    kernel.push_back(callOfStruct(group_, names, run));
    return kernel;
  }

  Stmts inRoles() {
    const std::string producer = names_.take("producer"), consumer = names_.take("consumer");
    const KernelText &text = group_.text();
    addCaller(producer,
              "The producer: one thread, which loads the stages of the ring buffers by TMA.",
              inParts(text.producer));
    addCaller(consumer, "The consumer warps, which compute.", inParts(text.body));
    return rolesBody(group_, consumer, producer);
  }

  // Adds the function that is left after the last `inParts`. It sets the warp's number for parts.
  void addCaller(const std::string &name, const char *comment, Stmts statements) {
    const bool isUniform = usesWarpgroups(statements);
    Stmts variables = threadVariables(symbolsIn(statements), setsWarp_   ? Warp::OfStruct
                                                             : isUniform ? Warp::Uniform
                                                                         : Warp::Own);
    if (setsWarp_) {
      variables.push_back(assignment(named("warp"), warpNumber(isUniform)));
      setterOfWarp_ = name;
    }
    setsWarp_ = false;
    Part part{name, CommentText(comment), {}, std::move(statements), {}};
    functions_.push_back(memberFunction(group_, name, std::move(part), std::move(variables)));
  }

  // Adds a function of some of the statements, and returns its call, without the arguments for
  // parameters of a local function.
  Expr addPart(Part part, bool isGroup, std::vector<Function> &parts) {
    const SymbolSet own = symbolsIn(part.body);
    if (isGroup && own.contains("warp")) setsWarp_ = true;
    const std::string name = names_.take(part.name);
    std::vector<Expr> arguments;
    for (const FunctionParameter &local : part.locals) arguments.push_back(named(local.name));
    const SourceLine source = firstSource(part.body);
    parts.push_back(memberFunction(group_, name, std::move(part),
                                   threadVariables(own, isGroup ? Warp::OfStruct : Warp::Own)));
    if (source) parts.back().source = source;
    return call(name, arguments);
  }

  // The statements of a function, if they are too many with some of them in functions of their own.
  Stmts inParts(const Stmts &statements) {
    const SymbolSet names = symbolsIn(statements);
    const bool isGroup = usesWarpgroups(statements);
    const size_t above = countRows(parametersIn(names, group_.first())) +
                         countRows(constantsFor(group_, names)) +
                         countRows(threadVariables(names, isGroup ? Warp::Uniform : Warp::Own));
    const auto without = [](size_t all, size_t some) { return all - std::min(all, some); };
    std::vector<Function> parts;
    Stmts rest = outline(statements, without(passes::tunables().function_rows, above),
                         without(passes::tunables().function_rows_with_steps, above),
                         [&](Part part) { return addPart(std::move(part), isGroup, parts); });
    for (Function &part : CallOrder(parts).of(rest)) functions_.push_back(std::move(part));
    return rest;
  }

  KernelGroup &group_;
  KnownDeclarations &known_;
  AssembledKernel result_;
  FunctionNames names_{group_};
  std::vector<Function> functions_;  // of the struct; empty: the kernel is one function
  bool setsWarp_ = false;            // the function around the last parts sets the warp's number
  std::string setterOfWarp_;         // the function that does; empty: none needs to
};

}  // namespace

AssembledKernel assembleKernel(KernelGroup &group, KnownDeclarations &known) {
  return Assembler(group, known).run();
}

}  // namespace tile2cu::emit
