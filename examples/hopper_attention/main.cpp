// Attends over sequences of several lengths, with and without a causal mask, and checks every element.
#ifdef TILE2CU_REFERENCE
#include "hopper_attention.tile.cpp"  // on the CPU, from the tile source itself
#else
#include "hopper_attention.h"  // the launcher that tile2cu wrote
#endif
#include "../attention.h"

int main() {
  return example::check_attention(
      "hopper_attention", [](auto... arguments) { return hopper_attention_f16(arguments...); });
}
