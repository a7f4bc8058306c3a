#include "test/unit/passes/evaluate.h"

namespace tile2cu::test {
using namespace ir;
using passes::Const;

namespace {

constexpr int64_t kMaxSteps = 20000;

// All coordinates of a shape, the last dimension fastest.
void forEachIndex(llvm::ArrayRef<Dim> shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  llvm::SmallVector<int64_t, 4> at(shape.size(), 0);
  while (true) {
    visit(at);
    unsigned d = shape.size();
    while (d > 0 && ++at[d - 1] == shape[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

int64_t flat(llvm::ArrayRef<Dim> shape, llvm::ArrayRef<int64_t> at) {
  int64_t index = 0;
  for (unsigned d = 0; d < shape.size(); ++d) index = index * shape[d] + at[d];
  return index;
}

Scalar cellType(const Type &type) { return type.isPointer() ? Scalar::I64 : type.scalar(); }

}  // namespace

void Evaluator::define(const Value *value, Tile tile) {
  if (observe && !undefined_) observe(value, tile);
  values_[value] = std::move(tile);
}

bool Evaluator::condition(const Value *value, int64_t i) {
  const Const &element = at(value)[i];
  if (element.type == Scalar::None) fail();
  return element.integer;
}

void Evaluator::defineAll(llvm::ArrayRef<std::unique_ptr<Value>> values,
                          const std::vector<Tile> &tiles, unsigned first) {
  for (unsigned i = 0; i + first < values.size(); ++i) define(values[i + first].get(), tiles[i]);
}

std::vector<Tile> Evaluator::operandsFrom(const Op &op, unsigned first) const {
  std::vector<Tile> result;
  for (unsigned i = first; i < op.numOperands(); ++i) result.push_back(at(op.operand(i)));
  return result;
}

bool Evaluator::run(const Kernel &kernel, llvm::ArrayRef<Tile> arguments,
                    llvm::ArrayRef<int64_t> programIds) {
  programIds_ = programIds;
  for (unsigned i = 0; i < arguments.size(); ++i) define(kernel.body.argument(i), arguments[i]);
  std::vector<Tile> handed;
  block(kernel.body, handed);
  return !undefined_;
}

Evaluator::Exit Evaluator::block(const Block &block, std::vector<Tile> &handed) {
  for (auto &op : block.ops) {
    if (++steps_ > kMaxSteps) fail();
    if (undefined_) return Exit::Return;
    Exit exit = operation(*op, handed);
    if (exit != Exit::End) return exit;
  }
  return Exit::End;
}

Evaluator::Exit Evaluator::operation(const Op &op, std::vector<Tile> &handed) {
  switch (op.kind) {
    case OpKind::Constant: {
      Scalar type = op.result()->type.scalar();
      define(op.result(), {isFloat(type) ? Const::ofReal(type, op.getDouble(Attr::value))
                                         : Const::ofInt(type, op.getInt(Attr::value))});
      return Exit::End;
    }
    case OpKind::Grid:
      for (auto &result : op.results)
        define(result.get(), {Const::ofInt(Scalar::I64, programIds_[result->index])});
      return Exit::End;
    case OpKind::ProgramId:
      define(op.result(),
             {Const::ofInt(op.result()->type.scalar(), programIds_[op.getInt(Attr::axis)])});
      return Exit::End;
    case OpKind::NumPrograms:
    case OpKind::NumSms:
      define(op.result(), {Const::ofInt(op.result()->type.scalar(), 8)});
      return Exit::End;
    case OpKind::Require:
    case OpKind::Assume:
    case OpKind::DeviceAssert:
      if (!condition(op.operand(0))) fail();
      return Exit::End;
    case OpKind::DebugBarrier:
      return Exit::End;
    case OpKind::Load:
      load(op);
      return Exit::End;
    case OpKind::Store:
      store(op);
      return Exit::End;
    case OpKind::Reduce:
      reduce(op);
      return Exit::End;
    case OpKind::Map:
      map(op);
      return Exit::End;
    case OpKind::For:
      return loop(op);
    case OpKind::While:
      return whileLoop(op);
    case OpKind::If:
      return branch(op, handed);
    case OpKind::Yield:
      handed = operandsFrom(op);
      return Exit::Yield;
    case OpKind::Condition:
      handed = operandsFrom(op);
      return Exit::Condition;
    case OpKind::Break:
      handed = operandsFrom(op);
      return Exit::Break;
    case OpKind::Continue:
      handed = operandsFrom(op);
      return Exit::Continue;
    case OpKind::Return:
      return Exit::Return;
    default:
      if (op.is(Elementwise))
        elementwise(op);
      else
        shape(op);
      return Exit::End;
  }
}

Evaluator::Exit Evaluator::loop(const Op &op) {
  const Const lower = at(op.operand(0))[0], upper = at(op.operand(1))[0],
              step = at(op.operand(2))[0];
  std::vector<Tile> carried = operandsFrom(op, 3);
  const Compare compare = ForOp(&op).compare();
  for (Const iv = lower; passes::holds(compare, iv.type, iv.integer, upper.integer);) {
    define(op.region()->argument(0), {iv});
    defineAll(op.region()->arguments, carried, 1);
    std::vector<Tile> handed;
    Exit exit = block(*op.region(), handed);
    if (exit == Exit::Return || undefined_) return Exit::Return;
    if (exit != Exit::End) carried = std::move(handed);
    if (exit == Exit::Break) break;
    auto next = passes::foldInteger(OpKind::Add, iv.type, iv.integer, step.integer);
    if (!next) {
      fail();
      break;
    }
    iv.integer = *next;
  }
  defineAll(op.results, carried);
  return Exit::End;
}

Evaluator::Exit Evaluator::whileLoop(const Op &op) {
  std::vector<Tile> carried = operandsFrom(op), passed;
  while (true) {
    defineAll(op.region(0)->arguments, carried);
    std::vector<Tile> handedHead;
    if (block(*op.region(0), handedHead) == Exit::Return) return Exit::Return;
    if (handedHead[0][0].type == Scalar::None) fail();
    bool goesOn = handedHead[0][0].integer;
    passed.assign(handedHead.begin() + 1, handedHead.end());
    if (!goesOn) break;
    defineAll(op.region(1)->arguments, passed);
    std::vector<Tile> handed;
    Exit exit = block(*op.region(1), handed);
    if (exit == Exit::Return || undefined_) return Exit::Return;
    if (exit == Exit::Break) {
      passed = std::move(handed);
      break;
    }
    carried = std::move(handed);
  }
  defineAll(op.results, passed);
  return Exit::End;
}

Evaluator::Exit Evaluator::branch(const Op &op, std::vector<Tile> &handed) {
  const Block *arm = op.region(condition(op.operand(0)) ? 0 : 1);
  if (!arm) return Exit::End;
  std::vector<Tile> results;
  Exit exit = block(*arm, results);
  if (exit != Exit::End && exit != Exit::Yield) {
    handed = std::move(results);
    return exit;
  }
  defineAll(op.results, results);
  return Exit::End;
}

void Evaluator::elementwise(const Op &op) {
  const Type &type = op.result()->type;
  Tile out;
  for (int64_t i = 0; i < type.numElements(); ++i) {
    llvm::SmallVector<Const, 3> in;
    for (const Value *value : op.operands()) in.push_back(at(value)[i]);
    bool isNothing = false;
    for (const Const &element : in) isNothing |= element.type == Scalar::None;
    if (op.kind == OpKind::Select && in[0].type != Scalar::None)
      isNothing = in[in[0].integer ? 1 : 2].type == Scalar::None;
    if (isNothing) {
      out.emplace_back();
      continue;
    }
    if (op.kind == OpKind::AddPtr) {
      int64_t bytes = byteWidth(type.scalar());
      out.push_back(Const::ofInt(Scalar::I64, in[0].integer + in[1].integer * bytes));
      continue;
    }
    if (op.kind == OpKind::Hint || (op.kind == OpKind::Select && type.isPointer())) {
      out.push_back(op.kind == OpKind::Hint ? in[0] : in[0].integer ? in[1] : in[2]);
      continue;
    }
    auto value = passes::fold(op, in);
    bool isDivision =
        (op.kind == OpKind::Div || op.kind == OpKind::Rem) && isInteger(type.scalar());
    if (!value && (!speculates || isDivision)) return fail();
    out.push_back(value ? *value : Const());
  }
  define(op.result(), std::move(out));
}

void Evaluator::shape(const Op &op) {
  const Type &type = op.result()->type;
  llvm::ArrayRef<Dim> to = type.shape();
  Tile out(type.numElements());
  if (op.kind == OpKind::Arange) {
    for (int64_t i = 0; i < to[0]; ++i)
      out[i] = Const::ofInt(cellType(type), op.getInt(Attr::start) + i);
    return define(op.result(), std::move(out));
  }
  const Tile &source = at(op.operand(0));
  llvm::ArrayRef<Dim> from = op.operand(0)->type.shape();
  if (op.kind == OpKind::Reshape) return define(op.result(), source);
  if (op.kind == OpKind::Split || op.kind == OpKind::Deinterleave) {
    Tile parts[2];
    for (size_t i = 0; i < source.size(); ++i) parts[i % 2].push_back(source[i]);
    define(op.result(0), parts[0]);
    return define(op.result(1), parts[1]);
  }
  bool known = true;
  forEachIndex(to, [&](llvm::ArrayRef<int64_t> at) {
    llvm::SmallVector<int64_t, 4> index(at.begin(), at.end());
    const Tile *tile = &source;
    llvm::ArrayRef<Dim> shape = from;
    int64_t axis = op.getInt(Attr::axis);
    switch (op.kind) {
      case OpKind::Splat:
        index.clear();
        break;
      case OpKind::ExpandDims:
        index.erase(index.begin() + axis);
        break;
      case OpKind::Broadcast:
        for (unsigned d = 0; d < from.size(); ++d)
          if (from[d] == 1) index[d] = 0;
        break;
      case OpKind::Permute: {
        auto order = op.getInts(Attr::order);
        for (unsigned d = 0; d < order.size(); ++d) index[order[d]] = at[d];
        break;
      }
      case OpKind::Flip:
        index[axis] = from[axis] - 1 - index[axis];
        break;
      case OpKind::Slice: {
        auto offsets = op.getInts(Attr::offsets);
        for (unsigned d = 0; d < offsets.size(); ++d) index[d] += offsets[d];
        break;
      }
      case OpKind::Join:
        if (index.pop_back_val() == 1) tile = &this->at(op.operand(1));
        break;
      case OpKind::Interleave:
        if (index.back() % 2 == 1) tile = &this->at(op.operand(1));
        index.back() /= 2;
        break;
      case OpKind::Cat:
        if (index[axis] >= from[axis]) {
          index[axis] -= from[axis];
          tile = &this->at(op.operand(1));
          shape = op.operand(1)->type.shape();
        }
        break;
      default:
        known = false;
        return;
    }
    out[flat(to, at)] = (*tile)[flat(shape, index)];
  });
  if (!known) return fail();
  define(op.result(), std::move(out));
}

void Evaluator::load(const Op &op) {
  const Type &type = op.result()->type;
  Tile out;
  for (int64_t i = 0; i < type.numElements(); ++i) {
    bool isOn = !op.operand(1) || condition(op.operand(1), i);
    if (isOn) {
      auto it = memory.find(at(op.operand(0))[i].integer);
      if (it == memory.end() || at(op.operand(0))[i].type == Scalar::None) return fail();
      out.push_back(it->second);
    } else {
      out.push_back(op.operand(2) ? at(op.operand(2))[i] : Const{type.scalar(), 0, 0});
    }
  }
  define(op.result(), std::move(out));
}

void Evaluator::store(const Op &op) {
  for (int64_t i = 0; i < op.operand(0)->type.numElements(); ++i) {
    if (op.operand(2) && !condition(op.operand(2), i)) continue;
    if (at(op.operand(0))[i].type == Scalar::None || at(op.operand(1))[i].type == Scalar::None)
      return fail();
    auto it = memory.find(at(op.operand(0))[i].integer);
    if (it == memory.end()) return fail();
    it->second = at(op.operand(1))[i];
  }
}

void Evaluator::reduce(const Op &op) {
  if (op.numOperands() != 1 || op.has(Attr::kind)) return fail();
  llvm::ArrayRef<Dim> from = op.operand(0)->type.shape();
  int64_t axis = op.getInt(Attr::axis);
  std::map<llvm::SmallVector<int64_t, 4>, Const> partial;
  forEachIndex(from, [&](llvm::ArrayRef<int64_t> at) {
    llvm::SmallVector<int64_t, 4> rest(at.begin(), at.end());
    rest.erase(rest.begin() + axis);
    Const value = this->at(op.operand(0))[flat(from, at)];
    auto [it, isNew] = partial.emplace(rest, value);
    if (isNew) return;
    define(op.region()->argument(0), {it->second});
    define(op.region()->argument(1), {value});
    std::vector<Tile> handed;
    block(*op.region(), handed);
    if (!undefined_) it->second = handed[0][0];
  });
  Tile out;
  for (auto &[at, value] : partial) out.push_back(value);  // in row-major order
  define(op.result(), std::move(out));
}

void Evaluator::map(const Op &op) {
  std::vector<Tile> out(op.numResults());
  for (int64_t i = 0; i < op.result()->type.numElements(); ++i) {
    for (unsigned k = 0; k < op.numOperands(); ++k)
      define(op.region()->argument(k), {at(op.operand(k))[i]});
    std::vector<Tile> handed;
    block(*op.region(), handed);
    if (undefined_) return;
    for (unsigned k = 0; k < out.size(); ++k) out[k].push_back(handed[k][0]);
  }
  defineAll(op.results, out);
}

}  // namespace tile2cu::test
