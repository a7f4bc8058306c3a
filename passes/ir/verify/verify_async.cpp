// Rules for tensor copies, the rings of their stages, and waits for asynchronous work.
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {
namespace {

bool isScalarInt(const Type &type) {
  return !type.isTile() && !type.isPointer() && isInteger(type.scalar());
}

std::string results(const Op &op, unsigned count) {
  if (op.numResults() == count) return "";
  return fmt::format("expects {} result{}", count, count == 1 ? "" : "s");
}

bool areScalarInts(llvm::ArrayRef<Value *> values) {
  return llvm::all_of(values, [](const Value *value) { return isScalarInt(value->type); });
}

// (map, between..., starts...): one start for each dimension of the array.
std::string checkStarts(const Op &op, unsigned between) {
  const auto map = op.numOperands() > 0 ? TensorMapOp::of(op.operand(0)) : TensorMapOp();
  if (!map) return "the first operand is not a tensor map";
  const size_t before = 1 + between, rank = map.rank();
  if (op.numOperands() != before + rank)
    return fmt::format("expects one start for each of the {} dimensions of its map", rank);
  return areScalarInts(llvm::ArrayRef<Value *>(op.operands()).drop_front(before))
             ? ""
             : "the starts are scalar integers";
}

}  // namespace

std::string checkTensorMap(const Op &op) {
  if (auto wrong = results(op, 1); !wrong.empty()) return wrong;
  if (op.result()->type != Type(Scalar::U64)) return "a tensor map is a u64";
  const TensorMapOp map(&op);
  if (map.rank() < 1 || map.box().size() != size_t(map.rank()))
    return "the box needs one size for each dimension of the array";
  if (op.numOperands() != 2 * map.rank())
    return "expects the array, an extent for each dimension, and a stride for each but the "
           "contiguous one";
  const Type &array = op.operand(0)->type;
  if (!array.isPointer() || array.isTile()) return "the array is not a pointer";
  return areScalarInts(llvm::ArrayRef<Value *>(op.operands()).drop_front())
             ? ""
             : "the extents and strides are scalar integers";
}

std::string checkTensorAccess(const Op &op) {
  switch (op.kind) {
    case OpKind::TensorLoad:
      if (auto wrong = results(op, 1); !wrong.empty()) return wrong;
      return op.result()->type.isTile() ? checkStarts(op, 0) : "returns a tile";
    case OpKind::TensorStore:
      if (auto wrong = results(op, 0); !wrong.empty()) return wrong;
      if (op.numOperands() < 2 || !op.operand(1)->type.isTile()) return "expects a tile to store";
      return checkStarts(op, 1);
    case OpKind::TmaLoad:
      if (auto wrong = results(op, 0); !wrong.empty()) return wrong;
      if (op.numOperands() < 2 || !isScalarInt(op.operand(1)->type))
        return "the stage is not a scalar integer";
      return checkStarts(op, 1);
    case OpKind::TmaStore:
      if (auto wrong = results(op, 0); !wrong.empty()) return wrong;
      return checkStarts(op, 0);
    default:
      T2C_UNREACHABLE("no access by a tensor map");
  }
}

std::string checkRing(const Op &op) {
  if (op.kind == OpKind::ConsumerRelease) {
    if (auto wrong = results(op, 0); !wrong.empty()) return wrong;
    return op.operand(0)->type == Type(Scalar::I32) ? "" : "the stage is an i32";
  }
  if (auto wrong = results(op, 1); !wrong.empty()) return wrong;
  return op.result()->type == Type(Scalar::I32) ? "" : "the stage is an i32";
}

std::string checkWait(const Op &op) {
  if (op.getInt(Attr::pending) < 0) return "the number of pending groups is negative";
  if (op.kind == OpKind::AsyncWait) {
    if (auto wrong = results(op, 0); !wrong.empty()) return wrong;
    return op.operand(0)->type == Type(Scalar::I32) ? "" : "the stage is an i32";
  }
  if (op.numOperands() == 0) return "expects what it waits for";
  const auto isAccumulator = [](const Value *value) { return value->type.isTile(); };
  const unsigned accumulators = llvm::count_if(op.operands(), isAccumulator);
  if (auto wrong = results(op, accumulators); !wrong.empty()) return wrong;
  for (unsigned i = 0; i < accumulators; ++i)
    if (op.operand(i)->type != op.result(i)->type) return "changes the type";
  return areScalarInts(llvm::ArrayRef<Value *>(op.operands()).drop_front(accumulators))
             ? ""
             : "expects accumulators, followed by stages";
}

std::string checkCall(const Op &op) {
  if (auto wrong = results(op, 0); !wrong.empty()) return wrong;
  const unsigned regions = op.kind == OpKind::LocalFunction ? 1 : 0;
  if (op.regions.size() == regions) return "";
  return regions ? "expects one region" : "expects no region";
}

std::string checkCluster(const Op &op) {
  if (auto wrong = results(op, 0); !wrong.empty()) return wrong;
  return areScalarInts(op.operands()) ? "" : "expects scalar integers";
}

}  // namespace tile2cu::ir
