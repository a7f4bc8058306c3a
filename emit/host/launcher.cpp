// Host side: the launchers that users call.
#include <map>
#include <set>

#include "emit/cuda/code_hash.h"
#include "emit/host/launchers.h"
#include "emit/host/tensor_maps.h"
#include "emit/spelling/host_expr.h"
#include "emit/spelling/parameter_names.h"
#include "fmt/format.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

static Function headOf(const std::string &name, const EmitOptions &options) {
  Function function;
  function.head = options.externC ? "extern \"C\" cudaError_t" : "cudaError_t";
  function.name = name;
  return function;
}

// Each file of a program whose source includes the launcher's defines it.
static void makeWeak(Function &definition) {
  const std::string word = "__attribute__((weak)) ";
  const size_t type = definition.head.find("cudaError_t");
  definition.head.insert(type, word);
}

Function launcherHead(const Launcher &launcher, const EmitOptions &options, bool definition) {
  Function function = headOf(launcher.name, options);
  function.parameters = launchParameters(*launcher.candidates.front());
  if (!definition || options.headerName.empty()) function.parameters.back().init = word("nullptr");
  return function;
}

Function pinHead(const Launcher &launcher, const EmitOptions &options) {
  Function function = headOf(launcher.name + "_pin", options);
  function.parameters.push_back({word("int"), "candidate"});
  return function;
}

namespace {

// A launcher has the parameters of its first candidate. Other candidates may have other names for
// them, so conditions on the arguments are written with the launcher's `parameters`.

// The assumptions of a kernel's variant about the arguments that `known` does not have.
std::vector<Expr> conditionsOf(const Kernel &kernel, llvm::ArrayRef<Parameter> parameters,
                               const Assumptions &known = {}) {
  std::map<int64_t, std::vector<Expr>> aligned;
  std::vector<Expr> divisible, conditions;
  for (unsigned index : kernel.assumptions.ones)
    if (!known.ones.count(index))
      conditions.push_back(binary(Prec::Equality, "==", argumentOf(parameters[index]), integer(1)));
  for (const auto &[index, divisor] : kernel.assumptions.divisibility) {
    if (auto it = known.divisibility.find(index);
        it != known.divisibility.end() && it->second % divisor == 0)
      continue;
    const Parameter &parameter = parameters[index];
    const Expr argument = argumentOf(parameter);
    if (parameter.type.isPointer())
      aligned[divisor].push_back(argument);
    else
      divisible.push_back(
          binary(Prec::Equality,
                 "==", binary(Prec::Multiplicative, "%", argument, integer(divisor)), integer(0)));
  }
  for (const auto &[bytes, pointers] : aligned)
    conditions.push_back(call(instance("tile2cu::aligned", {integer(bytes)}), pointers));
  llvm::append_range(conditions, divisible);
  for (const Expr &size : tensorSizes(kernel, parameters))
    conditions.push_back(binary(Prec::Relational, ">", size, integer(0)));
  return conditions;
}

Expr assumptionsOf(const Kernel &kernel, llvm::ArrayRef<Parameter> parameters) {
  return allOf(conditionsOf(kernel, parameters));
}

// The requirements of a kernel, those that guard a division before it.
std::vector<Expr> requirementsOf(const Kernel &kernel, llvm::ArrayRef<Parameter> parameters) {
  std::vector<Expr> needs;
  for (const auto &op : kernel.body.ops) {
    if (op->kind != OpKind::Require) continue;
    Expr condition = hostExpr(op->operand(0), parameters);
    std::vector<Expr> divisors;
    hostDivisors(op->operand(0), parameters, divisors);
    for (const Expr &divisor : divisors)
      condition =
          binary(Prec::And, "&&", binary(Prec::Equality, "!=", divisor, integer(0)), condition);
    needs.push_back(condition);
  }
  return needs;
}

Expr tunerOf(const Launcher &launcher) { return named(Symbol(launcher.name + "_tuner")); }

// Writes the body of the function that users call, piece by piece.
class LauncherWriter {
 public:
  LauncherWriter(const Launcher &launcher, const std::vector<KernelGroup> &groups)
      : launcher_(launcher), groups_(groups) {}

  Stmts run() {
    if (requiresSms()) ErrorChecks(first_, out_).countMultiprocessors();
    checkCommon();
    nameAssumptions();
    nameHopper();
    if (launcher_.tuning)
      tune();
    else if (launcher_.candidates.size() > 1)
      chooseAmong();
    else if (!first_.assumptions.ones.empty())
      launchInTurn();
    else
      out_.add(jump("return", choice(&first_, [&](const Expr &f) { return launched(f); })));
    return out_.end();
  }

