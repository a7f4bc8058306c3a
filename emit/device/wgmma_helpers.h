// The text of the wgmma device helpers: one for each width and type, written when they are used. It
// depends on nothing: the tests print all of them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tile2cu::emit {

struct WgmmaHelper {
  std::string text;                          // as in a section of a device/*.cuh
  std::vector<std::string> needs, includes;  // names of sections, <headers>
};

// wgmma_m64n<N>k<K>_<types>: N is 8 to 256 in steps of 8 (for integers 8, 24 and the multiples of
// 16), K_<types> is one of 16 f16, bf16, f16_acc_f16; 8 tf32; 32 e4m3, e5m2, s8, u8 and a mixed
// pair of these. Nothing for other names.
std::optional<WgmmaHelper> wgmmaHelper(std::string_view name);

// All of these names.
std::vector<std::string> wgmmaNames();

}  // namespace tile2cu::emit
