#include "emit/transform/assert_sizes.h"

#include <map>

#include "emit/cuda/builder.h"
#include "emit/cuda/evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
namespace {

std::optional<int64_t> valueIn(const KernelGroup &group, size_t instance, const Expr &e) {
  return valueOf(e, [&](const Expr &leaf) -> std::optional<int64_t> {
    const GroupNumber *number = leaf.isName() ? group.find(leaf.symbol()) : nullptr;
    if (!number) return std::nullopt;
    return number->values[instance];
  });
}

// Whether it has a value that other template arguments or constants would change.
bool isSize(const KernelGroup &group, const Expr &e) {
  return valueIn(group, 0, e) && anyOf(e, [](const Expr &each) { return each.isName(); });
}

// A product: its literals, and its other factors.
struct Product {
  int64_t literal = 1;
  std::vector<Expr> factors = {};
};

// Numbers that are products are replaced by their factors.
void addFactors(const KernelGroup &group, const Expr &e, Product &to) {
  if (e.is(ExprKind::Binary, "*")) {
    for (const Expr &operand : e.operands()) addFactors(group, operand, to);
    return;
  }
  if (e.isLiteral()) {
    to.literal *= *valueIn(group, 0, e);
    return;
  }
  const GroupNumber *number = e.isName() ? group.find(e.symbol()) : nullptr;
  if (number && number->derivation.is(ExprKind::Binary, "*"))
    return addFactors(group, number->derivation, to);
  to.factors.push_back(e);
}

// Whether x % y == 0 follows from what x and y are.
bool isImplied(const KernelGroup &group, const Expr &x, const Expr &y) {
  Product all, by;
  addFactors(group, x, all);
  addFactors(group, y, by);
  for (const Expr &factor : by.factors) {
    const auto found = llvm::find(all.factors, factor);
    if (found == all.factors.end()) return false;
    all.factors.erase(found);
  }
  return by.literal != 0 && all.literal % by.literal == 0;
}

class Conditions {
 public:
  explicit Conditions(const KernelGroup &group) : group_(group) {}

  void add(const Expr &condition) {
    if (!llvm::is_contained(all_, condition)) all_.push_back(condition);
  }

  void addQuotientsIn(const Expr &e) {
    walk(e, [&](const Expr &each) {
      if (!each.is(ExprKind::Binary, "/") || !isSize(group_, each)) return;
      const Expr &x = each.operand(0), &y = each.operand(1);
      if (x.is(ExprKind::Binary, "+") || isImplied(group_, x, y)) return;
      add(noRemainder(x, y));
    });
  }

  Stmts assertions(const SymbolSet &declared) const {
    const std::vector<Expr> known = ofNumbers(declared);
    std::map<size_t, std::vector<Expr>> bySize;
    for (const Expr &condition : known) {
      check(condition);
      if (!isWeaker(condition, known)) bySize[positionOf(condition, known)].push_back(condition);
    }
    Stmts stmts;
    for (const auto &[position, conditions] : bySize)
      stmts.push_back(staticAssertion(allOf(conditions)));
    return stmts;
  }

 private:
  // The conditions that name no other numbers.
  std::vector<Expr> ofNumbers(const SymbolSet &declared) const {
    std::vector<Expr> known = all_;
    llvm::erase_if(known, [&](const Expr &condition) {
      return anyOf(condition, [&](const Expr &each) {
        return each.isName() && !declared.contains(each.symbol());
      });
    });
    return known;
  }

  // x of x % y == 0 and of x == y
  static Expr sizeOf(const Expr &condition) {
    const Expr &left = condition.operand(0);
    return left.is(ExprKind::Binary, "%") ? left.operand(0) : left;
  }

  // The same for all conditions of one size: sizes are in the order in which they are declared, and
  // those without a name come after them.
  size_t positionOf(const Expr &condition, llvm::ArrayRef<Expr> known) const {
    const Expr size = sizeOf(condition);
    const auto named = llvm::find_if(
        group_.numbers, [&](const GroupNumber &number) { return size.isName(number.name); });
    if (named != group_.numbers.end()) return named - group_.numbers.begin();
    const auto first =
        llvm::find_if(known, [&](const Expr &other) { return sizeOf(other) == size; });
    return group_.numbers.size() + (first - known.begin());
  }

  // Whether a number of another condition is a multiple of this one: D % 8 next to D % 16.
  bool isWeaker(const Expr &condition, llvm::ArrayRef<Expr> known) const {
    const auto divisor = divisorOf(condition);
    return divisor && llvm::any_of(known, [&](const Expr &other) {
             const auto of = divisorOf(other);
             return of && sizeOf(other) == sizeOf(condition) && *of > *divisor &&
                    *of % *divisor == 0;
           });
  }
  std::optional<int64_t> divisorOf(const Expr &condition) const {
    const Expr &left = condition.operand(0);
    if (!left.is(ExprKind::Binary, "%") || !left.operand(1).isLiteral()) return std::nullopt;
    return valueIn(group_, 0, left.operand(1));
  }

  void check(const Expr &condition) const {
    for (size_t instance = 0; instance < group_.instances.size(); ++instance) {
      const auto left = valueIn(group_, instance, condition.operand(0));
      T2C_ASSERT(left && left == valueIn(group_, instance, condition.operand(1)));
    }
  }

  const KernelGroup &group_;
  std::vector<Expr> all_;
};

}  // namespace

Stmts assertSizes(const KernelGroup &group, const SymbolSet &declared) {
  Conditions conditions(group);
  for (const GroupNumber &number : group.numbers)
    if (number.derivation) conditions.addQuotientsIn(number.derivation);
  for (const Stmts *part : partsOf(group.text()))
    forEachExpr(*part, [&](const Expr &e) { conditions.addQuotientsIn(e); });
  for (const Expr &condition : group.text().conditions) conditions.add(condition);
  return conditions.assertions(declared);
}

}  // namespace tile2cu::emit
