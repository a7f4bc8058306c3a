// The device helpers of an emitted file: where they stand, and the headers for them.
#pragma once
#include <set>
#include <string>

#include "emit/cuda/used_words.h"
#include "emit/emit.h"

namespace tile2cu::emit {

struct FileHelpers {
  std::string declarations;                // above the kernels
  std::string launcherDeclarations;        // above the launchers, of what only they name
  std::string definitions;                 // at the end of the file
  std::string header;                      // the text of a header of their own (Helpers::Header)
  std::string guard;                       // after the includes: which GPUs they are for
  std::set<std::string> includes;          // of the file
  std::set<std::string> launcherIncludes;  // additional ones, for launchers
  bool areIncluded = false;                // they are those of tile2cu/device.cuh
};

// The helpers of a file whose kernels and launchers have these words. `dotted`: helpers that no
// word shows (load.cs).
FileHelpers fileHelpers(const UsedWords &kernels, const UsedWords &launchers,
                        const std::set<std::string> &dotted, const EmitOptions &options);

// The lines that include them: CUDA's headers, the standard library's, ours.
std::string includeText(const std::set<std::string> &includes);

}  // namespace tile2cu::emit
