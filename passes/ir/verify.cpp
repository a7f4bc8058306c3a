#include "passes/ir/verify.h"

#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "passes/ir/print.h"
#include "passes/ir/verify_rules.h"

namespace tile2cu::ir {
namespace {

// The values that are visible, and how often each was used so far. By serial number: a hash table would take most of the verifier's
// time.
class Visible {
 public:
  void add(const Value *value) {
    if (value->serial >= usesAndOne_.size()) usesAndOne_.resize(value->serial + 1024);
    usesAndOne_[value->serial] = 1;
  }
  // False: it is not visible.
  bool use(const Value *value) {
    const bool isVisible = contains(value);
    if (isVisible) ++usesAndOne_[value->serial];
    return isVisible;
  }
  // Removes the value; how often it was used.
  size_t remove(const Value *value) {
    const size_t uses = usesAndOne_[value->serial] - 1;
    usesAndOne_[value->serial] = 0;
    return uses;
  }

 private:
  bool contains(const Value *value) const {
    return value->serial < usesAndOne_.size() && usesAndOne_[value->serial] != 0;
  }
  std::vector<uint32_t> usesAndOne_;  // 0: not visible
};

struct State {
  const Kernel &kernel;
  std::optional<Level> level;
  Visible &visible;
  std::optional<Violation> found = std::nullopt;

  bool fail(const Op *op, std::string message) {
    found = {op, std::move(message)};
    return false;
  }
  bool check(const Op *op, std::string message) {
    return message.empty() || fail(op, std::move(message));
  }

  bool operands(const Op &op) {
    auto names = operandNames(op.kind);
    bool isVariadic = names.empty() && op.numOperands() > 0;
    if (!isVariadic && op.numOperands() > names.size()) return fail(&op, "too many operands");
    unsigned count = isVariadic ? op.numOperands() : names.size();
    for (unsigned i = 0; i < count; ++i) {
      const Value *value = op.operand(i);
      if (!value) {
        if (!isVariadic && names[i].ends_with("_opt")) continue;
        return fail(&op, "operand " + std::to_string(i) + " is missing");
      }
      if (!visible.use(value))
        return fail(&op, "operand " + std::to_string(i) + " is not defined before its use");
    }
    return true;
  }

  bool operation(const Op &op, const Block &block) {
    if (op.parent != &block || op.position->get() != &op)
      return fail(&op, "the operation does not know its block");
    if (!operands(op)) return false;
    if (op.isTerminator()) {
      if (op.next()) return fail(&op, "an operation follows the end of the block");
      if (!check(&op, checkTerminator(op))) return false;
    }
    if (!check(&op, checkTypes(op))) return false;
    if (level && !check(&op, checkLevel(op, *level, kernel))) return false;
    for (auto &region : op.regions) {
      if (region->parent != &op) return fail(&op, "a region does not know its operation");
      if (!this->block(*region)) return false;
    }
    for (unsigned i = 0; i < op.numResults(); ++i) {
      const Value *result = op.result(i);
      if (result->definition != &op || result->index != i)
        return fail(&op, "a result does not know its definition");
      visible.add(result);
    }
    return true;
  }

  bool block(const Block &block) {
    for (unsigned i = 0; i < block.arguments.size(); ++i) {
      const Value *argument = block.argument(i);
      if (argument->owner != &block || argument->index != i || argument->definition)
        return fail(block.parent, "a block argument does not know its block");
      visible.add(argument);
    }
    for (auto &op : block.ops)
      if (!operation(*op, block)) return false;
    // Every use lies in this block, or is wrong and was reported.
    for (auto &op : block.ops)
      for (auto &result : op->results)
        if (!leave(*result, op.get())) return false;
    for (auto &argument : block.arguments)
      if (!leave(*argument, block.parent)) return false;
    return true;
  }

  bool leave(const Value &value, const Op *op) {
    if (value.users.size() == visible.remove(&value)) return true;
    return fail(op, "the users of %" + value.name + " are not those that use it");
  }

  // The body, or what one more warp does beside it.
  bool root(const Block &body) {
    if (body.arguments.size() != kernel.parameters.size())
      return fail(nullptr, "@" + kernel.name + " has not one argument for each parameter");
    for (unsigned i = 0; i < kernel.parameters.size(); ++i)
      if (kernel.parameters[i].type != body.argument(i)->type)
        return fail(nullptr, "the argument for " + kernel.parameters[i].name + " has another type");
    return block(body);
  }

  bool ring(const SharedRing &ring) {
    for (int64_t buffer : ring.buffers)
      if (buffer < 0 || static_cast<size_t>(buffer) >= kernel.shared.size() ||
          kernel.shared[buffer].stages != ring.stages)
        return fail(nullptr, "@" + kernel.name + " has a ring without a buffer for its stages");
    return true;
  }

  bool run() {
    if (!root(kernel.body) || (kernel.producer && !root(*kernel.producer))) return false;
    return llvm::all_of(kernel.rings, [&](const SharedRing &each) { return ring(each); });
  }
};

}  // namespace

std::optional<Violation> findViolation(const Module &module, std::optional<Level> level) {
  Visible visible;
  for (const Kernel &kernel : module.kernels) {
    State state{kernel, level, visible};
    if (!state.run()) return state.found;
  }
  return std::nullopt;
}

llvm::LogicalResult verify(const Module &module, Level level, Diagnostics &) {
  auto violation = findViolation(module, level);
  if (!violation) return llvm::success();
  std::string text = violation->message;
  if (violation->op) text += "\n  in: " + toString(violation->op);
  T2C_UNREACHABLE(text.c_str());
}

}  // namespace tile2cu::ir
