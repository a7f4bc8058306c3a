#include "passes/reduce/lower_reductions.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/rewrite/padding.h"

namespace tile2cu::passes {
using namespace ir;
namespace {

// Whether a combine function may go wrong, or never return, for some elements.
bool isPartial(const Op *op) {
  bool found = false;
  if (op->regions.empty()) return false;
  walk(*op->region(), [&](const Op *part) {
    const auto divisor = dividesIntegers(*part) ? constantOf(part->operand(1)) : std::nullopt;
    found |= part->is(Reads) || part->kind == OpKind::While || part->kind == OpKind::For ||
             part->kind == OpKind::DeviceAssert ||
             (dividesIntegers(*part) && !(divisor && divisor->integer != 0));
  });
  return found;
}

struct State {
  Kernel &kernel;
  PassContext &context;
  bool failed = false;

  void refusePadding(DiagId message, const Op *op, int64_t size, int64_t padded) {
    context.diagnostics.report(message, op->loc, {std::to_string(size), std::to_string(padded)});
    failed = true;
  }

  // Padding becomes the identity, so that no later pass has to handle it.
  void fillPadding(Op *op) {
    unsigned axis = op->getInt(Attr::axis);
    const Type type = op->operand(0)->type;
    for (unsigned d = 0; d < type.rank(); ++d)
      if (type.layout()->dim(d).isPadded() && isPartial(op))
        return refusePadding(DiagId::CombineUnsafe, op, type.shape()[d],
                             type.layout()->dim(d).padded());
    if (!type.layout()->dim(axis).isPadded()) return;
    if (op->kind == OpKind::Scan && !op->getBool(Attr::reverse)) return;  // padding comes last
    if (!op->has(Attr::kind))
      return refusePadding(DiagId::CombinePadded, op, type.shape()[axis],
                           paddedSize(type.shape()[axis], 1));
    Builder b = Builder::before(op);
    Value *valid = validMask(b, type, axis);
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      Value *operand = op->operand(i);
      Value *identity = identityOf(b, *op->get(Attr::kind), operand->type.scalar(), i);
      Value *fill = b.splat(identity, type.shape(), type.layout());
      op->setOperand(i, b.select(valid, operand, fill, operand->name));
    }
  }

  // Adds shared memory in which the results of the warps along `axis` are reduced: [warps][rest of
  // the tile], if there is more than one warp.
  void addBuffer(Op *op, const Type &type, const std::string &name) {
    unsigned axis = op->getInt(Attr::axis);
    int64_t warps = type.layout()->extentAlong(axis, Unit::Warp);
    if (warps == 1) return;
    SharedBuffer buffer;
    buffer.name = name.empty() ? "partial" : name;
    for (Value *operand : op->operands()) buffer.members.push_back(operand->type.scalar());
    buffer.shape.push_back(warps);
    Dim rest = 1;
    for (unsigned d = 0; d < type.rank(); ++d)
      if (d != axis) rest *= type.layout()->dim(d).padded();
    if (rest > 1) buffer.shape.push_back(rest);
    op->setInt(Attr::buffer, kernel.shared.size());
    kernel.shared.push_back(std::move(buffer));
  }

  // row_max = max(x) keeps its name; max(x) inside an expression becomes x_max.
  static void nameResult(Op *op) {
    if (!op->result()->name.empty() || !op->has(Attr::kind)) return;
    std::string of = op->operand(0)->name, kind = wordOf(*op->get(Attr::kind)).str();
    op->result()->name = of.empty() ? "tile_" + kind : of + "_" + kind;
    op->setBool(Attr::role_named, true);
  }

  // Records for -Rtile which threads reduce which elements.
  void explain(Op *op) {
    const Layout &layout = *op->operand(0)->type.layout();
    const unsigned axis = op->getInt(Attr::axis);
    const int64_t own = layout.extentAlong(axis, Unit::Register),
                  lanes = layout.extentAlong(axis, Unit::Lane),
                  warps = layout.extentAlong(axis, Unit::Warp);
    std::string steps;
    auto step = [&](const std::string &text) { steps += (steps.empty() ? "" : ", then ") + text; };
    if (own > 1) step(fmt::format("each thread combines {}", own));
    if (lanes > 1)
      step(fmt::format("{} lanes are reduced by {} shuffles", lanes, llvm::Log2_64_Ceil(lanes)));
    if (warps > 1) {
      const SharedBuffer &buffer = kernel.shared[op->getInt(Attr::buffer)];
      step(fmt::format("{} warps are reduced through {} bytes of shared memory and a barrier",
                       warps, buffer.bytes()));
    }
    if (steps.empty()) steps = "each thread has all of it";
    const auto kind = op->get(Attr::kind);
    const llvm::StringRef what = op->kind == OpKind::Scan ? "scan"
                                 : kind                   ? wordOf(*kind)
                                                          : "reduction";
    context.diagnostics.decided(DiagId::ReductionSteps, kernel, op->loc, {what.str(), steps});
  }

