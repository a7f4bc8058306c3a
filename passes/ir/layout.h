// Layouts: which thread holds which element of a tile, and in which register.
//
// A coordinate of a tile is a number in mixed radix, and each of its digits is a register axis, the
// lane or the warp.
//
//     tile<1024xf32> on 4 warps        col = (i * 128 + warp * 32 + lane) * 4 + e
//
//     digits of col, fastest first:    r1 x 4      the vector element e: register axis 1
//                                      lane x 32   the lane in the warp
//                                      warp x 4    the warp in the program
//                                      r0 x 2      the vector i: register axis 0
//
// Each thread therefore holds an array x[2][4] (the register axes, the vector axis last), and
// printing the layout as index arithmetic means reading the digits from the slowest to the fastest.
// This is why layouts consist of digits and not of basis vectors over bits. On powers of two both
// describe the same layouts, except those with XOR (blocked tiles, slices and tensor-core fragments
// need none). Digits print as a person would write them, and an odd factor is a digit like any
// other:
//
//     80 = 5 x 16               lane x 16, r0 x 5
//     5120 columns, 5 warps     r1 x 4, lane x 32, warp x 5, r0 x 8
//
// XOR is needed only for addresses in shared memory; it is a property of the shared tile, not of
// the threads.
//
// A digit names a part of its unit's index: `lane/8 x 4` is lane / 8 % 4. Parts of lane and warp
// that no digit names are replicas: those threads hold the same elements (for example, the result
// of a reduction; the owner is the thread whose unnamed parts are 0). The product of a dimension's
// digits is its padded size. If it exceeds the size (1000 in 1024), the elements past the size
// exist but are invalid: loads and stores mask them, reductions and scans replace them by the
// identity.
//
// A stride has a formula where the lower digits together are the threads of one row: BLOCK_K / 8 of
// them. So the digits of rows know how long the rows are, in slices as well.
//
// Two tiles whose dimensions have equal digits can be combined element by element. A slice (a tile
// one of whose dimensions was reduced away, or has size 1) lacks the digits of that dimension; its
// arrays have fewer axes.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "passes/ir/dim.h"

namespace tile2cu::ir {

enum class Unit : uint8_t { Register, Lane, Warp };

struct Digit {
  Unit unit = Unit::Register;
  unsigned axis = 0;  // which register axis (Register only)
  Dim stride = 1;     // the digit is index / stride % extent; always 1 for registers
  int64_t extent = 1;
  bool operator==(const Digit &) const = default;
};

struct LayoutDim {
  Dim size;                            // the tile's size along this dimension
  llvm::SmallVector<Digit, 4> digits;  // fastest first
  Dim padded() const;                  // product of the extents, >= size
  bool isPadded() const { return padded() != size; }
  bool operator==(const LayoutDim &) const = default;
};

class Layout {
 public:
  Layout(int numWarps, llvm::ArrayRef<int64_t> registerAxes, llvm::ArrayRef<LayoutDim> dims);

  int numWarps() const { return numWarps_; }
  unsigned rank() const { return dims_.size(); }
  const LayoutDim &dim(unsigned d) const { return dims_[d]; }
  llvm::ArrayRef<LayoutDim> dims() const { return dims_; }
  // Extents of the register array, outermost first; the last is the vector axis.
  llvm::ArrayRef<int64_t> registerAxes() const { return axes_; }
  int64_t elementsPerThread() const;

  // The dimension of a register axis and its position there; nullopt for an axis of extent 1 that
  // no digit names.
  struct AxisUse {
    unsigned dim;
    unsigned digit;
  };
  std::optional<AxisUse> axisUse(unsigned axis) const;
  bool isPadded() const;
  // Lanes or warps (as {stride, extent} parts of the unit's index) that hold copies.
  llvm::SmallVector<Digit, 2> replicas(Unit unit) const;
  bool isReplicated() const {
    return !replicas(Unit::Lane).empty() || !replicas(Unit::Warp).empty();
  }
  // Product of the extents of the digits of `unit` along dimension d.
  int64_t extentAlong(unsigned d, Unit unit) const;

