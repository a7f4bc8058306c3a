// Host side: the functions that launch one kernel each.
#include "emit/host/launchers.h"
#include "emit/host/tensor_maps.h"
#include "emit/spelling/cuda_scalar.h"
#include "emit/spelling/host_expr.h"
#include "emit/spelling/kernel_parameters.h"
#include "emit/spelling/parameter_names.h"
#include "llvm/ADT/StringExtras.h"
#include "passes/analysis/integer/grid_factors.h"
#include "passes/analysis/integer/integers.h"
#include "passes/analysis/value/cluster.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

bool usesSms(const Value *value) {
  if (!value || value->isArgument()) return false;
  if (value->definition->kind == OpKind::NumSms) return true;
  for (const Value *operand : value->definition->operands())
    if (usesSms(operand)) return true;
  return false;
}

Expr invalidValue() { return word("cudaErrorInvalidValue"); }
static Expr success() { return word("cudaSuccess"); }

Stmt returnIf(const Expr &condition, const Expr &result) {
  return shortIf(condition, jump("return", result));
}

void ErrorChecks::check(std::vector<Expr> calls) {
  const Expr error = named(localName(kernel_, "error"));
  for (const Expr &call : calls) {
    const bool isFirst = &call == &calls.front();
    if (!isDeclared_) {
      out_.add(variable(word("cudaError_t"), error.symbol(), call));
      isDeclared_ = true;
      continue;
    }
    Stmt set{Assign{error, "=", call}};
    out_.add(isFirst ? std::move(set)
                     : shortIf(binary(Prec::Equality, "==", error, success()), std::move(set)));
  }
  out_.add(returnIf(binary(Prec::Equality, "!=", error, success()), error));
}

void ErrorChecks::countMultiprocessors() {
  out_.add(variable(word("int"), "num_sms", integer(0)));
  check({call("tile2cu::multiprocessors", {named("num_sms")})});
}

std::string launchName(const KernelGroup &group) { return "launch_" + group.base; }

std::vector<FunctionParameter> launchParameters(const Kernel &kernel) {
  std::vector<FunctionParameter> all;
  llvm::StringRef last;  // the struct whose members were the last parameters
  const std::vector<Parameter> parameters = launchParametersOf(kernel);
  for (const Parameter &parameter : parameters) {
    const bool isMember = !parameter.record.empty();
    if (isMember && parameter.object() == last) continue;
    last = isMember ? parameter.object() : "";
    all.push_back({isMember ? word(parameter.record) : typeOf(parameter.type),
                   Symbol(parameter.object().str())});
  }
  if (!kernel.grid()) all.push_back({word("dim3"), "grid"});
  all.push_back({word("cudaStream_t"), localName(kernel, "stream")});
  return all;
}

std::vector<Expr> argumentsOf(const Kernel &kernel) {
  std::vector<Expr> all;
  for (const FunctionParameter &parameter : launchParameters(kernel))
    all.push_back(named(parameter.name));
  return all;
}

namespace {

Expr greater(const Expr &a, const Expr &b) { return binary(Prec::Relational, ">", a, b); }
Expr isNegative(const Expr &e) { return binary(Prec::Relational, "<", e, integer(0)); }
Expr isZeroAtRunTime(const Expr &e) { return binary(Prec::Equality, "==", e, integer(0)); }
Expr times(const Expr &a, const Expr &b) { return binary(Prec::Multiplicative, "*", a, b); }
Expr remainder(const Expr &a, int64_t b) {
  return binary(Prec::Multiplicative, "%", a, integer(b));
}

// Writes one launch function, piece by piece.
class LaunchWriter {
 public:
  LaunchWriter(const KernelGroup &group, const EmitOptions &options)
      : group_(group), options_(options) {}

