// A file for sm_80 and sm_90a on a GPU: what on_hopper() says of how it was compiled, and that both forms are right. Prints
// "N passed, N failed". The argument: whether code for sm_90a is there (1) or not (0); on a GPU other than Hopper always 0.
//
// tile2cu --arch=sm_80,sm_90a -Wno-tune examples/matmul/matmul.tile.cpp -o matmul.cu
// mixed() { nvcc -std=c++17 -O3 -I. test/gpu/mixed_check.cu -o check "${@:2}" && ./check $1; }
// mixed 1 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90a,code=sm_90a
// mixed 1 -gencode arch=compute_90a,code=compute_90a -gencode arch=compute_80,code=sm_80
// mixed 0 -gencode arch=compute_90,code=sm_90
// mixed 0 -gencode arch=compute_80,code=compute_80
//
// With both sm_90 and sm_90a in a file either answer is right, as long as nothing fails.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "matmul.cu"

namespace {

int passed = 0, failed = 0;

void expect(bool ok, const char* what) {
  if (!ok) printf("FAILED %s\n", what);
  ++(ok ? passed : failed);
}

// C = A B with small integers, which float16 holds; `shift` elements from where the buffers begin.
void product(int M, int N, int K, int shift, const char* what) {
  std::vector<__half> a(M * K + shift), b(K * N + shift), c(M * N + shift);
  for (size_t i = 0; i < a.size(); ++i) a[i] = __half(float(i * 7 % 5) - 2);
  for (size_t i = 0; i < b.size(); ++i) b[i] = __half(float(i * 11 % 3) - 1);
  __half *da = nullptr, *db = nullptr, *dc = nullptr;
  cudaMalloc(&da, a.size() * 2);
  cudaMalloc(&db, b.size() * 2);
  cudaMalloc(&dc, c.size() * 2);
  cudaMemcpy(da, a.data(), a.size() * 2, cudaMemcpyDefault);
  cudaMemcpy(db, b.data(), b.size() * 2, cudaMemcpyDefault);
  bool good = true;
  for (int candidate = 0; candidate < 3 && good; ++candidate) {
    matmul_f16_pin(candidate);
    cudaMemset(dc, 0xff, c.size() * 2);
    good = matmul_f16(da + shift, db + shift, dc + shift, M, N, K, K, N, N) == cudaSuccess &&
           cudaDeviceSynchronize() == cudaSuccess;
    cudaMemcpy(c.data(), dc, c.size() * 2, cudaMemcpyDefault);
    for (int i = 0; i < M && good; ++i)
      for (int j = 0; j < N && good; ++j) {
        float sum = 0;
        for (int k = 0; k < K; ++k)
          sum += float(a[shift + i * K + k]) * float(b[shift + k * N + j]);
        good = std::fabs(float(c[shift + i * N + j]) - sum) <= std::fabs(sum) / 1024;
      }
  }
  expect(good, what);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
}

// The first launch of all while a stream is captured: what the launcher asks must not end that.
void capture() {
  __half* memory = nullptr;
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  cudaMalloc(&memory, 3 * 64 * 64 * 2);
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  expect(matmul_f16(memory, memory + 4096, memory + 8192, 64, 64, 64, 64, 64, 64, stream) ==
             cudaSuccess,
         "a launch into a graph");
  expect(cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph != nullptr, "a graph");
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(memory);
}

}  // namespace

int main(int, char** arguments) {
  const bool wanted = arguments[1] != nullptr && std::atoi(arguments[1]) != 0;
  capture();
  expect(tile2cu::on_hopper() == wanted, "on_hopper");
  expect(tile2cu::on_hopper() == wanted, "on_hopper, asked again");
  product(200, 264, 136, 0, "a product by the form for the device");
  product(200, 264, 136, 1, "a product of unaligned matrices");
  product(65, 33, 70, 0, "a product with odd strides");
  expect(cudaGetLastError() == cudaSuccess, "no error is left");
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
