// What the mains of the examples that multiply two matrices share.
#pragma once
#include <cstddef>
#include <vector>

#include "example.h"
#include "half.h"
#include "reference.h"

namespace example {

// Calls launch(a, b, c, M, N, K, stride_am, stride_bk, stride_cm) for matrices of several shapes, and
// checks every element of c = a b; returns what main returns.
template <class Launch>
int check_product(const char* name, Launch launch) {
  struct Shape {
    int M, N, K;
    int padding;  // elements between the end of a row and the next
  };
  Comparison comparison(name, 2e-3);
  for (const auto& [M, N, K, padding] :
       {Shape{1, 1, 1, 0}, Shape{128, 256, 192, 0}, Shape{100, 200, 72, 8}, Shape{65, 33, 70, 1}}) {
    const int stride_am = K + padding, stride_bk = N + padding, stride_cm = N + padding;
    const auto a = normal<half_type>(std::size_t(M) * stride_am, 1);
    const auto b = normal<half_type>(std::size_t(K) * stride_bk, 2);
    tl::buffer<half_type> a_buffer(a), b_buffer(b), c_buffer(std::size_t(M) * stride_cm);
    comparison.launched(launch(a_buffer.data(), b_buffer.data(), c_buffer.data(), M, N, K,
                               stride_am, stride_bk, stride_cm));
    const std::vector<half_type> c = c_buffer.to_host();
    for (int m = 0; m < M; ++m) {
      for (int n = 0; n < N; ++n) {
        const std::size_t i = std::size_t(m) * stride_cm + n;
        comparison.near(i, static_cast<float>(c[i]),
                        dot(&a[std::size_t(m) * stride_am], &b[n], K, stride_bk));
      }
    }
  }
  return comparison.finish();
}

}  // namespace example
