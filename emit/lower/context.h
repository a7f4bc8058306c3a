// The state that the lowerings of one kernel share: its text so far, and what is known of its
// values. A lowering is a function `lower(context, operation)` (lowerings.h).
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/lower/comment_writer.h"
#include "emit/lower/constant_table.h"
#include "emit/lower/kernel_info.h"
#include "emit/lower/scalar_names.h"
#include "emit/lower/value_map.h"

namespace tile2cu::emit {

// The variables of a loop: those that its next step starts with, and those that are read after it.
// The latter have no name where nobody reads them.
struct LoopVariables {
  std::vector<Storage> next, results;
  Names::Place start = 0;  // of the loop's body
  unsigned outside = 0;    // variables that are there before it
  std::vector<unsigned> changedAtExits = {};
  std::vector<Symbol> symbols() const;
};

// A function inside of the kernel's own (passes::LocalFunctions).
struct LocalFunctionText {
  Symbol name;
  Reads reads;  // variables of the kernel that its statements mention, and nobody may change
  Symbol a, b;  // of load_fragments: the arrays that it fills
};

inline SourceLine sourceOf(const ir::Op &op) { return {op.loc.file, op.loc.line}; }

struct LoweringContext {
  // For a function that has the kernel's parameters, which are the arguments of `body`. Null: for
  // one at namespace scope, where neither they nor the kernel's numbers have names, and where no
  // statement of the source is explained.
  LoweringContext(const KernelInfo &info, const ir::Block *body);

  const KernelInfo &info;
  const ir::Kernel &kernel;
  const bool singleWarp;
  Names names;
  StatementWriter out{names};
  CommentWriter comments{kernel, out};
  ConstantTable constants;
  ValueMap values{names};
  ScalarNames scalarNames{info.parameters};
  std::vector<ir::LayoutRef> layouts;  // of tiles whose elements are explained
  std::set<std::pair<const ir::Layout *, unsigned>> checkedIndices;  // dimensions
  std::set<std::string> helpers;  // dotted names of those that are used
  std::map<const ir::Op *, LocalFunctionText> localFunctions;  // by what declares them
  std::vector<LoopVariables> loops;                            // the enclosing ones
};

}  // namespace tile2cu::emit
