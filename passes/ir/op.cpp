#include "passes/ir/op.h"

#include <algorithm>
#include <array>

#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::ir {
namespace {

struct KindInfo {
  llvm::StringRef mnemonic;
  std::vector<llvm::StringRef> operands;
  uint16_t traits;
  std::vector<AttrUse> attributes;
};

#define T2C_NAME(name) llvm::StringRef(#name),
#define T2C_ATTRIBUTE_USE(name) AttrUse(Attr::name),
const std::vector<KindInfo> &kinds() {
  static const std::vector<KindInfo> table = {
#define VARIADIC ()
#define OP(Name, mnemonic, OPERANDS, traits, ATTRIBUTES) \
  {#mnemonic,                                            \
   {T2C_FOR_EACH(T2C_NAME, T2C_STRIP OPERANDS)},         \
   traits,                                               \
   {T2C_FOR_EACH(T2C_ATTRIBUTE_USE, T2C_STRIP ATTRIBUTES)}},
#include "passes/ir/ops.def"
#undef VARIADIC
  };
  return table;
}

}  // namespace

llvm::StringRef mnemonic(OpKind kind) { return kinds()[static_cast<size_t>(kind)].mnemonic; }
uint16_t traits(OpKind kind) { return kinds()[static_cast<size_t>(kind)].traits; }
llvm::ArrayRef<llvm::StringRef> operandNames(OpKind kind) {
  return kinds()[static_cast<size_t>(kind)].operands;
}
llvm::ArrayRef<AttrUse> attributesOf(OpKind kind) {
  return kinds()[static_cast<size_t>(kind)].attributes;
}
std::optional<OpKind> kindFromMnemonic(llvm::StringRef mnemonic) {
  for (size_t i = 0; i < kinds().size(); ++i)
    if (kinds()[i].mnemonic == mnemonic) return static_cast<OpKind>(i);
  return std::nullopt;
}

// ---- comparisons

#define OP(...)
#define ELEMENTWISE(...)
#define REAL_FUNCTION(...)
OpKind kindOf(Compare compare) {
  switch (compare) {
#define COMPARISON(Name, word) \
  case Compare::Name:          \
    return OpKind::Name;
#include "passes/ir/ops.def"
  }
  llvm_unreachable("every comparison is listed");
}

#define OP(...)
#define ELEMENTWISE(...)
#define REAL_FUNCTION(...)
Compare compareOf(OpKind comparison) {
#define COMPARISON(Name, word) \
  if (comparison == OpKind::Name) return Compare::Name;
#include "passes/ir/ops.def"
  T2C_UNREACHABLE("no comparison");
}

Compare inverted(Compare compare) {
  switch (compare) {
    case Compare::Lt:
      return Compare::Ge;
    case Compare::Le:
      return Compare::Gt;
    case Compare::Gt:
      return Compare::Le;
    case Compare::Ge:
      return Compare::Lt;
    case Compare::Eq:
      return Compare::Ne;
    case Compare::Ne:
      return Compare::Eq;
  }
  llvm_unreachable("every comparison is listed");
}

Compare mirrored(Compare compare) {
  switch (compare) {
    case Compare::Lt:
      return Compare::Gt;
    case Compare::Le:
      return Compare::Ge;
    case Compare::Gt:
      return Compare::Lt;
    case Compare::Ge:
      return Compare::Le;
    case Compare::Eq:
    case Compare::Ne:
      return compare;
  }
  llvm_unreachable("every comparison is listed");
}

bool isEquality(Compare compare) { return compare == Compare::Eq || compare == Compare::Ne; }
bool isStrict(Compare compare) { return compare == Compare::Lt || compare == Compare::Gt; }
bool isLess(Compare compare) { return compare == Compare::Lt || compare == Compare::Le; }
bool isGreater(Compare compare) { return compare == Compare::Gt || compare == Compare::Ge; }

bool takesCache(OpKind access, CacheOp cache) {
  switch (cache) {
    case CacheOp::Ca:
    case CacheOp::Cv:
      return access == OpKind::Load;
    case CacheOp::Wb:
    case CacheOp::Wt:
      return access == OpKind::Store;
    case CacheOp::Cg:
    case CacheOp::Cs:
      return true;
  }
  llvm_unreachable("every cache operator is listed");
}

