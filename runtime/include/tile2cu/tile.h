// The tile language of tile2cu: ordinary C++23 with tiles as values. Reference: runtime/doc.
//
// Built by g++ or Clang, a kernel runs on the CPU through the reference implementation, tile/cpu/.
// In tile2cu (which defines __TILE2CU__) the same headers are declarations whose annotations name
// the operations of its intermediate representation; tile/ops.h lists them.
#pragma once
// A system header in every folder: tile2cu treats its definitions as the language, and compilers
// show warnings only for the user's code.
#pragma GCC system_header

#include "tile/config.h"
#include "tile/ops.h"
#include "tile/options.h"

#undef TL_OP
#undef TL_CPU
#undef TL_INLINE
#undef TL_CONSTEXPR
#undef TL_REJECT
#undef TL_AXIS
