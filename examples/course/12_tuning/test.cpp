#include LESSON
#include "../course.h"

int main(int argc, char** argv) {
  course::Lesson lesson(argc, argv);
  const int M = 40, N = 70, K = 100;
  const auto a = course::numbers(M * K, 1), b = course::numbers(K * N, 2);
  const auto a16 = course::converted<tl::float16>(a), b16 = course::converted<tl::float16>(b);
  std::vector<float> c(M * N, -99.0f);
  lesson.launched(matmul_f16(a16.data(), b16.data(), c.data(), M, N, K));
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      double expected = 0;
      for (int k = 0; k < K; ++k) expected += a[m * K + k] * b[k * N + n];
      lesson.near("c[" + std::to_string(m) + ", " + std::to_string(n) + "]", c[m * N + n], expected,
                  1e-5);
    }
  }
  const double flops = 2.0 * kBlockM * kBlockN * kBlockK;
  const double bytes = 2.0 * (kBlockM + kBlockN) * kBlockK;
  lesson.at_least("the values are right, but FLOP for each byte", flops / bytes, 64);
  lesson.remark("128 threads a block, ",
                "the block does not have 128 threads, expected num_warps = 4");
  lesson.at_most("the number of accumulators of a thread", kBlockM * kBlockN / 128.0, 128);
  lesson.at_most("shared memory of the stages, in bytes,", bytes * kStages, 80 * 1024);
  lesson.remark("this dot runs on tensor cores", "the dot runs without tensor cores");
  return lesson.finish();
}
