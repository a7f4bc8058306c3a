// --arch=native: the GPUs of this machine.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace tile2cu::transpiler {

// "sm_80" for each architecture of a GPU, as the CUDA driver reports them; nothing, with `problem`
// set, if there is no driver or no GPU.
std::optional<std::vector<std::string>> nativeArchitectures(std::string &problem);

}  // namespace tile2cu::transpiler
