// The elements of buffers: their types, and how numbers are read from and written to them.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

#include "driver.h"
#include "numbers.h"

namespace emulate_test {

constexpr int bytes_of(Type type) {
  switch (type) {
    case Type::i8:
    case Type::u8:
    case Type::e4m3:
    case Type::e5m2:
    case Type::boolean:
      return 1;
    case Type::i16:
    case Type::u16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::i64:
    case Type::u64:
    case Type::f64:
      return 8;
    default:
      return 4;
  }
}

constexpr bool is_float8(Type type) { return type == Type::e4m3 || type == Type::e5m2; }
constexpr bool is_float(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::f32 || type == Type::f64 ||
         is_float8(type);
}
constexpr bool is_signed(Type type) { return is_float(type) || type <= Type::i64; }

template <class T>
T read(const void* address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

inline double read_float(Type type, const void* address) {
  switch (type) {
    case Type::f16:
      return from_16_bits(read<std::uint16_t>(address), 10);
    case Type::bf16:
      return from_16_bits(read<std::uint16_t>(address), 7);
    case Type::e4m3:
      return from_8_bits(read<std::uint8_t>(address), 3);
    case Type::e5m2:
      return from_8_bits(read<std::uint8_t>(address), 2);
    case Type::f32:
      return read<float>(address);
    default:
      return read<double>(address);
  }
}

inline std::uint64_t read_bits(Type type, const void* address) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, address, bytes_of(type));
  return bits;
}

inline void write_bits(Type type, void* address, std::uint64_t bits) {
  std::memcpy(address, &bits, bytes_of(type));
}

inline void write_number(Type type, void* address, double value) {
  switch (type) {
    case Type::f16:
      return write_bits(type, address, to_16_bits(value, 10));
    case Type::bf16:
      return write_bits(type, address, to_16_bits(value, 7));
    case Type::e4m3:
      return write_bits(type, address, to_8_bits(value, 3));
    case Type::e5m2:
      return write_bits(type, address, to_8_bits(value, 2));
    case Type::f32:
      return write_bits(type, address, std::bit_cast<std::uint32_t>(float(value)));
    case Type::f64:
      return write_bits(type, address, std::bit_cast<std::uint64_t>(value));
    case Type::boolean:
      return write_bits(type, address, value != 0);
    default:
      return write_bits(type, address, std::uint64_t(std::int64_t(value)));
  }
}

}  // namespace emulate_test
