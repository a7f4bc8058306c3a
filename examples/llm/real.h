// The element type of weights and activations: bfloat16, or float with LLM_FLOAT. Sums, statistics,
// gradients of weights and the optimizer's state are float in both.
#pragma once
#include <tile2cu/tile.h>
using namespace tl;

#ifdef LLM_FLOAT
using real = float;
#else
using real = bfloat16;
#endif
