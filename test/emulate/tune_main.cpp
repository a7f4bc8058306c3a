// The launchers of test/gpu/tune.tile.cpp on the emulator, whose clock says how long a candidate
// takes: by its number of threads. Processes follow each other on one folder of tuning files:
//   tune_main first | again | changed | off | pinned
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tune.cuda.h"

namespace {

std::int64_t now = 0;
int launches = 0;
std::function<std::int64_t(unsigned threads)> duration = [](unsigned) { return 1; };
int passed = 0, failed = 0;

void expect(bool ok, const char* what) {
  if (!ok) std::printf("FAILED %s\n", what);
  ++(ok ? passed : failed);
}

// The fastest has `threads`; others take twice as long.
void favour(unsigned threads) {
  duration = [=](unsigned t) { return t == threads ? 1'000'000 : 2'000'000; };
  launches = 0;
}

struct Data {
  std::vector<float> x, out;
  int chosen = 0;
  explicit Data(int n) : x(n), out(n, 5.0f) {
    for (int i = 0; i < n; ++i) x[i] = float(i % 1000);
  }
};

// The candidate (its BLOCK) that a call ends with; 0 if a result is wrong.
int scaled(int n) {
  Data d(n);
  bool good = scale_tuned(d.x.data(), d.out.data(), &d.chosen, 2.0f, n) == cudaSuccess;
  for (int i = 0; i < n; ++i) good &= d.out[i] == 2 * d.x[i];
  return good ? d.chosen : 0;
}

int accumulated(int rows, int columns, bool timed) {
  Data d(rows * columns);
  const cudaError_t error =
      timed ? accumulate_tuned(d.x.data(), d.out.data(), &d.chosen, rows, columns)
            : accumulate_untimed(d.x.data(), d.out.data(), &d.chosen, rows, columns);
  bool good = error == cudaSuccess;
  for (int i = 0; i < rows * columns; ++i) good &= d.out[i] == 5 + d.x[i];
  return good ? d.chosen : 0;
}

int turned(int n) {
  Data d(n * n);
  bool good = turn_tuned(d.x.data(), d.out.data(), &d.chosen, n) == cudaSuccess;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) good &= d.out[i * n + j] == d.x[j * n + i];
  return good ? d.chosen : 0;
}

void first() {
  favour(128);
  expect(scaled(5000) == 1024 && launches > 10, "the fastest of three, timed");
  favour(64);
  expect(scaled(5000) == 1024 && launches == 1, "remembered");
  expect(scaled(5001) == 64, "another key is timed by itself");
  favour(64);
  expect(accumulated(3, 200, true) == 1024 && launches > 10,
         "what is preserved is as after one run");
  expect(accumulated(3, 200, true) == 1024, "and after the next call");
  favour(256);
  expect(accumulated(3, 300, true) == 512 && launches > 8, "a candidate that does not fit");
  favour(128);
  expect(accumulated(2, 200, false) == 256 && launches == 1, "the first where none can be timed");
  expect(accumulated(2, 400, false) == 512, "the first that fits");
  favour(256);
  emulate::settings().smem_limit = 48 << 10;
  expect(turned(128) == 32, "too much shared memory for this device");
  emulate::settings().smem_limit = 227 << 10;
  expect(turned(130) == 128, "not too much for that one");
  emulate::settings().capturing = true;
  favour(128);
  expect(scaled(700) == 4096 && launches == 1, "captured: not timed");
  expect(scaled(5000) == 1024 && launches == 2, "captured: what is known");
  emulate::settings().capturing = false;
}

void again() {
  favour(512);
  expect(scaled(5000) == 1024 && launches == 1, "found in the file");
  expect(accumulated(3, 200, true) == 1024 && launches == 2, "in another file");
  expect(scaled(700) == 4096 && launches > 10, "what is not in it is timed");
}

// The file was spoilt.
void changed() {
  favour(64);
  expect(scaled(5000) == 64 && launches > 10, "timed again");
}

void off() {
  favour(128);
  expect(scaled(333) == 4096 && launches == 1, "not timed");
}

void pinned() {
  favour(128);
  expect(scale_tuned_pin(1) == cudaSuccess && scaled(333) == 64 && launches == 1, "pinned");
  expect(scale_tuned_pin(3) == cudaErrorInvalidValue, "no such candidate");
  expect(accumulate_tuned_pin(0) == cudaSuccess && accumulated(2, 300, true) == 512, "fits not");
  expect(scale_tuned_pin(-1) == cudaSuccess && scaled(334) == 1024 && launches > 10, "no longer");
}

}  // namespace

int main(int, char** arguments) {
  emulate::settings().clock = [] { return now; };
  emulate::settings().before_launch = [](const emulate::launch_shape& shape) {
    ++launches;
    now += duration(shape.block.x);
  };
  const std::string what = arguments[1];
  what == "first"     ? first()
  : what == "again"   ? again()
  : what == "changed" ? changed()
  : what == "off"     ? off()
                      : pinned();
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
