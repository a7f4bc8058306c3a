// Blocks, scalars, names and storage of a kernel's text.
#include "emit/kernel_emitter.h"

#include <algorithm>

#include "emit/host_expr.h"
#include "emit/scalar_text.h"
#include "passes/alias.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics.h"
#include "passes/vector_axis.h"

namespace tile2cu::emit {
using namespace ir;

KernelEmitter::KernelEmitter(Kernel &kernel, const KernelOptions &options)
    : kernel_(kernel), options_(options) {
  singleWarp_ = kernel.options.numWarps == 1;
  chooseLoopNames();
  for (const TemplateArgument &argument : kernel.templateArguments)
    if (argument.integer && !argument.name.empty()) names_.reserve(argument.name);
  for (const char *constant :
       {"NUM_WARPS", "NUM_THREADS", "VEC", "VECS", "PROGRAMS_PER_BLOCK", "RESIDENT_THREADS"})
    names_.reserve(constant);
  for (const SharedRing &ring : kernel.rings)
    names_.reserve(ring.name.empty() ? "ring" : ring.name + "_ring");
  // A parameter whose name the text needs for itself is renamed, on the host too.
  for (unsigned i = 0; i < kernel.parameters.size(); ++i) {
    kernel.parameters[i].name = names_.take(kernel.parameters[i].name);
    scalars_[kernel.body.argument(i)] = primary(kernel.parameters[i].name);
  }
  for (auto &op : kernel.body.ops)
    if (op->kind == OpKind::TensorMap) names_.reserve(op->result()->name);
}

// ---- constants

std::string KernelEmitter::constantName(const std::string &name, int64_t value,
                                        const std::string &derivation, const std::string &note) {
  for (const Constant &constant : text_.constants)
    if (constant.name == name) return name;
  names_.reserve(name);
  text_.constants.push_back({name, value, derivation, note, false});
  return name;
}

// A number in the text: a template argument of that value by its name.
// If several arguments have it, the number says less wrong.
Expr KernelEmitter::number(int64_t value, Scalar type, int64_t least) {
  const TemplateArgument *found = nullptr;
  unsigned count = 0;
  for (const TemplateArgument &argument : kernel_.templateArguments) {
    if (value < least || argument.integer != value || argument.name.empty()) continue;
    found = &argument;
    ++count;
  }
  if (count == 1) return primary(constantName(found->name, value, ""));
  if (auto named = numberAsProduct(value)) return *named;
  return literal(type, value);
}

// DEPTH * WIDTH, where the statement that is being written says so and their product is `value`.
std::optional<Expr> KernelEmitter::numberAsProduct(int64_t value) {
  const Statement *statement = statementOf(statement_);
  if (!statement) return std::nullopt;
  for (const TemplateArgument &a : kernel_.templateArguments)
    for (const TemplateArgument &b : kernel_.templateArguments) {
      if (&a == &b || !a.integer || !b.integer || *a.integer * *b.integer != value) continue;
      if (a.name.empty() || b.name.empty()) continue;
      if (findWord(statement->text, a.name + " * " + b.name) == std::string::npos) continue;
      return binary(Prec::Multiplicative, "*", primary(constantName(a.name, *a.integer, "")),
                    primary(constantName(b.name, *b.integer, "")));
    }
  return std::nullopt;
}

const std::string &KernelEmitter::extentName(const Layout &layout, unsigned axis) {
  std::string &name = axisNames_[{&layout, axis}];
  if (name.empty()) name = newExtentName(layout, axis);
  return name;
}

// One name for the same digit structure in every layout of the kernel: a row's slice counts with the row's constants.
std::string KernelEmitter::newExtentName(const Layout &layout, unsigned axis) {
  auto use = layout.axisUse(axis);
  std::string key = "unused " + std::to_string(layout.registerAxes()[axis]);
  if (use) {
    key = std::to_string(layout.dim(use->dim).size) + ":";
    for (const Digit &digit : layout.dim(use->dim).digits)
      key += std::to_string(int(digit.unit)) + "/" + std::to_string(digit.stride) + "*" +
             std::to_string(digit.extent) + " ";
    key += "#" + std::to_string(use->digit);
  }
  auto known = extentNames_.find(key);
  if (known != extentNames_.end()) return known->second;

  int64_t extent = layout.registerAxes()[axis];
  auto vector = passes::vectorAxis(layout);
  bool isVector = vector && vector->axis == axis;
  bool besideVector = vector && use && use->dim == vector->dim;
  // As a derivation where it follows from a template argument: BLOCK / (NUM_THREADS * VEC). Of several register axes along
  // one dimension only the one beside the vector is derived, the others are stated.
  std::string derivation;
  unsigned axesAlong = 0;
  if (use)
    for (const Digit &digit : layout.dim(use->dim).digits)
      axesAlong += digit.unit == Unit::Register && !(vector && digit.axis == vector->axis);
  if (use && !isVector && axesAlong == 1) {
    int64_t padded = layout.dim(use->dim).padded();
    std::string size = number(padded, Scalar::I32, 2).text;
    Expr below = primary("1");
    const auto &digits = layout.dim(use->dim).digits;
    int64_t product = 1;
    for (unsigned k = 0; k < digits.size(); ++k) {
      if (k == use->digit) continue;
      const Digit &digit = digits[k];
      product *= digit.extent;
      if (digit.unit == Unit::Register && isDropped(layout, digit.axis)) continue;
      Expr factor = digit.unit == Unit::Register ? primary(extentName(layout, digit.axis))
                                                 : number(digit.extent);
      bool thread = digit.unit == Unit::Lane && digit.extent == 32 && digit.stride == 1 &&
                    k + 1 < digits.size() && digits[k + 1].unit == Unit::Warp &&
                    digits[k + 1].extent == kernel_.options.numWarps;
      if (thread) {
        factor = primary("NUM_THREADS");
        product *= digits[k + 1].extent;
        ++k;
      } else if (digit.unit == Unit::Warp && digit.extent == kernel_.options.numWarps) {
        factor = primary("NUM_WARPS");
      }
      below = below.text == "1" ? factor : binary(Prec::Multiplicative, "*", factor, below);
    }
    bool named = !size.empty() && !std::isdigit(static_cast<unsigned char>(size[0]));
    if (named && extent * product == padded)
      derivation =
          below.text == "1" ? size : binary(Prec::Multiplicative, "/", primary(size), below).text;
  }
  // As many as the user has a name for.
  if (primary(derivation).isName()) return extentNames_[key] = derivation;
  std::string base = isVector               ? "VEC"
                     : besideVector         ? "VECS"
                     : layout.rank() == 1   ? "STEPS"
                     : use && use->dim == 0 ? "ROW_STEPS"
                                            : "COLUMN_STEPS";
  bool taken = std::any_of(text_.constants.begin(), text_.constants.end(),
                           [&](const Constant &constant) { return constant.name == base; });
  bool plain = (base == "VEC" || base == "VECS") && !taken;  // reserved for this
  std::string name = plain ? base : names_.takeForKernel(base);
  extentNames_[key] = name;
  std::string note = isVector               ? "elements of one memory access"
                     : !besideVector        ? ""
                     : vectorAxisOf(layout) ? "vectors per thread"
                                            : "elements per thread";
  text_.constants.push_back({name, extent, derivation, note, true});
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
  size_t at = 0;
  while (at <= text.size()) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string row = text.substr(at, end - at);
    while (row.size() > kWidth) {
      size_t space = row.rfind(' ', kWidth);
      if (space == std::string::npos || space == 0) break;
      line("// " + row.substr(0, space));
      row = row.substr(space + 1);
    }
    line("// " + row);
    at = end + 1;
  }
}

