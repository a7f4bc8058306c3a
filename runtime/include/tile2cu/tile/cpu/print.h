// Reference of device_print.
#pragma once

#include <array>
#include <cstdio>
#include <string>
#include <type_traits>

#include "program.h"

namespace tl::cpu {

// 0x0000002a: the bits, with all digits of the type. A pointer is printed as without `hex`.
template <class T>
std::string hexOf(const T& value) {
  constexpr int kDigits = __is_same(T, bool) ? 1 : 2 * static_cast<int>(sizeof(T));
  using Bits = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<sizeof(T) == 2, std::uint16_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "0x%0*llx", kDigits,
                static_cast<unsigned long long>(__builtin_bit_cast(Bits, value)));
  return text.data();
}

template <class T>
std::string textOf(const T& value, bool isHex) {
  if constexpr (!std::is_pointer_v<T>)
    if (isHex) return hexOf(value);
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
void printValue(const std::string& text, const V& value, bool isHex) {
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
                             textOf(element<dimsOf<V>>(value, i), isHex) + "\n";
    std::fputs(line.c_str(), stdout);
  }
}

template <class... V>
void devicePrint(const char* text, const V&... values) {
  mustRun();
  constexpr bool kIsHex = (std::is_same_v<V, hex_t> || ...);
  constexpr bool kIsOne = sizeof...(V) - kIsHex == 1;
  int operand = 0;
  const auto print = [&]<class X>(const X& value) {
    if constexpr (!std::is_same_v<X, hex_t>)
      printValue(kIsOne ? std::string(text)
                        : std::string(text) + " (operand " + std::to_string(operand++) + ")",
                 value, kIsHex);
  };
  (print(values), ...);
}

}  // namespace tl::cpu
