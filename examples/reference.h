// What several main programs compare with, computed one element after the other, in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace example {

// An element of a matrix product: the sum of a[k] * b[k * b_step] for k < length. `a` is a row of the first matrix and
// `b` a column of the second, whose rows are b_step elements apart.
template <class T>
double dot(const T* a, const T* b, int length, std::size_t b_step) {
  double sum = 0;
  for (int k = 0; k < length; ++k) {
    sum += double(static_cast<float>(a[k])) * static_cast<float>(b[k * b_step]);
  }
  return sum;
}

// A row of attention: `query` against the first `visible` keys. Keys and values are rows of `dim` elements.
template <class T>
std::vector<double> attend(const T* query, const T* keys, const T* values, int visible, int dim,
                           double scale) {
  std::vector<double> weights(visible), result(dim);
  for (int key = 0; key < visible; ++key) {
    weights[key] = scale * dot(query, keys + std::size_t(key) * dim, dim, 1);
  }
  const double largest = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  for (int key = 0; key < visible; ++key) {
    for (int d = 0; d < dim; ++d) {
      result[d] += weights[key] / sum * static_cast<float>(values[std::size_t(key) * dim + d]);
    }
  }
  return result;
}

}  // namespace example
