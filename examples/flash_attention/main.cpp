// Attends over sequences of several lengths, with and without a causal mask, and checks every element.
#ifdef TILE2CU_REFERENCE
#include "flash_attention.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "flash_attention.h"  // the launcher that tile2cu wrote
#endif
#include "../attention.h"

int main() {
  return example::check_attention(
      "flash_attention", [](auto... arguments) { return flash_attention_f16(arguments...); });
}