const Statement *KernelEmitter::statementOf(int index) const {
  bool known = index >= 0 && index < int(kernel_.statements.size());
  return known ? &kernel_.statements[index] : nullptr;
}

void KernelEmitter::statementComment(const Op *op, const std::string &printed) {
  const Statement *statement = statementOf(op->loc.statement);
  if (!statement || !commented_.insert(op->loc.statement).second) return;
  const bool repeats = statement->text == printed;
  if (!commentOpen_) line("");
  commentOpen_ |= !repeats;
  if (!statement->comment.empty()) comment(statement->comment);
  if (!repeats) comment(shortened(statement->text));
}

// A reduction inside of a larger expression: what its partial results are.
void KernelEmitter::reductionComment(const Op *op) {
  const Layout &layout = *op->operand(0)->type.layout();
  unsigned axis = op->getInt("axis");
  std::string kind = op->getString("kind"), of = op->operand(0)->name;
  std::string text = op->result()->name + " = " + kind + "(" + (of.empty() ? "..." : of) +
                     "): each thread's elements";
  if (layout.extentAlong(axis, Unit::Lane) > 1) text += ", then across the warp";
  if (layout.extentAlong(axis, Unit::Warp) > 1) text += ", then across warps";
  if (!commentOpen_) line("");
  commentOpen_ = true;
  comment(text + ".");
}

