// Matrix products by warpgroups (wgmma): four warps, 64 rows of sums, operands that the tensor cores read from shared memory.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/mma_fragments.h"
#include "passes/analysis/integer/constant_fold.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;
using passes::kGroupRows;
using passes::MmaShape;

namespace {

int64_t rowBytes(const SharedBuffer &buffer) { return buffer.panel * byteWidth(buffer.members[0]); }

const char *majorOf(const Op *dot, unsigned which) {
  return isAlongK(dot, which) ? "tile2cu::major::k" : "tile2cu::major::mn";
}

// How many warpgroups stand side by side over columns.
int64_t groupsOverColumns(const Layout &layout) { return layout.extentAlong(1, Unit::Warp); }

// warp / 4 * by, where there is more than one group.
Expr groupTimes(const Layout &layout, int64_t by) {
  if (layout.numWarps() == 4) return integer(0);
  Expr group = binary(Prec::Multiplicative, "/", named("warp"), literal(Scalar::I32, int64_t{4}));
  return product(group, literal(Scalar::I32, by));
}

}  // namespace

// The first row of sums number `i` of this thread's warpgroup.
Expr KernelEmitter::groupRow(const Layout &layout, const std::string &i) {
  const int64_t across = groupsOverColumns(layout), groups = layout.numWarps() / 4;
  const bool isLoop = !isDropped(layout, 0);
  if (across == 1) {
    Expr first = groupTimes(layout, kGroupRows);
    if (!isLoop) return first;
    return sum(product(named(i), literal(Scalar::I32, kGroupRows * groups)), first);
  }
  Expr row = groups == across ? integer(0)
                              : binary(Prec::Multiplicative, "/", named("warp"),
                                       literal(Scalar::I32, 4 * across));
  if (isLoop) row = sum(product(row, named(extentName(layout, 0))), named(i));
  return product(row, literal(Scalar::I32, kGroupRows));
}

const Value *KernelEmitter::stageValue(const Op *dot, unsigned which) {
  const Value *own = which ? dot->operand(DotSharedOp::b_stage_optIndex) : nullptr;
  return own ? own : dot->operand(DotSharedOp::stage_optIndex);
}

Expr KernelEmitter::stageOf(const Op *dot, unsigned which) {
  const Value *stage = stageValue(dot, which);
  return stage ? scalar(stage) : Expr{};
}

// The word that says where an operand stands: that of its first element.
Expr KernelEmitter::groupOperand(const Op *dot, unsigned which, const Expr &across, const Expr &k) {
  const SharedBuffer &buffer = kernel_.shared[dot->getInts(Attr::buffers)[which]];
  const Expr stage = stageOf(dot, which);
  llvm::SmallVector<Expr, 2> arguments{addressOf(which
                                                     ? operandElement(dot, 1, stage, {k, across})
                                                     : operandElement(dot, 0, stage, {across, k}))};
  // Panels behind each other along rows or columns of sums.
  if (!isAlongK(dot, which)) arguments.push_back(integer(buffer.shape.front() * rowBytes(buffer)));
  return call(instance("tile2cu::wgmma_operand", {integer(rowBytes(buffer))}), arguments);
}

// Sums of another product as the first operand: all of it at once, as its registers are read until the products are done.
void KernelEmitter::packFirst(const Op *dot, const std::string &fragments) {
  const Layout &layout = *dot->result()->type.layout();
  names_.open();
  const std::string kk = names_.take("kk"), i = names_.take("i");
  Declarator array{fragments, {stepsOfK(dot)}};
  if (!isDropped(layout, 0)) array.extents.push_back(named(extentName(layout, 0)));
  array.extents.push_back(integer(4));
  add({Declare{word("uint32_t"), {array}}});
  open({unrolledLoop(kk, stepsOfK(dot))});
  openMatrices(layout, 0, i);
  loadFirstInPlace(dot, {elementOf(named(fragments), named(kk)), {}, kk, {}}, i);
  closeMatrices(layout, 0);
  close();
  names_.close();
}