 private:
  // Makes an expression of a launch function: itself, or its call.
  using Use = llvm::function_ref<Expr(const Expr &)>;

  Symbol local(const std::string &name) const { return localName(first_, name); }
  Expr launched(const Expr &function) const { return call(function, argumentsOf(first_)); }

  // launch_softmax<1024, 4, 4>
  Expr launchFunctionOf(const Kernel *kernel) const {
    const bool isNear = kernel->nameSpace.empty() || kernel->nameSpace == launcher_.nameSpace;
    for (const KernelGroup &group : groups_)
      for (size_t i = 0; i < group.instances.size(); ++i)
        if (group.instances[i].kernel == kernel)
          return group.valuesOf((isNear ? "" : "::" + kernel->nameSpace + "::") + launchName(group),
                                i);
    T2C_UNREACHABLE("a launcher's kernel has no text");
  }
  // decltype(&launch_softmax<1024, 4, 4>)
  Expr functionType() const { return call("decltype", {addressOf(launchFunctionOf(&first_))}); }

  // Requirements that all candidates have are checked once, and first.
  void checkCommon() {
    for (const Kernel *kernel : launcher_.candidates)
      needs_.push_back(requirementsOf(*kernel, parameters_));
    std::vector<Expr> common;
    for (const Expr &condition : needs_.front())
      if (llvm::all_of(needs_, [&](const std::vector<Expr> &each) {
            return llvm::is_contained(each, condition);
          }))
        common.push_back(condition);
    for (auto &each : needs_)
      llvm::erase_if(each, [&](const Expr &c) { return llvm::is_contained(common, c); });
    if (!common.empty()) out_.add(returnIf(unary("!", allOf(common)), invalidValue()));
  }

  // The conditions under which accesses may be whole vectors: by name, if those for the same
  // strides of 1 are the same for all candidates.
  void nameAssumptions() {
    std::vector<std::pair<std::set<unsigned>, std::vector<Expr>>> all;
    for (const Kernel *kernel : launcher_.candidates)
      for (; kernel; kernel = kernel->scalarVariant) {
        const Expr own = assumptionsOf(*kernel, parameters_);
        if (!own) continue;
        const std::set<unsigned> &ones = kernel->assumptions.ones;
        auto known = llvm::find_if(all, [&](const auto &each) { return each.first == ones; });
        if (known == all.end()) known = all.insert(all.end(), {ones, {}});
        addOnce(known->second, own);
      }
    const std::set<unsigned> *last = nullptr;
    for (const auto &[ones, conditions] : all) {
      if (conditions.size() != 1) continue;
      const Expr name = names_[ones] = named(local(nameOf(ones, last)));
      const char *const what =
          ones.empty()
              ? "Vector accesses where addresses and sizes allow them, else single elements."
          : last ? "The same with another stride of 1."
                 : "Vector accesses where these strides are 1, if addresses and sizes allow them.";
      out_.add({Comment{what}});
      out_.add(constant(word("bool"), name.symbol(), conditions.front()));
      last = &ones;
    }
  }
  // aligned, unit_strides, unit_stride_bk
  std::string nameOf(const std::set<unsigned> &ones, const std::set<unsigned> *last) const {
    if (ones.empty()) return "aligned";
    if (last)
      for (unsigned index : ones)
        if (!last->count(index)) return "unit_" + parameters_[index].identifier();
    return "unit_strides";
  }

  // The assumptions of a kernel, by their name if they have one.
  Expr assumptionsByName(const Kernel &kernel) const {
    const Expr assumptions = assumptionsOf(kernel, parameters_);
    const auto name = names_.find(kernel.assumptions.ones);
    return assumptions && name != names_.end() ? name->second : assumptions;
  }

  // The conditions on the arguments for a candidate's Hopper variant.
  Expr hopperConditions(const Kernel &kernel) const {
    return bothOf(assumptionsByName(kernel),
                  allOf(conditionsOf(*kernel.hopperVariant, parameters_, kernel.assumptions)));
  }

  // The condition under which Hopper variants run. It includes their conditions on the arguments,
  // if these are the same for all candidates.
  void nameHopper() {
    std::vector<Expr> conditions;
    bool isUsed = false;
    for (size_t i = 0; i < launcher_.candidates.size(); ++i) {
      for (const Kernel *kernel = launcher_.candidates[i]; kernel; kernel = kernel->scalarVariant)
        if (kernel->hopperVariant) {
          addOnce(conditions, hopperConditions(*kernel));
          isUsed = true;
        }
      if (!launcher_.tuning && needs_[i].empty()) break;  // those after it are never taken
    }
    if (!isUsed) return;
    hopper_ = named(local("hopper"));
    onHopper_ = conditions.size() == 1;
    const Expr asked = onHopper_ ? conditions.front() : Expr{};
    out_.add({Comment{std::string("wgmma on Hopper") +
                      (asked ? ", where addresses and sizes allow it." : ".")}});
    out_.add(
        constant(word("bool"), hopper_.symbol(), bothOf(call("tile2cu::on_hopper", {}), asked)));
  }

