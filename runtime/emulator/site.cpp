// Finds the source lines of addresses by addr2line. It is slow, so that only reports use it.
#include "site.h"

#include <link.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

namespace emulate {

namespace {

struct Module {
  std::string path;
  std::uintptr_t offset = 0;  // of the address in the file
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
    // addr2line is another process, to which /proc/self is another program.
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

// LLVM's addr2line comes first: GNU's drops frames of inlined functions in objects of Clang.
const std::string& addr2line() {
  static const std::string tool = [] {
    std::FILE* pipe = popen(
        "for t in llvm-addr2line llvm-addr2line-19 llvm-addr2line-18 "
        "/usr/lib/llvm-19/bin/llvm-addr2line "
        "addr2line; do command -v $t && break; done",
        "r");
    std::array<char, 256> line{};
    if (pipe == nullptr) return std::string("addr2line");
    if (std::fgets(line.data(), line.size(), pipe) == nullptr) line = {"addr2line"};
    pclose(pipe);
    return std::string(line.data(), std::strcspn(line.data(), "\n"));
  }();
  return tool;
}

// The frames of each address, innermost first, as "path:line".
std::map<const void*, std::vector<std::string>>& frames() {
  static auto& forever = *new std::map<const void*, std::vector<std::string>>;
  return forever;
}

// Fills frames() for all of `addresses`, with one process for each module.
void resolve(const std::vector<const void*>& addresses) {
  std::map<std::string, std::vector<std::pair<const void*, std::uintptr_t>>> by_module;
  for (const void* pc : addresses) {
    if (pc == nullptr || !frames().emplace(pc, std::vector<std::string>()).second) continue;
    // The address before the return address is in the line of the call.
    const Module module = moduleOf(reinterpret_cast<std::uintptr_t>(pc) - 1);
    if (module.found) by_module[module.path].push_back({pc, module.offset});
  }
  for (const auto& [path, places] : by_module) {
    std::string command = addr2line() + " -a -i -e '" + path + "'";
    for (const auto& [pc, offset] : places) {
      std::array<char, 32> hex{};
      std::snprintf(hex.data(), hex.size(), " %#lx", static_cast<unsigned long>(offset));
      command += hex.data();
    }
    std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    if (pipe == nullptr) continue;
    std::array<char, 4096> line{};
    std::size_t next = 0;  // of `places`, when its address is printed
    while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
      if (line[0] == '0' && line[1] == 'x') {
        ++next;
      } else if (next > 0 && next <= places.size()) {
        frames()[places[next - 1].first].emplace_back(line.data(),
                                                      std::strcspn(line.data(), " \n"));
      }
    }
    pclose(pipe);
  }
}

std::string fileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

void prepareToDescribe(const std::vector<Site>& sites) {
  std::vector<const void*> addresses;
  for (const Site& site : sites) {
    addresses.push_back(site.pc);
    addresses.push_back(site.caller);
  }
  resolve(addresses);
}

// Empty if no frame has a line.
static std::string lineOf(Site site) {
  std::string fallback;
  resolve({site.pc, site.caller});
  for (const void* pc : {site.pc, site.caller}) {
    if (pc == nullptr) continue;
    for (const std::string& frame : frames()[pc]) {
      if (!isLibrary(frame)) return fileName(frame);
      if (fallback.empty() && frame.find("??") == std::string::npos) fallback = fileName(frame);
    }
  }
  return fallback;
}

std::string describe(Site site) {
  std::string line = lineOf(site);
  if (!line.empty()) return line;
  std::array<char, 32> address{};
  std::snprintf(address.data(), address.size(), "%p", site.pc);
  return address.data();
}

bool inDifferentLines(Site a, Site b) {
  if (a == b) return false;
  static auto& asked = *new std::map<std::array<const void*, 4>, bool>;
  const auto [at, isNew] = asked.try_emplace({a.pc, a.caller, b.pc, b.caller});
  if (isNew) {
    const std::string first = lineOf(a), second = lineOf(b);
    at->second = !first.empty() && !second.empty() && first != second;
  }
  return at->second;
}

}  // namespace emulate
