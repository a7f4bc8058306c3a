// Finds elements of one store that share an address, for TILE2CU_CHECK.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "program.h"

namespace tl::cpu {

// Stops the program if two elements of type T that are stored may not have one address. Element i
// has the address addressOf(i), which is null if it is not stored, and the value valueOf(i).
template <class T, class AddressOf, class ValueOf>
void checkStore(int size, const AddressOf& addressOf, const ValueOf& valueOf) {
  if (current.check == Check::kNothing) return;
  using Bytes = std::array<unsigned char, sizeof(T)>;
  std::vector<std::pair<std::uintptr_t, Bytes>> stored;
  for (int i = 0; i < size; ++i) {
    if (const auto address = reinterpret_cast<std::uintptr_t>(addressOf(i)))
      stored.emplace_back(address, std::bit_cast<Bytes>(static_cast<T>(valueOf(i))));
  }
  std::sort(stored.begin(), stored.end());
  for (std::size_t k = 1; k < stored.size(); ++k) {
    if (stored[k].first != stored[k - 1].first) continue;
    if (current.check == Check::kAddresses)
      fail("two elements of a store have one address (TILE2CU_CHECK=addresses)");
    if (stored[k].second != stored[k - 1].second)
      fail("two elements of a store have one address and different values (TILE2CU_CHECK=values)");
  }
}

}  // namespace tl::cpu