  Function run() {
    Function function;
    function.numbers = group_.parameters();
    function.head = "static cudaError_t";
    function.name = launchName(group_);
    function.parameters = launchParameters(kernel_);
    Expr blocks = named("grid");
    if (usesNumSms()) errors_.countMultiprocessors();
    if (usesHelper_) {
      blocks = countBlocks(countPrograms());
    } else if (grid_) {
      const Expr total = countPrograms();
      allowSharedMemory();
      blocks = call("unsigned", {countBlocks(total)});
    } else {
      allowSharedMemory();
    }
    if (pairs_) findCluster();
    makeMaps();
    launchKernel(blocks);
    function.body = out_.end();
    // Only the launcher's type has the others: int /*head_dim*/
    const SymbolSet read = symbolsIn(function.body);
    for (FunctionParameter &parameter : function.parameters)
      if (!read.contains(parameter.name))
        parameter.name = Symbol("/*" + parameter.name.wanted().str() + "*/");
    return function;
  }

 private:
  Symbol local(const std::string &name) const { return localName(kernel_, name); }

  // Numbers that all instances have in common have no name here: their values stand for them.
  Expr withValues(const Expr &e) const {
    const GroupNumber *number = e.isName() ? group_.find(e.symbol()) : nullptr;
    if (number && !number->isParameter) return integer(number->values.front());
    if (!e || e.isName()) return e;
    Expr::Node node{e.kind(), e.prec(), e.spelling(), {}};
    for (const Expr &operand : e.operands()) node.operands.push_back(withValues(operand));
    return Expr(std::move(node));
  }
  Expr computed(const Value *value) const { return withValues(shortHostExpr(value, kernel_)); }

  // The argument for a parameter of the kernel: p.x for p_x.
  Expr passedAs(const Symbol &argument) const {
    for (size_t i = 0; i < inKernel_.size(); ++i)
      if (Symbol(inKernel_[i].name) == argument) return argumentOf(here_[i]);
    return named(argument);
  }

  // The instance of the kernel for clusters of so many blocks.
  Expr kernelOf(int blocks) const { return kernelWith({integer(blocks)}); }
  Expr kernelWith(llvm::ArrayRef<Expr> more) const {
    std::vector<Expr> arguments;
    for (const Symbol &number : group_.parameters()) arguments.push_back(named(number));
    llvm::append_range(arguments, more);
    return instanceOf(group_.name, arguments);
  }

  Expr sharedSize() const {
    if (!group_.smem) return integer(0);
    return kernel_.packed() ? times(group_.warps(), sizeOfSmem()) : sizeOfSmem();
  }
  // sizeof(SoftmaxSmem<BLOCK>), of one program
  Expr sizeOfSmem() const {
    return call("sizeof", {group_.smemType(pairs_ ? integer(1) : Expr{})});
  }

  // An extent of the grid. The conditions under which the launcher refuses it, if it is positive,
  // are appended to `refused`: one of its factors is negative (grid_factors.h).
  Expr extent(const Value *value, std::vector<Expr> &refused) const {
    std::vector<const Value *> factors = passes::factorsOf(value);
    if (!passes::productFits(factors) && factors.size() > 1) {
      std::vector<Expr> sizes;
      for (const Value *factor : factors) sizes.push_back(computed(factor));
      return call("tile2cu::grid_size", {list(sizes)});
    }
    factors.pop_back();  // positive if the product and the others are
    for (const Value *factor : factors) {
      const auto range = passes::rangeOf(factor, passes::Assume::Nothing);
      if (!range || range->low < 0) refused.push_back(isNegative(computed(factor)));
    }
    return computed(value);
  }

