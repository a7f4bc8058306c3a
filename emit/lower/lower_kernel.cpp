// Blocks, constants and comments of a kernel's text.
#include "emit/lower/lower_kernel.h"

#include <algorithm>

#include "emit/cuda/parameter_names.h"
#include "emit/lower/cuda_scalar.h"
#include "emit/transform/drop_unused.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "passes/analysis/layout/vector_axis.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/walk.h"

namespace tile2cu::emit {
using namespace ir;

KernelEmitter::KernelEmitter(const Kernel &kernel, const KernelOptions &options)
    : kernel_(kernel), options_(options), templateArguments_(templateArgumentsOf(kernel)) {
  singleWarp_ = kernel.options.numWarps == 1;
  chooseLoopNames();
  parameters_ = takeParameters(kernel, names_);
  for (unsigned i = 0; i < parameters_.size(); ++i)
    remember(kernel.body.argument(i), named(parameters_[i].name));
  walk(kernel.body, [&](const Op *op) {
    for (auto &result : op->results) userNames_.insert(result->name);
    for (auto &region : op->regions)
      for (auto &argument : region->arguments) userNames_.insert(argument->name);
  });
  for (auto &op : kernel.body.ops)
    if (op->kind == OpKind::TensorMap) names_.reserve(op->result()->name);
}

// ---- constants

std::string KernelEmitter::constantName(const std::string &name, int64_t value) {
  for (const Constant &constant : text_.constants)
    if (constant.name == name) {
      T2C_ASSERT(constant.value == value);
      return name;
    }
  names_.reserve(name);
  text_.constants.push_back({name, value, {}, ""});
  return name;
}

// A number in the text: a template argument of that value by its name.
// If several arguments have it, the number says less wrong.
// Named numbers are ints: another number is written with its digits.
Expr KernelEmitter::number(int64_t value, Scalar type, int64_t least) {
  if (!llvm::isInt<32>(value)) return literal(type, value);
  const TemplateArgument *found = nullptr;
  unsigned count = 0;
  for (const TemplateArgument &argument : templateArguments_) {
    if (value < least || argument.integer != value || argument.name.empty()) continue;
    found = &argument;
    ++count;
  }
  // Where the user writes 64 it is not D, though that may be 64 too.
  const Statement *statement = statementOf(statement_);
  const bool isWritten = found && statement && !mentions(statement->text, found->name) &&
                         mentions(statement->text, std::to_string(value));
  if (isWritten) return literal(type, value);
  if (count == 1) return named(constantName(found->name, value));
  if (auto product = numberAsProduct(value)) return *product;
  return literal(type, value);
}

// DEPTH * WIDTH, where the statement that is being written says so and their product is `value`.
std::optional<Expr> KernelEmitter::numberAsProduct(int64_t value) {
  const Statement *statement = statementOf(statement_);
  if (!statement) return std::nullopt;
  for (const TemplateArgument &a : templateArguments_)
    for (const TemplateArgument &b : templateArguments_) {
      if (&a == &b || !a.integer || !b.integer) continue;
      if (!llvm::isInt<32>(*a.integer) || !llvm::isInt<32>(*b.integer)) continue;
      if (*a.integer * *b.integer != value) continue;  // an int, as number() has asked
      if (a.name.empty() || b.name.empty()) continue;
      if (findWord(statement->text, a.name + " * " + b.name) == std::string::npos) continue;
      return binary(Prec::Multiplicative, "*", named(constantName(a.name, *a.integer)),
                    named(constantName(b.name, *b.integer)));
    }
  return std::nullopt;
}

const std::string &KernelEmitter::extentName(const Layout &layout, unsigned axis) {
  std::string &name = axisNames_[{&layout, axis}];
  if (name.empty()) name = newExtentName(layout, axis);
  return name;
}

namespace {

struct FragmentAxis {
  const char *name, *note;
};

// What a register axis counts in the sums of tensor cores: matrices of 16 rows and 8 columns, of which a thread holds two
// neighbours in each of two rows, 8 apart (lane / 4 * 8 ..., lane % 4 * 2 ...). Null in any other layout.
const FragmentAxis *fragmentAxis(const LayoutDim &dim, unsigned digit) {
  static constexpr FragmentAxis pair{"PAIR", "neighbouring columns of a matrix of sums"},
      halves{"HALVES", "rows of a thread in a matrix of sums, 8 apart"},
      rows{"MMA_ROWS", "matrices of sums along the rows of a warp"},
      columns{"MMA_COLUMNS", "matrices of sums along the columns of a warp"};
  const auto &digits = dim.digits;
  if (digits.size() < 2 || digits[digit].unit != Unit::Register) return nullptr;
  auto is = [&](unsigned i, Unit unit, int64_t stride, int64_t extent) {
    return digits[i].unit == unit && digits[i].stride == stride && digits[i].extent == extent;
  };
  if (is(0, Unit::Lane, 4, 8) && is(1, Unit::Register, digits[1].stride, 2))
    return digit == 1 ? &halves : &rows;
  if (is(0, Unit::Register, digits[0].stride, 2) && is(1, Unit::Lane, 1, 4))
    return digit == 0 ? &pair : &columns;
  return nullptr;
}

}  // namespace

std::string KernelEmitter::structureOf(const Layout &layout, unsigned axis) {
  auto use = layout.axisUse(axis);
  if (!use) return "unused " + std::to_string(layout.registerAxes()[axis]);
  std::string key = std::to_string(layout.dim(use->dim).size) + ":";
  for (const Digit &digit : layout.dim(use->dim).digits)
    key += std::to_string(int(digit.unit)) + "/" + std::to_string(digit.stride) + "*" +
           std::to_string(digit.extent) + " ";
  return key + "#" + std::to_string(use->digit);
}

// One name for the same digit structure in every layout of the kernel: a row's slice counts with the row's constants.
std::string KernelEmitter::newExtentName(const Layout &layout, unsigned axis) {
  auto use = layout.axisUse(axis);
  const std::string key = structureOf(layout, axis);
  auto known = extentNames_.find(key);
  if (known != extentNames_.end()) return known->second;

  int64_t extent = layout.registerAxes()[axis];
  auto vector = passes::vectorAxis(layout);
  bool isVector = vector && vector->axis == axis;
  bool besideVector = vector && use && use->dim == vector->dim;
  // As a derivation where it follows from a template argument: BLOCK / (NUM_THREADS * VEC). Of several register axes along
  // one dimension only the one beside the vector is derived, the others are stated.
  Expr derivation;
  unsigned axesAlong = 0;
  if (use)
    for (const Digit &digit : layout.dim(use->dim).digits)
      axesAlong += digit.unit == Unit::Register && !(vector && digit.axis == vector->axis);
  if (use && !isVector && axesAlong == 1) {
    int64_t padded = layout.dim(use->dim).padded();
    const Expr size = number(padded, Scalar::I32, 2);
    Expr below = integer(1);
    const auto &digits = layout.dim(use->dim).digits;
    int64_t product = 1;
    for (unsigned k = 0; k < digits.size(); ++k) {
      if (k == use->digit) continue;
      const Digit &digit = digits[k];
      product *= digit.extent;
      if (digit.unit == Unit::Register && isDropped(layout, digit.axis)) continue;
      Expr factor = digit.unit == Unit::Register ? named(extentName(layout, digit.axis))
                                                 : number(digit.extent);
      bool thread = digit.unit == Unit::Lane && digit.extent == 32 && digit.stride == 1 &&
                    k + 1 < digits.size() && digits[k + 1].unit == Unit::Warp &&
                    digits[k + 1].extent == kernel_.options.numWarps;
      if (thread) {
        factor = named("NUM_THREADS");
        product *= digits[k + 1].extent;
        ++k;
      } else if (digit.unit == Unit::Warp && digit.extent == kernel_.options.numWarps) {
        factor = named("NUM_WARPS");
      }
      below = below.isLiteral("1") ? factor : binary(Prec::Multiplicative, "*", factor, below);
    }
    if (!size.isLiteral() && extent * product == padded)
      derivation = below.isLiteral("1") ? size : binary(Prec::Multiplicative, "/", size, below);
  }
  // As many as the user has a name for.
  if (derivation.isName()) return extentNames_[key] = derivation.spelling();
  const FragmentAxis *fragment = use ? fragmentAxis(layout.dim(use->dim), use->digit) : nullptr;
  std::string base = fragment               ? fragment->name
                     : isVector             ? "VEC"
                     : besideVector         ? "VECS"
                     : layout.rank() == 1   ? "STEPS"
                     : use && use->dim == 0 ? "ROW_STEPS"
                                            : "COLUMN_STEPS";
  bool taken = std::any_of(text_.constants.begin(), text_.constants.end(),
                           [&](const Constant &constant) { return constant.name == base; });
  bool plain = (base == "VEC" || base == "VECS") && !taken;  // reserved for this
  std::string name = plain ? base : names_.takeForKernel(base);
  extentNames_[key] = name;
  std::string note = fragment               ? fragment->note
                     : isVector             ? extent > 16 ? "neighbouring elements of a thread"
                                                          : "elements of one memory access"
                     : !besideVector        ? ""
                     : vectorAxisOf(layout) ? "vectors per thread"
                                            : "elements per thread";
  text_.constants.push_back({name, extent, derivation, note, key});
  return name;
}

// ---- comments

// A statement with a long lambda in it: the lambda is elsewhere, as a functor.
std::string shortened(const std::string &statement) {
  size_t lambda = statement.find("[](");
  if (lambda == std::string::npos) lambda = statement.find("[&](");
  if (statement.size() <= 120 || lambda == std::string::npos) return statement;
  size_t end = statement.rfind('}');
  return statement.substr(0, lambda) + "..." +
         (end == std::string::npos ? "" : statement.substr(end + 1));
}

void KernelEmitter::comment(const std::string &text) {
  // Wrapped here, so that formatting never joins two comments.
  constexpr size_t kWidth = 88;
  std::vector<std::string> rows;
  size_t at = 0;
  while (at <= text.size()) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string row = text.substr(at, end - at);
    while (row.size() > kWidth) {
      size_t space = row.rfind(' ', kWidth);
      if (space == std::string::npos || space == 0) break;
      rows.push_back(row.substr(0, space));
      row = row.substr(space + 1);
    }
    rows.push_back(row);
    at = end + 1;
  }
  add({Comment{llvm::join(rows, "\n")}});
}

