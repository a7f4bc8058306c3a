#include LESSON
#include "../course.h"

int main(int argc, char** argv) {
  course::Lesson lesson(argc, argv);
  const int m = 70, n = 90, D = 32;
  const float scale = 0.5f;
  const auto q = course::numbers(m * D, 1), v = course::numbers(n * D, 3);
  auto k = course::numbers(n * D, 2);
  // Later keys have larger scores, so that the maximum changes from tile to tile.
  for (int i = 0; i < n * D; ++i) k[i] *= float(1 + i / (32 * D));
  const auto q16 = course::converted<tl::float16>(q), k16 = course::converted<tl::float16>(k),
             v16 = course::converted<tl::float16>(v);
  std::vector<float> out(m * D, -99.0f);
  lesson.launched(attention_f16(q16.data(), k16.data(), v16.data(), out.data(), m, n, scale));
  for (int row = 0; row < m; ++row) {
    std::vector<double> weights(n), expected(D);
    double sum = 0;
    for (int key = 0; key < n; ++key) {
      double score = 0;
      for (int d = 0; d < D; ++d) score += q[row * D + d] * k[key * D + d];
      sum += weights[key] = std::exp(score * scale);
    }
    for (int d = 0; d < D; ++d) {
      for (int key = 0; key < n; ++key) expected[d] += weights[key] / sum * v[key * D + d];
      lesson.near("out[" + std::to_string(row) + ", " + std::to_string(d) + "]", out[row * D + d],
                  expected[d], 2e-3);
    }
  }
  lesson.remark(
      "the first operand goes from the accumulator of one dot to the next dot in registers",
      "the weights do not stay in registers, expected a remark that they do");
  return lesson.finish();
}
