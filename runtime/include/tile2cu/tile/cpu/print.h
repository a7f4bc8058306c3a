// Reference of device_print.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <type_traits>

#include "program.h"

namespace tl::cpu {

template <class T>
std::string textOf(const T& value) {
  std::array<char, 400> text{};  // the longest: a double
  const auto print = [&](const char* format, auto number) {
    std::snprintf(text.data(), text.size(), format, number);
  };
  if constexpr (std::is_pointer_v<T>)
    print("%p", static_cast<const volatile void*>(value));
  else if constexpr (std::is_same_v<T, double>)
    print("%g", value);
  else if constexpr (!std::is_integral_v<T>)
    print("%g", static_cast<double>(static_cast<float>(value)));
  else if constexpr (std::is_signed_v<T> || sizeof(T) < 4)
    print("%lld", static_cast<long long>(value));
  else
    print("%llu", static_cast<unsigned long long>(value));
  return text.data();
}

// One line for each element; several threads may print lines.
template <class V>
void printValue(const std::string& text, const V& value) {
  const Dims dims = dimsOf<V>;
  for (int i = 0; i < detail::numel(dims); ++i) {
    std::string indices;
    for (int d = dims.rank - 1, rest = i; d >= 0; --d) {
      indices = std::to_string(rest % dims.d[d]) + (indices.empty() ? "" : ", ") + indices;
      rest /= dims.d[d];
    }
    std::string ids;
    for (const std::int64_t id : current.id) ids += (ids.empty() ? "" : ", ") + std::to_string(id);
    const std::string line = "pid (" + ids + ") idx (" + indices + ") " + text + ": " +
                             textOf(element<dimsOf<V>>(value, i)) + "\n";
    std::fputs(line.c_str(), stdout);
  }
}

template <class... V>
void devicePrint(const char* text, const V&... values) {
  mustRun();
  int operand = 0;
  (printValue(sizeof...(V) == 1
                  ? std::string(text)
                  : std::string(text) + " (operand " + std::to_string(operand++) + ")",
              values),
   ...);
}

}  // namespace tl::cpu
