// The file in which tuned launchers keep their choices. Host code.
#pragma once
#ifdef TILE2CU_EMULATE
#pragma GCC system_header
#endif
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

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

// @helper tuning_file needs device_words, tuning_folder include <algorithm>, <array>, <charconv>, <chrono>, <cstdint>, <cstdio>, <filesystem>, <string>, <string_view>, <system_error>
// The choices of one launcher, one a line: `<device>: <key> -> <candidate>`. The name of the file
// contains a hash of the kernels' text. A choice that cannot be read counts as not found; one that
// cannot be written is not kept. No streams: where a library links the C++ library statically, as
// extensions of Python may, their locales are those of another copy.
class tuning_file {
 public:
  tuning_file(const char* launcher, uint64_t text, int device)
      : device_(device_words(device) + ":") {
    const std::string folder = tuning_folder();
    char hash[17];
    std::snprintf(hash, sizeof(hash), "%llx", static_cast<unsigned long long>(text));
    if (!folder.empty() && device_ != ":") path_ = folder + '/' + launcher + '-' + hash + ".txt";
  }

  // Calls found(key, candidate) for every choice on this device.
  template <size_t KEYS, class Found>
  void read(Found found) const {
    for_each_line([&](const std::string& line) {
      if (line.compare(0, device_.size(), device_) != 0) return;
      std::string_view rest = std::string_view(line).substr(device_.size());
      std::array<int64_t, KEYS> key{};
      int candidate = -1;
      bool good = true;
      for (int64_t& number : key) good = good && take_number(rest, number);
      good = good && rest.substr(0, 3) == " ->";
      if (!good) return;
      rest.remove_prefix(3);
      if (take_number(rest, candidate) && rest.empty()) found(key, candidate);
    });
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
    std::FILE* const file = std::fopen(temporary.c_str(), "wb");
    if (file == nullptr) return;
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = std::fclose(file) == 0;
    if (written && closed) std::filesystem::rename(temporary, path_, error);
    if (!written || !closed || error) std::filesystem::remove(temporary, error);
  }

 private:
  // Empty if the file cannot be read.
  std::string contents() const {
    std::string text;
    std::FILE* const file = std::fopen(path_.c_str(), "rb");
    if (file == nullptr) return text;
    char part[4096];
    for (size_t size; (size = std::fread(part, 1, sizeof(part), file)) > 0;)
      text.append(part, size);
    std::fclose(file);
    return text;
  }

  template <class Use>
  void for_each_line(Use use) const {
    const std::string text = contents();
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      use(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  // Takes a number after a space from the front of `rest`.
  template <class Number>
  static bool take_number(std::string_view& rest, Number& number) {
    if (rest.empty() || rest[0] != ' ') return false;
    const char* const end = rest.data() + rest.size();
    const auto [after, error] = std::from_chars(rest.data() + 1, end, number);
    rest.remove_prefix(after - rest.data());
    return error == std::errc();
  }

  // The other choices of the file: no line that starts with `beginning`, and no line without a
  // choice.
  std::string others(const std::string& beginning) const {
    std::string text;
    for_each_line([&](const std::string& line) {
      if (line.find(" -> ") != std::string::npos &&
          line.compare(0, beginning.size(), beginning) != 0)
        text += line + '\n';
    });
    return text;
  }

  std::string device_, path_;  // without a path there is no file
};

// @end

}  // namespace v1
}  // namespace tile2cu
