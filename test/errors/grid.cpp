// RUN: not %tile2cu %s -o - 2>&1 | FileCheck %s
#include <tile2cu/tile.h>
using namespace tl;

__tile_global__ void twice(float* out, int n, const int* counts) {
  auto row = grid(n);
  // CHECK: :[[@LINE+1]]:17: error: the kernel sets its grid twice; call grid(...) once and keep the ids
  auto column = grid(n);
  out[row + column] = 1;
}
__tile_global__ void late(float* out, int n) {
  auto column = program_id(0);
  // CHECK: :[[@LINE+1]]:14: error: program_id or num_programs is used before grid(...); call grid(...) first
  auto row = grid(n);
  out[row + column] = 1;
}
__tile_global__ void placed(float* out, int n) {
  // CHECK: :[[@LINE+1]]:18: error: the grid is set under a condition or in a loop; call grid(...) directly in the kernel's body
  if (n > 3) out[grid(n)] = 1;
}
__tile_global__ void loaded(float* out, int n, const int* counts) {
  // CHECK: :[[@LINE+1]]:14: error: the grid is computed by the launcher; use only kernel parameters, constants and num_sms() here
  auto row = grid(counts[0]);
  // CHECK: :[[@LINE+1]]:3: error: a requirement is computed by the launcher; use only kernel parameters, constants and num_sms() here
  require(row < n);
  // CHECK: :[[@LINE+1]]:14: error: require(...) is under a condition, in a loop or after a return; move it to the start of the kernel
  if (n > 1) require(n < 100);
  // CHECK: :[[@LINE+1]]:27: error: the axis of a program id must be the constant 0, 1 or 2
  out[row] = num_programs(n);
}