// ---- running

KernelText KernelEmitter::run() {
  block(kernel_.body);
  text_.body = (kernel_.producer ? ringVariables() : "") + out_;
  text_.sharedMembers = sharedMembers() + ringMembers();
  if (kernel_.producer) {
    text_.ringStart = ringStart();
    KernelEmitter(kernel_, options_).writeProducer(text_);
  }
  return std::move(text_);
}

// The members of struct Smem; buffers of one slot as a union.
std::string KernelEmitter::sharedMembers() {
  std::string text;
  auto member = [&](size_t i) {
    const SharedBuffer &buffer = kernel_.shared[i];
    auto known = bufferTypes_.find(i);
    std::string extents;
    for (size_t d = 0; d < buffer.shape.size(); ++d) {
      bool warps =
          d == 0 && known != bufferTypes_.end() && buffer.shape[0] == kernel_.options.numWarps;
      extents += (d ? " * " : "") + (warps ? "NUM_WARPS" : number(buffer.shape[d]).text);
    }
    std::string aligned =
        buffer.alignment ? "alignas(" + std::to_string(buffer.alignment) + ") " : "";
    return aligned + (known != bufferTypes_.end() ? known->second : cppType(buffer.members[0])) +
           " " + buffer.name + (buffer.stages > 1 ? "[" + stagesName(buffer.stages) + "]" : "") +
           "[" + extents + "];\n";
  };
  std::map<int, std::vector<size_t>> slots;
  for (size_t i = 0; i < kernel_.shared.size(); ++i)
    if (kernel_.shared[i].slot >= 0) slots[kernel_.shared[i].slot].push_back(i);
  for (auto &[slot, members] : slots) {
    std::string body;
    for (size_t i : members) body += member(i);
    text += members.size() > 1 ? "union {  // never alive together\n" + body + "};\n" : body;
  }
  for (size_t i = 0; i < kernel_.shared.size(); ++i)
    if (kernel_.shared[i].slot < 0) text += member(i);
  return text;
}

void KernelEmitter::block(Block &block) {
  for (auto &op : block.ops) this->op(op.get());
}

void KernelEmitter::op(Op *op) {
  if (op->kind != OpKind::Constant) statement_ = op->loc.statement;
  if (op->has("via")) {
    moveInWarp(op);
    return;
  }
  switch (op->kind) {
    case OpKind::Constant:
      return;  // written where it is used
    case OpKind::Grid:
      gridOp(op);
      return;
    case OpKind::TensorMap:
      scalars_[op->result()] = primary(op->result()->name);
      return;
    case OpKind::Require:
    case OpKind::Assume:
      return;  // the launcher's business
    case OpKind::Nest:
      nest(op);
      return;
    case OpKind::ReduceAcross:
      reduceAcross(op);
      return;
    case OpKind::Scan:
      scan(op);
      return;
    case OpKind::RingFill:
    case OpKind::RingTake:
    case OpKind::RingRelease:
    case OpKind::TensorCopy:
      ringOp(op);
      return;
    case OpKind::TensorCopyOut:
      tensorCopyOut(op);
      return;
    case OpKind::TensorCopyWait:
      line(
          "if (lane == 0) tile2cu::tma_store_wait_read<0>();  // copies out of shared memory have "
          "read it");
      if (op->getBool("warp")) line("__syncwarp();");
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
      line("return;");
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
      line("tile2cu::cp_async_commit();");
      return;
    case OpKind::AsyncWait:
      asyncWait(op);
      return;
    case OpKind::Barrier:
      barrier(op);
      return;
    case OpKind::DebugBarrier:
      line(barrierCall() + "  // debug_barrier() of the source");
      return;
    case OpKind::DeviceAssert:
      statementComment(op);
      line("assert(" + scalar(op->operand(0)).text + ");");
      return;
    case OpKind::Yield:
    case OpKind::Break:
    case OpKind::Continue:
    case OpKind::Condition:
      return;  // written by the operation that owns the region
    default:
      scalarOp(op);
  }
}

