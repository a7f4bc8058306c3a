#include "passes/ir/verify/verify.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/ir/text/print.h"
#include "passes/ir/verify/copies_in_flight.h"
#include "passes/ir/verify/dots_in_flight.h"
#include "passes/ir/verify/verify_rules.h"

namespace tile2cu::ir {
namespace {

// The values that are visible, each with the number of uses that are still to come: as many as it
// lists users. They are kept by serial number, and in the order in which they became visible, so
// that the end of a block does not visit its operations again.
class Visible {
 public:
  void add(const Value *value) {
    if (value->serial >= usesToCome_.size()) usesToCome_.resize(value->serial + 1024, kNotVisible);
    usesToCome_[value->serial] = int64_t(value->users.size());
    added_.push_back(value);
  }
  bool contains(const Value *value) const {
    return value->serial < usesToCome_.size() && usesToCome_[value->serial] != kNotVisible;
  }
  void use(const Value *value) { --usesToCome_[value->serial]; }

  size_t count() const { return added_.size(); }
  // Removes all but the first `count` values. Returns one of the removed values whose list of users
  // is wrong, or null.
  const Value *leave(size_t count) {
    const Value *wrong = nullptr;
    for (; added_.size() > count; added_.pop_back()) {
      int64_t &uses = usesToCome_[added_.back()->serial];
      if (uses != 0) wrong = added_.back();
      uses = kNotVisible;
    }
    return wrong;
  }

 private:
  static constexpr int64_t kNotVisible = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> usesToCome_;
  std::vector<const Value *> added_;
};

struct State {
  const Kernel &kernel;
  std::optional<Level> level;
  Visible &visible;
  std::optional<Violation> found = std::nullopt;
  // The local functions so far, by their numbers. One does not call itself, or a later one.
  std::map<int64_t, const Op *> functions = {};

  bool fail(const Op *op, std::string message) {
    found = {op, std::move(message)};
    return false;
  }
  bool check(const Op *op, std::string message) {
    return message.empty() || fail(op, std::move(message));
  }

  bool operands(const Op &op) {
    auto names = operandNames(op.kind);
    const bool hasMore = !names.empty() && names.back().ends_with("_any");
    if (hasMore) names = names.drop_back();
    const bool isVariadic = hasMore || (names.empty() && op.numOperands() > 0);
    if (!isVariadic && op.numOperands() > names.size()) return fail(&op, "too many operands");
    const unsigned count = std::max<unsigned>(isVariadic ? op.numOperands() : 0, names.size());
    for (unsigned i = 0; i < count; ++i) {
      const Value *value = op.operand(i);
      if (!value) {
        if (i < names.size() && names[i].ends_with("_opt")) continue;
        return fail(&op, fmt::format("operand {} is missing", i));
      }
      if (!visible.contains(value))
        return fail(&op, fmt::format("operand {} is not defined before its use", i));
      visible.use(value);
    }
    return true;
  }

  bool call(const Op &op) {
    auto known = functions.find(op.getInt(Attr::id));
    if (known == functions.end()) return fail(&op, "no local function before it has this number");
    return op.numOperands() == known->second->region()->arguments.size() ||
           fail(&op, "passes another number of arguments than its local function takes");
  }

  bool operation(const Op &op, const Block &block) {
    if (op.parent != &block || op.position->get() != &op)
      return fail(&op, "the operation's parent is not its block");
    if (!operands(op)) return false;
    if (op.isTerminator()) {
      if (op.next()) return fail(&op, "an operation follows the end of the block");
      if (!check(&op, checkTerminator(op))) return false;
    }
    if (!check(&op, checkAttributes(op))) return false;
    if (!check(&op, checkTypes(op))) return false;
    if (!check(&op, checkMma(op, kernel))) return false;
    if (level && !check(&op, checkLevel(op, *level, kernel))) return false;
    for (auto &region : op.regions) {
      if (region->parent != &op) return fail(&op, "a region's parent is not its operation");
      if (!this->block(*region)) return false;
    }
    if (op.kind == OpKind::LocalFunction) functions[op.getInt(Attr::id)] = &op;
    if (op.kind == OpKind::Call && !call(op)) return false;
    for (unsigned i = 0; i < op.numResults(); ++i) {
      const Value *result = op.result(i);
      if (result->definition != &op || result->index != i)
        return fail(&op, "a result's definition is not its operation");
      visible.add(result);
    }
    return true;
  }

  bool block(const Block &block) {
    const size_t outside = visible.count();
    for (unsigned i = 0; i < block.arguments.size(); ++i) {
      const Value *argument = block.argument(i);
      if (argument->owner != &block || argument->index != i || argument->definition)
        return fail(block.parent, "a block argument's owner is not its block");
      visible.add(argument);
    }
    for (auto &op : block.ops)
      if (!operation(*op, block)) return false;
    // Every use lies in this block, or is wrong and was reported.
    const Value *wrong = visible.leave(outside);
    return !wrong || fail(wrong->isArgument() ? block.parent : wrong->definition,
                          fmt::format("the list of users of %{} is wrong", wrong->name));
  }

  // The body of the kernel, or the code of its producer warp.
  bool root(const Block &body) {
    if (body.arguments.size() != kernel.parameters.size())
      return fail(nullptr,
                  fmt::format("@{} does not have one argument for each parameter", kernel.name));
    for (unsigned i = 0; i < kernel.parameters.size(); ++i)
      if (kernel.parameters[i].type != body.argument(i)->type)
        return fail(nullptr, fmt::format("the argument for {} has the wrong type",
                                         kernel.parameters[i].name));
    return block(body);
  }

  bool ring(const SharedRing &ring) {
    for (int64_t buffer : ring.buffers)
      if (buffer < 0 || static_cast<size_t>(buffer) >= kernel.shared.size() ||
          kernel.shared[buffer].stages != ring.stages)
        return fail(nullptr,
                    fmt::format("@{} has a ring without a buffer for its stages", kernel.name));
    return true;
  }

  bool run() {
    if (!root(kernel.body) || (kernel.producer && !root(*kernel.producer))) return false;
    if (!llvm::all_of(kernel.rings, [&](const SharedRing &each) { return ring(each); }))
      return false;
    found = findAsyncViolation(kernel);
    return !found;
  }
};

}  // namespace

std::optional<Violation> findAsyncViolation(const Kernel &kernel) {
  auto found = findDotViolation(kernel);
  return found ? found : findCopyViolation(kernel);
}

std::optional<Violation> findViolation(const Module &module, std::optional<Level> level) {
  Visible visible;
  for (const Kernel &kernel : module.kernels) {
    State state{kernel, level, visible};
    if (!state.run()) return state.found;
  }
  return std::nullopt;
}

static void stop(const Violation &violation) {
  std::string text = violation.message;
  if (violation.op) text += "\n  in: " + toString(violation.op);
  T2C_UNREACHABLE(text.c_str());
}

void verify(const Module &module) {
  if (auto violation = findViolation(module, module.level)) stop(*violation);
}

void verifyAsync(const Kernel &kernel) {
  if (auto violation = findAsyncViolation(kernel)) stop(*violation);
}

}  // namespace tile2cu::ir
