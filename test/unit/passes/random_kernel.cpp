#include "test/unit/passes/random_kernel.h"

namespace tile2cu::test {
using namespace ir;
using passes::Const;

namespace {

constexpr int64_t kIn = 4096, kOut = 65536, kElements = 64;

struct Maker {
  std::mt19937 &random;
  RandomOptions options;
  Kernel &kernel;
  Builder builder;
  std::vector<Value *> pool = {};  // what can be used here
  Value *in = nullptr, *out = nullptr;
  int depth = 0, names = 0, loops = 0;

  int64_t below(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  T oneOf(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }
  std::string name() { return chance(80) ? "v" + std::to_string(names++) : ""; }
  Value *add(Value *value) {
    if (value->name.empty()) value->name = name();
    pool.push_back(value);
    return value;
  }

  template <class Predicate>
  Value *pick(Predicate predicate) {
    std::vector<Value *> fitting;
    for (Value *value : pool)
      if (predicate(value)) fitting.push_back(value);
    if (fitting.empty()) return nullptr;
    // Rather what was made lately.
    size_t n = fitting.size();
    return fitting[chance(60) ? n - 1 - below(std::min<size_t>(n, 6)) : below(n)];
  }
  Value *pickType(const Type &type) {
    return pick([&](Value *v) { return v->type == type; });
  }
  static bool isInt(const Value *v) { return !v->type.isPointer() && isInteger(v->type.scalar()); }
  static bool isBool(const Value *v) {
    return !v->type.isPointer() && v->type.scalar() == Scalar::Bool;
  }
  static bool isReal(const Value *v) { return !v->type.isPointer() && isFloat(v->type.scalar()); }

  Shape shape() { return oneOf<Shape>({{16}, {12}, {32}, {4, 8}, {4, 1}, {1, 8}, {2, 3, 4}, {1}}); }
  Value *constantOf(Scalar type, int64_t value, llvm::ArrayRef<Dim> dims) {
    return builder.splat(builder.constant(type, value), dims);
  }
  Value *number(Scalar type) {
    if (type == Scalar::Bool) return builder.constant(type, below(2));
    if (isFloat(type))
      return builder.constantFloat(type, oneOf<double>({0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0}));
    return builder.constant(type, oneOf<int64_t>({0, 1, 2, 3, 4, 7, 8, 12, 16, 31, 32}) *
                                      (isSigned(type) && chance(20) ? -1 : 1));
  }

  // A value of this type: one at hand, or a constant.
  Value *some(const Type &type) {
    Value *found = chance(75) ? pickType(type) : nullptr;
    return found ? found : builder.splat(number(type.scalar()), type.shape());
  }

  // ---- arithmetic
  void binary() {
    Value *lhs = pick([&](Value *v) { return isInt(v) || (options.floats && isReal(v)); });
    if (!lhs) return;
    Scalar type = lhs->type.scalar();
    if (isReal(lhs)) {
      add(builder.binary(
          oneOf({OpKind::Add, OpKind::Sub, OpKind::Mul, OpKind::Minimum, OpKind::Maximum}), lhs,
          some(lhs->type)));
      return;
    }
    Shape dims = lhs->type.shape();
    switch (below(6)) {
      case 0: {
        Value *by = constantOf(type, oneOf<int64_t>({1, 2, 3, 4, 8, 12, 64}), dims);
        add(builder.binary(oneOf({OpKind::Div, OpKind::Rem}), lhs, by));
        return;
      }
      case 1: {
        Value *by = constantOf(type, below(4), dims);
        add(builder.binary(oneOf({OpKind::Shl, OpKind::Shr}), lhs, by));
        return;
      }
      case 2: {
        Value *by = constantOf(type, oneOf<int64_t>({0, 1, 1, 2, 4, 16}), dims);
        add(chance(50) ? builder.binary(OpKind::Mul, lhs, by)
                       : builder.binary(OpKind::Mul, by, lhs));
        return;
      }
      default:
        add(builder.binary(oneOf({OpKind::Add, OpKind::Add, OpKind::Add, OpKind::Sub, OpKind::And,
                                  OpKind::Or, OpKind::Xor, OpKind::Minimum, OpKind::Maximum}),
                           lhs, some(lhs->type)));
    }
  }
  void compare() {
    Value *lhs = pick([&](Value *v) { return isInt(v) || isReal(v) || (isBool(v) && chance(20)); });
    if (!lhs) return;
    OpKind kind =
        isBool(lhs)
            ? oneOf({OpKind::Eq, OpKind::Ne})
            : oneOf({OpKind::Lt, OpKind::Le, OpKind::Gt, OpKind::Ge, OpKind::Eq, OpKind::Ne});
    add(builder.binary(kind, lhs, some(lhs->type)));
  }
  void logic() {
    Value *lhs = pick(isBool);
    if (!lhs) return;
    if (chance(30))
      add(builder.unary(OpKind::Not, lhs));
    else
      add(builder.binary(oneOf({OpKind::And, OpKind::Or, OpKind::Xor}), lhs, some(lhs->type)));
  }
  void select() {
    Value *condition = pick(isBool);
    if (!condition) return;
    Type type = condition->type.withScalar(
        oneOf({Scalar::I32, Scalar::I32, Scalar::I64, Scalar::U32, Scalar::Bool}));
    add(builder.select(condition, some(type), some(type)));
  }
  void unary() {
    Value *source = pick([&](Value *v) { return isInt(v) || (options.floats && isReal(v)); });
    if (!source) return;
    bool isWhole = isInt(source);
    add(builder.unary(oneOf({OpKind::Neg, OpKind::Abs, isWhole ? OpKind::Not : OpKind::Floor}),
                      source));
  }
  void cast() {
    Value *source =
        pick([&](Value *v) { return isInt(v) || isBool(v) || (options.floats && isReal(v)); });
    if (!source) return;
    Scalar to =
        oneOf({Scalar::I32, Scalar::I32, Scalar::I64, Scalar::U32, Scalar::I16, Scalar::Bool});
    if (options.narrow)
      to = oneOf({Scalar::I8, Scalar::U8, Scalar::I16, Scalar::U16, Scalar::I32, Scalar::I32});
    if (options.floats && chance(20)) to = oneOf({Scalar::F32, Scalar::F16, Scalar::F64});
    add(builder.create(OpKind::Cast, {source}, {source->type.withScalar(to)})->result());
  }

  // ---- shapes
  void creation() {
    if (chance(40)) {
      int64_t start = oneOf<int64_t>({0, 0, 0, 8, 4, -4, 1}),
              size = oneOf<int64_t>({16, 12, 32, 8, 1});
      if (options.narrow) size = 512;
      Op *op = builder.create(OpKind::Arange, {}, {Type(Element{Scalar::I32}, {size})});
      op->setInt(Attr::start, start);
      op->setInt(Attr::end, start + size);
      add(op->result());
    } else if (chance(40)) {
      add(number(
          oneOf({Scalar::I32, Scalar::I32, Scalar::I64, Scalar::U32, Scalar::Bool, Scalar::F32})));
    } else if (Value *scalar =
                   pick([](Value *v) { return !v->type.isTile() && !v->type.isPointer(); })) {
      add(builder.splat(scalar, shape()));
    }
  }
  Value *shaped(OpKind kind, llvm::ArrayRef<Value *> operands, const Shape &dims) {
    return builder.create(kind, operands, {operands[0]->type.withShape(dims)})->result();
  }
  void view() {
    Value *source = pick([](Value *v) { return v->type.isTile(); });
    if (!source) return;
    Shape dims = source->type.shape();
    unsigned rank = dims.size();
    int64_t axis = below(rank);
    switch (below(9)) {
      case 0: {
        if (rank == 3) return;
        add(builder.expandDims(source, below(rank + 1)));
        return;
      }
      case 1: {
        for (Dim &extent : dims)
          if (extent == 1 && chance(70)) extent = oneOf({2, 8, 3});
        add(shaped(OpKind::Broadcast, {source}, dims));
        return;
      }
      case 2: {
        llvm::SmallVector<int64_t, 4> order;
        for (unsigned d = 0; d < rank; ++d) order.push_back(d);
        std::shuffle(order.begin(), order.end(), random);
        Shape to;
        for (int64_t d : order) to.push_back(dims[d]);
        add(shaped(OpKind::Permute, {source}, to))->definition->set(Attr::order, order);
        return;
      }
      case 3: {
        Shape to;
        int64_t rest = source->type.numElements();
        for (int64_t by : {below(2) ? 4 : 2, below(2) ? 3 : 8})
          if (rest % by == 0 && to.size() < 2) {
            to.push_back(by);
            rest /= by;
          }
        to.insert(to.begin() + below(to.size() + 1), rest);
        add(shaped(OpKind::Reshape, {source}, to));
        return;
      }
      case 4:
        add(shaped(OpKind::Flip, {source}, dims))->definition->setInt(Attr::axis, axis);
        return;
      case 5: {
        llvm::SmallVector<int64_t, 4> offsets(rank, 0);
        offsets[axis] = below(dims[axis]);
        dims[axis] = 1 + below(dims[axis] - offsets[axis]);
        add(shaped(OpKind::Slice, {source}, dims))->definition->set(Attr::offsets, offsets);
        return;
      }
      case 6: {
        if (rank == 3 || source->type.isPointer()) return;
        dims.push_back(2);
        Value *joined = add(shaped(OpKind::Join, {source, some(source->type)}, dims));
        if (below(2) == 0 || joined->type.numElements() > 64) return;
        dims.pop_back();
        dims.back() *= 2;
        add(shaped(OpKind::Reshape, {joined}, dims));
        return;
      }
      case 7: {
        if (dims.back() != 2 || rank < 2) return;
        dims.pop_back();
        Op *op = builder.create(OpKind::Split, {source},
                                {source->type.withShape(dims), source->type.withShape(dims)});
        add(op->result(0));
        add(op->result(1));
        return;
      }
      default: {
        if (source->type.isPointer() || source->type.numElements() > 32) return;
        dims[axis] *= 2;
        add(shaped(OpKind::Cat, {source, some(source->type)}, dims))
            ->definition->setInt(Attr::axis, axis);
      }
    }
  }

  // ---- memory
  Value *address(Value *base, Value *offset) {
    return builder.addptr(builder.splat(base, offset->type.shape()), offset, name());
  }
  Value *inBounds(Value *offset) {
    return builder.binary(OpKind::And, offset,
                          constantOf(offset->type.scalar(), kElements - 1, offset->type.shape()));
  }
  void pointer() {
    Value *offset = pick(isInt);
    if (offset) pool.push_back(address(chance(50) ? in : out, offset));
    Value *moved = pick([](Value *v) { return v->type.isPointer(); });
    if (!moved || chance(50)) return;
    if (Value *more = pickType(Type(Element{Scalar::I32}, moved->type.shape())))
      pool.push_back(builder.addptr(moved, more, name()));
  }
  void access() {
    Value *offset = pick([](Value *v) { return isInt(v) && v->type.scalar() == Scalar::I32; });
    if (!offset) return;
    Type type = offset->type;
    Value *mask = chance(60) ? some(type.withScalar(Scalar::Bool)) : nullptr;
    if (chance(50)) {
      Value *from = address(chance(70) ? in : out, inBounds(offset));
      Value *other = mask && chance(50) ? some(type) : nullptr;
      add(builder.create(OpKind::Load, {from, mask, other}, {type})->result());
    } else {
      Value *to = address(out, inBounds(offset));
      builder.create(OpKind::Store, {to, some(type), mask}, {});
    }
  }

  // ---- regions
  void mapOrReduce() {
    Value *source = pick([](Value *v) { return v->type.isTile() && isInt(v); });
    if (!source) return;
    bool isMap = chance(60);
    Type element = source->type.elementType();
    Builder saved = builder;
    Op *op = builder.create(isMap ? OpKind::Map : OpKind::Reduce, {source}, {});
    Block *region = op->addRegion();
    auto outer = pool;
    builder.setInsertionPoint(*region);
    Value *result = nullptr;
    if (isMap) {
      pool.push_back(region->addArgument(element, "e"));
      std::erase_if(pool, [](Value *v) { return v->type.isTile() || v->type.isPointer(); });
      for (int i = 0; i < 4; ++i) scalarStep();
      if (chance(20)) branch();
      result = some(chance(70) ? element : Type(Scalar::Bool));
    } else {
      Value *a = region->addArgument(element, "a"), *b = region->addArgument(element, "b");
      result = builder.binary(oneOf({OpKind::Xor, OpKind::Minimum, OpKind::And}), a, b);
    }
    builder.yield({result});
    builder = saved;
    pool = outer;
    if (isMap) {
      add(op->addResult(result->type.withShape(source->type.shape())));
      return;
    }
    int64_t axis = below(source->type.rank());
    Shape dims = source->type.shape();
    dims.erase(dims.begin() + axis);
    op->setInt(Attr::axis, axis);
    add(op->addResult(dims.empty() ? element : element.withShape(dims)));
  }
  void scalarStep() {
    switch (below(4)) {
      case 0:
        return compare();
      case 1:
        return select();
      case 2:
        return cast();
      default:
        return binary();
    }
  }

  Value *condition() {
    Value *found = pick([](Value *v) { return isBool(v) && !v->type.isTile(); });
    if (found && chance(80)) return found;
    Value *scalar = pick([](Value *v) { return isInt(v) && !v->type.isTile(); });
    return scalar ? builder.binary(OpKind::Lt, scalar, number(scalar->type.scalar()))
                  : builder.constant(Scalar::Bool, below(2));
  }
  llvm::SmallVector<Type, 2> someTypes() {
    llvm::SmallVector<Type, 2> types;
    for (int i = below(3); i > 0; --i)
      if (Value *value =
              pick([](Value *v) { return !v->type.isPointer() && v->type.numElements() <= 64; }))
        types.push_back(value->type);
    return types;
  }
  std::vector<Value *> someOf(llvm::ArrayRef<Type> types) {
    std::vector<Value *> values;
    for (const Type &type : types) values.push_back(some(type));
    return values;
  }

  void fill(Block &block, int count) {
    Builder saved = builder;
    builder.setInsertionPoint(block);
    ++depth;
    for (int i = 0; i < count; ++i) step();
    --depth;
    builder = saved;
  }

  // Ends `block` with what `kind` hands over, as the pool is now.
  void end(Block &block, OpKind kind, llvm::ArrayRef<Type> types) {
    Builder saved = builder;
    builder.setInsertionPoint(block);
    std::vector<Value *> values = someOf(types);
    builder.create(kind, values, {});
    builder = saved;
  }

  void branch() {
    auto types = someTypes();
    Op *op = builder.create(OpKind::If, {condition()}, {});
    auto outer = pool;
    bool isInMap = op->parentOp() && op->parentOp()->kind == OpKind::Map;
    for (int arm = 0; arm < 2; ++arm) {
      Block *block = op->addRegion();
      if (!types.empty() || arm == 0 || chance(40)) {
        if (!isInMap) fill(*block, below(4));
        bool returns = chance(8) && !isInMap && loops == 0;
        if (returns)
          end(*block, OpKind::Return, {});
        else if (!types.empty() || chance(50))
          end(*block, OpKind::Yield, types);
      }
      pool = outer;
    }
    for (const Type &type : types) add(op->addResult(type, name()));
  }

  void exits(Block &body, llvm::ArrayRef<Type> results, llvm::ArrayRef<Type> next) {
    if (!chance(30)) return;
    Builder saved = builder;
    builder.setInsertionPoint(body);
    Op *op = builder.create(OpKind::If, {condition()}, {});
    bool breaks = chance(50);
    Block *block = op->addRegion();
    op->addRegion();
    end(*block, breaks ? OpKind::Break : OpKind::Continue, breaks ? results : next);
    builder = saved;
  }

  void forLoop() {
    auto types = someTypes();
    auto inits = someOf(types);
    Value *scalar = chance(60) ? pickType(Type(Scalar::I32)) : nullptr;
    Value *upper = scalar ? builder.binary(OpKind::And, scalar, builder.constant(Scalar::I32, 7))
                          : builder.constant(Scalar::I32, below(6));
    Value *step = builder.constant(Scalar::I32, oneOf({1, 1, 2, 3}));
    Op *op =
        builder.create(OpKind::For, {builder.constant(Scalar::I32, below(2)), upper, step}, {});
    for (Value *init : inits) op->addOperand(init);
    op->set(Attr::compare, oneOf({Compare::Lt, Compare::Lt, Compare::Le}));
    Block *body = op->addRegion();
    auto outer = pool;
    pool.push_back(body->addArgument(Type(Scalar::I32), "i" + std::to_string(names++)));
    for (const Type &type : types) pool.push_back(body->addArgument(type, name()));
    ++loops;
    fill(*body, 1 + below(5));
    exits(*body, types, types);
    if (chance(50)) fill(*body, 1 + below(3));
    --loops;
    // Some carried values stay, some are handed on crosswise.
    end(*body, OpKind::Yield, types);
    for (unsigned i = 0; i < types.size(); ++i)
      if (chance(25)) body->back()->setOperand(i, body->argument(1 + i));
    pool = outer;
    for (const Type &type : types) add(op->addResult(type, name()));
  }

  void whileLoop() {
    auto types = someTypes();
    types.insert(types.begin(), Type(Scalar::I32));  // counts down
    std::vector<Value *> inits = someOf(types);
    inits[0] = builder.constant(Scalar::I32, below(5));
    Op *op = builder.create(OpKind::While, inits, {});
    Block *head = op->addRegion(), *body = op->addRegion();
    for (const Type &type : types) head->addArgument(type, name());
    auto outer = pool;
    for (auto &argument : head->arguments) pool.push_back(argument.get());
    ++loops;
    fill(*head, below(3));
    Builder saved = builder;
    builder.setInsertionPoint(*head);
    std::vector<Value *> passed = someOf(types);
    passed[0] = head->argument(0);
    Value *more = builder.binary(OpKind::Gt, passed[0], builder.constant(Scalar::I32, 0));
    passed.insert(passed.begin(), more);
    builder.create(OpKind::Condition, passed, {});
    pool = outer;
    for (const Type &type : types) pool.push_back(body->addArgument(type, name()));
    fill(*body, below(4));
    builder.setInsertionPoint(*body);
    Value *less = builder.binary(OpKind::Sub, body->argument(0), builder.constant(Scalar::I32, 1));
    builder = saved;
    exits(*body, types, types);
    walk(*body, [&](Op *exit) {
      if (exit->kind == OpKind::Continue && exit->numOperands() > 0 &&
          exit->parentOp()->parentOp() == op)
        exit->setOperand(0, less);
    });
    --loops;
    end(*body, OpKind::Yield, types);
    body->back()->setOperand(0, less);
    pool = outer;
    for (const Type &type : types) add(op->addResult(type, name()));
  }

  void step() {
    int64_t kind = below(100);
    if (kind < 25)
      binary();
    else if (kind < 35)
      compare();
    else if (kind < 41)
      logic();
    else if (kind < 47)
      select();
    else if (kind < 51)
      unary();
    else if (kind < 57)
      cast();
    else if (kind < 67)
      creation();
    else if (kind < 77)
      view();
    else if (kind < 86 && options.memory)
      access();
    else if (kind < 89)
      pointer();
    else if (kind < 92 && options.maps)
      mapOrReduce();
    else if (kind >= 92 && options.control && depth < 3)
      control();
  }
  void control() {
    switch (below(3)) {
      case 0:
        return branch();
      case 1:
        return forLoop();
      default:
        return whileLoop();
    }
  }
};

}  // namespace

void makeRandomKernel(std::mt19937 &random, const RandomOptions &options, Module &module) {
  Kernel &kernel = module.addKernel();
  kernel.name = "random";
  auto parameter = [&](const char *name, Type type, int64_t divisibility, bool isRestrict = false) {
    Parameter made;
    made.name = name;
    made.type = type;
    made.isRestrict = isRestrict;
    if (type.isPointer())
      made.alignment = divisibility;
    else
      made.divisibility = divisibility;
    kernel.parameters.push_back(made);
    return kernel.body.addArgument(type, name);
  };
  Maker maker{random, options, kernel, Builder(kernel.body)};
  maker.in = parameter("in", Type::pointer(Scalar::I32, true), 64, true);
  maker.out = parameter("out", Type::pointer(Scalar::I32, false), 16);
  for (auto [name, divisibility] : {std::pair("n0", 16), {"n1", 4}, {"n2", 1}, {"n3", 1}})
    maker.pool.push_back(parameter(name, Scalar::I32, divisibility));
  maker.pool.push_back(parameter("w", Scalar::I64, 8));
  maker.pool.push_back(parameter("u", Scalar::U32, 16));
  maker.pool.push_back(parameter("c", Scalar::Bool, 1));
  maker.pool.push_back(parameter("f", Scalar::F32, 1));
  Op *grid = maker.builder.create(OpKind::Grid, {maker.pool[2]}, {Type(Scalar::I64)}, "pid");
  maker.pool.push_back(grid->result());
  for (int i = 0; i < options.operations; ++i) maker.step();
}

RandomInput makeRandomInput(std::mt19937 &random) {
  auto below = [&](int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); };
  auto integer = [](Scalar type, int64_t value) { return Tile{Const::ofInt(type, value)}; };
  RandomInput input;
  input.arguments = {integer(Scalar::I64, kIn),
                     integer(Scalar::I64, kOut),
                     integer(Scalar::I32, 16 * (below(9) - 3)),
                     integer(Scalar::I32, 4 * (below(40) - 12)),
                     integer(Scalar::I32, 1 + below(39)),  // the grid: a program runs
                     integer(Scalar::I32, below(60) - 30),
                     integer(Scalar::I64, 8 * (below(20) - 4)),
                     integer(Scalar::U32, 16 * below(8)),
                     integer(Scalar::Bool, below(2)),
                     {Const::ofReal(Scalar::F32, 0.5 * (below(9) - 4))}};
  if (below(8) == 0) input.arguments[7][0].integer = 0xFFFFFFF0;  // about to wrap
  for (int64_t i = 0; i < kElements; ++i) {
    input.memory[kIn + 4 * i] = Const::ofInt(Scalar::I32, below(200) - 100);
    input.memory[kOut + 4 * i] = Const::ofInt(Scalar::I32, 1000 + i);
  }
  return input;
}

}  // namespace tile2cu::test