  // The launch function of a candidate: by itself, or
  // `hopper ? launch_x_hopper : aligned ? launch_x<4> : launch_x<1>`.
  Expr choice(const Kernel *kernel, Use use) const {
    Expr chosen = use(launchFunctionOf(kernel));
    const Expr assumptions = assumptionsByName(*kernel);
    if (assumptions && kernel->scalarVariant)
      chosen = conditional(assumptions, chosen, choice(kernel->scalarVariant, use));
    if (!kernel->hopperVariant) return chosen;
    return conditional(runsOnHopper(*kernel), use(launchFunctionOf(kernel->hopperVariant)), chosen);
  }
  Expr choice(const Kernel *kernel) const {
    return choice(kernel, [](const Expr &function) { return function; });
  }

  // The condition under which the Hopper variant of a kernel runs.
  Expr runsOnHopper(const Kernel &kernel) const {
    return onHopper_ ? hopper_ : bothOf(hopper_, hopperConditions(kernel));
  }

  // One candidate with more than two variants: each is called in a statement of its own.
  void launchInTurn() {
    for (const Kernel *kernel = &first_; kernel; kernel = kernel->scalarVariant) {
      const Expr call = launched(launchFunctionOf(kernel));
      if (const Kernel *onHopper = kernel->hopperVariant)
        out_.add(returnIf(runsOnHopper(*kernel), launched(launchFunctionOf(onHopper))));
      if (const Expr assumptions = assumptionsByName(*kernel); assumptions && kernel->scalarVariant)
        out_.add(returnIf(assumptions, call));
      else
        out_.add(jump("return", call));
    }
  }

  // Several candidates: the arguments are written once.
  void chooseAmong() {
    const Symbol launch = local("launch");
    out_.add({Comment{"The first configuration whose requirements hold."}});
    out_.add(variable(functionType(), launch, word("nullptr")));
    size_t last = 0;  // the first without requirements, or the number of candidates
    while (last < needs_.size() && !needs_[last].empty()) ++last;
    const auto taken = [&](size_t i) {
      return Stmt{Assign{named(launch), "=", choice(launcher_.candidates[i])}};
    };
    Stmts otherwise{last < needs_.size() ? taken(last) : jump("return", invalidValue())};
    for (size_t i = last; i-- > 0;) {
      If branch;
      branch.condition = allOf(needs_[i]);
      branch.isChain = true;
      branch.then.push_back(taken(i));
      branch.otherwise = std::move(otherwise);
      otherwise = {};
      otherwise.push_back({std::move(branch)});
    }
    out_.append(std::move(otherwise));
    out_.add(jump("return", launched(named(launch))));
  }

  // An element of a tuner's list of candidates: null where the requirements do not hold.
  Expr orNull(size_t i) const {
    const Expr chosen = choice(launcher_.candidates[i]);
    return needs_[i].empty() ? chosen : conditional(allOf(needs_[i]), chosen, word("nullptr"));
  }

  // The parameter of the launcher with this name; null if it names a constant.
  const Parameter *parameterOf(llvm::StringRef name) const {
    for (size_t i = 0; i < parameters_.size(); ++i)
      if (first_.parameters[i].name == name) return &parameters_[i];
    return nullptr;
  }

  Expr key() const {
    std::vector<Expr> key;
    for (const std::string &source : launcher_.tuning->key) {
      const Parameter *parameter = parameterOf(source);
      const Expr argument = argumentOf(*parameter);
      const bool narrows = parameter->type.scalar() == Scalar::U64;
      key.push_back(narrows ? call("int64_t", {argument}) : argument);
    }
    return list(key);
  }

  // The memory that is restored before each run: `tile2cu::preserve(pointer, size, size)`.
  Expr preserve(const Tuning::Memory &memory) const {
    std::vector<Expr> arguments{argumentOf(*parameterOf(memory.pointer))};
    for (const std::string &size : memory.sizes) {
      const Parameter *parameter = parameterOf(size);
      arguments.push_back(parameter ? argumentOf(*parameter) : digits(size));
    }
    return call("tile2cu::preserve", arguments);
  }