void KernelEmitter::barrier(const Op *op) {
  if (op->getBool("async_proxy"))
    line(
        "tile2cu::fence_async_proxy();  // tensor cores and bulk copies see what this thread "
        "wrote");
  line(barrierCall() + "  // " + op->getString("reason"));
}

// What the threads of a program meet at: beside a producer, only those that compute.
std::string KernelEmitter::barrierCall() const {
  if (kernel_.producer) return "tile2cu::named_barrier_sync<NUM_THREADS>(1);";
  return singleWarp_ ? "__syncwarp();" : "__syncthreads();";
}

// ---- scalars

Expr KernelEmitter::scalar(const Value *value) {
  auto known = scalars_.find(value);
  if (known != scalars_.end()) return known->second;
  auto stored = storage_.find(value);
  if (stored != storage_.end()) return primary(stored->second.name + stored->second.member);
  const Op *op = value->definition;
  T2C_ASSERT(op && op->kind == OpKind::Constant);
  Scalar type = value->type.scalar();
  if (isFloat(type)) return literal(type, op->getDouble("value"));
  if (type == Scalar::Bool) return primary(op->getBool("value") ? "true" : "false");
  int64_t number = op->getInt("value");
  if (op->getBool("named")) return primary(stagesName(number));
  for (const TemplateArgument &argument : kernel_.templateArguments)
    if (argument.integer == number && !argument.name.empty() && argument.name == value->name)
      return primary(constantName(argument.name, number, ""));
  return this->number(number, type);
}

const Value *KernelEmitter::implicitSource(const Op *op, unsigned i) const {
  const Value *value = op->operand(i);
  bool arithmetic = op->kind == OpKind::Add || op->kind == OpKind::Sub || op->kind == OpKind::Mul ||
                    (op->kind >= OpKind::Lt && op->kind <= OpKind::Ne);
  bool offset = op->kind == OpKind::AddPtr && i == 1;
  if ((!arithmetic && !offset) || value->type.isPointer() || value->type.scalar() != Scalar::I64)
    return value;
  auto widened = [](const Value *v) {
    const Op *cast = v->definition;
    return cast && cast->kind == OpKind::Cast && (v->name.empty() || v->type.isTile()) &&
           isSigned(cast->operand(0)->type.scalar());
  };
  if (!widened(value)) return value;
  if (offset) return value->definition->operand(0);
  const Value *other = op->operand(1 - i);
  bool wide = !constantInt(other) && (!widened(other) || i == 1);
  return wide ? value->definition->operand(0) : value;
}

void KernelEmitter::scalarOp(Op *op) {
  llvm::SmallVector<Expr, 4> operands;
  for (unsigned i = 0; i < op->numOperands(); ++i)
    operands.push_back(scalar(implicitSource(op, i)));
  switch (op->kind) {
    case OpKind::ProgramId: {
      const char *const kAxes[] = {"x", "y", "z"};
      bindScalar(op, op->result(), primary(std::string("blockIdx.") + kAxes[op->getInt("axis")]),
                 true);
      return;
    }
    case OpKind::NumPrograms: {
      const char *const kAxes[] = {"x", "y", "z"};
      std::string blocks = std::string("gridDim.") + kAxes[op->getInt("axis")];
      if (kernel_.packed()) blocks = "int64_t(" + blocks + ") * PROGRAMS_PER_BLOCK";
      bindScalar(op, op->result(),
                 {blocks, kernel_.packed() ? Prec::Multiplicative : Prec::Primary}, true);
      return;
    }
    case OpKind::NumSms:
      bindScalar(op, op->result(), primary("num_sms"));
      return;
    case OpKind::RandomBits:
      bindScalar(
          op, op->result(),
          primary("tile2cu::random_bits<1>(" + operands[0].text + ", " + operands[1].text + ")[0]"),
          true);
      return;
    case OpKind::Map: {
      std::string function = functor(op, "map");
      for (unsigned i = 0; i < op->numResults(); ++i)
        bindScalar(op, op->result(i), call(function, operands), true);
      return;
    }
    default:
      break;
  }
  T2C_ASSERT(op->is(Elementwise) && op->numResults() == 1);
  bindScalar(op, op->result(), elementwise(op, operands, options_.preciseMath));
}

