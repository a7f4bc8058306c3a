// Links the generated launchers; what they return without a device is of no interest here.
#include "scale.h"
#include "shift.h"

int main() {
  scale(nullptr, nullptr, 0);
  shift(nullptr, nullptr, 0);
}
