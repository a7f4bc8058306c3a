#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/builder.h"
#include "passes/ir/layout.h"
#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {
namespace {

// The terminator of `region` hands over values of these types; a region without results may lack
// it.
std::string checkYield(const Block &region, llvm::ArrayRef<Type> types,
                       OpKind kind = OpKind::Yield) {
  const Op *end = region.terminator();
  if (!end)
    return types.empty() && kind == OpKind::Yield ? "" : "a region does not end in a terminator";
  if (end->kind != kind)
    return kind == OpKind::Condition ? "the first region must end in `condition`" : "";
  unsigned first = kind == OpKind::Condition ? 1 : 0;
  if (end->numOperands() != types.size() + first)
    return "a region yields the wrong number of values";
  for (unsigned i = 0; i < types.size(); ++i)
    if (end->operand(i + first)->type != types[i])
      return fmt::format("value {} of the region's end has the wrong type: {}", i,
                         end->operand(i + first)->type.str());
  return "";
}

llvm::SmallVector<Type, 4> typesOf(llvm::ArrayRef<std::unique_ptr<Value>> values) {
  llvm::SmallVector<Type, 4> types;
  for (auto &value : values) types.push_back(value->type);
  return types;
}

struct Rules {
  const Op &op;

  const Type &operandType(unsigned i) const { return op.operand(i)->type; }
  const Type &resultType(unsigned i = 0) const { return op.result(i)->type; }
  llvm::ArrayRef<Dim> shape(unsigned i) const { return operandType(i).shape(); }
  llvm::ArrayRef<Dim> resultShape() const { return resultType().shape(); }

  static bool is(Type type, Scalar scalar) { return !type.isPointer() && type.scalar() == scalar; }
  static bool isInt(Type type) { return !type.isPointer() && isInteger(type.scalar()); }
  static bool isReal(Type type) { return !type.isPointer() && isFloat(type.scalar()); }
  static bool isNumber(Type type) { return isInt(type) || isReal(type); }

  std::string results(unsigned count) const {
    return op.numResults() == count ? "" : fmt::format("expects {} results", count);
  }
  std::string regions(unsigned count) const {
    return op.regions.size() == count ? "" : fmt::format("expects {} regions", count);
  }
  std::string axis(unsigned rank) const {
    int64_t at = op.getInt(Attr::axis, -1);
    return at >= 0 && at < rank ? "" : "the axis is outside of the tile";
  }

  // ---- element by element
  std::string sameShapes() const {
    for (unsigned i = 0; i < op.numOperands(); ++i) {
      if (op.kind == OpKind::RandomBits && i == 0) continue;  // the seed is a scalar
      if (shape(i) != resultShape())
        return fmt::format("operand {} has a different shape than the result", i);
    }
    return "";
  }
  bool sameElements() const {
    for (unsigned i = 0; i < op.numOperands(); ++i)
      if (operandType(i).element() != resultType().element()) return false;
    return true;
  }
  std::string sameElement(bool fits, llvm::StringRef what) const {
    if (!sameElements()) return "operands and result must have the same element type";
    return fits ? "" : "expects " + what.str();
  }

