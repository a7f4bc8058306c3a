// Operations with a user-defined function: reduce, associative_scan, map. The body of the function
// becomes a region on scalars. In the header, the body of each operation calls the function on
// detail::sample<T>(). That call is lowered with the region's arguments in place of the samples, so
// the overload and the conversions are those that C++ has chosen.
#include "clang/AST/DeclCXX.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/ops/operations.h"

namespace tile2cu::frontend {

using ir::DiagId;
using ir::OpKind;

namespace {

const clang::Expr *firstExpression(const clang::FunctionDecl *callee) {
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(callee->getBody());
  if (!body) return nullptr;
  for (const clang::Stmt *s : body->body())
    if (const auto *e = llvm::dyn_cast<clang::Expr>(s)) return e;
  return nullptr;
}

void checkRegion(Lowering &l, ir::Block &region, clang::SourceLocation loc) {
  bool hasTile = false;
  ir::walk(region, [&](ir::Op *op) {
    for (auto &result : op->results) hasTile |= result->type.isTile();
    for (ir::Value *operand : op->operands()) hasTile |= operand && operand->type.isTile();
  });
  if (hasTile) l.error(DiagId::TileInRegion, loc);
}

}  // namespace

const clang::CallExpr *sampleCall(const Operation &operation) {
  const clang::Expr *call = firstExpression(operation.callee);
  return call ? llvm::dyn_cast<clang::CallExpr>(call->IgnoreImplicit()) : nullptr;
}

void lowerFunction(Lowering &l, const Operation &operation, ir::Op *op, unsigned functionIndex,
                   const Place &function, llvm::ArrayRef<ir::Type> results) {
  const clang::FunctionDecl *definition = nullptr;
  operation.callee->getBody(definition);
  const clang::Expr *call = definition ? firstExpression(definition) : nullptr;
  if (!call) {
    l.error(DiagId::NoBody, operation.loc, {operation.callee->getNameAsString()});
    return;
  }
  const clang::ParmVarDecl *parameter = definition->getParamDecl(functionIndex);
  ir::Block &outside = l.builder.block();
  ir::Location loc = l.builder.loc;
  ir::Block &region = *op->region();
  std::vector<ir::Value *> samples;
  for (auto &argument : region.arguments) samples.push_back(argument.get());
  std::vector<ir::Value *> *savedSamples = std::exchange(l.samples, &samples);
  Environment::Slots entry = l.env.save();
  unsigned floor = std::exchange(l.env.readOnlyBelow, l.env.size());
  ++l.regionDepth;

  l.env.bind(parameter, function);
  l.builder.setInsertionPoint(region);
  std::vector<Val> result = {lowerValue(l, call)};
  std::vector<ir::Value *> yielded;
  forEachLeaf(result, 1, [&](unsigned, Val &leaf) {
    if (leaf.isValue() && yielded.size() < results.size())
      yielded.push_back(convert(l, leaf.value, results[yielded.size()]));
  });
  while (yielded.size() < results.size())
    yielded.push_back(l.placeholderValue(results[yielded.size()]));
  l.builder.yield(yielded);

  --l.regionDepth;
  l.env.readOnlyBelow = floor;
  l.env.truncate(entry.size());
  l.env.restore(entry);
  l.samples = savedSamples;
  l.builder.setInsertionPoint(outside);
  l.builder.loc = loc;
  checkRegion(l, region, operation.arguments[functionIndex]->getExprLoc());
}

namespace {

// The tiles of a reduction or scan: one, or the fields of a tuple.
std::vector<ir::Value *> tilesOf(Lowering &l, const Operation &operation) {
  std::vector<Val> value = {lowerValue(l, operation.arguments[0])};
  std::vector<ir::Value *> tiles;
  forEachLeaf(value, 1, [&](unsigned, Val &leaf) {
    if (leaf.isValue()) tiles.push_back(leaf.value);
  });
  return tiles;
}

// The kind of (a, b) -> a op b, if the passes have one for the operator.
std::optional<ir::ReduceKind> knownCombine(const ir::Block &region) {
  if (region.ops.size() != 2 || region.arguments.size() != 2) return std::nullopt;
  const ir::Op *op = region.front();
  if (region.back()->operand(0)->definition != op || op->numOperands() != 2) return std::nullopt;
  bool straight = op->operand(0) == region.argument(0) && op->operand(1) == region.argument(1);
  bool swapped = op->operand(0) == region.argument(1) && op->operand(1) == region.argument(0);
  if (!straight && !swapped) return std::nullopt;
  const bool hasNan = op->getBool(ir::Attr::propagate_nan);
  switch (op->kind) {
    case OpKind::Add:
      return ir::ReduceKind::Sum;
    case OpKind::Mul:
      return ir::ReduceKind::Prod;
    case OpKind::And:
      return ir::ReduceKind::And;
    case OpKind::Or:
      return ir::ReduceKind::Or;
    case OpKind::Xor:
      return ir::ReduceKind::Xor;
    case OpKind::Maximum:
      return hasNan ? ir::ReduceKind::MaxNan : ir::ReduceKind::Max;
    case OpKind::Minimum:
      return hasNan ? ir::ReduceKind::MinNan : ir::ReduceKind::Min;
    default:
      return std::nullopt;
  }
}

ir::Op *lowerCombination(Lowering &l, const Operation &operation, int64_t &axis) {
  std::vector<ir::Value *> tiles = tilesOf(l, operation);
  Place function = lowerPlace(l, operation.arguments[1]);
  if (tiles.empty()) return nullptr;
  axis = normalAxis(integerTemplateArguments(operation.callee)[0], tiles[0]->type.rank());
  llvm::SmallVector<ir::Type, 4> results, elements;
  for (ir::Value *tile : tiles) {
    ir::Shape shape = tile->type.shape();
    if (operation.kind == OpKind::Reduce) shape.erase(shape.begin() + axis);
    results.push_back(tile->type.withShape(shape));
    elements.push_back(tile->type.elementType());
  }
  ir::Op *op = l.builder.create(operation.kind, tiles, results);
  op->setInt(ir::Attr::axis, axis);
  ir::Block *region = op->addRegion();
  for (const char *side : {"a", "b"})
    for (const ir::Type &element : elements) region->addArgument(element, side);
  lowerFunction(l, operation, op, 1, function, elements);
  if (const auto kind = knownCombine(*region)) {
    op->set(ir::Attr::kind, *kind);
    op->regions.clear();
  }
  return op;
}

bool hasTag(const Operation &operation, llvm::StringRef name) {
  return llvm::any_of(operation.arguments, [&](const clang::Expr *e) { return isOption(e, name); });
}

Val packed(const Operation &operation, std::vector<Val> values) {
  bool isTuple =
      operation.arguments[0]->getType().getNonReferenceType()->isRecordType() && values.size() > 1;
  if (values.size() == 1 && !isTuple) {
    const clang::CXXRecordDecl *record = operation.arguments[0]->getType()->getAsCXXRecordDecl();
    if (!record || record->getName() != "tuple") return values[0];
  }
  return Val::aggregate(std::move(values));
}

}  // namespace

Val lowerReduce(Lowering &l, const Operation &operation) {
  int64_t axis = 0;
  ir::Op *op = lowerCombination(l, operation, axis);
  if (!op) return l.placeholder(operation.resultType);
  std::vector<Val> values;
  for (unsigned i = 0; i < op->numResults(); ++i) {
    ir::Value *value = op->result(i);
    if (hasTag(operation, "keep_dims_t"))
      value = value->type.isTile() ? l.builder.expandDims(value, axis) : stretch(l, value, {1});
    values.emplace_back(value);
  }
  return packed(operation, std::move(values));
}

Val lowerScan(Lowering &l, const Operation &operation) {
  int64_t axis = 0;
  ir::Op *op = lowerCombination(l, operation, axis);
  if (!op) return l.placeholder(operation.resultType);
  if (hasTag(operation, "reverse_t")) op->setBool(ir::Attr::reverse, true);
  std::vector<Val> values;
  for (auto &result : op->results) values.emplace_back(result.get());
  return packed(operation, std::move(values));
}

Val lowerMap(Lowering &l, const Operation &operation) {
  Place function = lowerPlace(l, operation.arguments[0]);
  std::vector<ir::Value *> tiles;
  for (unsigned i = 1; i < operation.arguments.size(); ++i)
    tiles.push_back(argument(l, operation, i));
  const ir::Type result = resultOf(operation, tiles);
  for (ir::Value *&tile : tiles) tile = stretch(l, tile, result.shape());
  ir::Op *op = l.builder.create(OpKind::Map, tiles, {result});
  ir::Block *region = op->addRegion();
  for (ir::Value *tile : tiles) region->addArgument(tile->type.elementType());
  lowerFunction(l, operation, op, 0, function, {result.elementType()});
  return op->result();
}

}  // namespace tile2cu::frontend
