// Addresses to source lines, through addr2line: on reports only.
#include "site.h"

#include <link.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <vector>

namespace emulate {

namespace {

struct Module {
  std::string path;
  std::uintptr_t offset = 0;  // of the address, as the file counts
  bool found = false;
};

Module moduleOf(std::uintptr_t address) {
  struct Search {
    std::uintptr_t address;
    Module module;
  } search{address, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& mine = *static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          if (mine.address - (info->dlpi_addr + segment.p_vaddr) >= segment.p_memsz) continue;
          mine.module = {*info->dlpi_name != 0 ? info->dlpi_name : "/proc/self/exe",
                         mine.address - info->dlpi_addr, true};
          return 1;
        }
        return 0;
      },
      &search);
  if (search.module.path == "/proc/self/exe") {
    // addr2line is another process: it needs the real name.
    std::array<char, 4096> path{};
    const auto length = readlink("/proc/self/exe", path.data(), path.size());
    if (length > 0) search.module.path.assign(path.data(), std::size_t(length));
  }
  return search.module;
}

bool isLibrary(const std::string& file) {
  for (const char* part : {"include/tile2cu/", "/usr/include/", "/usr/lib/", "??"}) {
    if (file.find(part) != std::string::npos) return true;
  }
  return false;
}

// The frames of an address, innermost first, as "path:line".
std::vector<std::string> framesOf(const void* pc) {
  // The line of a call, not of what follows it.
  const Module module = moduleOf(reinterpret_cast<std::uintptr_t>(pc) - 1);
  std::vector<std::string> frames;
  if (!module.found) return frames;
  std::array<char, 4600> command{};
  std::snprintf(command.data(), command.size(), "addr2line -i -e '%s' %#lx 2>/dev/null",
                module.path.c_str(), static_cast<unsigned long>(module.offset));
  std::FILE* pipe = popen(command.data(), "r");
  if (pipe == nullptr) return frames;
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    std::string text = line.data();
    text.resize(text.find_first_of(" \n") == std::string::npos ? text.size()
                                                               : text.find_first_of(" \n"));
    frames.push_back(text);
  }
  pclose(pipe);
  return frames;
}

std::string fileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string describe(Site site) {
  static std::map<std::pair<const void*, const void*>, std::string> said;
  std::string& text = said[{site.pc, site.caller}];
  if (!text.empty()) return text;
  std::string fallback;
  for (const void* pc : {site.pc, site.caller}) {
    if (pc == nullptr) continue;
    for (const std::string& frame : framesOf(pc)) {
      if (!isLibrary(frame)) return text = fileName(frame);
      if (fallback.empty() && frame.find("??") == std::string::npos) fallback = fileName(frame);
    }
  }
  if (fallback.empty()) {
    char address[32];
    std::snprintf(address, sizeof(address), "%p", site.pc);
    fallback = address;
  }
  return text = fallback;
}

}  // namespace emulate
