#include "passes/lower_dots.h"

#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/padding.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

using Strides = llvm::SmallVector<int64_t, 4>;

struct State {
  Kernel &kernel;
  PassContext &context;

  // The operand in a buffer of its own; its strides.
  Strides stage(Builder &b, Value *operand, const char *fallback, int64_t &index) {
    const Type &type = operand->type;
    SharedBuffer buffer;
    buffer.name = operand->name.empty() ? fallback : operand->name;
    buffer.members = {type.scalar()};
    buffer.alignment = 16;
    buffer.shape.assign(type.shape().begin(), type.shape().end());
    buffer.shape.back() += std::max<int64_t>(1, 16 / byteWidth(type.scalar()));
    Strides strides(type.rank(), 1);
    for (size_t d = type.rank(); d-- > 1;) strides[d - 1] = strides[d] * buffer.shape[d];
    index = kernel.shared.size();
    context.diagnostics.decided(DiagId::TileMoves, kernel,
                                operand->definition ? operand->definition->loc : b.loc,
                                {"'" + buffer.name + "'", std::to_string(buffer.bytes()),
                                 "every thread of a matrix product reads rows or columns of it"});
    kernel.shared.push_back(std::move(buffer));
    Op *store = b.create(OpKind::SharedStore, {operand, validMask(b, type)}, {});
    store->setInt("buffer", index);
    store->setInt("offset", 0);
    store->set("strides", strides);
    return strides;
  }

  void lower(Op *dot) {
    Builder b = Builder::before(dot);
    int64_t a = 0, second = 0;
    Strides strides = stage(b, dot->operand(0), "a", a);
    Strides others = stage(b, dot->operand(1), "b", second);
    Op *shared =
        b.create(OpKind::DotShared, {dot->operand(2)}, {dot->result()->type}, dot->result()->name);
    shared->set("buffers", llvm::SmallVector<int64_t, 4>{a, second});
    shared->set("a_strides", strides);
    shared->set("b_strides", others);
    shared->setInt("depth", dot->operand(0)->type.shape().back());
    if (dot->has("mma")) {
      shared->setString("mma", dot->getString("mma"));
      shared->setInt("step", dot->getInt("step"));
    }
    dot->result()->replaceAllUsesWith(shared->result());
    dot->erase();
  }
};

}  // namespace

llvm::LogicalResult lower_dots(Module &module, PassContext &context) {
  for (Kernel &kernel : module.kernels) {
    State state{kernel, context};
    std::vector<Op *> dots;
    walk(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Dot) dots.push_back(op);
    });
    for (Op *op : dots) state.lower(op);
  }
  return llvm::success();
}

}  // namespace tile2cu::passes
