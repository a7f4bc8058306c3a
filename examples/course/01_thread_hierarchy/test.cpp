#include LESSON
#include "../course.h"

int main(int argc, char** argv) {
  course::Lesson lesson(argc, argv);
  for (const int n : {1, 256, 1000}) {
    const auto a = course::numbers(n, 1), b = course::numbers(n, 2);
    std::vector<float> c(n, -99.0f);
    lesson.launched(add_f32(a.data(), b.data(), c.data(), n));
    for (int i = 0; i < n; ++i) {
      lesson.near("c[" + std::to_string(i) + "] of " + std::to_string(n) + ", in program " +
                      std::to_string(i / 256) + ",",
                  c[i], a[i] + b[i]);
    }
  }
  return lesson.finish();
}
