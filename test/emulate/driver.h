// Shared by a generated case file and driver.cpp: how a kernel is called and with which data.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>
#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#endif

namespace emulate_test {

// A constant array of the generated tables. They are data: no code runs before main.
template <class T>
class List {
 public:
  constexpr List() = default;
  template <std::size_t N>
  constexpr List(const T (&elements)[N]) : elements_(elements), size_(N) {}

  constexpr const T* data() const { return elements_; }
  constexpr std::size_t size() const { return size_; }
  constexpr const T* begin() const { return elements_; }
  constexpr const T* end() const { return elements_ + size_; }
  constexpr const T& operator[](std::size_t i) const { return elements_[i]; }

 private:
  const T* elements_ = nullptr;
  std::size_t size_ = 0;
};

enum class Type { i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, e4m3, e5m2, boolean };

// The contents of a buffer before the launch.
enum class Domain {
  out,       // the same noise for both executions: what is not written must stay
  small,     // integers -8 to 8 (0 to 16 in unsigned types)
  nonzero,   // -8 to 8 but 0 (1 to 16)
  positive,  // 1 to 16
  shift,     // 0 to 6
  bits,      // any integer, any 8-bit float; floats of many magnitudes
  unit,      // floats -4 to 4, with fractions
  open,      // floats above 0, up to 16
  sine,      // floats -1 to 1
  special,   // floats: NaN, infinities, zeros of both signs, some numbers
  extreme,   // floats: as special, and large and small numbers
  ties,      // 0 to 3
  nans,      // 0 to 3, every fifth NaN
  sparse,    // mostly 0
  zero,
  below,     // 0 to parameter - 1
  ones,      // mostly 1, some -1 and 2: products stay small
  distinct,  // a permutation of 0 to size - 1
  starts,    // ascending, from 0 to parameter: where groups begin, some of them empty
};

struct Buffer {
  const char* name;
  Type type;
  Domain domain;
  long size;
  long parameter;             // of Domain::below and starts
  int shift;                  // elements from an address that is a multiple of 256
  bool written;               // the kernel may write it
  double relative, absolute;  // relative < 0: the same bits (NaN is NaN)
};

// A pointer argument: an element of a buffer; nullptr if `buffer` is negative.
struct Pointer {
  int buffer;
  long offset;
};

struct Scalar {
  long long integer;
  double number;
};

using Call = int (*)(void* const* pointers, const Scalar* scalars);

struct Run {
  const char* name;  // the arguments, in words
  List<Buffer> buffers;
  List<Pointer> pointers;
  List<Scalar> scalars;
  int expected_status;
  bool launcher_refuses;   // what the reference runs
  int compute_capability;  // of the emulated device
};

struct Kernel {
  const char* name;
  Call reference, emulated;
  bool races_between_blocks, races_of_one_store;
  List<Run> runs;
};

// An array of pointers in the memory that kernels read, until the end of the call of a launcher. For
// a GPU it is another class than that of the reference, which is linked with it.
#if defined(__CUDACC__)
inline namespace on_gpu {
#endif
template <class T>
class PointerArray {
 public:
  PointerArray(std::initializer_list<T*> pointers) : pointers_(pointers) {
#if defined(__CUDACC__)
    const std::size_t size = pointers_.size() * sizeof(T*);
    cudaMalloc(&copy_, size);
    cudaMemcpy(copy_, pointers_.data(), size, cudaMemcpyHostToDevice);
  }
  ~PointerArray() { cudaFree(copy_); }  // after the kernel, which it waits for
  T* const* data() const { return copy_; }
#else
  }
  T* const* data() const { return pointers_.data(); }
#endif
  PointerArray(const PointerArray&) = delete;
  PointerArray& operator=(const PointerArray&) = delete;

 private:
  std::vector<T*> pointers_;
#if defined(__CUDACC__)
  T** copy_ = nullptr;
#endif
};
#if defined(__CUDACC__)
}  // namespace on_gpu
#endif

// Every generated file defines it.
extern const List<Kernel> kernels;

}  // namespace emulate_test
