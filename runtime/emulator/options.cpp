#include "tile2cu/emulator/options.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace emulate {

namespace {

bool set(options& o, const std::string& name, const std::string& value) {
  const bool on = value.empty() || value == "on" || value == "1";
  if (name == "order") {
    for (const auto& [word, order] : {std::pair{"in_order", order::in_order},
                                      {"reverse", order::reverse},
                                      {"random", order::random},
                                      {"warp_last", order::warp_last}}) {
      if (value == word) {
        o.order = order;
        return true;
      }
    }
    return false;
  }
  if (name == "seed") {
    o.seed = std::strtoull(value.c_str(), nullptr, 0);
  } else if (name == "quiet") {
    o.quiet = on;
  } else if (name == "races_between_blocks") {
    o.races_between_blocks = on;
  } else if (name == "races_of_one_store") {
    o.races_of_one_store = on;
  } else if (name == "uninitialized") {
    o.uninitialized = on;
  } else if (name == "exit_code") {
    o.exit_code = std::atoi(value.c_str());
  } else if (name == "multiprocessors") {
    o.multiprocessors = std::atoi(value.c_str());
  } else if (name == "compute_capability") {
    o.compute_capability = std::atoi(value.c_str());
  } else {
    return false;
  }
  return true;
}

options fromEnvironment() {
  options o;
  const char* text = std::getenv("TILE2CU_EMULATE");
  std::istringstream words(text != nullptr ? text : "");
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t equals = word.find('=');
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (!word.empty() && !set(o, word.substr(0, equals), value)) {
      std::fprintf(stderr, "TILE2CU_EMULATE: '%s' is not an option of the emulator\n",
                   word.c_str());
      std::exit(2);
    }
  }
  return o;
}

}  // namespace

options& settings() {
  static options current = fromEnvironment();
  return current;
}

}  // namespace emulate