  std::string elementwise() const {
    if (auto wrong = results(1); !wrong.empty()) return wrong;
    if (auto wrong = sameShapes(); !wrong.empty()) return wrong;
    const Type &result = resultType();
    bool number = isNumber(result);
    if (op.is(Comparison)) return comparison();
    if (op.is(RealFunction)) return sameElement(isReal(result), "floats");
    switch (op.kind) {
      case OpKind::Add:
      case OpKind::Sub:
      case OpKind::Mul:
      case OpKind::Div:
      case OpKind::Rem:
      case OpKind::Pow:
      case OpKind::Fma:
      case OpKind::Neg:
      case OpKind::Abs:
        return sameElement(number, "numbers");
      case OpKind::Minimum:
      case OpKind::Maximum:
      case OpKind::Clamp:
        return sameElement(number || is(result, Scalar::Bool), "numbers");
      case OpKind::And:
      case OpKind::Or:
      case OpKind::Xor:
      case OpKind::Not:
        return sameElement(isInt(result) || is(result, Scalar::Bool), "integers or bools");
      case OpKind::Mulhi:
        return sameElement(isInt(result), "integers");
      case OpKind::Shl:
      case OpKind::Shr:
        return shift();
      case OpKind::DivRn:
      case OpKind::Hypot:
      case OpKind::Atan2:
      case OpKind::Copysign:
      case OpKind::Nextafter:
      case OpKind::Remainder:
        return sameElement(isReal(result), "floats");
      case OpKind::AddRounded:
      case OpKind::MulRounded:
      case OpKind::FmaRounded:
        return sameElement(is(result, Scalar::F32) || is(result, Scalar::F64), "float or double");
      case OpKind::Select:
        return select();
      case OpKind::Hint:
        return sameElements() ? "" : "changes the type";
      case OpKind::Cast:
        if (op.has(Attr::rounding) && op.get(Attr::rounding) != Rounding::TowardZero)
          return "rounds in another direction than toward zero";
        return operandType(0).isPointer() || result.isPointer() ? "casts a pointer" : "";
      case OpKind::Bitcast:
        return bitcast();
      case OpKind::AddPtr:
        return addPtr();
      case OpKind::Coordinate:
        return is(operandType(0), Scalar::I64) && is(result, Scalar::I32) ? ""
                                                                          : "converts i64 to i32";
      case OpKind::UniformThreshold:
        return is(result, Scalar::U32) ? "" : "returns u32";
      case OpKind::RandomBits:
        return randomBits();
#define ELEMENTWISE(...)
#define REAL_FUNCTION(Name, ...) case OpKind::Name:
#define COMPARISON(Name, ...) case OpKind::Name:
#define OP(Name, ...) case OpKind::Name:
#include "passes/ir/ops.def"
        T2C_UNREACHABLE("another rule is for the operation");
    }
    T2C_UNREACHABLE("every element-wise operation has a rule");
  }

  std::string shift() const {
    return operandType(0).element() == resultType().element() && isInt(resultType()) &&
                   isInt(operandType(1))
               ? ""
               : "expects integers";
  }

  std::string randomBits() const {
    return isInt(operandType(0)) && !operandType(0).isTile() && isInt(operandType(1)) &&
                   isInt(resultType())
               ? ""
               : "expects a scalar seed and integers";
  }

  std::string comparison() const {
    const Element lhs = operandType(0).element(), rhs = operandType(1).element();
    const bool pointers = lhs.pointer && rhs.pointer && lhs.scalar == rhs.scalar;
    if (lhs != rhs && !pointers) return "compares different types";
    return is(resultType(), Scalar::Bool) ? "" : "a comparison returns bool";
  }

  std::string select() const {
    if (!is(operandType(0), Scalar::Bool)) return "the condition is not a bool";
    return operandType(1).element() == resultType().element() &&
                   operandType(2).element() == resultType().element()
               ? ""
               : "both values and the result must have the same element type";
  }

  std::string bitcast() const {
    const auto bits = [](const Type &type) {
      return type.isPointer() ? 64 : bitWidth(type.scalar());
    };
    return bits(operandType(0)) == bits(resultType()) ? "" : "the types differ in width";
  }

  std::string addPtr() const {
    if (!operandType(0).isPointer() || operandType(0).element() != resultType().element())
      return "expects a pointer of the result's type";
    return isInt(operandType(1)) ? "" : "the offset is not an integer";
  }