  // programs, or programs_x and so on; returns their product.
  Expr countPrograms() {
    const char *const kAxes[] = {"_x", "_y", "_z"};
    const Symbol programs = local("programs");
    std::vector<Expr> names, negative, zero, divisors;
    for (const Value *value : grid_->operands()) hostDivisors(value, here_, divisors);
    for (const Expr &divisor : divisors)
      out_.add(returnIf(isZeroAtRunTime(divisor), invalidValue()));
    // tile2cu::launch refuses negative numbers of blocks, which are rounded up if they are packed.
    if (usesHelper_ && grid_->numOperands() == 1 && !kernel_.packed()) {
      const Expr total = extent(grid_->operand(0), negative);
      if (negative.empty()) return total;
      out_.add(constant(word("int64_t"), programs, total));
      out_.add({Comment{"The product of two negative numbers is positive."}});
      out_.add(
          returnIf(binary(Prec::And, "&&", greater(named(programs), integer(0)), anyOf(negative)),
                   invalidValue()));
      return named(programs);
    }
    for (unsigned i = 0; i < grid_->numOperands(); ++i) {
      const Symbol name =
          grid_->numOperands() == 1 ? programs : local(programs.wanted().str() + kAxes[i]);
      negative.push_back(isNegative(named(name)));
      out_.add(constant(word("int64_t"), name, extent(grid_->operand(i), negative)));
      names.push_back(named(name));
      zero.push_back(isZeroAtRunTime(names.back()));
    }
    out_.add(returnIf(anyOf(zero), success()));
    out_.add(returnIf(anyOf(negative), invalidValue()));
    // Each product is checked before it is made.
    Expr total = names[0];
    for (size_t i = 1; i < names.size(); ++i) {
      const Expr most = binary(Prec::Multiplicative, "/", word("INT_MAX"), names[i]);
      out_.add(returnIf(greater(total, most), invalidValue()));
      total = times(total, names[i]);
    }
    return total;
  }

  bool usesNumSms() const {
    return llvm::is_contained(group_.arguments, Symbol("num_sms")) ||
           (grid_ && llvm::any_of(grid_->operands(), [](const Value *e) { return usesSms(e); }));
  }

  // Whether it has more than 48 KiB of shared memory, which have to be asked for.
  bool isLarge() const {
    return llvm::any_of(group_.instances, [&](const KernelInstance &instance) {
      const int64_t programs = kernel_.packed() ? instance.kernel->programsPerBlock : 1;
      return instance.sharedBytes * programs > 48 * 1024;
    });
  }

  void allowSharedMemory() {
    if (!isLarge()) return;
    const auto allow = [&](const Expr &kernel) {
      return call(instance("tile2cu::allow_shared_memory", {kernel}), {sharedSize()});
    };
    errors_.check(pairs_ ? std::vector{allow(kernelOf(1)), allow(kernelOf(2))}
                         : std::vector{allow(kernelWith({}))});
  }

  // The number of blocks.
  Expr countBlocks(const Expr &total) {
    const Symbol blocks = local("blocks");
    const Expr needed = kernel_.packed() ? call("tile2cu::cdiv", {total, group_.warps()}) : total;
    if (grid_->getBool(Attr::persistent)) {
      out_.add(
          {Comment{"Persistent: no more blocks than the device runs at a time, each takes several "
                   "programs."}});
      out_.add(variable(word("int64_t"), blocks, needed));
      errors_.check({call("tile2cu::limit_to_resident",
                          {named(blocks), kernelWith({}), group_.blockThreads(), sharedSize()})});
      return named(blocks);
    }
    if (usesHelper_) return needed;
    if (kernel_.packed()) out_.add(constant(word("int64_t"), blocks, needed));
    const Expr count = kernel_.packed() ? named(blocks) : needed;
    if (grid_->numOperands() == 1 && !passes::isAtMostIntMax(grid_->operand(0)))
      out_.add(returnIf(greater(count, word("INT_MAX")), invalidValue()));
    return count;
  }

  // CUtensorMap a_map; ...
  void makeMaps() {
    const auto maps = tensorMaps(kernel_);
    if (maps.empty()) return;
    Declare all{word("CUtensorMap"), {}};
    for (const Op *map : maps) all.all.push_back({Symbol(map->result()->name)});
    out_.add({std::move(all)});
    std::vector<Expr> described;
    for (const Op *map : maps) described.push_back(withValues(tensorMapCall(map, kernel_)));
    errors_.check(described);
  }

