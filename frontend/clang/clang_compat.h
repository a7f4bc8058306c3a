// Everything that depends on the version of LLVM. 19 is tested; 18 to 22 should build.
#pragma once
#include "clang/Basic/Version.h"

static_assert(CLANG_VERSION_MAJOR >= 18, "tile2cu needs Clang 18 or newer");

// Rows of clang_nodes.def for classes that Clang 18 does not have.
#if CLANG_VERSION_MAJOR >= 19
#define T2C_SINCE_CLANG_19(...) __VA_ARGS__
#else
#define T2C_SINCE_CLANG_19(...)
#endif
