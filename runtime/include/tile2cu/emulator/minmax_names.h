// From here on fmaxf and its like are the GPU's (minmax.h), in the helpers and in emitted text.
#pragma once
#include "minmax.h"

#define fmaxf(a, b) ::emulate::larger<float>(a, b)
#define fminf(a, b) ::emulate::smaller<float>(a, b)
#define fmax(a, b) ::emulate::larger<double>(a, b)
#define fmin(a, b) ::emulate::smaller<double>(a, b)
