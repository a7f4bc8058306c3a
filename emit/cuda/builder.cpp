#include "emit/cuda/builder.h"

#include "fmt/format.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {

// A node whose first operand is `first`.
static Expr listNode(ExprKind kind, const Expr &first, llvm::ArrayRef<Expr> others) {
  Expr::Node node{kind};
  node.operands.reserve(others.size() + 1);
  node.operands.push_back(first);
  node.operands.append(others.begin(), others.end());
  return Expr(std::move(node));
}

Expr named(const Symbol &variable) {
  T2C_ASSERT(variable);
  return Expr({ExprKind::Name, Prec::Primary, "", {}, variable});
}
Expr word(llvm::StringRef spelling) {
  return Expr({ExprKind::Word, Prec::Primary, spelling.str()});
}
Expr integer(int64_t value) { return digits(std::to_string(value)); }

Expr digits(llvm::StringRef spelling) {
  const Prec prec = spelling.starts_with("-") ? Prec::Unary : Prec::Primary;
  return Expr({ExprKind::Literal, prec, spelling.str()});
}

Expr binary(Prec prec, llvm::StringRef op, const Expr &a, const Expr &b) {
  return Expr({ExprKind::Binary, prec, op.str(), {a, b}});
}

Expr unary(llvm::StringRef op, const Expr &a) {
  return Expr({ExprKind::Unary, Prec::Unary, op.str(), {a}});
}

Expr conditional(const Expr &condition, const Expr &a, const Expr &b) {
  return Expr({ExprKind::Conditional, Prec::Conditional, "", {condition, a, b}});
}

Expr call(const Expr &function, llvm::ArrayRef<Expr> arguments) {
  return listNode(ExprKind::Call, function, arguments);
}
Expr call(llvm::StringRef function, llvm::ArrayRef<Expr> arguments) {
  return call(word(function), arguments);
}
Expr instance(llvm::StringRef ofTemplate, llvm::ArrayRef<Expr> arguments) {
  return listNode(ExprKind::Template, word(ofTemplate), arguments);
}
Expr braces(const Expr &type, llvm::ArrayRef<Expr> values) {
  return listNode(ExprKind::Braces, type, values);
}
Expr list(llvm::ArrayRef<Expr> values) { return braces({}, values); }
Expr rows(llvm::ArrayRef<Expr> values) { return listNode(ExprKind::Rows, {}, values); }
Expr launch(const Expr &kernel, llvm::ArrayRef<Expr> how) {
  return listNode(ExprKind::Launch, kernel, how);
}

Expr scoped(const Expr &type, llvm::StringRef name) {
  return Expr({ExprKind::Scoped, Prec::Primary, name.str(), {type}});
}

Expr method(const Expr &of, llvm::StringRef name, llvm::ArrayRef<Expr> arguments) {
  return call(member(of, name), arguments);
}

Expr member(const Expr &of, llvm::StringRef name) {
  return Expr({ExprKind::Member, Prec::Primary, name.str(), {of}});
}

Expr elementOf(const Expr &of, const Expr &index) {
  return Expr({ExprKind::Index, Prec::Primary, "", {of, index}});
}

Expr subscript(const Expr &of, llvm::ArrayRef<Expr> indices) {
  Expr e = of;
  for (const Expr &index : indices) e = elementOf(e, index);
  return e;
}

// `a op b` with b's operands of the same precedence one after the other: a op c op d for c op d.
static Expr inOneRow(Prec prec, llvm::StringRef op, const Expr &a, const Expr &b) {
  if (!b.is(ExprKind::Binary) || b.prec() != prec) return binary(prec, op, a, b);
  return binary(prec, b.spelling(), inOneRow(prec, op, a, b.operand(0)), b.operand(1));
}

Expr noRemainder(const Expr &of, const Expr &by) {
  return binary(Prec::Equality, "==", binary(Prec::Multiplicative, "%", of, by), integer(0));
}
Expr bothOf(const Expr &a, const Expr &b) {
  if (!a) return b;
  return b ? inOneRow(Prec::And, "&&", a, b) : a;
}

Expr allOf(llvm::ArrayRef<Expr> conditions) {
  Expr all;
  for (const Expr &condition : conditions) all = bothOf(all, condition);
  return all;
}

Expr anyOf(llvm::ArrayRef<Expr> conditions) {
  Expr any;
  for (const Expr &condition : conditions)
    any = any ? inOneRow(Prec::Or, "||", any, condition) : condition;
  return any;
}

Expr flatSum(const Expr &a, const Expr &b) {
  if (a.isLiteral("0")) return b;
  return b.isLiteral("0") ? a : inOneRow(Prec::Additive, "+", a, b);
}

Expr sum(const Expr &a, const Expr &b) {
  if (a.isLiteral("0")) return b;
  if (b.isLiteral("0")) return a;
  if (b.isNegative())
    return binary(Prec::Additive, "-", a, digits(llvm::StringRef(b.spelling()).drop_front()));
  return binary(Prec::Additive, "+", a, b);
}

Expr product(const Expr &a, const Expr &b) {
  if (a.isLiteral("0") || b.isLiteral("0")) return integer(0);
  if (a.isLiteral("1")) return b;
  if (b.isLiteral("1")) return a;
  return binary(Prec::Multiplicative, "*", a, b);
}