// ---- Value

static unsigned nextSerial() {
  static unsigned serial = 0;
  return serial++;
}

Value::Value(Type type, std::string name)
    : type(std::move(type)), name(std::move(name)), serial(nextSerial()) {}

Block *Value::home() const { return owner ? owner : definition->parent; }

void Value::replaceAllUsesWith(Value *other) {
  if (other == this) return;
  if (other->name.empty()) other->name = name;
  while (!users.empty()) {
    Op *user = users.back();
    for (unsigned i = 0; i < user->numOperands(); ++i)
      if (user->operand(i) == this) user->setOperand(i, other);
  }
}

static void removeUser(Value *value, Op *user) {
  if (!value) return;
  auto it = std::find(value->users.begin(), value->users.end(), user);
  T2C_ASSERT(it != value->users.end());
  value->users.erase(it);
}

// ---- Op

Op::~Op() {
  regions.clear();
  for (Value *value : operands_) removeUser(value, this);
}

void Op::setOperand(unsigned i, Value *value) {
  while (operands_.size() <= i)
    operands_.push_back(nullptr);  // absent optional operands may not be listed
  removeUser(operands_[i], this);
  operands_[i] = value;
  if (value) value->users.push_back(this);
}

void Op::addOperand(Value *value) {
  operands_.push_back(value);
  if (value) value->users.push_back(this);
}

void Op::setOperands(llvm::ArrayRef<Value *> values) {
  std::vector<Value *> copy(values.begin(), values.end());
  for (Value *value : operands_) removeUser(value, this);
  operands_.clear();
  for (Value *value : copy) addOperand(value);
}

void Op::eraseOperand(unsigned i) {
  removeUser(operands_[i], this);
  operands_.erase(operands_.begin() + i);
}

Value *Op::addResult(Type type, std::string name) {
  results.push_back(std::make_unique<Value>(std::move(type), std::move(name)));
  results.back()->definition = this;
  results.back()->index = results.size() - 1;
  return results.back().get();
}

Block *Op::addRegion() {
  regions.push_back(std::make_unique<Block>());
  regions.back()->parent = this;
  return regions.back().get();
}

const std::string &Op::getString(StringAttr key) const {
  static const std::string none;
  const Attribute *value = attributes.find(key);
  return value ? std::get<std::string>(*value) : none;
}
const Ints &Op::getInts(IntsAttr key) const {
  static const Ints none;
  const Attribute *value = attributes.find(key);
  return value ? std::get<Ints>(*value) : none;
}

int64_t Op::getInt(NumberAttr key, int64_t fallback) const {
  const Attribute *value = attributes.find(key);
  if (!value) return fallback;
  if (const bool *truth = std::get_if<bool>(value)) return *truth;
  return std::get<int64_t>(*value);
}
double Op::getDouble(NumberAttr key) const {
  const Attribute *value = attributes.find(key);
  if (!value) return 0;
  if (const int64_t *integer = std::get_if<int64_t>(value)) return static_cast<double>(*integer);
  return std::get<double>(*value);
}

llvm::StringRef Op::mnemonic() const { return ir::mnemonic(kind); }
uint16_t Op::traits() const { return ir::traits(kind); }
Op *Op::parentOp() const { return parent ? parent->parent : nullptr; }

Op *Op::next() const {
  auto it = std::next(position);
  return it == parent->ops.end() ? nullptr : it->get();
}
Op *Op::previous() const {
  return position == parent->ops.begin() ? nullptr : std::prev(position)->get();
}

void Op::erase() {
  for (auto &value : results) T2C_ASSERT(value->users.empty());
  parent->ops.erase(position);
}

void Op::moveBefore(Op *other) {
  other->parent->ops.splice(other->position, parent->ops, position);
  parent = other->parent;
}
void Op::moveAfter(Op *other) {
  other->parent->ops.splice(std::next(other->position), parent->ops, position);
  parent = other->parent;
}

// ---- Block

Block::~Block() {
  // Users before definitions.
  while (!ops.empty()) ops.pop_back();
}