  // One element along the axis, and no identity to combine it with: the thread has the result.
  void takeOnly(Op *op) {
    explain(op);
    Builder b = Builder::before(op);
    Op *across =
        b.create(OpKind::ReduceAcross, op->operands(), {op->result()->type}, op->result()->name);
    across->attributes = op->attributes;
    across->regions = std::move(op->regions);
    for (const auto &region : across->regions) region->parent = across;
    for (Value *of = op->operand(0); of && of->name.empty();) {
      of->name = op->result()->name;
      const Op *view = of->definition;
      of = view && view->is(View) ? view->operand(0) : nullptr;
    }
    op->result()->replaceAllUsesWith(across->result());
    op->erase();
  }

  void lowerReduce(Op *op) {
    nameResult(op);
    fillPadding(op);
    unsigned axis = op->getInt(Attr::axis);
    const Layout &layout = *op->operand(0)->type.layout();
    if (!op->has(Attr::kind) && op->numOperands() == 1 && layout.dim(axis).padded() == 1)
      return takeOnly(op);

    // The layout of a thread's partial results: the axis without its registers.
    llvm::SmallVector<LayoutDim, 4> dims(layout.dims().begin(), layout.dims().end());
    LayoutDim line;
    for (const Digit &digit : layout.dim(axis).digits)
      if (digit.unit != Unit::Register) line.digits.push_back(digit);
    line.size = line.padded();
    dims[axis] = line;
    // Renumbers the layout without the reduced register axes: the layout without this dimension,
    // with the dimension inserted again.
    LayoutRef rest = layout.withoutDim(axis)->withUnitDim(axis);
    llvm::SmallVector<LayoutDim, 4> restDims(rest->dims().begin(), rest->dims().end());
    restDims[axis] = line;
    auto partialLayout =
        std::make_shared<Layout>(layout.numWarps(), rest->registerAxes(), restDims);

    Builder b = Builder::before(op);
    llvm::SmallVector<Type, 2> partialTypes, resultTypes;
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      Shape shape = op->operand(i)->type.shape();
      shape[axis] = line.size;
      partialTypes.push_back(Type(op->operand(i)->type.element(), shape, partialLayout));
      resultTypes.push_back(op->result(i)->type);
    }
    Op *thread = b.create(OpKind::ReduceThread, op->operands(), partialTypes, op->result()->name);
    thread->attributes = op->attributes;
    std::map<Value *, Value *> map;
    llvm::SmallVector<Value *, 2> partials;
    for (auto &result : thread->results) partials.push_back(result.get());
    Op *across = b.create(OpKind::ReduceAcross, partials, resultTypes, op->result()->name);
    across->attributes = op->attributes;
    for (unsigned i = 0; i < op->numResults(); ++i) {
      across->result(i)->name = thread->result(i)->name = op->result(i)->name;
      op->result(i)->replaceAllUsesWith(across->result(i));
    }
    if (!op->regions.empty()) {
      for (Op *part : {thread, across}) {
        Block *block = part->addRegion();
        Builder inner(*block);
        map.clear();
        for (auto &argument : op->region()->arguments)
          map[argument.get()] = block->addArgument(argument->type, argument->name);
        for (auto &nested : op->region()->ops) clone(nested.get(), inner, map);
      }
    }
    addBuffer(across, across->operand(0)->type, op->result()->name);
    if (across->has(Attr::buffer)) op->setInt(Attr::buffer, across->getInt(Attr::buffer));
    explain(op);
    op->erase();
    if (across->has(Attr::buffer)) foldConversions(across);
  }

  // A result in shared memory can be read in any layout, so a conversion after it is folded into
  // the read.
  static void foldConversions(Op *across) {
    Op *convert = nullptr;
    for (auto &result : across->results) {
      if (!result->type.isTile() || result->users.size() != 1 ||
          result->users[0]->kind != OpKind::Convert)
        return;
      const Layout &wanted = *result->users[0]->result()->type.layout(),
                   &natural = *result->type.layout();
      if (convert && !(*convert->result()->type.layout() == wanted)) return;
      convert = result->users[0];
      for (unsigned d = 0; d < wanted.rank(); ++d)
        if (wanted.dim(d).padded() > natural.dim(d).padded()) return;
    }
    for (auto &result : across->results) {
      Op *user = result->users[0];
      result->type = user->result()->type;
      user->result()->replaceAllUsesWith(result.get());
      user->erase();
    }
  }

  void lowerScan(Op *op) {
    fillPadding(op);
    addBuffer(op, op->operand(0)->type, op->result()->name);
    explain(op);
  }
};

}  // namespace

llvm::LogicalResult lower_reductions(Module &module, PassContext &context) {
  bool failed = false;
  for (Kernel &kernel : module.kernels) {
    State state{kernel, context};
    std::vector<Op *> ops;  // the first: lowering one removes the conversion after it
    walkPostOrder(kernel.body, [&](Op *op) {
      if (op->kind == OpKind::Reduce || op->kind == OpKind::Scan) ops.push_back(op);
    });
    for (Op *op : ops) op->kind == OpKind::Reduce ? state.lowerReduce(op) : state.lowerScan(op);
    failed |= state.failed;
  }
  return llvm::failure(failed);
}

}  // namespace tile2cu::passes
