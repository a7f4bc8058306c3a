// A GPT-2: forward, backward, and the choice of the next token.
#pragma once
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "activations.h"

namespace llm {

class Model {
 public:
  Model(const Sizes& sizes, unsigned seed)
      : parameters(sizes, seed), sizes_(sizes), losses_(sizes.rows()) {
    Arena<real> memory;
    Arena<float> statistics;
    activations(sizes, memory, statistics);
    memory_ = tl::buffer<real>(memory.used);
    statistics_ = tl::buffer<float>(statistics.used);
    memory = {memory_.data()};
    statistics = {statistics_.data()};
    a_ = activations(sizes, memory, statistics);
  }

  // The logits of all sequences, which lie one after the other in `tokens`: u16 [rows].
  void forward(const uint16_t* tokens);
  // Adds the gradients of the mean loss to those of the parameters. The logits are lost.
  // tokens, targets: u16 [rows]
  void backward(const uint16_t* tokens, const uint16_t* targets);
  // The mean loss, after backward: it waits for the GPU.
  double loss() const {
    const std::vector<float> losses = losses_.to_host();
    return std::accumulate(losses.begin(), losses.end(), 0.0) / losses.size();
  }
  // tokens[position + 1] = a token drawn by the logits of `position` in the first sequence.
  void sample(uint16_t* tokens, int position, float temperature, uint64_t seed) {
    LLM_RUN(sample_token, a_.logits, tokens, position, sizes_.vocabulary, sizes_.columns(),
            temperature, seed);
  }

  Parameters parameters;

 private:
  float attention_scale() const {
    return 1 / std::sqrt(float(sizes_.channels) / float(sizes_.heads));
  }
  int rows() const { return int(sizes_.rows()); }
  void attention_backward(int l);
  void feed_forward_backward(int l);
  // Adds the gradients of weight and bias of y = x w^T + bias.
  // d_y: [rows, outputs]; x: [rows, inputs]
  void linear_parameters(const real* d_y, const real* x, TensorId weight, TensorId bias, int l,
                         int outputs, int inputs);