  // The coordinate along `d` of one element.
  int64_t coordinate(unsigned d, llvm::ArrayRef<int64_t> registers, int64_t lane,
                     int64_t warp) const;

  // The layout of the tile without dimension `axis` (after a reduction, or before expand_dims).
  std::shared_ptr<const Layout> withoutDim(unsigned axis) const;
  // With a new dimension of size 1 at `axis`.
  std::shared_ptr<const Layout> withUnitDim(unsigned axis) const;
  // Dimension i of the result is dimension order[i].
  std::shared_ptr<const Layout> permuted(llvm::ArrayRef<int64_t> order) const;
  // Dimensions whose size becomes 1 lose their digits (the source of a broadcast); others stay.
  std::shared_ptr<const Layout> withSizes(llvm::ArrayRef<Dim> sizes) const;

  bool operator==(const Layout &other) const;
  // Whether sizes and strides of an equal layout have the same formulas, too.
  bool hasFormulasOf(const Layout &other) const;
  // Whether they are equal, and not by chance: no size or stride has one formula here and another
  // there.
  bool isSameSpace(const Layout &other) const;
  // #<4 warps, [2, 4], 1024:BLOCK = r1*4 lane*32 warp*4 r0*2>; dimensions are separated by commas;
  // a part of a unit is written as lane/8*4, or lane/(8:BLOCK/4)*4 with the stride's formula.
  std::string str() const;

 private:
  int numWarps_;
  llvm::SmallVector<int64_t, 4> axes_;
  llvm::SmallVector<LayoutDim, 4> dims_;
};

using LayoutRef = std::shared_ptr<const Layout>;

// The layout with the formulas of these sizes. Those of other values stay: the verifier reports
// them.
LayoutRef withFormulas(LayoutRef layout, llvm::ArrayRef<Dim> sizes);

// The blocked layout of a tile, used if nothing else determines one.
struct BlockedSpec {
  llvm::SmallVector<Dim, 4> shape;
  int numWarps = 4;
  int64_t vector = 1;                    // elements of the vector axis (along order[0])
  llvm::SmallVector<unsigned, 4> order;  // contiguous dimension first
  bool scalar = false;                   // no vector axis at all: no access here uses vectors
  // The warps, not the registers, are the slowest part of this dimension, as a scan along it needs.
  // -1: none.
  int scanAxis = -1;
  // This dimension is not padded if it is m x 2^k, even if several threads then hold the same
  // elements: a user-defined combine function along it has no identity for padding. -1: none.
  int exactAxis = -1;
};
// The vector is on the fastest dimension, then come lanes, then warps; registers repeat the pattern
// outside. There is one register axis for each dimension that needs one (in dimension order) and
// the vector axis last. That of the fastest dimension and the vector axis exist even if their
// extent is 1, so that the text of variants that differ in the vector width has the same form.
// Sizes are padded to m x 2^k, where m is 1, 3, 5, 7 or 9, as little as possible, and further if
// odd factors would leave several threads with the same elements: 100 becomes 128 on 128 threads,
// one element for each, not 112 = 7 x 16, of which each thread would hold seven.
LayoutRef blockedLayout(const BlockedSpec &spec);

// The smallest m x 2^k >= size with odd m <= 9 that is a multiple of `multiple` (or the size itself
// if it is one).
int64_t paddedSize(int64_t size, int64_t multiple);

// The digits of extent > 1, with adjacent parts of one unit merged: lane/16 x 2 after lane x 16 is
// lane x 32.
llvm::SmallVector<Digit, 4> joinedDigits(llvm::ArrayRef<Digit> digits);

// Whether the same threads hold the same elements in the same order of registers, so that a
// conversion needs no code.
bool sameDigits(const LayoutDim &a, const Layout &la, const LayoutDim &b, const Layout &lb);

}  // namespace tile2cu::ir
