#include "emit/cuda/occupied_names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tile2cu::emit {

namespace {

llvm::StringMap<Occupied> readNames() {
  static constexpr std::pair<const char *, Occupied> kNames[] = {
#define MACRO(name) {#name, Occupied::Macro},
#define GLOBAL(name) {#name, Occupied::Global},
#define C_FUNCTION(name) {#name, Occupied::CFunction},
#define OVERLOAD(name) {#name, Occupied::Overload},
#include "emit/cuda/occupied_names.def"
      {"typeof", Occupied::Global},  // a keyword of GNU C++, which nvcc compiles
#undef MACRO
#undef GLOBAL
#undef C_FUNCTION
#undef OVERLOAD
  };
  llvm::StringMap<Occupied> names;
  for (auto [name, what] : kNames) names[name] = what;
  return names;
}

// PREFIXES of occupied_names.py.
bool isOfFamily(llvm::StringRef name) {
  auto next = [&](llvm::StringRef prefix, auto isNext) {
    return name.starts_with(prefix) && name.size() > prefix.size() && isNext(name[prefix.size()]);
  };
  return name.starts_with("__") || next("_", llvm::isUpper) || name.starts_with("CU_") ||
         name.starts_with("CUDA_") || next("cuda", llvm::isUpper) || next("cu", llvm::isUpper) ||
         next("CU", llvm::isLower);
}

}  // namespace

Occupied occupiedName(llvm::StringRef name) {
  static const llvm::StringMap<Occupied> names = readNames();
  if (auto known = names.find(name); known != names.end()) return known->second;
  return isOfFamily(name) ? Occupied::Global : Occupied::Free;
}

}  // namespace tile2cu::emit