// The product is written once more, further inside: the first of a loop's products that was taken out of it.
bool KernelEmitter::isRepeated(const Op *op) {
  bool found = false;
  walk(kernel_.body, [&](const Op *other) {
    if (other == op || other->kind != OpKind::DotShared || !other->has(Attr::group_columns)) return;
    found |= isInside(other->parent, *op->parent) &&
             other->getInts(Attr::buffers) == op->getInts(Attr::buffers) &&
             *other->result()->type.layout() == *op->result()->type.layout();
  });
  return found;
}

void KernelEmitter::multiplyInGroups(const Op *op, const Storage &storage) {
  const MmaShape &shape = shapeOf(op);
  const int64_t columns = op->getInt(Attr::group_columns);
  const bool inRegisters = op->operand(2) != nullptr;
  const std::string note = "Tensor cores: " + passes::groupHelper(shape, columns) +
                           " for each 64 x " + std::to_string(columns) + " sums of a warpgroup, " +
                           std::to_string(shape.k) + " products at a time.";
  if (inRegisters) {
    openPart("multiply_" + storage.name);
    comment(note);
    const std::string fragments = names_.take("a_frag");
    packFirst(op, fragments);
    groupSteps(op, storage, named(fragments));
    closePart();
  } else if (const GroupProduct *known = knownProduct(op, storage)) {
    add(evaluate(call(named(known->function), stagesOf(op))));
  } else if (isRepeated(op)) {
    const Expr function = named(defineProduct(op, storage, note));
    add(evaluate(call(function, stagesOf(op))));
  } else {
    openPart("multiply_" + storage.name);
    comment(note);
    groupSteps(op, storage, {});
    closePart();
  }
  names_.change(storage.name);
  if (!op->getBool(Attr::async))
    add(evaluate(call(instance("tile2cu::wgmma_wait", {integer(0)}), {named(storage.name)})));
}

// Whether threads write the sums that the product adds to, here or ahead of its loop: a fence that does not name registers does not
// keep nvcc from writing them behind it, and ptxas adds fences of its own (C7519).
bool KernelEmitter::areWritten(const Op *dot, const Storage &storage) const {
  const Value *sums = dot->operand(0);
  if (!sums) return false;
  if (sums->definition) return sums->definition->kind != OpKind::DotShared;
  if (storage_.at(sums).name != storage.name) return true;
  const Op *loop = sums->owner->parent;
  if (!loop || loop->kind != OpKind::For || sums->index == 0) return false;
  const Value *first = ForOp(loop).init(sums->index - 1);
  while (first->definition && first->definition->kind == OpKind::Nest)
    first = first->definition->region()->terminator()->operand(first->index);
  const bool isProduct = first->definition && first->definition->kind == OpKind::DotShared;
  return !isProduct && !passes::constantOf(first);
}

// The products of all steps of k, which are in flight from then on.
void KernelEmitter::groupSteps(const Op *op, const Storage &storage, const Expr &fragments) {
  const MmaShape &shape = shapeOf(op);
  const Layout &layout = *op->result()->type.layout();
  const int64_t columns = op->getInt(Attr::group_columns);
  const std::string helper = passes::groupHelper(shape, columns);
  const bool inRegisters = op->operand(2) != nullptr;
  names_.open();
  const std::string kk = names_.take("kk"), i = names_.take("i");
  llvm::SmallVector<Expr, 2> written;
  if (areWritten(op, storage)) written.push_back(named(storage.name));
  if (inRegisters) written.push_back(fragments);
  add(evaluate(call("tile2cu::wgmma_fence", written)));
  open({unrolledLoop(kk, stepsOfK(op))});
  openMatrices(layout, 0, i);
  Expr k = product(named(kk), literal(Scalar::I32, shape.k));
  Expr column = integer(0);
  if (const int64_t across = groupsOverColumns(layout); across > 1) {
    column = groupTimes(layout, 1);
    if (layout.numWarps() / 4 != across)
      column = binary(Prec::Multiplicative, "%", column, literal(Scalar::I32, across));
    column = product(column, literal(Scalar::I32, columns));
  }
  const SharedBuffer &second = kernel_.shared[op->getInts(Attr::buffers)[1]];
  llvm::SmallVector<Expr, 4> forms{word(inRegisters ? "tile2cu::major::k" : majorOf(op, 0)),
                                   word(majorOf(op, 1))};
  const int64_t firstBytes =
                    inRegisters ? 128 : rowBytes(kernel_.shared[op->getInts(Attr::buffers)[0]]),
                secondBytes = rowBytes(second);
  if (firstBytes != 128 || secondBytes != 128)
    forms.append({integer(firstBytes), integer(secondBytes)});
  const Expr a = inRegisters ? matrixOf(elementOf(fragments, named(kk)), layout, 0, i)
                             : groupOperand(op, 0, groupRow(layout, i), k);
  const Expr b = groupOperand(op, 1, column, k);
  const Expr adds =
      op->operand(0) ? word("true") : binary(Prec::Relational, ">", named(kk), integer(0));
  add(evaluate(call(instance("tile2cu::" + helper, forms),
                    {matrixOf(named(storage.name), layout, 0, i), a, b, adds})));
  closeMatrices(layout, 0);
  close();
  add(evaluate(call("tile2cu::wgmma_commit", {})));
  names_.close();
}