Value *Block::addArgument(Type type, std::string name) {
  arguments.push_back(std::make_unique<Value>(std::move(type), std::move(name)));
  arguments.back()->owner = this;
  arguments.back()->index = arguments.size() - 1;
  return arguments.back().get();
}

Op *Block::terminator() const { return back() && back()->isTerminator() ? back() : nullptr; }

Op *Block::append(std::unique_ptr<Op> op) { return insertBefore(nullptr, std::move(op)); }
Op *Block::insertBefore(Op *before, std::unique_ptr<Op> op) {
  auto at = before ? before->position : ops.end();
  auto it = ops.insert(at, std::move(op));
  (*it)->position = it;
  (*it)->parent = this;
  return it->get();
}

// ---- walking

void walk(Block &block, llvm::function_ref<void(Op *)> visit) {
  for (auto it = block.ops.begin(); it != block.ops.end();) {
    Op *op = it->get();
    ++it;
    std::vector<Block *> regions;
    for (auto &region : op->regions) regions.push_back(region.get());
    if (regions.empty()) {
      visit(op);
      continue;
    }
    // An op with regions must outlive its own visit; its regions are walked after it.
    visit(op);
    for (Block *region : regions) walk(*region, visit);
  }
}

void walkPostOrder(Block &block, llvm::function_ref<void(Op *)> visit) {
  for (auto it = block.ops.begin(); it != block.ops.end();) {
    Op *op = it->get();
    for (auto &region : op->regions) walkPostOrder(*region, visit);
    ++it;
    visit(op);
  }
}

bool isInside(const Block *inner, const Block &block) {
  for (; inner; inner = inner->parent ? inner->parent->parent : nullptr)
    if (inner == &block) return true;
  return false;
}

const Op *ancestorIn(const Block &block, const Op *op) {
  while (op && op->parent != &block) op = op->parentOp();
  return op;
}
Op *ancestorIn(const Block &block, Op *op) {
  return const_cast<Op *>(ancestorIn(block, const_cast<const Op *>(op)));
}

bool isBefore(const Op *op, const Op *other) {
  for (const Op *next = op->next(); next; next = next->next())
    if (next == other) return true;
  return false;
}

Op *firstUserIn(const Block &block, const Value &value) {
  Op *first = nullptr;
  for (Op *user : value.users)
    if (Op *at = ancestorIn(block, user); at && (!first || isBefore(at, first))) first = at;
  return first;
}

// Whether the operation only computes values.
static bool onlyComputes(const Op &op) {
  if (op.kind != OpKind::Nest) return op.is(Pure) && op.regions.empty();
  return llvm::all_of(op.region()->ops,
                      [](const auto &inner) { return inner->is(Pure) || inner->isTerminator(); });
}

Op *loopBegunBy(const Op *branch) {
  if (branch->kind != OpKind::If || !branch->getBool(Attr::with_loop)) return nullptr;
  Op *op = branch->next();
  while (op && onlyComputes(*op)) op = op->next();
  const bool takes = op && op->kind == OpKind::For && branch->numResults() == 1 &&
                     llvm::is_contained(op->operands(), branch->result());
  return takes ? op : nullptr;
}

Op *entryOf(const Op *loop) {
  Op *op = loop->previous();
  while (op && op->kind != OpKind::If) op = op->previous();
  return op && loopBegunBy(op) == loop ? op : nullptr;
}

bool isLoop(const Op *op) { return op && (op->kind == OpKind::For || op->kind == OpKind::While); }

void replaceUses(llvm::ArrayRef<Op *> users, const Value *from, Value *to) {
  for (Op *user : users)
    for (unsigned i = 0; i < user->numOperands(); ++i)
      if (user->operand(i) == from) user->setOperand(i, to);
}

bool definedOutside(const Value *value, const Block &block) {
  return !isInside(value->home(), block);
}

llvm::SmallVector<Value *, 4> capturedBy(Block &region) {
  llvm::SmallVector<Value *, 4> captured;
  walk(region, [&](const Op *op) {
    for (Value *operand : op->operands())
      if (operand && definedOutside(operand, region) && !llvm::is_contained(captured, operand))
        captured.push_back(operand);
  });
  return captured;
}

}  // namespace tile2cu::ir
