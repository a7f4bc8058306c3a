// The named numbers of a kernel's text: template arguments, extents of register axes, stages. The
// same layout has the same names wherever it stands.
#pragma once
#include <map>
#include <set>
#include <utility>

#include "emit/cuda/names.h"
#include "emit/kernel/kernel_text.h"
#include "passes/analysis/layout/row_threads.h"
#include "passes/analysis/layout/unit_axes.h"
#include "passes/ir/module.h"

namespace tile2cu::emit {

class ConstantTable {
 public:
  // `arguments`: those of the kernel's template, with their names in the text; empty where it does
  // not see them.
  ConstantTable(const ir::Kernel &kernel, std::vector<ir::TemplateArgument> arguments,
                const passes::UnitAxes &unitAxes, Names &names);

  // In order of use.
  const std::vector<Constant> &all() const { return all_; }
  // Begins with those of another text.
  void begin(std::vector<Constant> known);

  // Gives the name this value, and returns it.
  Symbol nameOf(const Symbol &name, int64_t value);
  // A number in the text: its formula, if it has one. Named numbers are ints: another number is
  // written with its digits.
  Expr number(const ir::Dim &size, ir::Scalar type = ir::Scalar::I32);
  // The same without the name of a template argument that the text has not used.
  Expr formula(const ir::Dim &size) const;
  // Notes a condition on numbers, x == y, without which the text is wrong.
  void require(const Expr &condition);
  const std::vector<Expr> &conditions() const { return conditions_; }
  // STAGES: how many steps of a loop have their operands in shared memory at once. A single one has
  // no name.
  Expr stages(int64_t stages);
  // STAGES - 2, where that is `value`; else the number.
  Expr stagesLess2(int64_t value) const;

  // A part of the thread's index among the digits of a dimension: of lanes, warps, or both.
  struct Threads {
    Expr index;               // lane / 8 % 2, warp, tid
    Expr extent;              // how many there are
    int64_t value;            // of the extent
    bool isUnsigned = false;  // threadIdx.x % THREADS_PER_ROW
  };
  // Those that begin with digit `k`; `k` is then the last digit that they stand for. Where the
  // threads of a row have a formula, they are written alike for rows of some lanes, of a warp and
  // of several warps: row = threadIdx.x / THREADS_PER_ROW.
  Threads threadsAt(const ir::Layout &layout, unsigned dim, unsigned &k);
  // The threads along rows each of which takes all threads, so that no digit names them:
  // threadIdx.x / BLOCK_K, which is 0. None if that holds in every kernel of this text, and in
  // other layouts.
  std::optional<Threads> threadsOfFullRows(const ir::Layout &layout, unsigned dim);
  // The warps along a dimension of an MMA accumulator whose warps are WARPS_M x WARPS_N, also where
  // WARPS_M is 1: warp / WARPS_N, warp % WARPS_N. None in other layouts.
  std::optional<Threads> mmaWarps(const ir::Layout &layout, unsigned dim);
  // A digit of lanes or warps: lane / 8 % 2.
  Expr unitPart(const ir::Digit &digit) const;

  // How many registers an axis of a layout counts.
  Expr extent(const ir::Layout &layout, unsigned axis);
  // Whether the text has no loop and no array along the axis, because its extent is 1 and no kernel
  // of this text has another.
  bool isDropped(const ir::Layout &layout, unsigned axis);
  // The vector axis, unless vectors have one element in every kernel of this text.
  std::optional<passes::VectorAxis> vectorAxisOf(const ir::Layout &layout);
  // Keeps a layout alive: extents are looked up by its address.
  void keep(const ir::LayoutRef &layout) { ownLayouts_.push_back(layout); }

 private:
  const Symbol &extentName(const ir::Layout &layout, unsigned axis);
  Symbol newExtentName(const ir::Layout &layout, unsigned axis);
  Expr derivationOf(const ir::Layout &layout, unsigned axis);
  const ir::LayoutDim *columnsBeside(const ir::LayoutDim &rows);
  // How many threads have a row of so many: BLOCK_K / VEC if they have vectors. None if that has no
  // formula.
  struct RowThreads {
    Expr count;
    std::string row = {};  // BLOCK_K; empty: the row has no name
  };
  RowThreads threadsOfRow(const ir::Dim &threads, bool haveVectors);
  Expr threadsPerRow(const ir::Dim &threads, bool haveVectors) {
    return threadsOfRow(threads, haveVectors).count;
  }
  // Whether rows of so many threads take all of them here, but not in every kernel of this text.
  bool isFullRow(const ir::Dim &threads, bool haveVectors);
  // The rows of the kernel that take all threads.
  llvm::ArrayRef<passes::FullRow> fullRows();
  Expr rowsPerStep(const ir::Dim &threads, bool haveVectors);
  // A number that is computed from others, and its second name (Hint). One of this name and
  // derivation is the same number.
  Expr derived(llvm::StringRef name, int64_t value, const Expr &derivation,
               const std::string &second);

  const ir::Kernel &kernel_;
  const passes::UnitAxes &unitAxes_;
  Names &names_;
  const std::vector<ir::TemplateArgument> arguments_;
  std::vector<Constant> all_;
  std::vector<Expr> conditions_;
  struct Extent {
    Expr derivation;
    Symbol name;
  };
  std::map<std::string, std::vector<Extent>> extents_;                   // by digit structure
  std::map<std::pair<const ir::Layout *, unsigned>, Symbol> axisNames_;  // found there
  std::map<std::pair<const ir::Layout *, unsigned>, bool> droppedAxes_;
  std::map<const ir::Layout *, unsigned> tiles_;  // numbers of layouts (Constant::tiles)
  unsigned firstTile_ = 0;                        // after those of the other text
  // By the columns of the accumulator, and the warps along them.
  std::map<std::pair<std::string, int64_t>, Expr> warpsN_;
  std::optional<std::vector<ir::LayoutRef>> accumulators_;  // whose columns are divided among warps
  std::vector<ir::LayoutRef> ownLayouts_;
  std::optional<std::vector<passes::FullRow>> fullRows_;
  // Layouts in which threads are dealt out to the vectors of a row, by the formula of the threads.
  std::optional<std::map<std::string, std::pair<ir::LayoutRef, unsigned>>> rows_;
};

}  // namespace tile2cu::emit
