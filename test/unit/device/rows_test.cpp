// Whole kernels in the emitted style, over ragged sizes, misaligned pointers and every schedule.
#include <random>

#include "row_kernels.cuh"
#include "testing.h"

namespace device_tests {
namespace {

// Elements between forbidden bytes, `shift` elements off the alignment of a vector.
template <class T>
struct Buffer {
  Buffer(int64_t count, int shift) : n(count) {
    EXPECT_EQ(cudaMalloc(&memory, (count + shift) * sizeof(T)), cudaSuccess);
    emulate::forbid(memory, shift * sizeof(T));
    data = memory + shift;
    for (int64_t i = 0; i < n; ++i) data[i] = T(NAN);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(memory); }
  void randomise(unsigned seed) {
    std::mt19937 random(seed);
    for (int64_t i = 0; i < n; ++i) data[i] = T(float(int(random() % 2001) - 1000) / 100);
  }
  int64_t n;
  T* memory = nullptr;
  T* data = nullptr;
};

void expectClean() {
  for (const emulate::report& report : emulate::take_reports()) ADD_FAILURE() << report.text;
}

// The launcher's choice: vectors where pointers and row length allow them.
template <int BLOCK, int WARPS>
void runSoftmax(const float* x, float* y, int rows, int cols, int stride) {
  const bool vectors = tile2cu::aligned<16>(x, y) && tile2cu::divisible<4>(cols, stride);
  const auto kernel =
      vectors ? row_kernels::softmax<BLOCK, WARPS, 4> : row_kernels::softmax<BLOCK, WARPS, 1>;
  EXPECT_EQ(emulate::launch(kernel, rows, WARPS * 32, sizeof(row_kernels::Smem<WARPS>), nullptr, x,
                            y, cols, stride, stride),
            cudaSuccess);
  expectClean();
}

template <int BLOCK, int WARPS>
void checkSoftmax(int cols, int padding, int shift) {
  const int rows = 3, stride = cols + padding;
  Buffer<float> x(int64_t{rows} * stride, shift), y(int64_t{rows} * stride, shift);
  x.randomise(unsigned(cols));
  runSoftmax<BLOCK, WARPS>(x.data, y.data, rows, cols, stride);
  for (int r = 0; r < rows; ++r) {
    const float *in = x.data + r * stride, *out = y.data + r * stride;
    double largest = -INFINITY, sum = 0;
    for (int c = 0; c < cols; ++c) largest = std::max(largest, double(in[c]));
    for (int c = 0; c < cols; ++c) sum += std::exp(in[c] - largest);
    for (int c = 0; c < cols; ++c) {
      ASSERT_NEAR(out[c], std::exp(in[c] - largest) / sum, 1e-6) << cols << " columns, " << c;
    }
    for (int c = cols; c < stride; ++c) ASSERT_TRUE(std::isnan(out[c]));
  }
}

TEST(Rows, Softmax) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    for (const int cols : {1, 3, 31, 32, 33, 64, 100, 127, 256, 500, 511, 512}) {
      checkSoftmax<512, 4>(cols, 0, 0);
      checkSoftmax<512, 4>(cols, 4, 0);
      checkSoftmax<512, 4>(cols, 1, 1);
    }
    checkSoftmax<1920, 5>(1900, 0, 0);
    checkSoftmax<1920, 3>(1919, 0, 0);
    checkSoftmax<4096, 32>(4000, 0, 0);
  }
}

template <int VEC>
void checkLayernorm(int cols, int shift) {
  const int rows = 2;
  Buffer<__half> x(rows * cols, shift), w(cols, shift), b(cols, shift), y(rows * cols, shift);
  x.randomise(1);
  w.randomise(2);
  b.randomise(3);
  EXPECT_EQ(
      emulate::launch(row_kernels::layernorm<512, 2, VEC>, rows, 64, sizeof(row_kernels::Smem<2>),
                      nullptr, x.data, w.data, b.data, y.data, cols, 1e-5f),
      cudaSuccess);
  expectClean();
  for (int r = 0; r < rows; ++r) {
    double mean = 0, square = 0;
    for (int c = 0; c < cols; ++c) mean += float(x.data[r * cols + c]) / double(cols);
    for (int c = 0; c < cols; ++c) square += std::pow(float(x.data[r * cols + c]) - mean, 2) / cols;
    for (int c = 0; c < cols; ++c) {
      const double scaled = (float(x.data[r * cols + c]) - mean) / std::sqrt(square + 1e-5);
      const double want = scaled * float(w.data[c]) + float(b.data[c]);
      ASSERT_NEAR(float(y.data[r * cols + c]), want, 1e-3 * std::fabs(want) + 1e-3);
    }
  }
}

TEST(Rows, Layernorm) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    for (const int cols : {8, 64, 72, 504, 512}) checkLayernorm<8>(cols, 0);
    for (const int cols : {1, 7, 64, 65, 511}) checkLayernorm<1>(cols, 1);
  }
}

template <int VEC>
void checkGelu(int64_t n, int shift) {
  Buffer<__half> x(n, shift), y(n, shift);
  x.randomise(unsigned(n));
  EXPECT_EQ(emulate::launch(row_kernels::gelu<2048, VEC>, unsigned((n + 2047) / 2048), 256, 0,
                            nullptr, x.data, y.data, n),
            cudaSuccess);
  expectClean();
  for (int64_t i = 0; i < n; ++i) {
    const double v = float(x.data[i]);
    const double want = 0.5 * v * (1 + std::tanh(0.7978845608 * (v + 0.044715 * v * v * v)));
    ASSERT_NEAR(float(y.data[i]), want, 1e-3 * std::fabs(want) + 1e-6) << n << " at " << i;
  }
}

TEST(Rows, Gelu) {
  for (const int64_t n : {1, 7, 8, 9, 255, 2047, 2048, 2049, 5000}) {
    checkGelu<8>(n, 0);
    checkGelu<1>(n, 3);
  }
}

TEST(Rows, Cumsum) {
  for (const int cols : {1, 31, 32, 33, 96, 150, 160}) {
    Buffer<float> x(2 * cols, 0), y(2 * cols, 0);
    x.randomise(4);
    for (int i = 0; i < 2 * cols; ++i) x.data[i] = std::floor(x.data[i]);
    EXPECT_EQ(emulate::launch(row_kernels::cumsum<5>, 2, 160, sizeof(row_kernels::Smem<5>), nullptr,
                              x.data, y.data, cols),
              cudaSuccess);
    expectClean();
    for (int r = 0; r < 2; ++r) {
      float total = 0;
      for (int c = 0; c < cols; ++c) {
        total += x.data[r * cols + c];
        ASSERT_EQ(y.data[r * cols + c], total);
      }
    }
  }
}

}  // namespace
}  // namespace device_tests
