// A record of some steps, which twin.py computes again with PyTorch. A file of 32-bit numbers:
//   layers, channels, heads, length, vocabulary, columns, batch, steps, bytes of `real`
//   the first parameters, all tensors in the order of tensors()
//   for each step: the loss, and the gradients of all parameters
#pragma once
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "model.h"

namespace llm {

class Record {
 public:
  Record(const std::string& path, const Sizes& s, int steps, const Model& model)
      : file_(path, std::ios::binary) {
    write(std::vector<int32_t>{s.layers, s.channels, s.heads, s.length, s.vocabulary, s.columns(),
                               s.batch, steps, int(sizeof(real))});
    write(model.parameters.values());
  }

  // After the backward pass of a step.
  void step(const Model& model) {
    write(std::vector<float>{static_cast<float>(model.loss())});
    write(model.parameters.gradients());
  }

 private:
  template <class T>
  void write(const std::vector<T>& numbers) {
    file_.write(reinterpret_cast<const char*>(numbers.data()),
                static_cast<std::streamsize>(numbers.size() * sizeof(T)));
    if (!file_) throw std::runtime_error("cannot write the record");
  }

  std::ofstream file_;
};

}  // namespace llm
