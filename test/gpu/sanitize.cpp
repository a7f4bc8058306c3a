// Runs the emitted launchers on small odd problems, for compute-sanitizer: no framework, exact
// allocations, every candidate of every list, vector and scalar variants. Results are checked elsewhere.
//
//   sanitize LIBRARIES name...        LIBRARIES holds <name>.so
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

std::string libraries;

void require(cudaError_t error, const std::string& what) {
  if (error == cudaSuccess) return;
  std::printf("sanitize: %s: %s\n", what.c_str(), cudaGetErrorString(error));
  std::exit(1);
}

// The launcher `function` of <name>.so.
template <class... P>
std::function<void(P...)> launcher(const std::string& name, const char* function) {
  void* library = dlopen((libraries + "/" + name + ".so").c_str(), RTLD_NOW);
  void* symbol = library == nullptr ? nullptr : dlsym(library, function);
  if (symbol == nullptr) {
    std::printf("sanitize: %s\n", dlerror());
    std::exit(1);
  }
  const auto launch = reinterpret_cast<cudaError_t (*)(P..., cudaStream_t)>(symbol);
  return [launch, name](P... arguments) {
    require(launch(arguments..., nullptr), name);
    require(cudaDeviceSynchronize(), name);
  };
}

// Runs `launch` with each candidate of the tuned launcher `function` of <name>.so as its choice: nothing is timed.
void eachCandidate(const std::string& name, const std::string& function, int count,
                   const std::function<void()>& launch) {
  void* library = dlopen((libraries + "/" + name + ".so").c_str(), RTLD_NOW);
  void* symbol = library == nullptr ? nullptr : dlsym(library, (function + "_pin").c_str());
  if (symbol == nullptr) {
    std::printf("sanitize: %s\n", dlerror());
    std::exit(1);
  }
  for (int candidate = 0; candidate < count; ++candidate) {
    require(reinterpret_cast<cudaError_t (*)(int)>(symbol)(candidate), function + "_pin");
    launch();
  }
}

