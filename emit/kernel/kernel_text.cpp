#include "emit/kernel/kernel_text.h"

namespace tile2cu::emit {

std::array<Stmts *, 4> partsOf(KernelText &text) {
  return {&text.body, &text.producer, &text.ringStart, &text.sharedMembers};
}
std::array<const Stmts *, 4> partsOf(const KernelText &text) {
  return {&text.body, &text.producer, &text.ringStart, &text.sharedMembers};
}

SymbolSet symbolsIn(const KernelText &text) {
  SymbolSet symbols;
  for (const Stmts *part : partsOf(text)) addSymbols(*part, symbols);
  return symbols;
}

}  // namespace tile2cu::emit
