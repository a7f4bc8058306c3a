// The analyses of kernels that several passes ask for. Each is computed when the first pass asks,
// and kept until the kernel changes.
//
//     const auto axes = context.analyses.axes(kernel, assumptions);
//     axes->of(load->operand(0))               the kernel as it was when the pass asked
//     context.analyses.invalidate(kernel);     the pass has changed the kernel
//
// After each pass, the pass runner drops everything, unless the row of the pass in passes.def says
// that the pass keeps it. Such a pass calls `invalidate` for each kernel that it does change. A
// pass that asks again after a change of its own does so too.
//
// Where the runner verifies the IR, it verifies this: what a pass keeps, and what is found here, is
// computed again and compared. A difference is an internal failure.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "passes/analysis/integer/axis_info.h"
#include "passes/ir/module.h"

namespace tile2cu::passes {

// The analyses that a pass keeps, for kernels that it did not invalidate. A column of passes.def.
enum class Keeps : uint8_t { Nothing, Axes };

class Analyses {
 public:
  // The analysis stays as it is while the caller holds it. It is for assumptions that other passes
  // ask for too: a search among many sets of them makes analyses of its own.
  std::shared_ptr<const AxisAnalysis> axes(ir::Kernel &kernel, const Assumptions &assumptions);
  void invalidate(const ir::Kernel &kernel);

  // ---- for the pass runner
  void setVerify(bool verifies) { verifies_ = verifies; }
  void endPass(Keeps keeps);
  // Which analysis is not what it would be if it were computed now; empty: all are.
  std::string findStale(ir::Module &module) const;

 private:
  // The serial number of the first parameter stands for the kernel: a kernel may have the address
  // of one that was deleted. A kernel without parameters accesses no memory; it is not kept.
  using Key = std::pair<unsigned, Assumptions>;
  static std::optional<unsigned> idOf(const ir::Kernel &kernel);

  std::map<Key, std::shared_ptr<const AxisAnalysis>> axes_;
  bool verifies_ = false;
};

}  // namespace tile2cu::passes
