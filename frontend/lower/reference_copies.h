// References that are bound to a copy, because it is not known at translation which object they
// refer to: that of c ? a : b, or what std::max(a, b) returns. They are right as long as none of
// these objects has changed when they are read; else it is an error.
#pragma once
#include "frontend/lower/lowering.h"

namespace tile2cu::frontend {

// The references of a call's parameters and object, or of the range of a loop.
class ReferenceCopies {
 public:
  explicit ReferenceCopies(Lowering &lowering)
      : lowering_(lowering), first_(lowering.copies.size()) {}
  ReferenceCopies(const ReferenceCopies &) = delete;
  // The place to which a reference is bound.
  Place bind(const clang::Expr *referent);
  // At the end of their lifetime.
  void end();

 private:
  Lowering &lowering_;
  size_t first_;
};

// Checks a read of a variable that may be such a copy.
void checkCopy(Lowering &lowering, const Place &read);

}  // namespace tile2cu::frontend
