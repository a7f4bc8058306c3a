#include "transpiler/native_arch.h"

#include <dlfcn.h>

#include "llvm/ADT/STLExtras.h"

namespace tile2cu::transpiler {
namespace {

// Numbers of the CUDA driver API (cuda.h).
constexpr int kMajor = 75, kMinor = 76;  // of CUdevice_attribute: the compute capability

template <class Function>
Function find(void *library, const char *name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

std::optional<std::vector<std::string>> nativeArchitectures(std::string &problem) {
  problem = "--arch=native: there is no CUDA driver (libcuda.so.1); name an architecture";
  // Never closed: the driver may have threads.
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) return std::nullopt;
  const auto init = find<int (*)(unsigned)>(driver, "cuInit");
  const auto count = find<int (*)(int *)>(driver, "cuDeviceGetCount");
  const auto attribute = find<int (*)(int *, int, int)>(driver, "cuDeviceGetAttribute");
  if (!init || !count || !attribute) return std::nullopt;
  problem = "--arch=native: there is no GPU; name an architecture";
  int devices = 0;
  if (init(0) != 0 || count(&devices) != 0) return std::nullopt;
  std::vector<std::string> names;
  for (int device = 0; device < devices; ++device) {
    int major = 0, minor = 0;  // a CUdevice is its number
    if (attribute(&major, kMajor, device) != 0 || attribute(&minor, kMinor, device) != 0)
      return std::nullopt;
    std::string name = "sm_" + std::to_string(major) + std::to_string(minor);
    if (!llvm::is_contained(names, name)) names.push_back(std::move(name));
  }
  if (names.empty()) return std::nullopt;
  problem.clear();
  return names;
}

}  // namespace tile2cu::transpiler
