// Every name together with the C library's; tile.h comes first.
#include <math.h>
#include <stdlib.h>
#include <sys/select.h>
#include <tile2cu/tile.h>

#include <algorithm>
#include <cmath>

#define NAMES_SUITE NamesTileFirst
#include "names_test.inc"