const Statement *KernelEmitter::statementOf(int index) const {
  bool known = index >= 0 && index < int(kernel_.statements.size());
  return known ? &kernel_.statements[index] : nullptr;
}

void KernelEmitter::statementComment(const Op *op, const std::string &printed) {
  const Statement *statement = statementOf(op->loc.statement);
  if (!statement || !commented_.insert(op->loc.statement).second) return;
  const bool repeats = statement->text == printed;
  if (!commentOpen_) blank();
  commentOpen_ |= !repeats;
  if (!statement->comment.empty()) comment(statement->comment);
  if (!repeats) comment(shortened(statement->text));
}

// A reduction inside of a larger expression: what its partial results are.
void KernelEmitter::reductionComment(const Op *op) {
  const Layout &layout = *op->operand(0)->type.layout();
  unsigned axis = op->getInt(Attr::axis);
  std::string kind = wordOf(*op->get(Attr::kind)).str(), of = op->operand(0)->name;
  std::string text = op->result()->name + " = " + kind + "(" + (of.empty() ? "..." : of) +
                     "): each thread's elements";
  if (layout.extentAlong(axis, Unit::Lane) > 1) text += ", then across the warp";
  if (layout.extentAlong(axis, Unit::Warp) > 1) text += ", then across warps";
  if (!commentOpen_) blank();
  commentOpen_ = true;
  comment(text + ".");
}

