// A struct of a project, for tile2cu and nvcc.
#pragma once

struct Row {
  const float* __restrict__ data;
  int size;
};
