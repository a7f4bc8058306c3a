"""Small arrays that are read at indices of the run: of numbers, pointers and structs, in loops, functions and products."""

from case import Table

table = Table(checks_overflow=True)
PARAMETERS = "const float* x = small(200)\nconst float* w = small(200)\nfloat* y = out(64)\nfloat* z = out(64)\nint n"
STRUCTS = "struct @S { float a; int b[3]; };\nstruct @T { int k; @S s[2]; };\n"
# What a kernel does; `@` is the case's name.
BODIES = {
    "loop": "int a[4] = {n, 1, 2, 3};\nfor (int k = 0; k < n % 5; ++k) {\n  a[1] = a[k % 4] + a[(k + 1) & 3];\n  a[3] -= a[a[2] & 3];\n}\nstore(y + i, i * a[n & 3] + a[1] + a[3]);",
    "down": "float a[3] = {1, 2, 3};\nint k = 3;\nwhile (k-- > 0) {\n  a[0] += a[k];\n  if (a[k] > 2) a[2] = a[k] - 1;\n}\nstore(y + i, i + a[0] * a[n % 3] + a[2]);",
    "pointers": "const float* a[3] = {x, w, x + 50};\nauto v = zeros<float, 64>();\nfor (int k = 0; k < n % 7; ++k) v = v * 2 + load(a[(k + n) % 3] + i);\nstore(y + i, v);",
    "pointers_null": "const float* a[3] = {x, nullptr, w};\nauto v = zeros<float, 64>();\nfor (int k = 0; k < n % 7; ++k) {\n  const float* p = a[k % 3];\n  if (p) v += load(p + i);\n}\nstore(y + i, v);",
    "outs": "float* a[2] = {y, z};\nfor (int k = 0; k < 2; ++k) store(a[(k + n) & 1] + i, load(x + i) * (k + 1));",
    "outs_again": "float* a[2] = {y, z};\nfor (int k = 0; k < 4; ++k) {\n  float* p = a[(k + n) & 1];\n  store(p + i, load(x + i) * (k + 1));\n  if (k > 1) store(p + i, load(p + (63 - i)) + load(a[k & 1] + i));\n}",
    "structs": "@S a[2] = {{1.5f, {1, 2, n}}, {2.5f, {4, 5, 6}}};\na[1].b[2] += n;\nstore(y + i, i * a[n & 1].a + a[(n + 1) & 1].b[n % 3] + a[n & 1].b[2]);",
    "nested": "@T t{n, {{1, {1, 2, 3}}, {2, {4, 5, 6}}}};\nif (n > 3) t.s[0].b[1] = 9;\nstore(y + i, i * t.s[n & 1].b[t.k % 3]);",
    "two": "int a[2][3] = {{1, 2, n}, {4, 5, 6}};\na[1][0] = n * 2;\nstore(y + i, i * a[n & 1][n % 3] + a[1][n % 3] + a[n & 1][0]);",
    "lambda": "int a[4] = {1, n, 3, 4};\nauto at = [&](int k) { return a[k & 3]; };\na[2] = at(1) + 1;\nstore(y + i, i * at(n) + at(2));",
    "helper": "int a[3] = {1, n, 3};\nstore(y + i, i * @at(a, n % 3));",
    "sixteen": "int a[16] = {n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};\nfor (auto k : static_range<16>()) a[k] = a[(k * 7 + n) & 15] + k;\nstore(y + i, i + a[n & 15]);",
    "types": "int8_t a[3] = {-128, 127, int8_t(n)};\nuint64_t b[2] = {18446744073709551615u, uint64_t(n)};\nfloat16 h[2] = {float16(0.5f), float16(float(n))};\nbool f[3] = {true, n > 2, false};\nstore(y + i, i * a[n % 3] + cast<float>(b[n & 1] & 255) + cast<float>(h[(n + 1) & 1]) + (f[n % 3] ? 1 : 0));",
    "dot": "const float* a[2] = {x, w};\nauto acc = zeros<float, 16, 16>();\nint k = n % 4;\nauto d = arange<16>();\nwhile (k-- > 0) acc = dot(cast<float16>(load(a[k & 1] + d[all, none] * 4 + d[none, all])), cast<float16>(load(a[(k + 1) & 1] + d[all, none] * 3 + d[none, all])), acc);\nstore(y + i, ravel(acc)[slice<0, 64>]);",
    "reference": "int a[3] = {1, 2, n};\nauto& r = a[1];\nr = 7;\nint q = a[n % 3];\nr = q + 1;\nstore(y + i, i + a[n % 3] * q);",
    "index_changes": "int a[3] = {2, 0, 1};\nint k = n % 3;\nfor (int s = 0; s < 5; ++s) {\n  k = a[k];\n  a[0] = k == 2 ? 1 : 2;\n}\nstore(y + i, i + k * 10 + a[k]);",
    "side": "int a[3] = {5, 6, 7};\nint k = 0;\nint v = a[k++];\nv += a[k++ % 3] * 2;\nv += a[n++ % 3];\nstore(y + i, i + v + k + n);",
    "bounds": "int64_t a[2] = {4, 60};\nfor (int64_t k = a[(n + 1) & 1] & 3; k < a[n & 1]; k += 13) y[k] = float(k);",
}
for kind, body in BODIES.items():
    name = f"small_array_{kind}"
    helpers = (STRUCTS + "__tile__ int @at(const int (&t)[3], int k) { return t[k] + t[0]; }\n").replace("@", name)
    table.add(name, PARAMETERS, "grid(1);\nauto i = arange<64>();\n" + body.replace("@", name), [{"n": r} for r in (0, 1, 2, 3, 5, 6)], warps=(2,), helpers=helpers)
