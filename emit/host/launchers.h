// Host side: functions that launch a kernel, and the launchers that users call. The words that
// their text uses are recorded.
#pragma once
#include <string>
#include <vector>

#include "emit/cuda/used_words.h"
#include "emit/emit.h"
#include "emit/transform/merge_kernels.h"

namespace tile2cu::emit {

// The host function that launches a kernel of the group: launch_softmax<BLOCK, VEC>(arguments,
// stream).
std::string launchText(const KernelGroup &group, const EmitOptions &options, UsedWords &words);
std::string launchName(const KernelGroup &group);

// The function that users call: checks, choice of candidate and variant.
std::string launcherText(const ir::Launcher &launcher, const std::vector<KernelGroup> &groups,
                         const EmitOptions &options, UsedWords &words);
// cudaError_t softmax(const float* in, ..., cudaStream_t stream = nullptr), without the default if
// `definition`.
std::string launcherSignature(const ir::Launcher &launcher, const EmitOptions &options,
                              bool definition);
// cudaError_t softmax_pin(int candidate), of launchers that are tuned
std::string pinSignature(const ir::Launcher &launcher, const EmitOptions &options);

// ---- common to both

// The parameters of a launcher and of its launch function: const float* in, cudaStream_t stream
std::string launchParameters(const ir::Kernel &kernel);
// Whether the number of multiprocessors is part of the value.
bool usesSms(const ir::Value *value);
// Declares num_sms.
std::string askDevice(const ir::Kernel &kernel, UsedWords &words);

}  // namespace tile2cu::emit