  // ---- creation and shape
  std::string constant() const {
    if (!op.has(Attr::value)) return "has no value";
    if (resultType().isTile()) return "a constant is a scalar";
    const Attribute &value = *op.attributes.find(Attr::value);
    bool isDouble = std::holds_alternative<double>(value),
         isInt64 = std::holds_alternative<int64_t>(value);
    if (resultType().isPointer())
      return isInt64 && std::get<int64_t>(value) == 0 ? "" : "a pointer constant is not null";
    if (isReal(resultType())) return isDouble || isInt64 ? "" : "the value is not a number";
    if (is(resultType(), Scalar::Bool))
      return std::holds_alternative<bool>(value) ? "" : "the value is not a bool";
    return isInt64 ? "" : "the value is not an integer";
  }

  std::string arange() const {
    int64_t start = op.getInt(Attr::start), end = op.getInt(Attr::end);
    if (!isInt(resultType())) return "returns integers";
    return resultType().rank() == 1 && resultShape()[0] == end - start
               ? ""
               : "start and end do not fit the shape";
  }

  std::string threadCoordinate() const {
    if (!op.layout) return "has no layout";
    if (op.getInt(Attr::axis) < 0 || op.getInt(Attr::axis) >= op.layout->rank())
      return "the layout has no such dimension";
    return op.numResults() == 1 && is(resultType(), Scalar::I32) ? "" : "returns one i32";
  }

  std::string sameElementAsSource() const {
    for (auto &result : op.results)
      if (result->type.element() != operandType(0).element()) return "changes the element type";
    return "";
  }

  std::string shapeOp() const {
    if (auto wrong = results(op.kind == OpKind::Split || op.kind == OpKind::Deinterleave ? 2 : 1);
        !wrong.empty())
      return wrong;
    if (auto wrong = sameElementAsSource(); !wrong.empty()) return wrong;
    Shape want(shape(0).begin(), shape(0).end());
    switch (op.kind) {
      case OpKind::Splat:
        return operandType(0).isTile() || !resultType().isTile()
                   ? "expects a scalar and returns a tile"
                   : "";
      case OpKind::ExpandDims:
        if (!operandType(0).isTile()) return "expects a tile";
        if (auto wrong = axis(resultType().rank()); !wrong.empty()) return wrong;
        if (op.getInt(Attr::axis) > static_cast<int64_t>(want.size()))
          return "the axis is outside of the tile";
        want.insert(want.begin() + op.getInt(Attr::axis), 1);
        break;
      case OpKind::Broadcast:
        if (want.size() != resultShape().size()) return "changes the rank";
        for (unsigned d = 0; d < want.size(); ++d)
          if (want[d] == 1) want[d] = resultShape()[d];
        break;
      case OpKind::Reshape:
        if (!operandType(0).isTile() || !resultType().isTile())
          return "expects a tile and returns one";
        return operandType(0).numElements() == resultType().numElements()
                   ? ""
                   : "changes the number of elements";
      case OpKind::Permute: {
        const auto &order = op.getInts(Attr::order);
        if (order.size() != want.size()) return "the order does not name each dimension";
        for (unsigned d = 0; d < want.size(); ++d) {
          if (!llvm::is_contained(order, int64_t{d}))
            return "the order does not name each dimension";
          want[d] = shape(0)[order[d]];
        }
        break;
      }
      case OpKind::Join:
      case OpKind::Interleave:
      case OpKind::Deinterleave:
      case OpKind::Split:
      case OpKind::Cat:
        if (auto wrong = parts(want); !wrong.empty()) return wrong;
        break;
      case OpKind::Flip:
        if (auto wrong = axis(want.size()); !wrong.empty()) return wrong;
        break;
      case OpKind::Slice: {
        const auto &offsets = op.getInts(Attr::offsets);
        if (offsets.size() != want.size() || resultShape().size() != want.size())
          return "expects one offset for each dimension";
        for (unsigned d = 0; d < want.size(); ++d)
          if (offsets[d] < 0 || offsets[d] + resultShape()[d] > want[d]) return "leaves the tile";
        return "";
      }
      default:
        T2C_UNREACHABLE("the operation has no rule for its shape");
    }
    return llvm::equal(resultShape(), want)
               ? ""
               : "the result's shape does not follow from the operands";
  }

