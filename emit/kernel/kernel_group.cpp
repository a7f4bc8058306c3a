#include "emit/kernel/kernel_group.h"

namespace tile2cu::emit {

Expr threadsOf(const Expr &warps) { return binary(Prec::Multiplicative, "*", integer(32), warps); }

const GroupNumber *KernelGroup::find(const Symbol &number) const {
  for (const GroupNumber &candidate : numbers)
    if (candidate.name == number) return &candidate;
  return nullptr;
}

bool KernelGroup::isTemplate() const {
  return std::any_of(numbers.begin(), numbers.end(),
                     [](const GroupNumber &number) { return number.isParameter; });
}

std::vector<Symbol> KernelGroup::parameters() const {
  std::vector<Symbol> names;
  for (const GroupNumber &number : numbers)
    if (number.isParameter) names.push_back(number.name);
  return names;
}

Expr KernelGroup::valuesOf(const std::string &function, size_t instance) const {
  std::vector<Expr> values;
  for (const GroupNumber &number : numbers)
    if (number.isParameter) values.push_back(integer(number.values[instance]));
  return instanceOf(function, values);
}

const GroupNumber &KernelGroup::numberOfWarps() const {
  return *find(first().packed() ? Symbol("PROGRAMS_PER_BLOCK") : Symbol("NUM_WARPS"));
}
Expr KernelGroup::warps() const {
  const GroupNumber &number = numberOfWarps();
  return number.isParameter ? named(number.name) : integer(number.values.front());
}
Expr KernelGroup::threads() const {
  const GroupNumber &number = numberOfWarps();
  return number.isParameter ? threadsOf(named(number.name)) : integer(32 * number.values.front());
}
Expr KernelGroup::blockThreads() const {
  return first().producer ? binary(Prec::Additive, "+", threads(), integer(128)) : threads();
}

std::optional<int64_t> KernelGroup::sharedBytes() const {
  const int64_t bytes = instances.front().sharedBytes;
  const bool isSame = llvm::all_of(
      instances, [&](const KernelInstance &each) { return each.sharedBytes == bytes; });
  return isSame ? std::optional(bytes) : std::nullopt;
}

bool KernelGroup::boundsResidentThreads() const {
  return !first().options.minBlocks && !first().producer && first().options.residentThreads != 0;
}

std::vector<Expr> KernelGroup::structArguments(const Expr &cluster) const {
  std::vector<Expr> all;
  for (const Symbol &number : parameters()) all.push_back(named(number));
  if (cluster) all.push_back(cluster);
  return all;
}

Expr KernelGroup::structType(const Expr &cluster) const {
  return instanceOf(structName, structArguments(cluster));
}

// Its parameters are those of the group's that its members use.
Expr KernelGroup::smemType(const Expr &cluster) const {
  if (hasStruct) {
    const std::vector<Expr> of = structArguments(cluster);
    const bool isDependent =
        std::any_of(of.begin(), of.end(), [](const Expr &e) { return e.isName(); });
    return scoped(instanceOf((isDependent ? "typename " : "") + structName, of), "Smem");
  }
  std::vector<Expr> list;
  const SymbolSet names = symbolsIn(text().sharedMembers);
  for (const GroupNumber &number : numbers)
    if (number.isParameter && names.contains(number.name)) list.push_back(named(number.name));
  return instanceOf(smem.wanted(), list);
}

Expr instanceOf(llvm::StringRef name, llvm::ArrayRef<Expr> arguments) {
  return arguments.empty() ? word(name) : instance(name, arguments);
}

}  // namespace tile2cu::emit
