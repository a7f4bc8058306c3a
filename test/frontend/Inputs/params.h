// Structs of a project, for tile2cu and nvcc.
#pragma once
#include <cstdint>

namespace shared {
struct Row {
  const float* data;
  int64_t stride;
};
template <class T>
struct Span {
  T* data;
  int size;
};
}  // namespace shared
