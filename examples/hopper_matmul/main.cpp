// Multiplies matrices of several shapes and checks every element.
#ifdef TILE2CU_REFERENCE
#include "hopper_matmul.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "hopper_matmul.h"  // the launcher that tile2cu wrote
#endif
#include "../product.h"

int main() {
  return example::check_product("hopper_matmul",
                                [](auto... arguments) { return hopper_matmul_f16(arguments...); });
}