  // Whether the launch uses clusters of two (form_clusters.h): where that is possible and pays.
  void findCluster() {
    std::vector<Expr> even, holds, pays;
    std::vector<std::string> which;
    for (const Value *count : passes::evenCounts(kernel_))
      addOnce(even, withValues(hostExpr(count, kernel_)));
    for (const Expr &count : even) holds.push_back(isZeroAtRunTime(remainder(count, 2)));
    walk(*kernel_.producer, [&](const Op *op) {
      if (op->kind != OpKind::TmaLoad || !op->getBool(Attr::for_cluster)) return;
      const Op *map = op->operand(0)->definition;
      pays.push_back(withValues(crossesLines(map, kernel_)));
      which.push_back(hostExpr(map->operand(0), kernel_).str());
    });
    holds.push_back(anyOf(pays));
    out_.add({Comment{"Clusters of two share " + llvm::join(which, ", ") +
                      " by TMA multicast. It pays where rows are not 128-byte aligned."}});
    out_.add(
        constant(word("int"), local("cluster"), conditional(allOf(holds), integer(2), integer(1))));
  }

  // In the emulator's text: the size that the compiler chose and checked with is the struct's.
  void assertSharedSize() {
    const auto bytes = group_.sharedBytes();
    if (!options_.emulator || !group_.smem || !bytes) return;
    out_.add(staticAssertion(binary(Prec::Equality, "==", sizeOfSmem(), integer(*bytes))));
  }

  void launchKernel(const Expr &blocks) {
    const Expr threads = group_.blockThreads(), smem = sharedSize(),
               stream = named(local("stream")), cluster = named(local("cluster"));
    assertSharedSize();
    std::vector<Expr> passed;
    for (const Symbol &argument : group_.arguments) passed.push_back(passedAs(argument));
    const auto returnLaunch = [&](const Expr &function, std::vector<Expr> arguments) {
      llvm::append_range(arguments, passed);
      out_.add(jump("return", call(function, arguments)));
    };
    if (usesHelper_) {
      returnLaunch(instance("tile2cu::launch", {kernelWith({})}), {blocks, threads, smem, stream});
    } else if (pairs_) {
      const Expr both =
          conditional(binary(Prec::Equality, "==", cluster, integer(2)), kernelOf(2), kernelOf(1));
      returnLaunch(word("tile2cu::launch_cluster"), {cluster, both, blocks, threads, smem, stream});
    } else if (options_.emulator) {
      returnLaunch(word("emulate::launch"),
                   {kernelWith({}), call("dim3", {blocks}), call("dim3", {threads}), smem, stream});
    } else if (kernel_.producer) {
      returnLaunch(word("tile2cu::launch_pdl"), {kernelWith({}), blocks, threads, smem, stream});
    } else {
      out_.add(evaluate(call(launch(kernelWith({}), {blocks, threads, smem, stream}), passed)));
      out_.add(jump("return", call("cudaGetLastError", {})));
    }
  }

  const KernelGroup &group_;
  const EmitOptions &options_;
  const Kernel &kernel_ = group_.first();
  const std::vector<Parameter> inKernel_ = parametersOf(kernel_),
                               here_ = launchParametersOf(kernel_);
  const Op *grid_ = kernel_.grid();
  const bool pairs_ = passes::formsClusters(kernel_);
  // Whether tile2cu::launch, which asks for shared memory, launches it: it has a grid, and nothing
  // of Hopper's. The resident blocks of a persistent kernel can be counted only after it has asked:
  // before, CUDA says that there are none.
  const bool usesHelper_ = grid_ && !grid_->getBool(Attr::persistent) && isLarge() &&
                           !kernel_.producer && tensorMaps(kernel_).empty();
  Builder out_;
  ErrorChecks errors_{kernel_, out_};
};

}  // namespace

Function launchFunction(const KernelGroup &group, const EmitOptions &options) {
  return LaunchWriter(group, options).run();
}

}  // namespace tile2cu::emit
