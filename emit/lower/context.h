// The state that the lowerings of one kernel share: its text so far, and what is known of its
// values. A lowering is a function `lower(context, operation)` (lowerings.h).
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/lower/constant_table.h"
#include "emit/lower/register_tiles.h"
#include "emit/lower/scalar_names.h"
#include "emit/lower/value_map.h"
#include "passes/analysis/value/tile_storage.h"

namespace tile2cu::emit {

// The variables of a loop: those that its next step starts with, and those that are read after it.
// The latter have no name where nobody reads them.
struct LoopVariables {
  std::vector<Storage> next, results;
  Names::Place start = 0;  // of the loop's body
  unsigned outside = 0;    // variables that are there before it
  std::vector<unsigned> changedAtExits = {};
  std::vector<std::string> names() const;
};

// A local function (ops.def): copies that several places start.
struct LocalFunctionText {
  std::string name;
  Reads reads;  // variables of the kernel that its statements mention
};

// A dot whose fragments are double-buffered: the arrays, and the function that loads them.
struct FragmentBuffers {
  std::string a, b, load;
};

// A wgmma that several places start: a function of its stages in shared memory.
struct WgmmaFunction {
  const ir::Block *home;  // where it is declared
  std::string function;
  Stmts body;
  std::vector<std::string> stages;
};

inline SourceLine sourceOf(const ir::Op &op) { return {op.loc.file, op.loc.line}; }

struct LoweringContext {
  LoweringContext(const ir::Kernel &kernel, const KernelOptions &options);

  const ir::Kernel &kernel;
  const KernelOptions &options;
  const bool singleWarp;
  Names names;
  StatementWriter out{names};
  CommentWriter comments{kernel, out};
  ConstantTable constants{kernel, options.unitAxes, names, comments};
  ValueMap values{names};
  const passes::TileStorage storage{kernel, options.unitAxes};
  const LoopNames loopNames{kernel};
  const std::vector<ir::Parameter> parameters;   // with their names in the text
  const std::vector<std::string> sharedMembers;  // of struct Smem, one for each shared buffer
  ScalarNames scalarNames{kernel, parameters};
  std::vector<std::string> layouts;  // for the contract comment
  std::set<std::string> describedLayouts;
  std::set<std::string> helpers;        // dotted names of those that are used
  std::map<int64_t, Expr> bufferTypes;  // of shared buffers of reductions of several values

  // ---- what a lowering keeps from one operation to the next

  std::vector<Struct> functors;                         // lower_functor
  std::map<const ir::Op *, Remembered> functorValues;   // reduce, scan, map -> functor expression
  std::map<int64_t, LocalFunctionText> localFunctions;  // lower_async_copy
  bool inLocalFunction = false;
  std::map<int64_t, FragmentBuffers> fragmentBuffers;  // lower_mma
  std::vector<WgmmaFunction> wgmmaFunctions;           // lower_wgmma
  std::vector<LoopVariables> loops;                    // lower_control: the enclosing ones
};

}  // namespace tile2cu::emit
