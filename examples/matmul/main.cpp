// Multiplies matrices of several shapes and checks every element.
#ifdef TILE2CU_REFERENCE
#include "matmul.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "matmul.h"  // the launcher that tile2cu wrote
#endif
#include "../product.h"

int main() {
  return example::check_product("matmul",
                                [](auto... arguments) { return matmul_f16(arguments...); });
}
