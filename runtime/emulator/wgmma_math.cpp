#include "wgmma_math.h"

#include <cstring>

#include "builtins.h"
#include "tensor_elements.h"
#include "tensor_map.h"

namespace emulate {

std::uint32_t operandOffset(std::uint32_t word, int row_bytes, bool transposed, int element_bytes,
                            int i, int k) {
  const std::uint32_t first = (word & 0x3fff) << 4, panel = (word >> 16 & 0x3fff) << 4;
  const int row = transposed ? k : i, byte = (transposed ? i : k) * element_bytes;
  // K-major: all 32 bytes of k are in one panel, wherever in its rows they begin.
  const std::uint32_t in_panel = transposed ? byte % row_bytes : byte;
  const std::uint32_t panels = transposed ? byte / row_bytes * panel : 0;
  return swizzled(first + panels + row * row_bytes + in_panel, row_bytes);
}

namespace {

template <class T>
T sharedElement(mma_element type, std::uint32_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, shared_begin + offset, bitsOf(type) / 8);
  return decodeElement<T>(type, word);
}

// The thread that holds element (m, n) of the accumulator, and the index among its elements.
unsigned threadOf(int m, int n) { return m / 16 * 32 + m % 8 * 4 + n % 8 / 2; }
int indexOf(int m, int n) { return n / 8 * 4 + m % 16 / 8 * 2 + n % 2; }

template <class T>
std::vector<T> operandA(const Wgmma& wgmma) {
  const wgmma_instruction& what = wgmma.what;
  std::vector<T> a(std::size_t(WGMMA_M) * what.k);
  if (!wgmma.in_registers) {
    for (int m = 0; m < WGMMA_M; ++m) {
      for (int k = 0; k < what.k; ++k) {
        a[m * what.k + k] = sharedElement<T>(
            what.a,
            operandOffset(wgmma.a, what.a_row_bytes, what.a_transposed, bitsOf(what.a) / 8, m, k));
      }
    }
    return a;
  }
  const int in_register = 32 / bitsOf(what.a);
  for (unsigned t = 0; t < WARPGROUP; ++t) {
    for (int e = 0; e < 4 * in_register; ++e) {
      const int r = e / in_register, lane = int(t % 32);
      const int m = int(t) / 32 * 16 + lane / 4 + r % 2 * 8;
      const int k = (r / 2 * 4 + lane % 4) * in_register + e % in_register;
      a[m * what.k + k] = registerElement<T>(what.a, wgmma.registers[t], e);
    }
  }
  return a;
}

template <class T>
std::vector<T> operandB(const Wgmma& wgmma) {
  const wgmma_instruction& what = wgmma.what;
  std::vector<T> b(std::size_t(what.k) * what.n);
  for (int n = 0; n < what.n; ++n) {
    for (int k = 0; k < what.k; ++k) {
      b[k * what.n + n] = sharedElement<T>(
          what.b,
          operandOffset(wgmma.b, what.b_row_bytes, what.b_transposed, bitsOf(what.b) / 8, n, k));
    }
  }
  return b;
}

// `get(values, i)` reads element i of a thread as a T, `set` writes it.
template <class T, class Get, class Set>
void multiply(const Wgmma& wgmma, Accumulator& acc, Get get, Set set) {
  const int n_count = wgmma.what.n, k_count = wgmma.what.k;
  const std::vector<T> a = operandA<T>(wgmma), b = operandB<T>(wgmma);
  std::vector<T> row(n_count);
  for (int m = 0; m < WGMMA_M; ++m) {
    for (int n = 0; n < n_count; ++n) {
      row[n] = wgmma.accumulate ? get(acc.of(threadOf(m, n)), indexOf(m, n)) : T();
    }
    for (int k = 0; k < k_count; ++k) {
      for (int n = 0; n < n_count; ++n) row[n] += a[m * k_count + k] * b[k * n_count + n];
    }
    for (int n = 0; n < n_count; ++n) set(acc.of(threadOf(m, n)), indexOf(m, n), row[n]);
  }
}

template <class T>
void multiplyPlain(const Wgmma& wgmma, Accumulator& acc) {
  multiply<T>(
      wgmma, acc,
      [](const unsigned char* values, int i) {
        T x;
        std::memcpy(&x, values + i * sizeof(T), sizeof(T));
        return x;
      },
      [](unsigned char* values, int i, T x) {
        std::memcpy(values + i * sizeof(T), &x, sizeof(T));
      });
}

void multiplyHalf(const Wgmma& wgmma, Accumulator& acc) {
  using format = float16_format<10>;
  multiply<float>(
      wgmma, acc,
      [](const unsigned char* values, int i) {
        std::uint16_t bits;
        std::memcpy(&bits, values + i * 2, 2);
        return format::decode(bits);
      },
      [](unsigned char* values, int i, float x) {
        const std::uint16_t bits = format::encode(x);
        std::memcpy(values + i * 2, &bits, 2);
      });
}

}  // namespace

std::size_t accumulatorBytes(const wgmma_instruction& what) {
  return std::size_t(what.n) / 2 * (what.d == mma_accumulator::f16 ? 2 : 4);
}

void multiplyAccumulate(const Wgmma& wgmma, Accumulator& acc) {
  switch (wgmma.what.d) {
    case mma_accumulator::f16:
      return multiplyHalf(wgmma, acc);
    case mma_accumulator::s32:
      return multiplyPlain<std::uint32_t>(wgmma, acc);  // the same bits, and overflow is defined
    case mma_accumulator::f32:
      return multiplyPlain<float>(wgmma, acc);
    case mma_accumulator::f64:
      break;  // there is no wgmma of doubles
  }
}

}  // namespace emulate
