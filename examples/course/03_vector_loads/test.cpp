#include LESSON
#include "../course.h"

int main(int argc, char** argv) {
  course::Lesson lesson(argc, argv);
  const int n = 5003;
  const auto values = course::numbers(n);
  const auto in = course::converted<tl::float16>(values);
  std::vector<tl::float16> out(n);
  lesson.launched(scale_f16(in.data(), out.data(), n, 2.0f));
  for (int i = 0; i < n; ++i) {
    lesson.near("out[" + std::to_string(i) + "]", float(out[i]), 2 * values[i]);
  }
  lesson.remark("this load moves 8 elements (16 bytes) at a time",
                "the values are right, but the load does not move 16 bytes at a time, expected 8 "
                "elements (16 bytes); the remark on the line of the load says what it moves");
  lesson.no_remark(
      "2 vectors",
      "each thread has more than one vector, expected one: BLOCK is larger than needed");
  return lesson.finish();
}
