#include "emit/kernel/kernel_text.h"

namespace tile2cu::emit {

std::array<Stmts *, 4> partsOf(KernelText &text) {
  return {&text.body, &text.producer, &text.ringStart, &text.sharedMembers};
}
std::array<const Stmts *, 4> partsOf(const KernelText &text) {
  return {&text.body, &text.producer, &text.ringStart, &text.sharedMembers};
}

NameSet namesIn(const KernelText &text) {
  NameSet names;
  for (const Stmts *part : partsOf(text)) addNames(*part, names);
  return names;
}

}  // namespace tile2cu::emit
