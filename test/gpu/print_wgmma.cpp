// Prints the device helpers that multiply by a warpgroup, in namespace tile2cu, for programs that
// include the device header: all of them, or those named.
//
//   g++ -std=c++20 -I. test/gpu/print_wgmma.cpp emit/device/wgmma_helpers.cpp -lfmt -o print_wgmma
#include <cstdio>

#include "emit/device/wgmma_helpers.h"

int main(int argc, char** argv) {
  using namespace tile2cu::emit;
  std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty()) names = wgmmaNames();
  std::puts("namespace tile2cu {\ninline namespace v1 {");
  for (const std::string& name : names) {
    const auto helper = wgmmaHelper(name);
    if (!helper) {
      std::fprintf(stderr, "print_wgmma: there is no %s\n", name.c_str());
      return 1;
    }
    std::printf("\n%s", helper->text.c_str());
  }
  std::puts("}  // namespace v1\n}  // namespace tile2cu");
}
