#include "passes/specialize.h"

#include "passes/access.h"
#include "passes/ir/layout.h"
#include "passes/ir/words.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// How well the accesses of a kernel do under some facts: total vector width, and how many masks are one per vector.
struct Score {
  int64_t width = 0, uniform = 0;
  bool operator==(const Score &) const = default;
};

struct State {
  Kernel &kernel;
  std::vector<Op *> accesses, randoms;

  explicit State(Kernel &k) : kernel(k) {
    walk(kernel.body, [&](Op *op) {
      if (isTileAccess(op) && op->kind != OpKind::AtomicAdd) accesses.push_back(op);
      if (op->kind == OpKind::RandomBits && op->result()->type.isTile()) randoms.push_back(op);
    });
  }

  Score score(const Facts &facts) {
    AxisAnalysis analysis(kernel, facts);
    Score score;
    int64_t widest = 1;
    for (Op *op : accesses) {
      Access access = accessAlong(op, fastestDim(op, analysis), analysis);
      widest = std::max(widest, access.vector);
      score.width += access.vector;
      score.uniform += access.form == MaskForm::Uniform && access.vector > 1;
    }
    if (widest >= 4)  // neighbouring elements can share a Philox call
      for (Op *op : randoms) {
        const AxisInfo &info = analysis.of(op->operand(1));
        unsigned last = info.contiguity.size() - 1;
        if (info.contiguity[last] % 4 == 0 && info.divisibility[last] % 4 == 0) score.width += 4;
      }
    return score;
  }

  // `sibling`: what another candidate of the same function needed. It is taken over if it does all here too, so that one test
  // in the launcher serves them all.
  Facts neededFacts(const Facts *sibling) {
    Facts facts = everyFact(kernel);
    const Score best = score(facts);
    if (best.width == score(Facts{}).width) return {};
    if (sibling && score(*sibling) == best) return *sibling;
    bool stride = false;  // whether an integer is needed for addresses
    std::vector<unsigned> onlyMasks;
    for (unsigned i = 0; i < kernel.parameters.size(); ++i) {
      auto it = facts.divisibility.find(i);
      if (it == facts.divisibility.end()) continue;
      Facts fewer = facts;
      fewer.divisibility.erase(i);
      Score without = score(fewer);
      if (without.width < best.width) {
        stride |= !kernel.parameters[i].type.isPointer();
        continue;
      }
      if (without.uniform < best.uniform) {
        onlyMasks.push_back(i);
        continue;
      }
      facts = fewer;
    }
    if (!stride)
      for (unsigned i : onlyMasks) facts.divisibility.erase(i);
    // The smallest divisors that give as much.
    const Score kept = score(facts);
    for (auto &[index, divisor] : facts.divisibility) {
      for (int64_t smaller : {2, 4, 8}) {
        Facts weaker = facts;
        weaker.divisibility[index] = smaller;
        Score reached = score(weaker);
        if (reached.width < kept.width || reached.uniform < kept.uniform) continue;
        divisor = smaller;
        break;
      }
    }
    return facts;
  }

  // "'in' and 'out' are multiples of 16 bytes and 'stride' of 4"
  std::string factsInWords() const {
    std::map<std::pair<bool, int64_t>, std::vector<std::string>> byDivisor;
    for (auto [index, divisor] : kernel.facts.divisibility) {
      const Parameter &parameter = kernel.parameters[index];
      byDivisor[{!parameter.type.isPointer(), divisor}].push_back("'" + parameter.name + "'");
    }
    std::string text;
    for (const auto &[key, names] : byDivisor) {
      if (!text.empty()) text += ", and ";
      text += inWords(names) + (names.size() == 1 ? " is a multiple of " : " are multiples of ") +
              std::to_string(key.second) + (key.first ? "" : " bytes");
    }
    return text;
  }

  void markPrefixes() {
    AxisAnalysis analysis(kernel, kernel.facts);
    for (Op *op : accesses)
      if (accessAlong(op, fastestDim(op, analysis), analysis).form == MaskForm::Prefix)
        op->setBool("prefix_in_vector_variant", true);
  }
};

}  // namespace

Kernel &cloneKernel(Module &module, Kernel &kernel) {
  Kernel &copy = module.addKernel();
  copy.name = kernel.name;
  copy.nameSpace = kernel.nameSpace;
  copy.loc = kernel.loc;
  copy.comment = kernel.comment;
  copy.templateArguments = kernel.templateArguments;
  copy.parameters = kernel.parameters;
  copy.options = kernel.options;
  copy.explicitGrid = kernel.explicitGrid;
  copy.statements = kernel.statements;
  std::map<Value *, Value *> map;
  for (auto &argument : kernel.body.arguments)
    map[argument.get()] = copy.body.addArgument(argument->type, argument->name);
  Builder b(copy.body);
  for (auto &op : kernel.body.ops) clone(op.get(), b, map);
  return copy;
}

// Products are what has a form of its own on Hopper, and what bulk copies there bring their operands.
static bool hasProduct(Kernel &kernel) {
  bool found = false;
  walk(kernel.body, [&](Op *op) { found |= op->kind == OpKind::Dot; });
  return found;
}

static void addHopperVariant(Module &module, Kernel &kernel, PassContext &context) {
  Kernel &variant = cloneKernel(module, kernel);
  variant.forHopper = true;
  variant.facts = kernel.facts;
  kernel.hopperVariant = &variant;
  if (!variant.facts.empty())
    context.diagnostics.decided(DiagId::LauncherFacts, variant, variant.loc,
                                {State(variant).factsInWords()});
}

llvm::LogicalResult specialize(Module &module, PassContext &context) {
  std::vector<Kernel *> kernels;
  for (Kernel &kernel : module.kernels) kernels.push_back(&kernel);
  std::map<std::pair<unsigned, unsigned>, const Facts *> siblings;  // by where the function stands
  for (Kernel *each : kernels) {
    Kernel &kernel = *each;
    State state(kernel);
    const Facts *&sibling = siblings[{kernel.loc.file, kernel.loc.line}];
    kernel.facts = state.neededFacts(sibling);
    if (kernel.facts.empty()) continue;
    sibling = &kernel.facts;
    state.markPrefixes();
    context.diagnostics.decided(DiagId::LauncherFacts, kernel, kernel.loc, {state.factsInWords()});
    kernel.scalarVariant = &cloneKernel(module, kernel);
  }
  if (context.mixesHopper())
    for (Kernel *kernel : kernels)
      if (hasProduct(*kernel)) addHopperVariant(module, *kernel, context);
  return llvm::success();
}

}  // namespace tile2cu::passes