  // The rules of a tile and its two parts; `want` becomes the shape of the result.
  std::string parts(Shape &want) const {
    if (op.kind == OpKind::Split || op.kind == OpKind::Deinterleave) {
      const bool isSplit = op.kind == OpKind::Split;
      const bool fits = !want.empty() && (isSplit ? want.back() == 2 : want.back() % 2 == 0);
      if (!fits || !op.result(0)->type.sameTile(op.result(1)->type))
        return fmt::format("expects a last dimension of {}, and returns two tiles of one type",
                           isSplit ? "size 2" : "even size");
      if (isSplit)
        want.pop_back();
      else
        want.back() /= 2;
      return "";
    }
    const bool sameElement = operandType(0).element() == operandType(1).element();
    if (op.kind == OpKind::Cat) {
      if (auto wrong = axis(want.size()); !wrong.empty()) return wrong;
      if (!sameElement || shape(1).size() != want.size())
        return "expects tiles of one element type";
      want[op.getInt(Attr::axis)] += shape(1)[op.getInt(Attr::axis)];
      return "";
    }
    if (!sameElement || shape(0) != shape(1) || (want.empty() && op.kind != OpKind::Join))
      return "expects two tiles of one type";
    if (op.kind == OpKind::Join)
      want.push_back(2);
    else
      want.back() *= 2;
    return "";
  }

  // ---- memory
  std::string memory() const {
    const Type &pointer = operandType(0);
    if (!pointer.isPointer()) return "expects a pointer";
    unsigned maskIndex = op.kind == OpKind::Load ? 1 : 2;
    if (const Value *mask = op.operand(maskIndex))
      // In the prefix form a mask counts the elements that exist from here on.
      if (!is(mask->type, op.get(Attr::form) == MaskForm::Prefix ? Scalar::I32 : Scalar::Bool) ||
          mask->type.shape() != pointer.shape())
        return "the mask does not fit the pointers";
    if (const auto cache = op.get(Attr::cache); cache && !takesCache(op.kind, *cache))
      return "does not have the cache operator " + wordOf(*cache).str();
    if (op.get(Attr::fences) == MemoryOrder::Relaxed) return "a relaxed atomic has no `fences`";
    Type value = pointer.withElement(pointer.pointee());
    if (op.is(Reads) && !(op.is(Writes) && op.numResults() == 0)) {
      if (auto wrong = results(1); !wrong.empty()) return wrong;
      if (!resultType().sameTile(value)) return "the result does not fit the pointers";
    }
    const bool isLoad = op.is(Reads) && op.get(Attr::update) == AtomicUpdate::Load;
    if (op.is(Writes) && !isLoad && pointer.element().pointeeConst)
      return "writes through a pointer to const";
    const Value *data = op.operand(op.kind == OpKind::Load ? 2 : 1);
    return !data || data->type.sameTile(value) ? "" : "the value does not fit the pointers";
  }

  std::string shared() const {
    const auto &strides = op.getInts(Attr::strides);
    const Type &tile = op.kind == OpKind::SharedLoad ? resultType() : operandType(0);
    if (strides.size() != tile.rank()) return "expects one stride for each dimension";
    return op.kind == OpKind::AsyncCopy ? "" : checkSharedIndex(op);
  }

  std::string dot() const {
    if (auto wrong = results(1); !wrong.empty()) return wrong;
    unsigned rank = resultType().rank();
    if (rank != 2 && rank != 3) return "expects tiles of 2 or 3 dimensions";
    if (!resultType().sameTile(operandType(2))) return "the accumulator does not fit the result";
    if (operandType(0).rank() != rank || operandType(1).rank() != rank)
      return "the operands differ in rank";
    bool batches = rank == 2 || (shape(0)[0] == shape(1)[0] && shape(0)[0] == resultShape()[0]);
    bool fits = shape(0)[rank - 1] == shape(1)[rank - 2] &&
                shape(0)[rank - 2] == resultShape()[rank - 2] &&
                shape(1)[rank - 1] == resultShape()[rank - 1];
    return batches && fits ? "" : "the shapes are not those of a dot";
  }

