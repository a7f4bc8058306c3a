// Multiplies matrices of several shapes through descriptors and checks every element.
#ifdef TILE2CU_REFERENCE
#include "matmul_descriptor.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "matmul_descriptor.h"  // the launcher that tile2cu wrote
#endif
#include "../product.h"

int main() {
  return example::check_product(
      "matmul_descriptor", [](auto... arguments) { return matmul_descriptor_f16(arguments...); });
}
