// Constant arrays that are indexed at run time, or used as pointers.
// RUN: tile2cu --emit=ir --passes=none %s | FileCheck %s
#include <array>
#include <tile2cu/tile.h>
using namespace tl;

constexpr float kTable[3] = {1, -0.5f, 2};
constexpr int kRows[2][2] = {{1, 2}, {3, 4}};
constexpr auto kSquares = [] {
  std::array<int, 4> all{};
  for (int i = 0; i < 4; ++i) all[i] = i * i;
  return all;
}();

__tile_global__ void tables(const int* x, float* y, int n) {
  auto i = grid(1) + arange<8>();
  auto k = load(x + i);
  // CHECK: %kTable = table {elements = [4607182418800017408, -4620693217682128896, 4611686018427387904], symbol = kTable} : ptr<const f32>
  // CHECK: load
  auto v = load(kTable + k);
  // CHECK: table {{.*}} symbol = kTable} : ptr<const f32>
  // CHECK: addptr %kTable{{.*}}, %n
  // CHECK: load {{.*}} : f32
  v += kTable[n];
  // A constant index reads no memory.
  // CHECK-NOT: table
  // CHECK: add %v
  v += kTable[1];
  // CHECK: table {elements = [1, 2, 3, 4], symbol = kRows} : ptr<const i32>
  // CHECK: mul {{.*}} : i64
  // CHECK: addptr
  // CHECK: addptr
  v += kRows[n & 1][n & 1];
  // CHECK: table {elements = [0, 1, 4, 9], symbol = kSquares} : ptr<const i32>
  v += kSquares[n & 3];
  store(y + i, v);
}
inline constexpr auto run = instantiate(tables);

// Each member of a struct is a table of its own.
// CHECK: kernel @of_structs
// CHECK: table {elements = [1, 3], symbol = kPoints_x}
// CHECK: table {elements = [2, 4], symbol = kPoints_y}
// CHECK-NEXT: addptr %kPoints_y, %n
// CHECK-NEXT: load
// CHECK: store
struct Point {
  int x, y;
};
constexpr Point kPoints[2] = {{1, 2}, {3, 4}};
__tile_global__ void of_structs(int* y, int n) {
  grid(1);
  y[0] = kPoints[n].y;
}
inline constexpr auto run_of_structs = instantiate(of_structs);
