#include "emit/lower/register_tiles.h"

#include "emit/lower/context.h"
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
  unsigned next = 0;
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis) {
    bool isVector = vector && vector->axis == axis;
    if ((isVector && !withVector) || ctx.constants.isDropped(layout, axis)) {
      vars.push_back(integer(0));
      continue;
    }
    const Expr extent = ctx.constants.extent(layout, axis);
    const Symbol var = isVector ? ctx.names.take(ctx.info.loopNames.ofVector())
                                : ctx.info.loopNames.take(ctx.names, next++);
    For loop = unrolledLoop(var, extent);
    if (most && !isVector) loop.unroll += " " + std::to_string(*most);
    ctx.out.open({std::move(loop)});
    vars.push_back(named(var));
  }
}

void closeLoops(LoweringContext &ctx, const Layout &layout, bool withVector) {
  auto vector = ctx.constants.vectorAxisOf(layout);
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis)
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

Stmt declareArray(LoweringContext &ctx, const Expr &element, const Layout &layout,
                  const Symbol &name, bool asVectors, const Expr &init) {
  Expr type = element;
  Declarator array{name, {}, init};
  auto vector = ctx.constants.vectorAxisOf(layout);
  for (unsigned axis = 0; axis < layout.registerAxes().size(); ++axis) {
    const Expr extent = ctx.constants.extent(layout, axis);
    if (asVectors && vector && vector->axis == axis)
      type = instance("tile2cu::vec", {type, extent});
    else if (!ctx.constants.isDropped(layout, axis))
      array.extents.push_back(extent);
  }
  return {Declare{type, {array}}};
}

Stmt declare(LoweringContext &ctx, const Type &type, const Symbol &name, const Expr &init) {
  if (type.isTile()) return declareArray(ctx, typeOf(type), *type.layout(), name, true, init);
  return variable(typeOf(type), name, init);
}

Storage makeStorage(LoweringContext &ctx, const Type &type, const std::string &wanted,
                    const Hint &hint) {
  Storage storage;
  storage.name = ctx.names.take(wanted.empty() ? "value" : wanted, hint);
  storage.layout = type.layout();
  storage.isVector = type.isTile() && ctx.constants.vectorAxisOf(*type.layout()).has_value();
  return storage;
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
  if (wholeVector && storage.isVector && !indices.empty()) indices.pop_back();
  return storage.at(indices);
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

void describeLayout(LoweringContext &ctx, const Storage &storage) {
  if (!storage.layout) return;
  const auto isSame = [&](const auto &known) { return known.first->isSameSpace(*storage.layout); };
  if (llvm::any_of(ctx.layouts, isSame)) return;
  std::vector<CommentText> places;
  unsigned rank = storage.layout->rank();
  const char *const kDims[] = {"row", "column", "depth"};
  for (unsigned d = 0; d < rank; ++d)
    places.push_back(CommentText(rank == 1 ? "element"
                                 : d < 3   ? kDims[d]
                                           : "index") +
                     " = " + layoutText(ctx, *storage.layout, d));
  const CommentText start = CommentText() + storage.name + ": ";
  ctx.layouts.emplace_back(storage.layout, start + joined(places, ", "));
  ctx.out.commentList(CommentText("Tile ") + start, places, storage.name);
}

}  // namespace tile2cu::emit
