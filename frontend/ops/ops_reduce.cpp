// Named reductions and scans; those with a combine function are in ops_combine.cpp.
#include "frontend/lower/convert.h"
#include "frontend/ops/operations.h"

namespace tile2cu::frontend {

using ir::OpKind;
using ir::Scalar;

namespace {

// The axis that the user gives; all axes if there is none.
std::optional<int64_t> axisOf(const Operation &operation, unsigned rank) {
  const clang::TemplateArgumentList *arguments = operation.callee->getTemplateSpecializationArgs();
  if (!arguments || arguments->size() == 0 ||
      arguments->get(0).getKind() != clang::TemplateArgument::Integral)
    return std::nullopt;
  return normalAxis(arguments->get(0).getAsIntegral().getExtValue(), rank);
}

bool hasOption(const Operation &operation, llvm::StringRef name) {
  return llvm::any_of(operation.arguments, [&](const clang::Expr *e) { return isOption(e, name); });
}

ir::Type withoutAxis(const ir::Type &type, int64_t axis) {
  ir::Shape shape = type.shape();
  shape.erase(shape.begin() + axis);
  return type.withShape(shape);
}

ir::ReduceKind kindOf(const Operation &operation, Scalar scalar) {
  using ir::ReduceKind;
  const llvm::StringRef name = operation.name;
  const bool isBool = scalar == Scalar::Bool;
  const bool hasNan = ir::isFloat(scalar) && hasOption(operation, "propagate_nan_t");
  if (name == "max") return isBool ? ReduceKind::Or : hasNan ? ReduceKind::MaxNan : ReduceKind::Max;
  if (name == "min")
    return isBool ? ReduceKind::And : hasNan ? ReduceKind::MinNan : ReduceKind::Min;
  return llvm::StringSwitch<ReduceKind>(name)
      .Cases("sum", "cumsum", ReduceKind::Sum)
      .Cases("prod", "cumprod", ReduceKind::Prod)
      .Case("xor_sum", ReduceKind::Xor)
      .Case("any", ReduceKind::Or)
      .Case("all_of", ReduceKind::And)
      .Case("argmax", ReduceKind::Argmax)
      .Case("argmin", ReduceKind::Argmin);
}

ir::Value *reduceAxis(Lowering &l, ir::Value *source, int64_t axis, ir::ReduceKind kind) {
  ir::Op *op = l.builder.create(OpKind::Reduce, {source}, {withoutAxis(source->type, axis)});
  op->setInt(ir::Attr::axis, axis);
  op->set(ir::Attr::kind, kind);
  return op->result();
}

// The indices of the extremes: the second result.
ir::Value *reduceIndex(Lowering &l, ir::Value *source, int64_t axis, ir::ReduceKind kind) {
  ir::Value *index = makeIota(l, axis, source->type.shape());
  ir::Op *op = l.builder.create(OpKind::Reduce, {source, index},
                                {withoutAxis(source->type, axis), withoutAxis(index->type, axis)});
  op->setInt(ir::Attr::axis, axis);
  op->set(ir::Attr::kind, kind);
  return op->result(1);
}

}  // namespace

Val lowerReduction(Lowering &l, const Operation &operation) {
  ir::Type result = resultOf(operation);
  ir::Value *source = argument(l, operation, 0);
  bool isIndex = operation.name == "argmax" || operation.name == "argmin";
  if (operation.name == "any" || operation.name == "all_of")
    source = toBool(l, source);
  else if (!isIndex)
    source = convertElement(l, source, result.scalar());
  const ir::ReduceKind kind = kindOf(operation, source->type.scalar());

  ir::Shape shape = source->type.shape();
  auto axis = axisOf(operation, source->type.rank());
  if (!axis && isIndex &&
      source->type.rank() > 1) {  // the index among all elements, in row-major order
    ir::Dim elements = 1;
    for (const ir::Dim &size : shape) elements *= size;
    ir::Type flat = source->type.withShape(elements);
    source = l.builder.create(OpKind::Reshape, {source}, {flat})->result();
  }
  ir::Value *value = source;
  if (isIndex)
    value = reduceIndex(l, source, axis.value_or(0), kind);
  else if (axis)
    value = reduceAxis(l, source, *axis, kind);
  else
    while (value->type.isTile()) value = reduceAxis(l, value, value->type.rank() - 1, kind);

  if (hasOption(operation, "keep_dims_t")) {
    if (axis && value->type.isTile())
      value = l.builder.expandDims(value, *axis);
    else
      value = stretch(l, value, result.shape());
  }
  return value;
}

Val lowerNamedScan(Lowering &l, const Operation &operation) {
  ir::Type result = resultOf(operation);
  ir::Value *source = convertElement(l, argument(l, operation, 0), result.scalar());
  ir::Op *op = l.builder.create(OpKind::Scan, {source}, {source->type});
  op->setInt(ir::Attr::axis, axisOf(operation, result.rank()).value_or(0));
  op->set(ir::Attr::kind, kindOf(operation, result.scalar()));
  if (hasOption(operation, "reverse_t")) op->setBool(ir::Attr::reverse, true);
  return op->result();
}

}  // namespace tile2cu::frontend
