#include "emit/lower/check_coordinate.h"

#include "emit/cuda/builder.h"
#include "emit/cuda/evaluate.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

static constexpr unsigned kSamples = 12;

Symbol checkedRegister(unsigned axis) { return Symbol(fmt::format("register {}", axis)); }

namespace {

struct Place {
  int64_t lane = 0, warp = 0;
  llvm::SmallVector<int64_t, 4> registers = {};
};

// Places that differ from each other in every digit of most layouts.
Place placeOf(unsigned sample, const Layout &layout, int64_t warps) {
  Place place{(sample * 11 + 5) % 32, (sample * 7 + 3) % warps};
  unsigned step = sample;
  for (int64_t extent : layout.registerAxes()) {
    place.registers.push_back(step % extent);
    step = step * 5 + 1;
  }
  return place;
}

// The values of the names that an index may read. A symbol is looked up when it is made, so each
// is made once.
struct KnownValues {
  explicit KnownValues(const LoweringContext &ctx, size_t axes) : ctx(ctx) {
    for (unsigned axis = 0; axis < axes; ++axis) registers.push_back(checkedRegister(axis));
  }

  std::optional<int64_t> valueOf(const Symbol &name, const Place &place) const {
    const int64_t warps = ctx.kernel.options.numWarps;
    if (name == lane) return place.lane;
    if (name == warp) return place.warp;
    if (name == tid) return place.warp * 32 + place.lane;
    if (name == numWarps) return warps;
    if (name == numThreads) return warps * 32;
    for (unsigned axis = 0; axis < registers.size(); ++axis)
      if (name == registers[axis]) return place.registers[axis];
    for (const Constant &constant : ctx.constants.all())
      if (constant.name == name) return constant.value;
    return std::nullopt;
  }

  const LoweringContext &ctx;
  const Symbol lane = "lane", warp = "warp", tid = "tid";
  const Symbol numWarps = "NUM_WARPS", numThreads = "NUM_THREADS";
  llvm::SmallVector<Symbol, 4> registers;
};

}  // namespace

void checkCoordinate(const LoweringContext &ctx, const Layout &layout, unsigned dim,
                     const Expr &text) {
  const Expr thread = member(word("threadIdx"), "x");
  const KnownValues names(ctx, layout.registerAxes().size());
  for (unsigned sample = 0; sample < kSamples; ++sample) {
    const Place place = placeOf(sample, layout, ctx.kernel.options.numWarps);
    const auto value = valueOf(text, [&](const Expr &e) -> std::optional<int64_t> {
      if (e.isName()) return names.valueOf(e.symbol(), place);
      if (e == thread) return place.warp * 32 + place.lane;
      return std::nullopt;
    });
    T2C_ASSERT(value);
    T2C_ASSERT(*value == layout.coordinate(dim, place.registers, place.lane, place.warp));
  }
}

}  // namespace tile2cu::emit
