// Tensor descriptors. An access to a block becomes a masked load or store of a tile of pointers, as
// one would write it by hand:
//
//   A.load({i, k})   ==>   r = i + arange<M>(), c = k + arange<K>()
//                          load(a + r[all, none] * stride + c[none, all],
//                               (r[all, none] < rows) & (c[none, all] < columns) & (r >= 0) &
//                                   (c >= 0))
//
// canonicalize removes the comparisons with zero if the offsets are known not to be negative.
#include <limits>

#include "clang/AST/DeclTemplate.h"
#include "frontend/clang/annotations.h"
#include "frontend/lower/convert.h"
#include "frontend/lower/lower_expr.h"
#include "frontend/lower/size_formula.h"
#include "frontend/ops/operations.h"

namespace tile2cu::frontend {

using ir::OpKind;
using ir::Scalar;

namespace {

// The fields of tl::tensor_descriptor.
enum Field : unsigned { Base, Sizes, Strides, Outside };

struct Block {
  ir::Shape shape;
  ir::Value *pointers = nullptr;
  ir::Value *inside = nullptr;
  ir::Value *outside = nullptr;  // padding::zero or nan, an integer

  ir::Type elements() const {
    return ir::Type(ir::Element{pointers->type.scalar(), false, false}, shape);
  }
};

// The sizes that make_tensor_descriptor<D...> has for the variable `descriptor`.
llvm::SmallVector<ir::Dim, 3> madeWith(Lowering &l, const clang::Expr *descriptor) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(descriptor->IgnoreParenImpCasts());
  const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  const clang::Expr *made = variable ? variable->getAnyInitializer() : nullptr;
  const auto *call =
      made ? llvm::dyn_cast<clang::CallExpr>(made->IgnoreUnlessSpelledInSource()) : nullptr;
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || operationOf(callee) != "make_tensor_descriptor") return {};
  return explicitSizes(l, call->getCallee());
}

ir::Shape blockShape(Lowering &l, const Operation &operation) {
  const auto *record =
      llvm::cast<clang::ClassTemplateSpecializationDecl>(operation.callee->getParent());
  ir::Shape shape;
  for (const clang::TemplateArgument &size : record->getTemplateArgs()[1].getPackAsArray())
    shape.push_back(size.getAsIntegral().getExtValue());
  return withFormulasOf(std::move(shape), madeWith(l, operation.arguments[0]));
}

// A tile along one axis of the block, with the block's rank.
ir::Value *along(Lowering &l, ir::Value *value, unsigned axis, unsigned rank) {
  for (unsigned d = 0; d < rank; ++d)
    if (d != axis) value = l.builder.expandDims(value, d);
  return value;
}

ir::Value *conjunction(Lowering &l, ir::Value *a, ir::Value *b, llvm::ArrayRef<ir::Dim> shape) {
  if (!a) return b;
  return l.builder.binary(OpKind::And, stretch(l, a, shape), stretch(l, b, shape));
}

std::optional<Block> locate(Lowering &l, const Operation &operation) {
  if (l.regionDepth) l.error(ir::DiagId::MemoryInRegion, operation.loc);
  Val descriptor = lowerValue(l, operation.arguments[0]);
  Val offsets = lowerValue(l, operation.arguments[1]);
  Block block;
  block.shape = blockShape(l, operation);
  unsigned rank = block.shape.size();
  bool complete = descriptor.fields.size() > Outside && descriptor.fields[Base].isValue() &&
                  offsets.fields.size() == rank;
  if (!complete) {
    if (!l.diagnostics.hasErrors())
      l.error(ir::DiagId::Uninitialized, operation.loc, {"this descriptor"});
    return std::nullopt;
  }
  block.pointers = descriptor.fields[Base].value;
  block.outside = descriptor.fields[Outside].value;
  ir::Value *zero = l.builder.constant(Scalar::I64, 0);
  ir::Shape reached(rank, 1);  // the shape of the pointers so far
  for (unsigned d = 0; d < rank; ++d) {
    ir::Value *size = descriptor.fields[Sizes].fields[d].value,
              *stride = descriptor.fields[Strides].fields[d].value;
    llvm::ArrayRef<ir::Dim> extent(block.shape[d]);
    ir::Value *index = convertElement(l, makeIota(l, 0, extent), Scalar::I64);
    if (scalarConstant(offsets.fields[d].value) != 0)
      index =
          l.builder.binary(OpKind::Add, l.builder.splat(offsets.fields[d].value, extent), index);
    index = along(l, index, d, rank);
    auto compare = [&](OpKind kind, ir::Value *bound) {
      ir::Value *mask = l.builder.binary(kind, index, stretch(l, bound, index->type.shape()));
      block.inside = conjunction(l, block.inside, mask, block.shape);
    };
    compare(OpKind::Lt, size);
    compare(OpKind::Ge, zero);
    ir::Value *distance = index;
    if (scalarConstant(stride) != 1)
      distance = l.builder.binary(OpKind::Mul, index, stretch(l, stride, index->type.shape()));
    reached[d] = block.shape[d];
    block.pointers =
        l.builder.addptr(stretch(l, block.pointers, reached), stretch(l, distance, reached));
  }
  block.inside = stretch(l, block.inside, block.shape);
  return block;
}

// The value of elements outside the tensor; null for zero.
ir::Value *outsideValue(Lowering &l, const Block &block) {
  Scalar scalar = block.pointers->type.scalar();
  if (scalarConstant(block.outside) == 0 || !ir::isFloat(scalar)) return nullptr;
  double nan = std::numeric_limits<double>::quiet_NaN();
  ir::Value *value = l.builder.constantFloat(scalar, nan);
  if (!scalarConstant(block.outside)) {  // a value merged from two descriptors
    ir::Value *isNan = l.builder.binary(OpKind::Ne, block.outside,
                                        l.builder.constant(block.outside->type.scalar(), 0));
    value = l.builder.select(isNan, value, l.builder.constantFloat(scalar, 0));
  }
  return stretch(l, value, block.shape);
}

}  // namespace

// make_tensor_descriptor<D...>(pointer, {sizes}, {strides}[, padding]): a struct of these values.
Val lowerDescriptor(Lowering &l, const Operation &operation) {
  std::vector<Val> fields;
  for (unsigned i = 0; i < 3; ++i) fields.push_back(lowerValue(l, operation.arguments[i]));
  fields.push_back(operation.arguments.size() > 3 ? lowerIr(l, operation.arguments[3])
                                                  : l.builder.constant(Scalar::I32, 0));
  return Val::aggregate(std::move(fields));
}

Val lowerDescriptorLoad(Lowering &l, const Operation &operation) {
  auto block = locate(l, operation);
  if (!block) return l.placeholder(operation.resultType);
  llvm::SmallVector<ir::Value *, 3> operands = {block->pointers, block->inside};
  if (ir::Value *outside = outsideValue(l, *block)) operands.push_back(outside);
  // The default name, unless the user names it: A_block.
  std::string name = nameOfPlace(operation.arguments[0]);
  if (!name.empty()) name += "_block";
  return l.builder.create(OpKind::Load, operands, {block->elements()}, name)->result();
}

Val lowerDescriptorStore(Lowering &l, const Operation &operation) {
  ir::Value *value = argument(l, operation, 2);
  auto block = locate(l, operation);
  if (!block) return {};
  ir::Value *stored = convert(l, value, block->elements());
  l.builder.create(OpKind::Store, {block->pointers, stored, block->inside}, {});
  return {};
}

}  // namespace tile2cu::frontend
