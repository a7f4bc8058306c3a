// Headers of one name, and one that only its own name finds.
#include "a/k.h"
#include "b/k.h"
#include "fill.h"
#include "negate.h"

int main() {
  add_one(nullptr, 0);
  add_two(nullptr, 0);
  triple_all(nullptr, 0);
  fill(nullptr, 0);
  negate(nullptr, 0);
}
