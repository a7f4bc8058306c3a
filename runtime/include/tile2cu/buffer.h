// A small array for host programs that are built both for the CPU and with CUDA.
//
//  tl::buffer<float> in(std::vector<float>{...}), out(n);
//  scale(in.data(), out.data(), n);            // a launcher takes data()
//  std::vector<float> result = out.to_host();
//
// If the file is compiled by nvcc, or with TILE2CU_CUDA defined, the elements are on the current
// device (link with cudart); otherwise they are on the host. Element types are trivially copyable.
// A failed allocation or copy throws std::runtime_error.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__CUDACC__) || defined(TILE2CU_CUDA)
#define TILE2CU_BUFFER_ON_DEVICE 1
#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>
#else
#define TILE2CU_BUFFER_ON_DEVICE 0
#endif

namespace tl {

template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>, "a buffer holds trivially copyable elements");

 public:
  // `size` elements, all zero.
  explicit buffer(std::size_t size) : buffer(std::vector<T>(size)) {}
  explicit buffer(const std::vector<T>& elements);
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  buffer(buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  buffer& operator=(buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~buffer();

  // A device pointer, if there is a device. Null for an empty buffer.
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }  // in elements

  // A copy of the elements, after all work on the default stream of the device.
  std::vector<T> to_host() const;

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

#if TILE2CU_BUFFER_ON_DEVICE

namespace detail {
inline void checkCuda(cudaError_t error, const char* what) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}
}  // namespace detail

template <class T>
buffer<T>::buffer(const std::vector<T>& elements) : size_(elements.size()) {
  if (size_ == 0) return;
  detail::checkCuda(cudaMalloc(reinterpret_cast<void**>(&data_), size_ * sizeof(T)), "cudaMalloc");
  const cudaError_t error =
      cudaMemcpy(data_, elements.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  if (error != cudaSuccess) cudaFree(data_);
  detail::checkCuda(error, "cudaMemcpy to the device");
}

template <class T>
buffer<T>::~buffer() {
  cudaFree(data_);
}

template <class T>
std::vector<T> buffer<T>::to_host() const {
  std::vector<T> elements(size_);
  if (size_ != 0) {
    detail::checkCuda(cudaMemcpy(elements.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost),
                      "cudaMemcpy to the host");
  }
  return elements;
}

#else

template <class T>
buffer<T>::buffer(const std::vector<T>& elements)
    : data_(elements.empty() ? nullptr : new T[elements.size()]), size_(elements.size()) {
  for (std::size_t i = 0; i < size_; ++i) data_[i] = elements[i];
}

template <class T>
buffer<T>::~buffer() {
  delete[] data_;
}

template <class T>
std::vector<T> buffer<T>::to_host() const {
  return std::vector<T>(data_, data_ + size_);
}

#endif

}  // namespace tl

#undef TILE2CU_BUFFER_ON_DEVICE
