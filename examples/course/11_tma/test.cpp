#include LESSON
#include "../course.h"

int main(int argc, char** argv) {
  course::Lesson lesson(argc, argv);
  const int M = 40, N = 70, K = 100;
  const auto a = course::numbers(M * K, 1), b = course::numbers(K * N, 2);
  const auto a16 = course::converted<tl::float16>(a), b16 = course::converted<tl::float16>(b);
  std::vector<tl::float16> c(M * N);
  lesson.launched(matmul_f16(a16.data(), b16.data(), c.data(), M, N, K));
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      double expected = 0;
      for (int k = 0; k < K; ++k) expected += a[m * K + k] * b[k * N + n];
      lesson.near("c[" + std::to_string(m) + ", " + std::to_string(n) + "]", float(c[m * N + n]),
                  expected, 1e-3);
    }
  }
  lesson.remark(
      "TMA loads 'x' into shared memory",
      "the values are right, but TMA does not load 'x', expected that it does (the remark "
      "on the line of x says why)");
  lesson.remark("'x' has 3 stages in shared memory, which a producer warp fills",
                "there is no producer warp, expected one that fills 3 stages");
  return lesson.finish();
}
