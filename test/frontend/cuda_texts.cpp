// RUN: %tile2cu %s --emit=ir --passes=none -o - | FileCheck %s
// A text is an attribute of the call, and the reference its region. Operands have the types of the
// reference's parameters; a call with tiles is a map.
#include <tile2cu/tile.h>
using namespace tl;

__tile__ float exp2_approx(float x) { return exp2(x); }
constexpr const char* kIncrement = "return k + 1;";
template <class T>
__tile__ T negated(T v) {
  return cuda("return -v;", [](T v) { return -v; }, v);
}

__tile_global__ void texts(const float* x, const float16* h, float* out, int n, double d) {
  auto i = arange<8>();
  auto v = load(x + i);
  // CHECK: %y = map %v : tile<8xf32> {
  // CHECK-NEXT: ^(%[[E:x.*]]: f32)
  // CHECK-NEXT: %[[C:.*]] = device_call %[[E]] {callee = exp2_approx, parameters = x, text = "  float y;\n  asm(\"ex2.approx.ftz.f32 %0, %1;\" : \"=f\"(y) : \"f\"(x));\n  return y;"} : f32 {
  // CHECK-NEXT: ^(%[[X:.*]]: f32)
  // CHECK-NEXT: %[[R:.*]] = exp2 %[[X]] : f32
  // CHECK-NEXT: yield %[[R]]
  // CHECK-NEXT: }
  // CHECK-NEXT: yield %[[C]]
  auto y = cuda(R"(
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  )", exp2_approx, v);
  // The rows of a text with a string of several rows stay where they are.
  // CHECK: cast %{{.*}} : tile<8xf64>
  // CHECK: device_call {{.*}} {callee = "", parameters = "a, b, c", text = "    const char* s = R\"-(\n)-\";\n    return a + b + c + s[0];"} : bool {
  // CHECK-NEXT: ^(%a{{.*}}: f64, %b{{.*}}: f16, %c{{.*}}: i8)
  auto z = cuda(R"--(
    const char* s = R"-(
)-";
    return a + b + c + s[0];)--", [](double a, float16 b, int8_t c) { return a + double(b) + c > 0; }, v, load(h + i), n);
  // CHECK: %[[K:.*]] = cast %n : i16
  // CHECK: %k = device_call %[[K]] {callee = next, parameters = k, text = "  return k + 1;"} : i16 {
  auto next = [](int16_t k) { return int16_t(k + 1); };
  auto k = cuda(kIncrement, next, n);
  // Directives begin their rows.
  // CHECK: device_call %n {{.*}} text = "#ifdef F\n  k += F;\n#  endif\n\n    return k;"} : i32 {
  n = cuda(R"(
      #ifdef F
      k += F;
 #  endif

        return k;
   )", [](int k) { return k; }, n);
  // CHECK: device_call %{{.*}} {callee = "", parameters = v, text = "  return -v;"} : f16 {
  // CHECK-NEXT: ^(%v{{.*}}: f16)
  // CHECK: device_call %d {callee = "", parameters = v, text = "  return -v;"} : f64 {
  auto m = map(negated<float16>, load(h + i)) + negated(d);
  store(out + i, y + cast<float>(z) + k + m);
}
