// The launchers of all kernels. On the CPU (TILE2CU_REFERENCE) these are the tile sources themselves,
// otherwise what tile2cu wrote. `real` is the type of weights and activations.
#pragma once
#include <stdexcept>
#include <string>

#ifdef TILE2CU_REFERENCE
#define TILE2CU_CUDA_NAMES
#include "adamw.tile.cpp"
#include "attention.tile.cpp"
#include "embedding.tile.cpp"
#include "linear.tile.cpp"
#include "loss.tile.cpp"
#include "norm.tile.cpp"
#else
#include "adamw.h"
#include "attention.h"
#include "embedding.h"
#include "linear.h"
#include "loss.h"
#include "norm.h"
using real = __nv_bfloat16;
#endif
#include <tile2cu/buffer.h>

namespace llm {

// Throws if a launcher returned an error.
inline void check(int status, const char* launcher) {
  if (status != 0) {
    throw std::runtime_error(std::string(launcher) + " returned error " + std::to_string(status));
  }
}

}  // namespace llm

// LLM_RUN(linear, x, w, ...) calls a launcher and checks what it returns.
#define LLM_RUN(launcher, ...) llm::check(static_cast<int>(launcher(__VA_ARGS__)), #launcher)