static bool usedElsewhere(const Value *value, const Block *home) {
  for (Op *user : value->users)
    if (user->parent != home) return true;
  return false;
}

// A name for a value that the user did not name, from what it is made of.
std::string KernelEmitter::roleName(const Op *op) {
  auto nameOf = [&](const Value *value) -> std::string {
    if (!value->name.empty()) return value->name;
    return "";
  };
  switch (op->kind) {
    case OpKind::AddPtr: {
      auto base = passes::basePointer(op->result());
      std::string pointer = base ? kernel_.parameters[*base].name : "pointer";
      // The first named scalar of the offset says where: in_row; a program id by itself says only "this program's".
      std::string where = "tile";
      llvm::SmallVector<const Value *, 8> open{op->operand(1)};
      for (unsigned steps = 0; steps < 8 && !open.empty(); ++steps) {
        const Value *value = open.pop_back_val();
        if (!value) continue;
        bool plainId = value->name.starts_with("pid") || value->name.starts_with("bid") ||
                       value->name.starts_with("program");
        bool constant = value->definition && value->definition->kind == OpKind::Constant;
        if (!value->name.empty() && !plainId && !constant && !value->isArgument() &&
            value->name.size() <= 12) {
          where = value->name;
          break;
        }
        if (value->definition && !plainId)
          for (size_t i = value->definition->operands().size(); i-- > 0;)
            open.push_back(value->definition->operand(i));
      }
      return pointer + "_" + where;
    }
    case OpKind::Reciprocal: {
      std::string of = nameOf(op->operand(0));
      return of.empty() ? "scale" : "inv_" + of;
    }
    case OpKind::Mul:
    case OpKind::Add:
    case OpKind::Sub: {
      const Value *dividend, *divisor;
      if (isCdiv(op->result(), dividend, divisor))
        return nameOf(dividend).empty() ? "blocks" : nameOf(dividend) + "_blocks";
      for (Value *operand : op->operands()) {
        std::string of = nameOf(operand);
        if (!of.empty() && !operand->type.isPointer() && operand->definition &&
            operand->definition->kind != OpKind::Constant)
          return isFloat(op->result()->type.scalar()) ? of + "_term" : of + "_start";
      }
      if (isFloat(op->result()->type.scalar())) return "term";
      if (op->kind == OpKind::Sub)
        return nameOf(op->operand(0)).empty() ? "left" : nameOf(op->operand(0)) + "_left";
      return op->kind == OpKind::Mul && constantInt(op->operand(0)) ? "step" : "start";
    }
    case OpKind::ProgramId:
      return "program";
    case OpKind::NumPrograms:
      return "programs";
    case OpKind::UniformThreshold:
      return "threshold";
    case OpKind::Clamp:
      return "limit";
    case OpKind::Minimum:
      return "lower";
    case OpKind::Maximum:
      return "upper";
    case OpKind::Cast: {
      std::string of = nameOf(op->operand(0));
      return of.empty() ? "value" : of + "_" + name(op->result()->type.scalar()).str();
    }
    default: {
      if (op->result()->type.scalar() == Scalar::Bool) return "condition";
      return op->mnemonic().str() + "_value";
    }
  }
}