  std::string dotShared() const {
    unsigned rank = resultType().rank();
    bool complete = op.getInts(Attr::buffers).size() == 2 &&
                    op.getInts(Attr::a_strides).size() == rank &&
                    op.getInts(Attr::b_strides).size() == rank && op.getInt(Attr::k) > 0;
    if (!complete) return "expects two buffers, their strides and the depth";
    if (!op.operand(0)) return op.has(Attr::group_columns) ? "" : "only warpgroups begin at zero";
    return resultType().sameTile(operandType(0)) ? "" : "the accumulator does not fit the result";
  }

  // ---- reductions, scans, map
  std::string combine() const {
    if (op.numOperands() == 0 || op.numResults() != op.numOperands())
      return "expects one result for each operand";
    if (auto wrong = axis(operandType(0).rank()); !wrong.empty()) return wrong;
    Shape want(shape(0).begin(), shape(0).end());
    if (op.kind == OpKind::Reduce) want.erase(want.begin() + op.getInt(Attr::axis));
    bool keepsShape = op.kind == OpKind::Scan;
    for (unsigned i = 0; i < op.numOperands(); ++i) {
      if (shape(i) != shape(0)) return "the operands differ in shape";
      bool known = op.kind == OpKind::Reduce || keepsShape;
      if (known && op.result(i)->type.shape() != want)
        return "the result's shape does not follow from the operands";
    }
    if (op.has(Attr::kind)) return regions(0);
    if (auto wrong = regions(1); !wrong.empty()) return wrong;
    llvm::SmallVector<Type, 4> elements, arguments;
    for (unsigned i = 0; i < op.numOperands(); ++i)
      elements.push_back(operandType(i).elementType());
    arguments.append(elements);
    arguments.append(elements);
    if (typesOf(op.region()->arguments) != arguments)
      return "the region's arguments do not fit the operands";
    return checkYield(*op.region(), elements);
  }

  std::string map() const {
    if (auto wrong = regions(1); !wrong.empty()) return wrong;
    llvm::SmallVector<Type, 4> arguments, elements;
    for (unsigned i = 0; i < op.numOperands(); ++i) {
      if (shape(i) != shape(0)) return "the operands differ in shape";
      arguments.push_back(operandType(i).elementType());
    }
    for (auto &result : op.results) {
      if (op.numOperands() > 0 && result->type.shape() != operandType(0).shape())
        return "a result has another shape";
      elements.push_back(result->type.elementType());
    }
    if (typesOf(op.region()->arguments) != arguments)
      return "the region's arguments do not fit the operands";
    return checkYield(*op.region(), elements);
  }

  // ---- control flow
  std::string carried(unsigned firstOperand, const Block &region, unsigned firstArgument,
                      bool isResults = true) const {
    unsigned count = op.numOperands() - firstOperand;
    if (region.arguments.size() != count + firstArgument)
      return "a region needs one argument for each carried value";
    if (isResults && op.numResults() != count) return "expects one result for each carried value";
    for (unsigned i = 0; i < count; ++i) {
      const Type &type = operandType(firstOperand + i);
      if (region.argument(firstArgument + i)->type != type || (isResults && resultType(i) != type))
        return fmt::format("carried value {} changes its type", i);
    }
    return "";
  }

  std::string loop() const {
    if (op.numOperands() < 3 || op.regions.size() != 1) return "expects bounds, a step and a body";
    for (unsigned i = 0; i < 3; ++i)
      if (operandType(i) != operandType(0) || !isInt(operandType(i)) || operandType(i).isTile())
        return "the bounds and the step must have the same scalar integer type";
    if (ForOp(&op).compare() == Compare::Eq) return "a loop does not compare by eq";
    if (auto wrong = carried(3, *op.region(), 1); !wrong.empty()) return wrong;
    if (op.region()->argument(0)->type != operandType(0))
      return "the loop variable has another type than its bounds";
    return checkYield(*op.region(), typesOf(op.results));
  }

