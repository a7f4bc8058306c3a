// Structs as parameters: each member is a parameter of the IR, and the struct is a record.
// RUN: %tile2cu --emit=ir --passes=none %s -I%S/Inputs -o - | FileCheck %s
// RUN: %tile2cu --emit=ir --passes=none %s -I%S/Inputs -o %t.t2ir
// RUN: %tile2cu --emit=ir --passes=none %t.t2ir -o - | diff %t.t2ir -
#include <tile2cu/tile.h>

#include "params.h"
using namespace tl;

namespace shapes {
enum Mode { kFast, kExact };
// How large it is.
struct Size {
  int rows, columns = 1 << 10;  // of the whole matrix
  int64_t strides[2] = {};
};
}  // namespace shapes
struct Params {
  const float16 *__restrict__ x = nullptr;
  float* y;
  float* out[2];
  shapes::Size size;
  shapes::Mode mode = shapes::kExact;
  float scale = 0.5f;
  double eps = 1;
  bool add = true;
  unsigned seed = 7;
  int64_t last = -1;
};

// CHECK: struct @Size namespace "shapes" {
// CHECK-NEXT: member "rows": i32
// CHECK-NEXT: member "columns": i32 = "1024"
// CHECK-NEXT: member "strides": i64 [2] = "{}"
// CHECK-NEXT: }
// CHECK-NEXT: struct @Params {
// CHECK-NEXT: member "x": ptr<const f16> = "nullptr"
// CHECK-NEXT: member "y": ptr<f32>
// CHECK-NEXT: member "out": ptr<f32> [2]
// CHECK-NEXT: member "size": struct "shapes::Size"
// CHECK-NEXT: member "mode": u32 = "1u"
// CHECK-NEXT: member "scale": f32 = "0.5f"
// CHECK-NEXT: member "eps": f64 = "1"
// CHECK-NEXT: member "add": bool = "true"
// CHECK-NEXT: member "seed": u32 = "7"
// CHECK-NEXT: member "last": i64 = "-1"
// CHECK-NEXT: }
// CHECK: struct @Row namespace "shared" header "\"params.h\"" {{.*}}{
// CHECK-NEXT: }
// CHECK-NEXT: struct @"Span<float>" namespace "shared" header "\"params.h\""

// CHECK: kernel @members(%x: ptr<const f16> restrict named "p.x" of "Params" spelled "const float16*",
// CHECK-SAME: %out_0: ptr<f32> named "p.out[0]" of "Params"
// CHECK-SAME: %out_1: ptr<f32> named "p.out[1]" of "Params"
// CHECK-SAME: %rows: i32 named "p.size.rows" of "Params"
// CHECK-SAME: %strides_1: i64 named "p.size.strides[1]" of "Params"
// CHECK-SAME: %n: i32 spelled "int", %rows.1: i32 named "other.rows" of "shapes::Size"
// CHECK: grid
// CHECK-DAG: cast %rows.1
// CHECK-DAG: addptr %out_1
__tile_global__ void members(Params p, int n, shapes::Size other) {
  auto i = grid(p.size.rows);
  p.out[1][i] = other.rows * p.scale + n;
}
inline constexpr auto run = tune(key{"p.size.rows", "n"}, preserve("p.y", "p.size.rows", 2),
                                 candidate(members));

// CHECK: kernel @of_header(%data: ptr<const f32> named "row.data" of "shared::Row"
// CHECK-SAME: %data.1: ptr<f32> named "out.data" of "shared::Span<float>"
__tile_global__ void of_header(shared::Row row, shared::Span<float> out) {
  auto i = grid(out.size);
  out.data[i] = row.data[i * row.stride];
}
inline constexpr auto run_of_header = instantiate(of_header);
// CHECK: launcher @run = tune key("p.size.rows", n) preserve("p.y", "p.size.rows", 2) @members
