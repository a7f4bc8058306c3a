#include LESSON
#include "../course.h"

int main(int argc, char** argv) {
  course::Lesson lesson(argc, argv);
  const int rows = 5;
  for (const int n : {1, 100, 128}) {
    const auto x = course::numbers(rows * n);
    std::vector<float> out(rows, -99.0f);
    lesson.launched(row_sum_f32(x.data(), out.data(), rows, n));
    for (int row = 0; row < rows; ++row) {
      float expected = 0;
      for (int i = 0; i < n; ++i) expected += x[row * n + i];
      lesson.near("out[" + std::to_string(row) + "] for rows of " + std::to_string(n), out[row],
                  expected, 1e-6);
    }
  }
  lesson.no_cuda("__syncthreads();  // the results of all warps",
                 "the values are right, but the sum needs shared memory and a barrier, expected "
                 "shuffles only (see the remark on the line of sum)");
  lesson.remark("this sum: each thread combines 4, then 32 lanes are reduced by 5 shuffles",
                "the sum is not that of 4 elements a thread and 32 lanes (see the remark on it)");
  return lesson.finish();
}