  // The fastest of the candidates, which the tuner finds.
  void tune() {
    const Symbol candidates = local("candidates"), run = local("run"), launch = local("launch");
    std::vector<Expr> all;
    for (size_t i = 0; i < launcher_.candidates.size(); ++i) all.push_back(orNull(i));
    if (llvm::any_of(needs_, [](const auto &needs) { return !needs.empty(); }))
      out_.add({Comment{"Null: these arguments do not fit the candidate."}});
    out_.add({Declare{functionType(), {{candidates, {Expr{}}, rows(all)}}, true}});
    out_.add(constant(word("auto"), run, lambda({launch}, launched(named(launch)), "auto*")));
    std::vector<Expr> arguments{named(candidates), key()};
    const bool isTimed = launcher_.tuning->timed;
    if (isTimed) arguments.push_back(named(local("stream")));
    arguments.push_back(named(run));
    std::vector<Expr> preserved;
    for (const Tuning::Memory &memory : launcher_.tuning->preserved)
      preserved.push_back(preserve(memory));
    if (isTimed && !preserved.empty()) arguments.push_back(list(preserved));
    out_.add({Comment{isTimed ? "Times the candidates when the key is new."
                              : "Not timed: a run changes what the next run would read."}});
    out_.add(jump("return",
                  method(tunerOf(launcher_), isTimed ? "launch" : "launch_untimed", arguments)));
  }

  // Whether a requirement asks how many multiprocessors there are.
  bool requiresSms() const {
    return llvm::any_of(launcher_.candidates, [](const Kernel *kernel) {
      return llvm::any_of(kernel->body.ops, [](const auto &op) {
        return op->kind == OpKind::Require && usesSms(op->operand(0));
      });
    });
  }

  const Launcher &launcher_;
  const std::vector<KernelGroup> &groups_;
  const Kernel &first_ = *launcher_.candidates.front();
  const std::vector<Parameter> parameters_ = launchParametersOf(first_);
  std::vector<std::vector<Expr>> needs_;      // of each candidate
  std::map<std::set<unsigned>, Expr> names_;  // of assumptions, by their strides of 1
  Expr hopper_;                               // the name of its condition: nameHopper
  bool onHopper_ = false;                     // `hopper_` is all that it takes
  Builder out_;
};

// The tuner of a launcher. Its results hold for these kernels and this list of candidates.
Stmts tunerVariable(const Launcher &launcher, const std::vector<KernelGroup> &groups,
                    const Stmts &body) {
  CodeHash hash;
  hash.add(launcher.nameSpace);
  hash.add(body);
  for (const KernelGroup &group : groups)
    if (llvm::any_of(group.instances, [&](const KernelInstance &instance) {
          return llvm::any_of(launcher.candidates, [&](const Kernel *candidate) {
            // Also what takes other strides, but not what takes unaligned pointers.
            while (!candidate->assumptions.ones.empty() && instance.kernel != candidate &&
                   instance.kernel != candidate->hopperVariant)
              candidate = candidate->scalarVariant;
            return instance.kernel == candidate || instance.kernel == candidate->hopperVariant;
          });
        }))
      hash.add(group.code);
  const Expr type = instance("tile2cu::tuner", {integer(launcher.candidates.size()),
                                                integer(launcher.tuning->key.size())});
  const Expr start = call(
      Expr{}, {word("\"" + launcher.name + "\""), digits(fmt::format("0x{:x}u", hash.value()))});
  Declare tuner{type, {{tunerOf(launcher).symbol(), {}, start}}};
  tuner.isStatic = tuner.all.front().isDirect = true;
  Stmts stmts;
  stmts.push_back(
      {Comment{"The fastest candidate for each key. The number is a hash of the kernels' code."}});
  stmts.push_back({std::move(tuner)});
  return stmts;
}

}  // namespace

LauncherCode launcherCode(const Launcher &launcher, const std::vector<KernelGroup> &groups,
                          const EmitOptions &options) {
  LauncherCode code{{}, launcherHead(launcher, options, true), {}};
  code.launcher.comment = launcher.comment;
  code.launcher.body = LauncherWriter(launcher, groups).run();
  const bool isShared = options.isIncluded(launcher.loc);
  if (isShared) {
    makeWeak(code.launcher);
    if (!code.launcher.comment.empty()) code.launcher.comment += "\n";
    code.launcher.comment += "Weak: of all files whose sources include " +
                             options.fileOf(launcher.loc) + ", the linker keeps one.";
  }
  if (!launcher.tuning) return code;
  code.tuner = tunerVariable(launcher, groups, code.launcher.body);
  Function pin = pinHead(launcher, options);
  pin.body.push_back(jump("return", method(tunerOf(launcher), "pin", {named("candidate")})));
  if (isShared) makeWeak(pin);
  code.others.push_back(std::move(pin));
  return code;
}

}  // namespace tile2cu::emit
