#include "passes/simplify/inline_maps.h"

#include "passes/ir/builder.h"

namespace tile2cu::passes {
using namespace ir;

namespace {

struct State {
  Op *map;
  Type tile = (map->numOperands() > 0 ? map->operand(0) : map->result())->type;
  Builder builder = Builder::before(map);
  std::map<Value *, Value *> tiles = {};  // scalar of the function -> tile

  bool canInline() const {
    for (auto &op : map->region()->ops) {
      if (op->kind == OpKind::Constant || op->kind == OpKind::Yield || op->is(Uniform)) continue;
      if (!op->is(Elementwise) || op->numResults() != 1) return false;
      // Its seed is the same for all elements.
      if (op->kind == OpKind::RandomBits && !definedOutside(op->operand(0), *map->region()))
        return false;
    }
    return map->numResults() > 0;
  }

  Value *splat(Value *scalar) { return builder.splat(scalar, tile.shape(), tile.layout()); }

  Value *tileOf(Value *value) {
    Value *&known = tiles[value];
    if (!known) known = splat(value);
    return known;
  }

  void inlineOp(Op *op) {
    builder.loc = op->loc;
    if (!op->is(Elementwise)) {
      std::map<Value *, Value *> scalars;
      tiles[op->result()] = splat(clone(op, builder, scalars)->result());
      return;
    }
    llvm::SmallVector<Value *, 3> operands;
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      Value *value = op->operand(i);
      bool isSeed = op->kind == OpKind::RandomBits && i == 0;
      operands.push_back(isSeed ? value : tileOf(value));
    }
    Type type(op->result()->type.element(), tile.shape(), tile.layout());
    Op *made = builder.create(op->kind, operands, {type}, op->result()->name);
    made->attributes = op->attributes;
    tiles[op->result()] = made->result();
  }

  void run() {
    Block &region = *map->region();
    for (unsigned i = 0; i < map->numOperands(); ++i) tiles[region.argument(i)] = map->operand(i);
    for (auto &op : region.ops)
      if (op->kind != OpKind::Yield) inlineOp(op.get());
    Op *end = region.back();
    builder.loc = map->loc;
    for (unsigned i = 0; i < map->numResults(); ++i) {
      bool isComputed =
          end->operand(i)->definition && end->operand(i)->definition->parent == &region;
      Value *value = tileOf(end->operand(i));
      // The caller's name for the result says more than the function's; the first result gets it.
      bool isFirst = std::find(end->operands().begin(), end->operands().begin() + i,
                               end->operand(i)) == end->operands().begin() + i;
      if (isComputed && isFirst && !map->result(i)->name.empty())
        value->name = map->result(i)->name;
      map->result(i)->replaceAllUsesWith(value);
    }
    map->erase();
  }
};

}  // namespace

llvm::LogicalResult inline_maps(Module &module, PassContext &) {
  for (Kernel &kernel : module.kernels) {
    std::vector<Op *> maps;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Map) maps.push_back(op);
    });
    for (Op *op : maps)
      if (State state{op}; state.canInline()) state.run();
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
