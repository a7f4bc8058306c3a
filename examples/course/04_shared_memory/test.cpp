#include LESSON
#include "../course.h"

int main(int argc, char** argv) {
  course::Lesson lesson(argc, argv);
  const int rows = 40, cols = 70;
  const auto in = course::numbers(rows * cols);
  std::vector<float> out(rows * cols, -99.0f);
  lesson.launched(transpose_f32(in.data(), out.data(), rows, cols));
  for (int c = 0; c < cols; ++c) {
    for (int r = 0; r < rows; ++r) {
      lesson.near("out[" + std::to_string(c) + ", " + std::to_string(r) + "]", out[c * rows + r],
                  in[r * cols + c]);
    }
  }
  lesson.remark("'x' goes through shared memory",
                "the tile does not go through shared memory, expected a remark that 'x' does");
  lesson.remark("this store moves 4 elements (16 bytes) at a time",
                "the store does not move 16 bytes at a time, expected 4 elements (16 bytes)");
  return lesson.finish();
}