void KernelEmitter::bindScalar(Op *op, Value *value, Expr e, bool mustName) {
  if (value->unused()) return;
  if (widensInPlace(op)) {
    scalars_[value] = std::move(e);
    return;
  }
  // A converted parameter reads best in place.
  bool trivial = e.isAtom() || (op->kind == OpKind::Cast && op->operand(0)->isArgument() &&
                                op->result()->name.empty());
  bool named = !value->name.empty();
  // The next value of a loop's variable is written into it, at the end of the body: left = left / 2.
  Op *user = value->users.size() == 1 ? value->users.front() : nullptr;
  Op *loop = user ? user->parentOp() : nullptr;
  if (!mustName && user && user->kind == OpKind::Yield && user->parent == op->parent && loop &&
      (loop->kind == OpKind::For || loop->kind == OpKind::While)) {
    scalars_[value] = std::move(e);
    return;
  }
  bool needs = mustName || (!trivial && (named || value->users.size() > 1 ||
                                         usedElsewhere(value, op->parent) || e.text.size() > 100));
  if (!needs) {
    scalars_[value] = std::move(e);
    return;
  }
  statementComment(op);
  std::string name = names_.take(named ? value->name : roleName(op));
  std::string type = op->kind == OpKind::UniformThreshold ? "auto" : cppType(value->type.element());
  bool pointer = value->type.isPointer();
  line((pointer ? type + " const " : "const " + type + " ") + name + " = " + e.text + ";");
  scalars_[value] = primary(name);
}

// The object a scalar pointer points to: in[row] for in + row.
Expr KernelEmitter::dereference(const Value *pointer) {
  const Op *op = pointer->definition;
  bool inlined = op && op->kind == OpKind::AddPtr && !scalars_.count(op->result());
  Expr e = scalar(pointer);
  size_t plus = e.text.find(" + ");
  if (!inlined && e.prec == Prec::Additive && plus != std::string::npos &&
      e.text.find(" - ") == std::string::npos) {
    std::string base = e.text.substr(0, plus);
    if (primary(base).isName()) return primary(base + "[" + e.text.substr(plus + 3) + "]");
  }
  if (e.isName()) return primary("*" + e.text);
  return primary("*(" + e.text + ")");
}

std::string KernelEmitter::loneThread() { return threadWord() + " == 0"; }

void KernelEmitter::scalarLoad(Op *op) {
  Expr e = dereference(op->operand(0));
  if (op->operand(1)) {
    Scalar type = op->result()->type.scalar();
    Expr other = op->operand(2) ? scalar(op->operand(2)) : literal(type, int64_t{0});
    e = conditional(scalar(op->operand(1)), e, other);
  }
  if (op->result()->name.empty()) {
    auto base = passes::basePointer(op->operand(0));
    op->result()->name = base ? kernel_.parameters[*base].name + "_value" : "loaded";
  }
  bindScalar(op, op->result(), e, true);
}

// The value a scalar store or atomic writes; a literal of a type that literals do not have says it.
std::string KernelEmitter::storedText(const Op *op) {
  Expr e = scalar(op->operand(1));
  Scalar type = op->operand(1)->type.scalar();
  bool natural =
      type == Scalar::I32 || type == Scalar::F32 || type == Scalar::F64 || type == Scalar::Bool;
  return e.isLiteral() && !natural ? cppType(type) + "(" + e.text + ")" : e.text;
}

void KernelEmitter::scalarStore(Op *op) {
  statementComment(op);
  commentOpen_ = false;
  std::string condition = loneThread();
  if (op->operand(2))
    condition +=
        " && " + (scalar(op->operand(2)).prec > Prec::And ? "(" + scalar(op->operand(2)).text + ")"
                                                          : scalar(op->operand(2)).text);
  if (op->kind == OpKind::AtomicAdd) {
    // All threads learn the old value through shared memory when it is used.
    if (op->result()->unused()) {
      line("if (" + condition + ") tile2cu::atomic_add(" + scalar(op->operand(0)).text + ", " +
           storedText(op) + ");");
      return;
    }
    T2C_ASSERT(op->has("buffer"));
    std::string buffer = "smem." + kernel_.shared[op->getInt("buffer")].name + "[0]";
    line("if (" + condition + ") " + buffer + " = tile2cu::atomic_add(" +
         scalar(op->operand(0)).text + ", " + storedText(op) + ");");
    line(barrierCall() + "  // the old value is there for all threads");
    bindScalar(op, op->result(), primary(buffer), true);
    return;
  }
  line("if (" + condition + ") " + dereference(op->operand(0)).text + " = " + storedText(op) + ";");
}

}  // namespace tile2cu::emit