  Sizes sizes_;
  tl::buffer<real> memory_{0};
  tl::buffer<float> statistics_{0};
  tl::buffer<float> losses_;  // [rows]
  Activations a_;
};

inline void Model::forward(const uint16_t* tokens) {
  const int c = sizes_.channels, length = sizes_.length;
  const Parameters& p = parameters;
  LLM_RUN(embedding, tokens, p.weight(kTokenTable), p.weight(kPositionTable), a_.layers[0].x,
          rows(), length, c);
  for (int l = 0; l < sizes_.layers; ++l) {
    const LayerActivations& a = a_.layers[l];
    if (l == 0) {
      LLM_RUN(layer_norm, a.x, p.weight(kNorm1Weight), p.weight(kNorm1Bias), a.norm1, a.mean1,
              a.rstd1, rows(), c);
    } else {
      LLM_RUN(add_layer_norm, a_.layers[l - 1].middle, a_.branch, p.weight(kNorm1Weight, l),
              p.weight(kNorm1Bias, l), a.x, a.norm1, a.mean1, a.rstd1, rows(), c);
    }
    LLM_RUN(linear, a.norm1, p.weight(kQkvWeight, l), p.weight(kQkvBias, l), a.qkv, rows(), 3 * c,
            c);
    LLM_RUN(attention, a.qkv, a.qkv + c, a.qkv + 2 * c, a.attended, a.lse, sizes_.batch,
            sizes_.heads, length, c / sizes_.heads, attention_scale());
    LLM_RUN(linear, a.attended, p.weight(kOutWeight, l), p.weight(kOutBias, l), a_.branch, rows(),
            c, c);
    LLM_RUN(add_layer_norm, a.x, a_.branch, p.weight(kNorm2Weight, l), p.weight(kNorm2Bias, l),
            a.middle, a.norm2, a.mean2, a.rstd2, rows(), c);
    LLM_RUN(linear_gelu, a.norm2, p.weight(kUpWeight, l), p.weight(kUpBias, l), a.before_gelu,
            a.gelu, rows(), 4 * c, c);
    LLM_RUN(linear, a.gelu, p.weight(kDownWeight, l), p.weight(kDownBias, l), a_.branch, rows(), c,
            4 * c);
  }
  LLM_RUN(add_layer_norm, a_.layers.back().middle, a_.branch, p.weight(kLastNormWeight),
          p.weight(kLastNormBias), a_.last, a_.last_norm, a_.last_mean, a_.last_rstd, rows(), c);
  LLM_RUN(logits_layer, a_.last_norm, p.weight(kTokenTable), a_.logits, rows(), sizes_.columns(),
          c);
}

inline void Model::backward(const uint16_t* tokens, const uint16_t* targets) {
  const int c = sizes_.channels, columns = sizes_.columns();
  Parameters& p = parameters;
  LLM_RUN(cross_entropy, a_.logits, targets, losses_.data(), rows(), sizes_.vocabulary, columns,
          1.0f / float(rows()));
  LLM_RUN(linear_weight_gradient, a_.logits, a_.last_norm, p.gradient(kTokenTable), columns, c,
          rows());
  LLM_RUN(linear_gradient, a_.logits, p.weight(kTokenTable), a_.d_branch, rows(), c, columns);
  LLM_RUN(layer_norm_backward, a_.d_branch, a_.last, p.weight(kLastNormWeight), a_.last_mean,
          a_.last_rstd, a_.d_x, p.gradient(kLastNormWeight), p.gradient(kLastNormBias), rows(), c,
          false);
  for (int l = sizes_.layers - 1; l >= 0; --l) {
    feed_forward_backward(l);
    attention_backward(l);
  }
  LLM_RUN(embedding_backward, tokens, a_.d_x, p.gradient(kTokenTable), p.gradient(kPositionTable),
          rows(), sizes_.length, c);
}

inline void Model::linear_parameters(const real* d_y, const real* x, TensorId weight, TensorId bias,
                                     int l, int outputs, int inputs) {
  LLM_RUN(linear_weight_gradient, d_y, x, parameters.gradient(weight, l), outputs, inputs, rows());
  LLM_RUN(linear_bias_gradient, d_y, parameters.gradient(bias, l), rows(), outputs);
}

// The gradients of the feed-forward block: from d_x, that of its output, to d_x of its input.
inline void Model::feed_forward_backward(int l) {
  const int c = sizes_.channels;
  const LayerActivations& a = a_.layers[l];
  Parameters& p = parameters;
  linear_parameters(a_.d_x, a.gelu, kDownWeight, kDownBias, l, c, 4 * c);
  LLM_RUN(linear_gelu_gradient, a_.d_x, p.weight(kDownWeight, l), a.before_gelu, a_.d_wide, rows(),
          4 * c, c);
  linear_parameters(a_.d_wide, a.norm2, kUpWeight, kUpBias, l, 4 * c, c);
  LLM_RUN(linear_gradient, a_.d_wide, p.weight(kUpWeight, l), a_.d_branch, rows(), c, 4 * c);
  LLM_RUN(layer_norm_backward, a_.d_branch, a.middle, p.weight(kNorm2Weight, l), a.mean2, a.rstd2,
          a_.d_x, p.gradient(kNorm2Weight, l), p.gradient(kNorm2Bias, l), rows(), c, true);
}

// The gradients of the attention block: from d_x, that of its output, to d_x of its input.
inline void Model::attention_backward(int l) {
  const int c = sizes_.channels, head_dim = c / sizes_.heads;
  const LayerActivations& a = a_.layers[l];
  Parameters& p = parameters;
  linear_parameters(a_.d_x, a.attended, kOutWeight, kOutBias, l, c, c);
  LLM_RUN(linear_gradient, a_.d_x, p.weight(kOutWeight, l), a_.d_branch, rows(), c, c);
  LLM_RUN(attention_delta, a.attended, a_.d_branch, a_.delta, sizes_.batch, sizes_.heads,
          sizes_.length, head_dim);
  LLM_RUN(attention_query_gradients, a.qkv, a.qkv + c, a.qkv + 2 * c, a_.d_branch, a.lse, a_.delta,
          a_.d_qkv, sizes_.batch, sizes_.heads, sizes_.length, head_dim, attention_scale());
  LLM_RUN(attention_key_gradients, a.qkv, a.qkv + c, a.qkv + 2 * c, a_.d_branch, a.lse, a_.delta,
          a_.d_qkv + c, a_.d_qkv + 2 * c, sizes_.batch, sizes_.heads, sizes_.length, head_dim,
          attention_scale());
  linear_parameters(a_.d_qkv, a.norm1, kQkvWeight, kQkvBias, l, 3 * c, c);
  LLM_RUN(linear_gradient, a_.d_qkv, p.weight(kQkvWeight, l), a_.d_branch, rows(), c, 3 * c);
  LLM_RUN(layer_norm_backward, a_.d_branch, a.x, p.weight(kNorm1Weight, l), a.mean1, a.rstd1,
          a_.d_x, p.gradient(kNorm1Weight, l), p.gradient(kNorm1Bias, l), rows(), c, true);
}

}  // namespace llm
