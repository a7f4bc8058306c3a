// The activations of a GPT-2, and their places in two flat buffers.
#pragma once
#include <cstdint>
#include <vector>

#include "parameters.h"

namespace llm {

// Parts of one flat buffer. Without memory it only counts the elements.
template <class T>
struct Arena {
  T* memory = nullptr;
  int64_t used = 0;

  // Each part begins at a multiple of 64 elements, for vectorized accesses.
  T* take(int64_t size) {
    T* const part = memory ? memory + used : nullptr;
    used += (size + 63) / 64 * 64;
    return part;
  }
};

// What forward keeps of one layer for backward. All have `rows` rows.
struct LayerActivations {
  real* x;                               // the residual stream that comes in: [rows, channels]
  real* norm1;                           // [rows, channels]
  real* qkv;                             // [rows, 3 channels]
  real* attended;                        // [rows, channels]
  real* middle;                          // the residual stream after attention: [rows, channels]
  real* norm2;                           // [rows, channels]
  real* before_gelu;                     // [rows, 4 channels]
  real* gelu;                            // [rows, 4 channels]
  float *mean1, *rstd1, *mean2, *rstd2;  // of the layer norms: [rows]
  float* lse;                            // of attention: [batch, heads, length]
};

struct Activations {
  std::vector<LayerActivations> layers;
  real* branch;                  // what a block adds to the residual stream: [rows, channels]
  real* last;                    // the residual stream at the end: [rows, channels]
  real* last_norm;               // [rows, channels]
  real* logits;                  // [rows, columns]; after the loss their gradients
  float *last_mean, *last_rstd;  // [rows]
  // Gradients, which all layers share:
  real* d_x;       // of the residual stream: [rows, channels]
  real* d_branch;  // [rows, channels]
  real* d_wide;    // [rows, 4 channels]
  real* d_qkv;     // [rows, 3 channels]
  float* delta;    // [batch, heads, length]
};

inline Activations activations(const Sizes& sizes, Arena<real>& memory, Arena<float>& statistics) {
  const int64_t rows = sizes.rows(), c = sizes.channels;
  const auto matrix = [&](int64_t columns) { return memory.take(rows * columns); };
  const auto vector = [&](int64_t heads = 1) { return statistics.take(rows * heads); };
  Activations a;
  for (int l = 0; l < sizes.layers; ++l) {
    a.layers.push_back({.x = matrix(c),
                        .norm1 = matrix(c),
                        .qkv = matrix(3 * c),
                        .attended = matrix(c),
                        .middle = matrix(c),
                        .norm2 = matrix(c),
                        .before_gelu = matrix(4 * c),
                        .gelu = matrix(4 * c),
                        .mean1 = vector(),
                        .rstd1 = vector(),
                        .mean2 = vector(),
                        .rstd2 = vector(),
                        .lse = vector(sizes.heads)});
  }
  a.branch = matrix(c), a.last = matrix(c), a.last_norm = matrix(c);
  a.logits = matrix(sizes.columns());
  a.last_mean = vector(), a.last_rstd = vector();
  a.d_x = matrix(c), a.d_branch = matrix(c), a.d_wide = matrix(4 * c), a.d_qkv = matrix(3 * c);
  a.delta = vector(sizes.heads);
  return a;
}

}  // namespace llm