  std::string whileLoop() const {
    if (auto wrong = regions(2); !wrong.empty()) return wrong;
    if (auto wrong = carried(0, *op.region(0), 0, false); !wrong.empty()) return wrong;
    llvm::SmallVector<Type, 4> passed = typesOf(op.results);
    if (auto wrong = checkYield(*op.region(0), passed, OpKind::Condition); !wrong.empty())
      return wrong;
    if (typesOf(op.region(1)->arguments) != passed)
      return "the body's arguments are not what `condition` passes";
    return checkYield(*op.region(1), typesOf(op.region(0)->arguments));
  }

  std::string assertion() const {
    if (!is(operandType(0), Scalar::Bool)) return "the condition is not a bool";
    return !op.operand(2) || isInt(operandType(2)) ? "" : "the value is not an integer";
  }
  // Each warp decides for itself: a branch on the vote must not synchronize warps, or access memory
  // that another warp reads.
  std::string vote() const {
    if (!is(operandType(0), Scalar::Bool) || !operandType(0).isTile()) return "expects a bool tile";
    if (auto wrong = results(1); !wrong.empty()) return wrong;
    if (!is(resultType(), Scalar::Bool) || resultType().isTile()) return "returns a scalar bool";
    bool fits = true;
    auto check = [&](Op *inner) {
      const bool meets = inner->kind == OpKind::ReduceAcross && inner->has(Attr::buffer);
      const bool isPlain =
          inner->kind == OpKind::Nest || inner->kind == OpKind::Yield ||
          (inner->is(Pure) && inner->kind != OpKind::Scan && inner->kind != OpKind::Sort);
      fits &= isPlain && !meets;
    };
    for (const Op *user : op.result()->users) {
      if (user->kind != OpKind::If) return "only a branch may read a vote";
      for (auto &region : user->regions) walk(*region, check);
    }
    return fits ? "" : "a branch on a vote synchronizes warps or accesses memory";
  }

  std::string branch() const {
    if (!is(operandType(0), Scalar::Bool) || operandType(0).isTile())
      return "the condition is not a scalar bool";
    if (op.regions.empty() || op.regions.size() > 2) return "expects one or two regions";
    if (op.regions.size() == 1 && op.numResults() > 0)
      return "an `if` with results needs two regions";
    if (op.getBool(Attr::with_loop) && !loopBegunBy(&op))
      return "`with_loop` needs a loop that takes the result, with only computation in between";
    for (auto &region : op.regions)
      if (auto wrong = checkYield(*region, typesOf(op.results)); !wrong.empty()) return wrong;
    return "";
  }

  std::string scalarBool() const {
    return is(operandType(0), Scalar::Bool) && !operandType(0).isTile() ? ""
                                                                        : "expects a scalar bool";
  }

  std::string grid() const {
    unsigned dims =
        llvm::count_if(op.operands(), [](const Value *value) { return value != nullptr; });
    if (auto wrong = results(dims); !wrong.empty()) return wrong;
    for (auto &result : op.results)
      if (!isInt(result->type) || result->type.isTile()) return "program ids are integers";
    return "";
  }
};

}  // namespace

