#include "transpiler/page/tiles.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "passes/analysis/integer/symbolic.h"
#include "passes/ir/walk.h"

namespace tile2cu::page {
using namespace ir;
namespace {

// A digit of an access's address: {factor, names} of the terms with the coordinate of `dim`.
// Nothing if they are not one product.
std::optional<Stride> strideAlong(const passes::Polynomial &address, unsigned dim) {
  Stride stride;
  for (const auto &[monomial, factor] : address.terms()) {
    const auto isDim = [&](const passes::Atom &atom) { return !atom.value && atom.dim == dim; };
    const auto count = llvm::count_if(monomial, isDim);
    if (count == 0) continue;
    const bool hasOther = llvm::any_of(
        monomial, [&](const passes::Atom &atom) { return !atom.value && !isDim(atom); });
    if (count > 1 || hasOther || stride.factor != 0) return std::nullopt;
    stride.factor = factor;
    for (const passes::Atom &atom : monomial)
      if (atom.value) stride.names.push_back(atom.value->name.empty() ? "?" : atom.value->name);
  }
  return stride;
}

class Collector {
 public:
  explicit Collector(const Kernel &kernel) { result_.kernel = &kernel; }

  PlacedKernel collect() {
    addBlock(result_.kernel->body);
    if (result_.kernel->producer) addBlock(*result_.kernel->producer);
    return std::move(result_);
  }

 private:
  void addBlock(const Block &block) {
    ir::walk(block, [&](const Op *op) {
      for (const auto &region : op->regions)
        for (const auto &argument : region->arguments) addTile(*argument, op);
      for (const auto &value : op->results) addTile(*value, op);
      if (op->is(GlobalAccess) || op->kind == OpKind::AsyncCopy) addAccess(op);
    });
  }

  // The user's tiles and those that passes gave a name. Others are parts of an expression.
  void addTile(const Value &value, const Op *op) {
    const Type &type = value.type;
    if (!type.isTile() || type.isPointer() || !type.layout()) return;
    if (value.name.empty() || op->loc.line == 0) return;
    if (!seenTiles_.insert({value.name, op->loc.line, type.layout()->str()}).second) return;
    result_.tiles.push_back(
        {value.name, name(type.scalar()).str(), byteWidth(type.scalar()), op->loc, type.layout()});
  }

  void addAccess(const Op *op) {
    Value *pointers = op->operand(0);
    if (!pointers->type.isTile() || !pointers->type.layout()) return;
    if (!seenAccesses_.insert({op->kind, op->loc.line, op->loc.column}).second) return;
    Access access{op->mnemonic().str(),
                  nameOf(op),
                  byteWidth(pointers->type.pointee().scalar),
                  std::max<int64_t>(1, op->getInt(Attr::vector)),
                  op->loc,
                  pointers->type.layout(),
                  std::nullopt};
    if (const auto address = symbols_.of(pointers)) {
      std::vector<Stride> strides;
      for (unsigned d = 0; d < pointers->type.rank(); ++d)
        if (const auto stride = strideAlong(*address, d)) strides.push_back(*stride);
      if (strides.size() == pointers->type.rank()) access.strides = std::move(strides);
    }
    result_.accesses.push_back(std::move(access));
  }

  static std::string nameOf(const Op *op) {
    if (op->kind == OpKind::Store && op->operand(1)) return op->operand(1)->name;
    return op->numResults() ? op->result()->name : "";
  }

  PlacedKernel result_;
  passes::Symbols symbols_;
  std::set<std::tuple<std::string, unsigned, std::string>> seenTiles_;
  std::set<std::tuple<OpKind, unsigned, unsigned>> seenAccesses_;
};

}  // namespace

std::vector<PlacedKernel> placedKernels(const Module &module) {
  std::vector<PlacedKernel> all;
  for (const Kernel &kernel : module.kernels) all.push_back(Collector(kernel).collect());
  return all;
}

std::optional<BlockedSpec> ruleOf(const Layout &layout) {
  constexpr unsigned kMostDims = 4;  // so that there are at most 24 orders
  const unsigned rank = layout.rank();
  if (rank == 0 || rank > kMostDims) return std::nullopt;
  BlockedSpec spec;
  for (const LayoutDim &dim : layout.dims()) spec.shape.push_back(dim.size);
  spec.numWarps = layout.numWarps();
  // From the last dimension on, as most layouts are.
  llvm::SmallVector<unsigned, 4> back(rank);
  std::iota(back.begin(), back.end(), 0);
  do {
    spec.order.assign(rank, 0);
    for (unsigned i = 0; i < rank; ++i) spec.order[i] = rank - 1 - back[i];
    const auto &digits = layout.dim(spec.order[0]).digits;
    for (const bool scalar : {false, true}) {
      spec.scalar = scalar;
      if (!scalar && (digits.empty() || digits[0].unit != Unit::Register)) continue;
      spec.vector = scalar ? 1 : digits[0].extent;
      if (!scalar && paddedSize(spec.shape[spec.order[0]], spec.vector) % spec.vector != 0)
        continue;
      for (spec.scanAxis = -1; spec.scanAxis < int(rank); ++spec.scanAxis)
        for (spec.exactAxis = -1; spec.exactAxis < int(rank); ++spec.exactAxis)
          if (*blockedLayout(spec) == layout) return spec;
    }
  } while (std::next_permutation(back.begin(), back.end()));
  return std::nullopt;
}

}  // namespace tile2cu::page