// ---- running

KernelText KernelEmitter::run() {
  block(kernel_.body);
  text_.body = dropUnused(out_.end());
  if (kernel_.producer) {
    const Stmts rings = ringVariables();
    text_.body.insert(text_.body.begin(), rings.begin(), rings.end());
  }
  text_.sharedMembers = sharedMembers();
  llvm::append_range(text_.sharedMembers, ringMembers());
  if (kernel_.producer) {
    text_.ringStart = ringStart();
    KernelEmitter(kernel_, options_).writeProducer(text_);
  }
  return std::move(text_);
}

// The members of struct Smem; the stacks of a slot as a union.
Stmts KernelEmitter::sharedMembers() {
  auto member = [&](size_t i) {
    const SharedBuffer &buffer = kernel_.shared[i];
    auto known = bufferTypes_.find(i);
    Expr extents;
    for (size_t d = 0; d < buffer.shape.size(); ++d) {
      bool warps =
          d == 0 && known != bufferTypes_.end() && buffer.shape[0] == kernel_.options.numWarps;
      Expr extent = warps                                   ? named("NUM_WARPS")
                    : d > 0 && d + 1 == buffer.shape.size() ? rowPitch(buffer)
                                                            : number(buffer.shape[d]);
      extents = d == 0 ? extent : product(extents, extent);
    }
    const bool isPadded =
        anyOf(extents, [](const Expr &node) { return node.is(ExprKind::Binary, "+"); });
    Declarator array{buffer.name};
    if (buffer.stages > 1) array.extents.push_back(stagesName(buffer.stages));
    array.extents.push_back(extents);
    Declare declare{known != bufferTypes_.end() ? known->second : typeOf(buffer.members[0]),
                    {array}};
    declare.alignment = buffer.alignment;
    return Stmt{std::move(declare), isPadded ? "padded rows begin in other banks" : ""};
  };
  Stmts all;
  std::map<int, std::map<int, std::vector<size_t>>> slots;
  for (size_t i = 0; i < kernel_.shared.size(); ++i)
    if (kernel_.shared[i].slot >= 0)
      slots[kernel_.shared[i].slot][kernel_.shared[i].stack].push_back(i);
  for (auto &[slot, stacks] : slots) {
    const bool isUnion = stacks.size() > 1;
    Stmts ofSlot;
    for (auto &[stack, buffers] : stacks) {
      Stmts together;
      for (size_t i : buffers) together.push_back(member(i));
      if (isUnion && buffers.size() > 1)
        ofSlot.push_back(record("struct", std::move(together)));
      else
        llvm::append_range(ofSlot, together);
    }
    if (isUnion)
      all.push_back(record("union", std::move(ofSlot), "never alive together"));
    else
      llvm::append_range(all, ofSlot);
  }
  for (size_t i = 0; i < kernel_.shared.size(); ++i)
    if (kernel_.shared[i].slot < 0) all.push_back(member(i));
  return all;
}

