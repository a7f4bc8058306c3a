#include LESSON
#include "../course.h"

int main(int argc, char** argv) {
  course::Lesson lesson(argc, argv);
  const int rows = 3;
  for (const int n : {1, 128, 500}) {
    const auto x = course::numbers(rows * n);
    std::vector<float> out(rows * n, -99.0f);
    lesson.launched(running_sum_f32(x.data(), out.data(), rows, n));
    for (int row = 0; row < rows; ++row) {
      float expected = 0;
      for (int i = 0; i < n; ++i) {
        expected += x[row * n + i];
        lesson.near("out[" + std::to_string(row) + ", " + std::to_string(i) + "] in tile " +
                        std::to_string(i / 128) + " of its row",
                    out[row * n + i], expected);
      }
    }
  }
  lesson.remark("this scan: each thread combines 4, then 32 lanes are reduced by 5 shuffles",
                "there is no scan of 32 lanes, expected one (see the remarks)");
  return lesson.finish();
}