std::string checkTypes(const Op &op) {
  Rules rules{op};
  // clang-format off
  switch (op.kind) {
#define ELEMENTWISE(Name, ...) case OpKind::Name:
#define OP(...)
#include "passes/ir/ops.def"
      return rules.elementwise();
    case OpKind::Constant:
      if (auto wrong = rules.results(1); !wrong.empty()) return wrong;
      return rules.constant();
    case OpKind::Table:
      return op.numResults() == 1 && rules.resultType().isPointer() &&
                     rules.resultType().element().pointeeConst && !rules.resultType().isTile()
                 ? ""
                 : "returns one pointer to constants";
    case OpKind::AsPointer:
      return op.numResults() == 1 && rules.resultType() == rules.operandType(0).targetPointer()
                 ? "" : "makes a pointer of an address";
    case OpKind::Grid: return rules.grid();
    case OpKind::ProgramId: case OpKind::NumPrograms: case OpKind::NumSms:
      return op.numResults() == 1 && Rules::isInt(rules.resultType()) ? "" : "returns one integer";
    case OpKind::Require: case OpKind::Assume: return rules.scalarBool();
    case OpKind::DeviceAssert:
      return rules.assertion();
    case OpKind::DevicePrint:
      for (unsigned i = 2; i < op.numOperands(); ++i)
        if (!Rules::isInt(rules.operandType(i))) return "a program id is not an integer";
      return "";
    case OpKind::Arange:
      if (auto wrong = rules.results(1); !wrong.empty()) return wrong;
      return rules.arange();
    case OpKind::ThreadCoordinate: return rules.threadCoordinate();
    case OpKind::Splat: case OpKind::ExpandDims: case OpKind::Broadcast: case OpKind::Reshape:
    case OpKind::Permute: case OpKind::Join: case OpKind::Interleave: case OpKind::Deinterleave:
    case OpKind::Split: case OpKind::Cat: case OpKind::Flip: case OpKind::Slice:
      return rules.shapeOp();
    case OpKind::Sort: case OpKind::Gather: case OpKind::Scatter: case OpKind::Extract:
    case OpKind::Insert: return checkOrder(op);
    case OpKind::Load: case OpKind::Store: return rules.memory();
    case OpKind::Atomic:
      if (auto wrong = rules.memory(); !wrong.empty()) return wrong;
      return checkAtomic(op);
    case OpKind::SharedLoad: case OpKind::SharedStore: case OpKind::AsyncCopy:
      return rules.shared();
    case OpKind::Dot: return rules.dot();
    case OpKind::DotShared: return rules.dotShared();
    case OpKind::Reduce: case OpKind::Scan: case OpKind::ReduceThread: case OpKind::ReduceAcross:
      return rules.combine();
    case OpKind::Map: return rules.map();
    case OpKind::DeviceCall: case OpKind::CudaEffect: return checkText(op);
    case OpKind::For: return rules.loop();
    case OpKind::While: return rules.whileLoop();
    case OpKind::If: return rules.branch();
    case OpKind::VoteAny: return rules.vote();
    case OpKind::Undefined: return rules.results(1);
    case OpKind::Convert:
      return op.numResults() == 1 && rules.resultType().sameTile(rules.operandType(0))
                 ? ""
                 : "changes more than the layout";
    case OpKind::TensorMap: return checkTensorMap(op);
    case OpKind::TensorLoad: case OpKind::TensorStore: case OpKind::TmaLoad: case OpKind::TmaStore:
      return checkTensorAccess(op);
    case OpKind::ProducerAcquire: case OpKind::ConsumerWait: case OpKind::ConsumerRelease:
      return checkRing(op);
    case OpKind::DotWait: case OpKind::AsyncWait: return checkWait(op);
    case OpKind::LocalFunction: case OpKind::Call: return checkCall(op);
    case OpKind::Cluster: return checkCluster(op);
    // checkTerminator has the rules of these.
    case OpKind::Yield: case OpKind::Condition: case OpKind::Return: case OpKind::Break:
    case OpKind::Continue:
    // These have no rules beyond those of their operands and attributes.
    case OpKind::Nest: case OpKind::LoadFragments: case OpKind::TmaStoreWait:
    case OpKind::AsyncCommit: case OpKind::SharedZero: case OpKind::Barrier:
    case OpKind::DebugBarrier:
      return "";
  }
  // clang-format on
  T2C_UNREACHABLE("every operation has a rule");
}

}  // namespace tile2cu::ir