// An exact allocation of n elements of T, `shift` elements off the alignment of cudaMalloc, holding
// numbers in [1, 2) (floating types) or zeros. Memcheck sees the first byte outside.
template <class T>
class Array {
 public:
  explicit Array(int64_t n, int shift = 0) : shift_(shift) {
    std::vector<T> host(n + shift);
    for (T& value : host) value = number();
    require(cudaMalloc(&data_, host.size() * sizeof(T)), "cudaMalloc");
    require(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
            "copy");
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  operator T*() const { return data_ + shift_; }

 private:
  static T number() {
    if constexpr (sizeof(T) == 2) return static_cast<T>(0x3c00 | (std::rand() & 0x3ff));
    if constexpr (sizeof(T) == 4) {
      const uint32_t bits = 0x3f800000u | (std::rand() & 0x7fffff);
      T value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    return T(0);
  }
  T* data_ = nullptr;
  int shift_;
};
using Half = Array<uint16_t>;
using Float = Array<float>;
using In16 = const uint16_t*;
using In32 = const float*;

constexpr int kRows = 3;
constexpr float kEps = 1e-5f;
const std::vector<int> kSizes = {1, 7, 1000, 1024, 4096, 4099, 9001};
// Two widths, one a multiple of 8, in each class of the candidate lists.
const std::vector<int> kWidths = {1,    200,   511,   512,   1000,  1001,  1500,  2048, 3000, 3071,
                                  4001, 4096,  5000,  5001,  6000,  6143,  7000,  7001, 8191, 8192,
                                  9001, 10240, 12000, 12285, 14000, 14331, 16383, 16384};

// Every width, aligned with padding for whole vectors, and off by one element.
void rows(const std::vector<int>& widths,
          const std::function<void(int cols, int stride, int shift)>& run) {
  for (const int cols : widths) {
    run(cols, cols, 0);
    run(cols, cols + 8, 0);
    run(cols, cols + 3, 1);
  }
}
int64_t extent(int cols, int stride) { return int64_t{kRows - 1} * stride + cols; }

void vectorAdd() {
  const auto run = launcher<In32, In32, float*, int64_t>("vector_add", "vector_add_f32");
  for (const int n : kSizes)
    for (const int shift : {0, 1}) run(Float(n, shift), Float(n, shift), Float(n, shift), n);
}
void gelu() {
  const auto run = launcher<In16, uint16_t*, int64_t>("gelu", "gelu_f16");
  for (const int n : kSizes)
    for (const int shift : {0, 1}) run(Half(n, shift), Half(n, shift), n);
}
void swiglu() {
  const auto run = launcher<In16, In16, uint16_t*, int64_t>("swiglu", "swiglu_f16");
  for (const int n : kSizes)
    for (const int shift : {0, 1}) run(Half(n, shift), Half(n, shift), Half(n, shift), n);
}
void softmax() {
  const auto run = launcher<In32, float*, int, int, int>("softmax", "softmax_f32");
  rows(kWidths, [&](int cols, int stride, int shift) {
    const int64_t n = extent(cols, stride);
    run(Float(n, shift), Float(n, shift), kRows, cols, stride);
  });
}
void softmaxOnline() {
  const auto run = launcher<In32, float*, int, int, int>("softmax_online", "softmax_online_f32");
  rows({1, 2048, 16384, 16385, 40000}, [&](int cols, int stride, int shift) {
    const int64_t n = extent(cols, stride);
    run(Float(n, shift), Float(n, shift), kRows, cols, stride);
  });
}
void rmsNorm() {
  const auto run =
      launcher<In16, In16, uint16_t*, int, int, int, float>("rms_norm", "rms_norm_f16");
  rows(kWidths, [&](int cols, int stride, int shift) {
    const int64_t n = extent(cols, stride);
    run(Half(n, shift), Half(cols), Half(n, shift), kRows, cols, stride, kEps);
  });
}
void layerNorm() {
  const auto run =
      launcher<In16, In16, In16, uint16_t*, int, int, int, float>("layer_norm", "layer_norm_f16");
  rows(kWidths, [&](int cols, int stride, int shift) {
    const int64_t n = extent(cols, stride);
    run(Half(n, shift), Half(cols), Half(cols), Half(n, shift), kRows, cols, stride, kEps);
  });
}
void residualLayernormDropout() {
  const auto run = launcher<In16, In16, In16, In16, uint16_t*, int, int, float, float, uint64_t>(
      "residual_layernorm_dropout", "residual_layernorm_dropout_f16");
  for (const int cols : kWidths) {
    for (const int shift : {0, 1}) {
      const int64_t n = extent(cols, cols);
      run(Half(n, shift), Half(n, shift), Half(cols), Half(cols), Half(n, shift), kRows, cols, kEps,
          0.3f, 12345);
    }
  }
}
void rope() {
  const auto run = launcher<In16, In32, In32, uint16_t*, int, int, int>("rope", "rope_f16");
  for (const int dim : {2, 64, 80, 128, 200, 256}) {
    for (const int heads : {1, 16, 33}) {
      for (const int shift : {0, 1}) {
        const int64_t n = int64_t{kRows} * heads * dim;
        const Float cosines(kRows * dim / 2), sines(kRows * dim / 2);
        run(Half(n, shift), cosines, sines, Half(n, shift), kRows, heads, dim);
      }
    }
  }
}
void crossEntropy() {
  const auto run = launcher<In32, const int64_t*, float*, int, int, int, int64_t>(
      "cross_entropy", "cross_entropy_f32");
  rows({1, 1000, 8192, 8195, 20000}, [&](int cols, int stride, int shift) {
    run(Float(extent(cols, stride), shift), Array<int64_t>(kRows), Float(kRows), kRows, cols,
        stride, -100);
  });
}
void columnSum() {
  const auto run = launcher<In32, float*, int, int>("column_sum", "column_sum_f32");
  for (const int n_rows : {1, 64, 65, 129, 300})
    for (const int cols : {1, 100, 128, 131, 256})
      for (const int shift : {0, 1})
        run(Float(int64_t{n_rows} * cols, shift), Float(cols), n_rows, cols);
}
void cumsum() {
  const auto run = launcher<In32, float*, int, int>("cumsum", "row_cumsum_f32");
  for (const int cols : kWidths) {
    for (const int shift : {0, 1}) {
      const int64_t n = extent(cols, cols);
      run(Float(n, shift), Float(n, shift), kRows, cols);
    }
  }
}
void rowArgmax() {
  const auto run = launcher<In32, int*, int, int>("row_argmax", "row_argmax_f32");
  for (const int cols : kWidths)
    for (const int shift : {0, 1})
      run(Float(extent(cols, cols), shift), Array<int>(kRows), kRows, cols);
}

// ---- products of matrices: ragged in whole vectors, ragged, aligned or not

struct Product {
  int M, N, K;
};
const std::vector<Product> kProducts = {{130, 264, 136}, {65, 33, 70}, {1, 1, 1}};

void products(const std::function<void(int M, int N, int K, int shift)>& run) {
  for (const auto& [M, N, K] : kProducts)
    for (const int shift : {0, 1}) run(M, N, K, shift);
}
void matmulOf(const char* library, const char* function, int count, bool transposed = false) {
  const auto run = launcher<In16, In16, uint16_t*, int, int, int, int, int, int>(library, function);
  eachCandidate(library, function, count, [&] {
    products([&](int M, int N, int K, int shift) {
      run(Half(M * K, shift), Half(K * N, shift), Half(M * N, shift), M, N, K, K,
          transposed ? K : N, N);
    });
  });
}
void matmul() { matmulOf("matmul", "matmul_f16", 3); }
void matmulDescriptor() { matmulOf("matmul_descriptor", "matmul_descriptor_f16", 2); }
void biasGeluOf(const char* library, const char* function, int count) {
  const auto run = launcher<In16, In16, In16, uint16_t*, int, int, int>(library, function);
  eachCandidate(library, function, count, [&] {
    products([&](int M, int N, int K, int shift) {
      run(Half(M * K, shift), Half(K * N, shift), Half(N, shift), Half(M * N, shift), M, N, K);
    });
  });
}
void matmulBiasGelu() { biasGeluOf("matmul_bias_gelu", "matmul_bias_gelu_f16", 2); }
void batchedMatmul() {
  const auto run =
      launcher<In16, In16, uint16_t*, int, int, int, int>("batched_matmul", "batched_matmul_f16");
  eachCandidate("batched_matmul", "batched_matmul_f16", 2, [&] {
    products([&](int M, int N, int K, int shift) {
      run(Half(2 * M * K, shift), Half(2 * K * N, shift), Half(2 * M * N, shift), 2, M, N, K);
    });
  });
}
void splitKOf(const char* library, const char* function) {
  const auto run = launcher<In16, In16, float*, int, int, int, int>(library, function);
  products([&](int M, int N, int K, int shift) {
    run(Half(M * K, shift), Half(K * N, shift), Float(M * N, shift), M, N, K, 3);
  });
}
void splitK() { splitKOf("split_k", "split_k_f16"); }
void hopperSplitK() {
  splitKOf("hopper_split_k", "hopper_split_k");
  splitKOf("hopper_split_k", "hopper_split_k_128");
}
void sm90SplitK() { splitKOf("sm_90_split_k", "sm_90_split_k"); }
void groupedGemm() {
  const auto run = launcher<In16, In16, uint16_t*, const int*, int, int, int, int>(
      "grouped_gemm", "grouped_gemm_f16");
  products([&](int M, int N, int K, int shift) {
    const std::vector<int> starts = {0, 0, M / 2, M};
    int* at = nullptr;
    require(cudaMalloc(&at, starts.size() * sizeof(int)), "cudaMalloc");
    require(cudaMemcpy(at, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice),
            "copy");
    run(Half(M * K, shift), Half(3 * K * N, shift), Half(M * N, shift), at, M, 3, N, K);
    cudaFree(at);
  });
}
void int8Matmul() {
  using In8 = const int8_t*;
  using Bytes = Array<int8_t>;
  const auto run = launcher<In8, In8, int*, int, int, int>("int8_matmul", "int8_matmul_i8");
  eachCandidate("int8_matmul", "int8_matmul_i8", 2, [&] {
    products([&](int M, int N, int K, int shift) {
      run(Bytes(M * K, shift), Bytes(N * K, shift), Array<int>(M * N, shift), M, N, K);
    });
  });
}
void tf32Matmul() {
  const auto run = launcher<In32, In32, float*, int, int, int>("tf32_matmul", "tf32_matmul_f32");
  products([&](int M, int N, int K, int shift) {
    run(Float(M * K, shift), Float(K * N, shift), Float(M * N, shift), M, N, K);
  });
}
// Rings of 1 to 5 stages, over loops that are shorter and longer than that.
void dotStages() {
  for (const char stages : {'1', '2', '3', '4', '5'}) {
    const auto dot = launcher<In16, In16, uint16_t*, int, int, int>(
        "dot_stages", (std::string("dot_stages_") + stages).c_str());
    const auto chain = launcher<In16, In16, In16, uint16_t*, int, int>(
        "dot_stages", (std::string("chain_stages_") + stages).c_str());
    for (const int shift : {0, 1}) {
      for (const int K : {8, 200, 512})
        dot(Half(65 * K, shift), Half(136 * K, shift), Half(65 * 136, shift), 65, 136, K);
      for (const int N : {1, 97, 320})
        chain(Half(65 * 64, shift), Half(N * 64, shift), Half(N * 64, shift), Half(65 * 64, shift),
              65, N);
    }
  }
}
void attentionOf(const char* library, const char* function, const std::vector<int>& dims) {
  const auto run =
      launcher<In16, In16, In16, uint16_t*, int, int, int, float, bool>(library, function);
  for (const int dim : dims)
    for (const int length : {1, 130, 257})
      for (const bool causal : {false, true})
        for (const int shift : {0, 1}) {
          const int n = 2 * length * dim;
          run(Half(n, shift), Half(n, shift), Half(n, shift), Half(n, shift), 2, length, dim, 0.1f,
              causal);
        }
}
void flashAttention() { attentionOf("flash_attention", "flash_attention_f16", {64, 128}); }
void flashDecode() {
  const auto run =
      launcher<In16, In16, In16, float*, float*, float*, int, int, int, int, int, float>(
          "flash_decode", "flash_decode_f16");
  const auto combine = launcher<In32, In32, In32, uint16_t*, int, int, int>(
      "flash_decode", "flash_decode_combine_f16");
  for (const int dim : {64, 128})
    for (const int splits : {1, 7})
      for (const int group : {1, 16})
        for (const int shift : {0, 1}) {
          const int queries = 2 * group, cache = 2 * 300 * dim;
          const Float parts(queries * splits * dim, shift);
          const Float maxima(queries * splits, shift), sums(queries * splits, shift);
          run(Half(queries * dim, shift), Half(cache, shift), Half(cache, shift), parts, maxima,
              sums, 2, group, 300, dim, splits, 0.1f);
          combine(parts, maxima, sums, Half(queries * dim, shift), queries, dim, splits);
        }
}

// ---- for Hopper alone

void hopperMatmul() { matmulOf("hopper_matmul", "hopper_matmul_f16", 3); }
void hopperNn() {
  matmulOf("hopper_nn", "hopper_nn_f16", 3);
  matmulOf("hopper_nn", "hopper_nn_bf16", 3);
}
void hopperNt() {
  matmulOf("hopper_nt", "hopper_nt_f16", 3, true);
  matmulOf("hopper_nt", "hopper_nt_bf16", 3, true);
}
void hopperFp8() {
  using Bytes = Array<int8_t>;
  const auto run = launcher<const int8_t*, const int8_t*, uint16_t*, int, int, int, int, int, int>(
      "hopper_fp8", "hopper_fp8");
  eachCandidate("hopper_fp8", "hopper_fp8", 2, [&] {
    for (const int K : {16, 70, 400})
      for (const int shift : {0, 1})
        run(Bytes(130 * K, shift), Bytes(264 * K, shift), Half(130 * 264, shift), 130, 264, K, K, K,
            264);
  });
}
void hopperWeights() {
  const auto run = launcher<const uint16_t*, const int8_t*, const float*, uint16_t*, int, int, int>(
      "hopper_weights", "hopper_weights");
  eachCandidate("hopper_weights", "hopper_weights", 7, [&] {
    for (const int K : {16, 70, 400})
      for (const int shift : {0, 1})
        run(Half(130 * K, shift), Array<int8_t>(264 * K, shift), Float(264, shift),
            Half(130 * 264, shift), 130, 264, K);
  });
}
void hopperBiasGelu() { biasGeluOf("hopper_bias_gelu", "hopper_bias_gelu_f16", 3); }
void hopperAttention() { attentionOf("hopper_attention", "hopper_attention_f16", {64, 128}); }
void hopperAttentionTuned() {
  const char* const library = "hopper_attention_tuned";
  const char* const function = "hopper_attention_tuned_f16";
  eachCandidate(library, function, 4, [&] { attentionOf(library, function, {64, 128}); });
}
void hopperAttentionDims() {
  attentionOf("hopper_attention_dims", "hopper_attention_dims_f16", {80, 96, 256});
}
void hopperAttentionGradients() {
  const char* const library = "hopper_attention_gradients";
  const char* const queries = "hopper_gradient_of_queries";
  const char* const keys = "hopper_gradients_of_keys";
  const auto ofQueries =
      launcher<In16, In16, In16, In16, In32, In32, uint16_t*, int, int, int, float, bool>(library,
                                                                                          queries);
  const auto ofKeys = launcher<In16, In16, In16, In16, In32, In32, uint16_t*, uint16_t*, int, int,
                               int, float, bool>(library, keys);
  const auto each = [&](bool isOfKeys) {
    for (const int dim : {64, 128})
      for (const int length : {1, 130, 400})
        for (const int shift : {0, 1})
          for (const bool causal : {false, true}) {
            const int n = 2 * length * dim;
            const Half q(n, shift), k(n, shift), v(n, shift), gradient(n, shift), x(n, shift),
                y(n, shift);
            const Float lse(2 * length, shift), delta(2 * length, shift);
            if (isOfKeys)
              ofKeys(q, k, v, gradient, lse, delta, x, y, 2, length, dim, 0.1f, causal);
            else
              ofQueries(q, k, v, gradient, lse, delta, x, 2, length, dim, 0.1f, causal);
          }
  };
  eachCandidate(library, queries, 3, [&] { each(false); });
  eachCandidate(library, keys, 3, [&] { each(true); });
}
void hopperAttentionVariants() {
  const char* const library = "hopper_attention_variants";
  const auto window = launcher<In16, In16, In16, uint16_t*, int, int, int, float, int>(
      library, "hopper_attention_window_f16");
  const auto alibi = launcher<In16, In16, In16, In32, uint16_t*, int, int, int, float>(
      library, "hopper_attention_alibi_f16");
  const auto softcap = launcher<In16, In16, In16, uint16_t*, int, int, int, float, float>(
      library, "hopper_attention_softcap_f16");
  const auto grouped = launcher<In16, In16, In16, uint16_t*, int, int, int, int, float>(
      library, "hopper_attention_grouped_f16");
  for (const int dim : {64, 128})
    for (const int length : {1, 130, 400})
      for (const int shift : {0, 1}) {
        const int n = 2 * length * dim;
        const Half q(n, shift), k(n, shift), v(n, shift), out(n, shift);
        window(q, k, v, out, 2, length, dim, 0.1f, 100);
        alibi(q, k, v, Float(2, 0), out, 2, length, dim, 0.1f);
        softcap(q, k, v, out, 2, length, dim, 0.1f, 30.0f);
        grouped(q, k, v, out, 2, 2, length, dim, 0.1f);
      }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> kernels = {
      {"vector_add", vectorAdd},
      {"gelu", gelu},
      {"swiglu", swiglu},
      {"softmax", softmax},
      {"softmax_online", softmaxOnline},
      {"rms_norm", rmsNorm},
      {"layer_norm", layerNorm},
      {"residual_layernorm_dropout", residualLayernormDropout},
      {"rope", rope},
      {"cross_entropy", crossEntropy},
      {"column_sum", columnSum},
      {"cumsum", cumsum},
      {"row_argmax", rowArgmax},
      {"matmul", matmul},
      {"matmul_descriptor", matmulDescriptor},
      {"matmul_bias_gelu", matmulBiasGelu},
      {"batched_matmul", batchedMatmul},
      {"split_k", splitK},
      {"grouped_gemm", groupedGemm},
      {"int8_matmul", int8Matmul},
      {"tf32_matmul", tf32Matmul},
      {"dot_stages", dotStages},
      {"flash_attention", flashAttention},
      {"flash_decode", flashDecode},
      {"hopper_matmul", hopperMatmul},
      {"hopper_nn", hopperNn},
      {"hopper_nt", hopperNt},
      {"hopper_fp8", hopperFp8},
      {"hopper_split_k", hopperSplitK},
      {"sm_90_split_k", sm90SplitK},
      {"hopper_weights", hopperWeights},
      {"hopper_bias_gelu", hopperBiasGelu},
      {"hopper_attention", hopperAttention},
      {"hopper_attention_tuned", hopperAttentionTuned},
      {"hopper_attention_dims", hopperAttentionDims},
      {"hopper_attention_gradients", hopperAttentionGradients},
      {"hopper_attention_variants", hopperAttentionVariants},
  };
  if (argc < 3) {
    std::printf("usage: sanitize LIBRARIES name...\n");
    return 2;
  }
  libraries = argv[1];
  for (int i = 2; i < argc; ++i) {
    const auto kernel = kernels.find(argv[i]);
    if (kernel == kernels.end()) {
      std::printf("sanitize: no kernel %s\n", argv[i]);
      return 2;
    }
    kernel->second();
    std::printf("sanitize: ran %s\n", argv[i]);
  }
  return 0;
}
