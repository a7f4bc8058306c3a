#include "emit/lower/register_tiles.h"

#include "emit/cuda/printer.h"
#include "emit/lower/context.h"
#include "emit/lower/mma_layout.h"
#include "emit/spelling/cuda_scalar.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

// ---- loops

LoopNames::LoopNames(const Kernel &kernel) {
  std::set<std::string> taken, tiles;
  for (const Parameter &parameter : kernel.parameters) taken.insert(parameter.name);
  walk(kernel.body, [&](const Op *op) {
    for (auto &result : op->results) (result->type.isTile() ? tiles : taken).insert(result->name);
    for (auto &region : op->regions)
      for (auto &argument : region->arguments)
        if (!argument->type.isTile()) taken.insert(argument->name);
  });
  if (taken.count("v") || tiles.count("v")) ofVector_ = "e";
  for (const char *name : {"i", "j", "k", "l", "m", "n"})
    if (!taken.count(name)) others_.push_back(name);
  if (others_.empty()) others_.push_back("i");
}

Symbol LoopNames::take(Names &names, unsigned depth) const {
  return names.take(at(depth), {.second = at(depth + 1)});
}

void openLoops(LoweringContext &ctx, const Layout &layout, bool withVector, Vars &vars,
               std::optional<int64_t> most) {
  auto vector = ctx.constants.vectorAxisOf(layout);
  if (hasLoops(ctx, layout, withVector))
    ctx.names.open();  // else there are no braces, and names stay taken
  const LoopNames &names = ctx.info.loopNames;
  const auto open = [&](const Symbol &var, const Expr &extent, bool isInVector) {
    For loop = unrolledLoop(var, extent);
    if (most && !isInVector) loop.unroll += " " + std::to_string(*most);
    ctx.out.open({std::move(loop)});
    return named(var);
  };
  const unsigned axes = layout.registerAxes().size();
  const unsigned fragment = withVector && hasFragments(layout) ? axes - 2 : axes;
  unsigned next = 0;
  for (unsigned axis = 0; axis < fragment; ++axis) {
    bool isVector = vector && vector->axis == axis;
    if ((isVector && !withVector) || ctx.constants.isDropped(layout, axis)) {
      vars.push_back(integer(0));
      continue;
    }
    const bool isHalf = mmaAxis(layout, axis) == MmaAxis::Half;
    const Symbol var = isVector ? ctx.names.take(names.ofVector())
                       : isHalf ? ctx.names.take(LoopNames::kOfHalves, {.second = "row_half"})
                                : names.take(ctx.names, next++);
    vars.push_back(open(var, ctx.constants.extent(layout, axis), isVector));
  }
  if (fragment == axes) return;
  const Symbol var = ctx.names.take(LoopNames::kOfFragment, {.second = "element"});
  const Expr element = open(var, integer(4), true);
  vars.push_back(halfOf(element));
  vars.push_back(columnOf(element));
}

void closeLoops(LoweringContext &ctx, const Layout &layout, bool withVector) {
  auto vector = ctx.constants.vectorAxisOf(layout);
  const unsigned axes = layout.registerAxes().size();
  const bool isFragment = withVector && hasFragments(layout);  // one loop for two axes
  for (unsigned axis = 0; axis < axes - isFragment; ++axis)
    if ((withVector || !(vector && vector->axis == axis)) && !ctx.constants.isDropped(layout, axis))
      ctx.out.close();
  if (hasLoops(ctx, layout, withVector)) ctx.names.close();
}

bool hasLoops(LoweringContext &ctx, const Layout &layout, bool withVector) {
  auto vector = ctx.constants.vectorAxisOf(layout);
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis)
    if ((withVector || !(vector && vector->axis == axis)) && !ctx.constants.isDropped(layout, axis))
      return true;
  return false;
}

bool isOneVariable(LoweringContext &ctx, const Layout &layout) {
  return !ctx.constants.vectorAxisOf(layout) && !hasLoops(ctx, layout, true);
}

// ---- arrays

Stmt declareArray(LoweringContext &ctx, const Expr &element, const Storage &storage,
                  const Expr &init) {
  Expr type = element;
  Declarator array{storage.name, {}, init};
  const Layout &layout = *storage.layout;
  auto vector = ctx.constants.vectorAxisOf(layout);
  const unsigned axes = layout.registerAxes().size();
  for (unsigned axis = 0; axis < axes - (storage.isFragment ? 2 : 0); ++axis) {
    const Expr extent = ctx.constants.extent(layout, axis);
    if (storage.isVector && vector && vector->axis == axis)
      type = instance("tile2cu::vec", {type, extent});
    else if (!ctx.constants.isDropped(layout, axis))
      array.extents.push_back(extent);
  }
  if (storage.isFragment) array.extents.push_back(integer(4));
  return {Declare{type, {array}}};
}

