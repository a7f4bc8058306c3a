// The named numbers of a kernel's text: template arguments, extents of register axes, stages. The
// same layout has the same names wherever it stands.
#pragma once
#include <map>
#include <set>
#include <utility>

#include "emit/cuda/symbols.h"
#include "emit/kernel/kernel_text.h"
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
  std::string nameOf(const std::string &name, int64_t value);
  // A number in the text: its formula, if it has one. Named numbers are ints: another number is
  // written with its digits.
  Expr number(const ir::Dim &size, ir::Scalar type = ir::Scalar::I32);
  // STAGES: how many steps of a loop have their operands in shared memory at once. A single one has
  // no name.
  Expr stages(int64_t stages);
  // STAGES - 2, where that is `value`; else the number.
  Expr stagesLess2(int64_t value) const;

  // How many registers an axis of a layout counts.
  const std::string &extentName(const ir::Layout &layout, unsigned axis);
  Expr extent(const ir::Layout &layout, unsigned axis) { return named(extentName(layout, axis)); }
  // Whether the text has no loop and no array along the axis, because its extent is 1 and no kernel
  // of this text has another.
  bool isDropped(const ir::Layout &layout, unsigned axis);
  // The vector axis, unless vectors have one element in every kernel of this text.
  std::optional<passes::VectorAxis> vectorAxisOf(const ir::Layout &layout);
  // Keeps a layout alive: extents are looked up by its address.
  void keep(const ir::LayoutRef &layout) { ownLayouts_.push_back(layout); }

 private:
  const ir::TemplateArgument *find(const std::string &name) const;
  Expr expression(const ir::Formula &formula, int64_t value);
  std::string newExtentName(const ir::Layout &layout, unsigned axis);
  Expr derivationOf(const ir::Layout &layout, unsigned axis);
  // The number that a register axis is divided by for this digit, and its value.
  struct Factor {
    Expr expr;
    int64_t value;
    bool isOfTwo = false;  // this digit and the next
  };
  std::optional<Factor> factorOf(const ir::Layout &layout, llvm::ArrayRef<ir::Digit> digits,
                                 unsigned k);

  const ir::Kernel &kernel_;
  const passes::UnitAxes &unitAxes_;
  Names &names_;
  const std::vector<ir::TemplateArgument> arguments_;
  std::vector<Constant> all_;
  std::map<std::pair<std::string, std::string>, std::string>
      extentNames_;  // digit structure and derivation -> constant
  std::map<std::pair<const ir::Layout *, unsigned>, std::string> axisNames_;  // found there
  std::map<std::pair<const ir::Layout *, unsigned>, bool> droppedAxes_;
  std::map<const ir::Layout *, unsigned> tiles_;  // numbers of layouts (Constant::tiles)
  unsigned firstTile_ = 0;                        // after those of the other text
  std::vector<ir::LayoutRef> ownLayouts_;
};

}  // namespace tile2cu::emit