Expr pointerTo(const Expr &type) { return Expr({ExprKind::Pointer, Prec::Primary, "", {type}}); }
Expr addressOf(const Expr &e) { return unary("&", e); }

Expr lambda(llvm::ArrayRef<Symbol> parameters, const Expr &value, llvm::StringRef type) {
  llvm::SmallVector<Expr, 4> operands{value};
  for (const Symbol &parameter : parameters) operands.push_back(named(parameter));
  return Expr({ExprKind::Lambda, Prec::Primary, type.str(), {operands.begin(), operands.end()}});
}

// ---- statements

Stmt constant(const Expr &type, const Symbol &name, const Expr &init, llvm::StringRef note) {
  return {Declare{type, {{name, {}, init}}, true}, note.str()};
}

Stmt variable(const Expr &type, const Symbol &name, const Expr &init) {
  return {Declare{type, {{name, {}, init}}}};
}

Stmt assignment(const Expr &target, const Expr &value) {
  const bool isCompound = value.is(ExprKind::Binary) && value.operand(0) == target &&
                          value.spelling().size() == 1 &&
                          llvm::StringRef("+-*/&|^").contains(value.spelling());
  if (!isCompound) return {Assign{target, "=", value}};
  return {Assign{target, value.spelling() + "=", value.operand(1)}};
}

Stmt evaluate(const Expr &e, llvm::StringRef note) { return {Eval{e}, note.str()}; }

Stmt evaluate(Effect effect, const Expr &e, llvm::StringRef note) {
  Stmt stmt = evaluate(e, note);
  stmt.effect = effect;
  return stmt;
}

Stmt staticAssertion(const Expr &condition, llvm::StringRef reason) {
  if (reason.empty()) return evaluate(call("static_assert", {condition}));
  return evaluate(call("static_assert", {condition, word(fmt::format("\"{}\"", reason.str()))}));
}
Stmt shortIf(const Expr &condition, Stmt then) {
  if (!condition) return then;
  If branch;
  branch.condition = condition;
  branch.isShort = true;
  std::string note = std::move(then.note);
  then.note.clear();
  branch.then.push_back(std::move(then));
  return {std::move(branch), std::move(note)};
}

Stmt branchOn(const Expr &condition) {
  If branch;
  branch.condition = condition;
  return {std::move(branch)};
}

Stmt localFunction(const Symbol &name, llvm::ArrayRef<FunctionParameter> parameters) {
  LocalFunction result;
  result.name = name;
  result.parameters.assign(parameters.begin(), parameters.end());
  return {std::move(result)};
}

Stmt section(llvm::StringRef role) {
  Section result;
  result.role = role;
  return {std::move(result)};
}

Stmt jump(llvm::StringRef word, const Expr &value) { return {Jump{word.str(), value}}; }

Stmt record(llvm::StringRef word, Stmts members, llvm::StringRef note) {
  return {Record{word.str(), note.str(), std::move(members)}};
}

For unrolledLoop(const Symbol &variable, const Expr &extent) {
  For loop;
  loop.start = {word("int"), {{variable, {}, integer(0)}}};
  loop.condition = binary(Prec::Relational, "<", named(variable), extent);
  loop.advance = {named(variable), "++"};
  loop.unroll = "unroll";
  return loop;
}

static Stmts &bodyOf(Stmt &stmt, bool isElse) {
  if (If *branch = stmt.as<If>()) return isElse ? branch->otherwise : branch->then;
  if (For *loop = stmt.as<For>()) return loop->body;
  if (While *loop = stmt.as<While>()) return loop->body;
  if (LocalFunction *function = stmt.as<LocalFunction>()) return function->body;
  if (CallOperator *function = stmt.as<CallOperator>()) return function->body;
  Section *section = stmt.as<Section>();
  T2C_ASSERT(section);
  return section->body;
}

void Builder::add(Stmt stmt) {
  stmt.source = source_;
  frames_.back().body.push_back(std::move(stmt));
}

void Builder::append(Stmts stmts) {
  Stmts &body = frames_.back().body;
  body.insert(body.end(), std::make_move_iterator(stmts.begin()),
              std::make_move_iterator(stmts.end()));
}

void Builder::open(Stmt stmt) {
  stmt.source = source_;
  frames_.push_back({std::move(stmt)});
}

void Builder::openElse() {
  Frame &frame = frames_.back();
  bodyOf(frame.owner, false) = std::move(frame.body);
  frame.body.clear();
  frame.isElse = true;
}

void Builder::close() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  bodyOf(frame.owner, frame.isElse) = std::move(frame.body);
  frames_.back().body.push_back(std::move(frame.owner));
}

void Builder::begin() { frames_.push_back({{Blank{}}}); }

Stmts Builder::end() {
  Stmts body = std::move(frames_.back().body);
  frames_.pop_back();
  return body;
}

const Stmt *Builder::last() const {
  const Stmts &body = frames_.back().body;
  return body.empty() ? nullptr : &body.back();
}

void Builder::removeLast() { frames_.back().body.pop_back(); }

}  // namespace tile2cu::emit