Storage storageNamed(LoweringContext &ctx, const Type &type, const Symbol &name) {
  Storage storage;
  storage.name = name;
  storage.layout = type.layout();
  storage.isFragment = hasWholeFragments(type);
  storage.isVector = type.isTile() && !storage.isFragment &&
                     ctx.constants.vectorAxisOf(*type.layout()).has_value();
  return storage;
}

Stmt declare(LoweringContext &ctx, const Type &type, const Symbol &name, const Expr &init) {
  if (type.isTile()) return declareArray(ctx, typeOf(type), storageNamed(ctx, type, name), init);
  return variable(typeOf(type), name, init);
}

Storage makeStorage(LoweringContext &ctx, const Type &type, const std::string &wanted,
                    const Hint &hint) {
  return storageNamed(ctx, type, ctx.names.take(wanted.empty() ? "value" : wanted, hint));
}

Expr storageRef(LoweringContext &ctx, const Storage &storage, llvm::ArrayRef<Expr> vars,
                bool wholeVector) {
  llvm::SmallVector<Expr, 4> indices;
  if (storage.oneVector) {
    indices.push_back(vars.back());
  } else if (storage.layout) {
    for (unsigned axis = 0; axis < storage.layout->registerAxes().size(); ++axis) {
      if (ctx.constants.isDropped(*storage.layout, axis)) continue;
      int of = storage.axes ? (*storage.axes)[axis] : int(axis);
      indices.push_back(of < 0 ? integer(0) : vars[of]);
    }
  }
  if (storage.isFragment) {
    const Expr column = indices.pop_back_val();
    indices.back() = elementAt(indices.back(), column);
  }
  if (wholeVector && storage.isVector && !indices.empty()) indices.pop_back();
  return storage.at(indices);
}

Expr pairOf(LoweringContext &ctx, const Storage &storage, llvm::ArrayRef<Expr> vars,
            const Expr &type) {
  Vars first(vars.begin(), vars.end()), second = first;
  first.back() = integer(0);
  second.back() = integer(1);
  return braces(type, {storageRef(ctx, storage, first), storageRef(ctx, storage, second)});
}

void copyStorage(LoweringContext &ctx, const Storage &to, const Storage &from) {
  if (!to.layout || isOneVariable(ctx, *to.layout)) {
    const Vars zeros(8, integer(0));
    ctx.out.set(named(to.name), from.layout ? storageRef(ctx, from, zeros) : from.at());
    return;
  }
  Vars vars;
  bool whole = to.isVector && from.isVector && from.member.empty() && !to.axes && !from.axes;
  openLoops(ctx, *to.layout, !whole, vars);
  ctx.out.set(storageRef(ctx, to, vars, whole), storageRef(ctx, from, vars, whole));
  closeLoops(ctx, *to.layout, !whole);
}

static bool isOneElement(const Layout &layout) {
  return llvm::all_of(layout.dims(), [](const LayoutDim &dim) { return dim.size == 1; });
}

void describeLayout(LoweringContext &ctx, const Storage &storage) {
  if (!storage.layout || isOneElement(*storage.layout)) return;
  const auto isSame = [&](const LayoutRef &known) { return known->isSameSpace(*storage.layout); };
  if (llvm::any_of(ctx.layouts, isSame)) return;
  ctx.layouts.push_back(storage.layout);
  const unsigned rank = storage.layout->rank();
  const Vars vars = elementIndices(ctx, storage);
  const char *const kDims[] = {"row", "column", "depth"};
  std::vector<CommentText> places;
  for (unsigned d = 0; d < rank; ++d)
    places.push_back(CommentText(rank == 1 ? "element"
                                 : d < 3   ? kDims[d]
                                           : "index") +
                     " " + coordinateText(ctx, *storage.layout, d, vars));
  places.back() = places.back() + " of the tile";
  CommentText start;
  print(storageRef(ctx, storage, vars), start);
  ctx.out.commentList(start + ": ", places, storage.name);
}

}  // namespace tile2cu::emit
