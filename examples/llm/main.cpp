// Checks the model: losses and gradients against figures of twin.py, gradients against differences
// of the loss, and that it learns a sentence by heart. (train.cpp is the program for a text.)
//
// On the CPU the element type is float, or with LLM_BF16 bfloat16.
#if defined(TILE2CU_REFERENCE) && !defined(LLM_BF16)
#define LLM_FLOAT
#endif
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../example.h"
#include "model.h"
#include "text.h"

namespace {

constexpr bool kExact = sizeof(real) == 4;
const std::string kSentence =
    "A soft answer turneth away wrath: but grievous words stir up anger. ";

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

// Forward and backward for one step; returns the loss.
double loss_of(llm::Model& model, const llm::Text& text, int step) {
  model.forward(text.tokens(step));
  model.backward(text.tokens(step), text.targets(step));
  return model.loss();
}

// The sum of the squares of one tensor's gradients.
double square_of(const llm::Tensor& tensor, const std::vector<float>& gradients) {
  double square = 0;
  for (int64_t i = tensor.first; i < tensor.first + tensor.layers * tensor.size; ++i) {
    square += double(gradients[i]) * gradients[i];
  }
  return square;
}

// What PyTorch computed with float64 (twin.py check --figures --warmup 1): the losses of three steps, and in the
// third step the norm of the gradient of each tensor.
struct Figures {
  llm::Sizes sizes;
  double losses[3];
  double norms[llm::kTensors];
};

// Heads of 16 channels, and of 64 with a length that is not a multiple of a tile.
const Figures kFigures[] = {
    {{.layers = 2, .channels = 32, .heads = 2, .length = 32, .batch = 1},
     {5.526463, 5.432309, 5.382380},
     {1.651236, 0.6118155, 0.2043423, 0.4030366, 0.2672072, 0.5212356, 0.00598903, 0.01323943,
      0.08673526, 1.275518, 0.006800488, 0.009953174, 0.07214523, 1.197857, 0.04469942,
      0.04739001}},
    {{.layers = 1, .channels = 128, .heads = 2, .length = 70, .batch = 1},
     {5.581085, 4.969206, 4.645390},
     {2.664778, 0.3413131, 0.1782112, 0.2925885, 0.4072437, 0.6117133, 0.005554557, 0.01285834,
      0.04612612, 0.2426102, 0.01190063, 0.007641388, 0.03105712, 0.1770997, 0.1048687,
      0.07363336}},
};

void check_figures(const Figures& figures, example::Comparison& comparison) {
  const llm::Text text(repeated(kSentence, 40), figures.sizes);
  llm::Model model(figures.sizes, 1);
  std::vector<float> gradients;
  for (int step = 0; step < 3; ++step) {
    const double loss = loss_of(model, text, step);
    std::printf("  step %d: loss %.6f, of the twin %.6f\n", step + 1, loss, figures.losses[step]);
    comparison.near(step, loss / figures.losses[step], 1);
    gradients = model.parameters.gradients();
    model.parameters.update({}, step + 1);
  }
  for (int t = 0; t < llm::kTensors; ++t) {
    const double norm = std::sqrt(square_of(model.parameters.table()[t], gradients));
    comparison.near(t, norm / figures.norms[t], 1);
  }
}

// For a tensor with the gradient g, (loss(t + s g) - loss(t - s g)) / 2s is |g|^2. The step s g moves
// an element by 0.0005 on average.
void check_differences(example::Comparison& comparison) {
  const llm::Sizes sizes{.layers = 1, .channels = 48, .heads = 3, .length = 40, .batch = 2};
  const llm::Text text(repeated(kSentence, 3), sizes);
  llm::Model model(sizes, 1);
  loss_of(model, text, 0);
  const std::vector<float> values = model.parameters.values();
  const std::vector<float> gradients = model.parameters.gradients();
  for (const llm::Tensor& tensor : model.parameters.table()) {
    const double square = square_of(tensor, gradients);
    const double step = 5e-4 * std::sqrt(double(tensor.layers * tensor.size) / square);
    double loss[2];
    for (const int side : {0, 1}) {
      std::vector<float> moved = values;
      for (int64_t i = tensor.first; i < tensor.first + tensor.layers * tensor.size; ++i) {
        moved[i] += static_cast<float>((side ? step : -step) * gradients[i]);
      }
      model.parameters.set_values(moved);
      loss[side] = loss_of(model, text, 0);
    }
    const double difference = (loss[1] - loss[0]) / (2 * step);
    std::printf("  |d %s|^2 = %.4e, by differences %.4e\n", tensor.name, square, difference);
    comparison.near(0, difference / square, 1);
  }
}

// Trains until the model knows the sentence, and lets it continue the beginning.
void check_training(example::Comparison& comparison) {
  constexpr int kSteps = 240;
  constexpr double kBound = 0.2;
  llm::Sizes sizes{.layers = 2, .channels = 32, .heads = 2, .length = 32, .batch = 4};
  const llm::Text text(repeated(kSentence, 40), sizes);
  llm::Model model(sizes, 1);
  double loss = 0;
  for (int step = 1; step <= kSteps; ++step) {
    loss = loss_of(model, text, step - 1);
    model.parameters.update({.rate = 5e-3f}, step);
  }
  std::printf("  loss after %d steps: %.4f, at most %.1f\n", kSteps, loss, kBound);
  if (!(loss <= kBound)) comparison.near(0, loss, kBound);
  constexpr int kPrompt = 8;
  std::vector<uint16_t> tokens(sizes.rows());
  std::copy_n(kSentence.begin(), kPrompt, tokens.begin());
  tl::buffer<uint16_t> recited(tokens);
  for (int position = kPrompt - 1; position + 1 < sizes.length; ++position) {
    model.forward(recited.data());
    model.sample(recited.data(), position, 0.1f, 7);
  }
  tokens = recited.to_host();
  std::printf("  %s\n", std::string(tokens.begin(), tokens.begin() + sizes.length).c_str());
  for (int i = 0; i < sizes.length; ++i) comparison.near(i, tokens[i], kSentence[i]);
}

}  // namespace

int main() {
#ifdef TILE2CU_REFERENCE
  const int candidates = 1;
#else
  const int candidates = 3;
#endif
  example::Comparison figures("llm, figures of the twin", kExact ? 1e-4 : 1e-2);
  for (int candidate = 0; candidate < candidates; ++candidate) {
#ifndef TILE2CU_REFERENCE  // the matmuls for tiny models, and those for large ones
    logits_layer_pin(candidate), linear_pin(candidate), linear_gelu_pin(candidate);
    linear_gradient_pin(candidate), linear_gelu_gradient_pin(candidate);
    linear_weight_gradient_pin(candidate);
#endif
    for (const Figures& of_model : kFigures) check_figures(of_model, figures);
  }
  int failed = figures.finish();
#ifndef TILE2CU_EMULATE  // where it takes a minute
  example::Comparison training("llm, training", 0);
  check_training(training);
  failed |= training.finish();
#endif
  if (kExact) {
    example::Comparison differences("llm, gradients by differences", 2e-2);
    check_differences(differences);
    failed |= differences.finish();
  }
  return failed;
}
