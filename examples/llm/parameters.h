// The parameters of a GPT-2: one table of tensors, and flat buffers that hold all of them.
#pragma once
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "kernels.h"

namespace llm {

struct Sizes {
  int layers = 2;
  int channels = 32;  // heads times 16 or 64
  int heads = 2;
  int length = 32;       // tokens of a sequence
  int vocabulary = 256;  // 256: bytes
  int batch = 4;         // sequences of a step

  int64_t rows() const { return int64_t(batch) * length; }
  // The vocabulary, padded so that rows of logits are whole vectors.
  int columns() const { return (vocabulary + 63) / 64 * 64; }
};

// Matrices come first: weight decay is for them alone.
enum TensorId {
  kTokenTable,     // [columns, channels], also the weight of the logits
  kPositionTable,  // [length, channels]
  kQkvWeight,      // [3 channels, channels]
  kOutWeight,      // [channels, channels]
  kUpWeight,       // [4 channels, channels]
  kDownWeight,     // [channels, 4 channels]
  kNorm1Weight,    // [channels], this and all below are vectors
  kNorm1Bias,
  kQkvBias,  // [3 channels]
  kOutBias,
  kNorm2Weight,
  kNorm2Bias,
  kUpBias,  // [4 channels]
  kDownBias,
  kLastNormWeight,
  kLastNormBias,
  kTensors,
};

// The tensor of one name, for all layers.
struct Tensor {
  const char* name;
  int layers;       // 1 for those that no layer has
  int64_t size;     // elements for one layer
  float deviation;  // standard deviation of the first values; 0: all are `value`
  float value = 0;
  int64_t first = 0;  // its place in the flat buffers
};

inline std::vector<Tensor> tensors(const Sizes& sizes) {
  const int64_t c = sizes.channels;
  const int layers = sizes.layers;
  // Both branches of each layer are added to the residual stream.
  const float of_branch = 0.02f / std::sqrt(2.0f * layers);
  std::vector<Tensor> table = {
      {"token_table", 1, sizes.columns() * c, 0.02f},
      {"position_table", 1, sizes.length * c, 0.02f},
      {"qkv_weight", layers, 3 * c * c, 0.02f},
      {"out_weight", layers, c * c, of_branch},
      {"up_weight", layers, 4 * c * c, 0.02f},
      {"down_weight", layers, 4 * c * c, of_branch},
      {"norm1_weight", layers, c, 0, 1},
      {"norm1_bias", layers, c, 0},
      {"qkv_bias", layers, 3 * c, 0},
      {"out_bias", layers, c, 0},
      {"norm2_weight", layers, c, 0, 1},
      {"norm2_bias", layers, c, 0},
      {"up_bias", layers, 4 * c, 0},
      {"down_bias", layers, c, 0},
      {"last_norm_weight", 1, c, 0, 1},
      {"last_norm_bias", 1, c, 0},
  };
  int64_t first = 0;
  for (Tensor& tensor : table) {
    tensor.first = first;
    first += tensor.layers * tensor.size;
  }
  return table;
}

// The arguments of AdamW.
struct Optimizer {
  float rate = 1e-3f;
  float beta1 = 0.9f;
  float beta2 = 0.95f;
  float epsilon = 1e-8f;
  float weight_decay = 0.1f;
};

// Parameters, gradients and the moments of AdamW in float, and the weights that the layers read.
class Parameters {
 public:
  Parameters(const Sizes& sizes, unsigned seed)
      : Parameters(tensors(sizes), first_values(tensors(sizes), seed)) {}

  const std::vector<Tensor>& table() const { return table_; }
  int64_t size() const { return static_cast<int64_t>(values_.size()); }
  const real* weight(TensorId id, int layer = 0) const { return weights_.data() + at(id, layer); }
  float* gradient(TensorId id, int layer = 0) { return gradients_.data() + at(id, layer); }
  // Those of all tensors: f32 [size()].
  float* all_gradients() { return gradients_.data(); }
  std::vector<float> values() const { return values_.to_host(); }
  std::vector<float> gradients() const { return gradients_.to_host(); }
  void set_values(const std::vector<float>& values) {
    values_ = tl::buffer<float>(values);
    weights_ = tl::buffer<real>(rounded(values));
  }

  // Step `step`, counted from 1, of AdamW. Sets the gradients to zero.
  void update(const Optimizer& o, int step) {
    LLM_RUN(adamw, gradients_.data(), values_.data(), m_.data(), v_.data(), weights_.data(), size(),
            table_[kNorm1Weight].first, o.rate, o.beta1, o.beta2, 1 / (1 - std::pow(o.beta1, step)),
            1 / (1 - std::pow(o.beta2, step)), o.epsilon, o.weight_decay);
  }

 private:
  Parameters(std::vector<Tensor> table, const std::vector<float>& values)
      : table_(std::move(table)),
        values_(values),
        gradients_(values.size()),
        m_(values.size()),
        v_(values.size()),
        weights_(rounded(values)) {}

  static std::vector<float> first_values(const std::vector<Tensor>& table, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values;
    for (const Tensor& tensor : table) {
      for (int64_t i = 0; i < tensor.layers * tensor.size; ++i) {
        values.push_back(tensor.deviation > 0 ? tensor.deviation * normal(generator)
                                              : tensor.value);
      }
    }
    return values;
  }

  static std::vector<real> rounded(const std::vector<float>& values) {
    std::vector<real> result;
    for (const float value : values) result.push_back(real(value));
    return result;
  }

  int64_t at(TensorId id, int layer) const { return table_[id].first + layer * table_[id].size; }

  std::vector<Tensor> table_;
  tl::buffer<float> values_, gradients_, m_, v_;
  tl::buffer<real> weights_;
};

}  // namespace llm