// The values that say in which stages of their rings a product's operands stand, each once.
llvm::SmallVector<const Value *, 2> KernelEmitter::stageValues(const Op *dot) const {
  llvm::SmallVector<const Value *, 2> values;
  for (unsigned which : {0u, 1u}) {
    const Value *value = stageValue(dot, which);
    if (value && kernel_.shared[dot->getInts(Attr::buffers)[which]].stages > 1 &&
        !llvm::is_contained(values, value))
      values.push_back(value);
  }
  return values;
}

llvm::SmallVector<Expr, 2> KernelEmitter::stagesOf(const Op *dot) {
  llvm::SmallVector<Expr, 2> stages;
  for (const Value *value : stageValues(dot)) stages.push_back(scalar(value));
  return stages;
}

// The statements of a product, with stages called `names`.
Stmts KernelEmitter::productBody(const Op *dot, const Storage &storage,
                                 llvm::ArrayRef<std::string> names) {
  std::vector<std::pair<const Value *, Remembered>> saved;
  for (auto [value, name] : llvm::zip(stageValues(dot), names)) {
    saved.emplace_back(value, scalars_.at(value));
    remember(value, named(name));
  }
  out_.begin();
  groupSteps(dot, storage, {});
  Stmts body = out_.end();
  for (auto &[value, known] : saved) scalars_[value] = std::move(known);
  return body;
}

const KernelEmitter::GroupProduct *KernelEmitter::knownProduct(const Op *dot,
                                                               const Storage &storage) {
  for (const GroupProduct &known : products_)
    if (isInside(dot->parent, *known.home) && known.stages.size() == stageValues(dot).size() &&
        known.body == productBody(dot, storage, known.stages))
      return &known;
  return nullptr;
}

// const auto multiply_scores = [&](int stage) { ... };
std::string KernelEmitter::defineProduct(const Op *dot, const Storage &storage,
                                         const std::string &note) {
  GroupProduct product;
  product.home = dot->parent;
  product.function = names_.take("multiply_" + storage.name);
  names_.open();
  llvm::SmallVector<FunctionParameter, 2> parameters;
  for (unsigned i = 0; i < stageValues(dot).size(); ++i) {
    product.stages.push_back(names_.take("at"));
    parameters.push_back({word("int"), product.stages.back()});
  }
  product.body = productBody(dot, storage, product.stages);
  names_.close();
  comment(note + " In flight until a wgmma_wait.");
  open(localFunction(product.function, parameters));
  out_.append(product.body);
  close();
  products_.push_back(product);
  return product.function;
}

void KernelEmitter::dotWait(const Op *op) {
  const int64_t pending = op->getInt(Attr::pending);
  const auto wait = [&](llvm::ArrayRef<Expr> sums, const char *note) {
    add(evaluate(call(instance("tile2cu::wgmma_wait", {integer(pending)}), sums), note));
  };
  for (unsigned i = 0; i < op->numResults(); ++i) {
    storage_[op->result(i)] = storage_.at(op->operand(i));
    wait({named(storage_.at(op->operand(i)).name)}, "the sums are complete");
  }
  if (op->results.empty())
    wait({}, pending == 1 ? "the product before is complete"
                          : "the products of the step before are complete");
}

}  // namespace tile2cu::emit
