#include LESSON
#include "../course.h"

int main(int argc, char** argv) {
  course::Lesson lesson(argc, argv);
  const int rows = 5, cols = 300;
  const auto in = course::numbers(rows * cols);
  std::vector<float> out(rows * cols, -99.0f);
  lesson.launched(scale_f32(in.data(), out.data(), rows, cols, 3.0f));
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      lesson.near("out[" + std::to_string(r) + ", " + std::to_string(c) + "]", out[r * cols + c],
                  3 * in[r * cols + c]);
    }
  }
  lesson.no_cuda("int64_t(tid) * cols",
                 "the values are right, but thread tid reads at `int64_t(tid) * cols`, expected "
                 "`tid`: neighbouring threads have to read neighbouring addresses (see the load in "
                 "the CUDA file)");
  lesson.cuda("+ tid", "the load does not read at `... + tid`; let a tile lie along a row");
  return lesson.finish();
}
