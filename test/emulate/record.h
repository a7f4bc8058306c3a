// What the reference reads and writes, for independent.py. A record is a line with the kernel, the number of the run and
// the count of buffers; for each buffer follow a line with its name and its bytes, those bytes before the run, and after it.
#pragma once
#include <cstdio>
#include <cstdlib>

#include "buffers.h"

namespace emulate_test {

inline void write_record(const char* path, const Kernel& kernel, std::size_t number,
                         const Data& before, const Data& after) {
  const auto& buffers = kernel.runs[number].buffers;
  std::FILE* const file = std::fopen(path, "ab");
  if (file == nullptr) std::abort();
  std::fprintf(file, "%s %zu %zu\n", kernel.name, number, buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto bytes = std::size_t(buffers[i].size) * bytes_of(buffers[i].type);
    std::fprintf(file, "%s %zu\n", buffers[i].name, bytes);
    std::fwrite(before.memories[i]->element(0), 1, bytes, file);
    std::fwrite(after.memories[i]->element(0), 1, bytes, file);
  }
  if (std::fclose(file) != 0) std::abort();
}

}  // namespace emulate_test