void KernelEmitter::block(const Block &block) {
  for (auto &op : block.ops) {
    this->op(op.get());
    holdResults(op.get());
  }
}

void KernelEmitter::op(Op *op) {
  if (op->kind != OpKind::Constant) {
    statement_ = op->loc.statement;
    out_.setLine(op->loc.line);
  }
  if (op->has(Attr::via)) return moveInWarp(op);
  switch (op->kind) {
    case OpKind::Constant:
      return;  // written where it is used
    case OpKind::Grid:
      gridOp(op);
      return;
    case OpKind::TensorMap:
      remember(op->result(), named(op->result()->name));
      return;
      // clang-format off
    case OpKind::Require: case OpKind::Assume: case OpKind::Pairs:
      return;  // the launcher's business
    case OpKind::RingFill: case OpKind::RingTake: case OpKind::RingRelease: case OpKind::TensorCopy:
      ringOp(op);
      return;
      // clang-format on
    case OpKind::Nest:
      nest(op);
      return;
    case OpKind::ReduceAcross:
      reduceAcross(op);
      return;
    case OpKind::Scan:
      scan(op);
      return;
    case OpKind::TensorCopyOut:
      tensorCopyOut(op);
      return;
    case OpKind::TensorCopyWait:
      add(shortIf(binary(Prec::Equality, "==", named("lane"), integer(0)),
                  evaluate(call(instance("tile2cu::tma_store_wait_read", {integer(0)}), {}),
                           "copies out of shared memory have read it")));
      if (op->getBool(Attr::warp)) add(evaluate(call("__syncwarp", {}), "it may be written again"));
      return;
    case OpKind::DotShared:
    case OpKind::DotWait:
    case OpKind::SharedZero:
    case OpKind::LoadFragments:
      productOp(op);
      return;
    case OpKind::For:
      forLoop(op);
      return;
    case OpKind::While:
      whileLoop(op);
      return;
    case OpKind::If:
      branch(op);
      return;
    case OpKind::VoteAny:
      vote(op);
      return;
    case OpKind::Undefined:
      return;  // nothing is assigned
    case OpKind::Return:
      add(jump("return"));
      return;
    case OpKind::Load:
      scalarLoad(op);
      return;
    case OpKind::Store:
    case OpKind::AtomicAdd:
      scalarStore(op);
      return;
    case OpKind::Phase:
      phase(op);
      return;
    case OpKind::Invoke:
      invoke(op);
      return;
    case OpKind::AsyncCommit:
      add(evaluate(call("tile2cu::cp_async_commit", {})));
      return;
    case OpKind::AsyncWait:
      asyncWait(op);
      return;
    case OpKind::Barrier:
      barrier(op);
      return;
    case OpKind::DebugBarrier:
      add(evaluate(barrierCall(), "debug_barrier() of the source"));
      return;
    case OpKind::DeviceAssert:
      statementComment(op);
      deviceAssert(op);
      return;
    case OpKind::Yield:
    case OpKind::Break:
    case OpKind::Continue:
    case OpKind::Condition:
      return;  // written by the operation that owns the region
#define ELEMENTWISE(Name, ...) case OpKind::Name:
#define OP(...)
#include "passes/ir/ops.def"
    case OpKind::ProgramId:
    case OpKind::NumPrograms:
    case OpKind::NumSms:
    case OpKind::Map:
      scalarOp(op);
      return;
      // clang-format off
    case OpKind::Arange: case OpKind::Splat: case OpKind::ExpandDims: case OpKind::Broadcast:
    case OpKind::Reshape: case OpKind::Permute: case OpKind::Join: case OpKind::Interleave:
    case OpKind::Deinterleave: case OpKind::Split: case OpKind::Cat: case OpKind::Flip:
    case OpKind::Slice: case OpKind::Convert: case OpKind::ReduceThread: case OpKind::SharedStore:
    case OpKind::SharedLoad: case OpKind::AsyncCopy:
      // clang-format on
      T2C_UNREACHABLE("the operation stands in no loop nest");
    case OpKind::Reduce:
    case OpKind::Dot:
    case OpKind::TensorLoad:
    case OpKind::TensorStore:
      T2C_UNREACHABLE("the passes replace the operation");
  }
}

void KernelEmitter::barrier(const Op *op) {
  if (op->getBool(Attr::async_proxy))
    add(evaluate(call("tile2cu::fence_async_proxy", {}),
                 "tensor cores and bulk copies see what this thread wrote"));
  add(evaluate(barrierCall(), op->getString(Attr::reason)));
}

// What the threads of a program meet at: beside a producer, only those that compute.
Expr KernelEmitter::barrierCall() const {
  if (kernel_.producer)
    return call(instance("tile2cu::named_barrier_sync", {named("NUM_THREADS")}), {integer(1)});
  return call(singleWarp_ ? "__syncwarp" : "__syncthreads", {});
}

}  // namespace tile2cu::emit
