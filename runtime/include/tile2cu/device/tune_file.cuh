// The file in which tuned launchers keep their choices. Host code.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace tile2cu {
inline namespace v1 {

// @helper device_words include <cuda_runtime.h>, <string>
// "NVIDIA H200, sm_90, 132 multiprocessors, driver 13000": the device for which timings are valid.
inline std::string device_words(int device) {
  cudaDeviceProp properties{};
  int driver = 0;
  if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return "";
  if (cudaDriverGetVersion(&driver) != cudaSuccess) return "";
  return properties.name + std::string(", sm_") +
         std::to_string(10 * properties.major + properties.minor) + ", " +
         std::to_string(properties.multiProcessorCount) + " multiprocessors, driver " +
         std::to_string(driver);
}

// @helper tuning_folder include <cstdlib>, <string>
// The folder of tuning files: $TILE2CU_CACHE, $XDG_CACHE_HOME/tile2cu or ~/.cache/tile2cu; empty if
// there is none.
inline std::string tuning_folder() {
  if (const char* folder = std::getenv("TILE2CU_CACHE")) return folder;
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return std::string(cache) + "/tile2cu";
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? std::string(home) + "/.cache/tile2cu" : "";
}

// @helper tuning_file needs device_words, tuning_folder include <array>, <chrono>, <cstdint>, <filesystem>, <fstream>, <sstream>, <string>
// The choices of one launcher, one a line: `<device>: <key> -> <candidate>`. The name of the file
// contains a hash of the kernels' text. A choice that cannot be read counts as not found; one that
// cannot be written is not kept.
class tuning_file {
 public:
  tuning_file(const char* launcher, uint64_t text, int device)
      : device_(device_words(device) + ":") {
    const std::string folder = tuning_folder();
    std::ostringstream name;
    name << folder << '/' << launcher << '-' << std::hex << text << ".txt";
    if (!folder.empty() && device_ != ":") path_ = name.str();
  }

  // Calls found(key, candidate) for every choice on this device.
  template <size_t KEYS, class Found>
  void read(Found found) const {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      if (line.compare(0, device_.size(), device_) != 0) continue;
      std::istringstream words(line.substr(device_.size()));
      std::array<int64_t, KEYS> key{};
      std::string arrow, more;
      int candidate = -1;
      for (int64_t& number : key) words >> number;
      if (words >> arrow >> candidate && arrow == "->" && !(words >> more)) found(key, candidate);
    }
  }

  // Adds a choice. A process that reads the file meanwhile sees the old contents or the new ones.
  template <size_t KEYS>
  void write(const std::array<int64_t, KEYS>& key, int candidate) const {
    if (path_.empty()) return;
    std::string chosen = device_;
    for (const int64_t number : key) chosen += ' ' + std::to_string(number);
    chosen += " -> ";
    const std::string text = others(chosen) + chosen + std::to_string(candidate) + '\n';
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const std::string temporary = path_ + '.' + std::to_string(now);
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.close();
    if (file) std::filesystem::rename(temporary, path_, error);
    if (!file || error) std::filesystem::remove(temporary, error);
  }

 private:
  // The other choices of the file: no line that starts with `beginning`, and no line without a
  // choice.
  std::string others(const std::string& beginning) const {
    std::ifstream file(path_);
    std::string text;
    for (std::string line; std::getline(file, line);)
      if (line.find(" -> ") != std::string::npos &&
          line.compare(0, beginning.size(), beginning) != 0)
        text += line + '\n';
    return text;
  }

  std::string device_, path_;  // without a path there is no file
};

// @end

}  // namespace v1
}  // namespace tile2cu
