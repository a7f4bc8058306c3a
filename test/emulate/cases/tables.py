"""Constant arrays that are indexed at run time: by scalars and by tiles, of every type that they may have."""

from case import SHORT, Table, ragged, warps_of

table = Table()
TYPES = ["bool", "int8_t", "uint8_t", "int16_t", "uint16_t", "int", "uint32_t", "int64_t", "uint64_t", "float", "double"]
INDEX = "const int* index = below(n + 1, {size})\n"
HEAD = "auto i = grid(cdiv(n, 128)) * 128 + arange<128>();\nauto m = i < n;\nauto k = load(index + i, m, 0);\n"


def values(t, size):
    if t == "bool":
        return ", ".join("true" if i % 3 == 1 else "false" for i in range(size))
    if t in ("float", "double"):
        return ", ".join(f"{(i * 7 % 11 - 5) / 8}" + ("f" if t == "float" else "") for i in range(size))
    ends = {"int8_t": -128, "int16_t": -32768, "int": "-2147483647 - 1", "int64_t": "-9223372036854775807 - 1", "uint8_t": 255,
            "uint16_t": 65535, "uint32_t": "4294967295u", "uint64_t": "18446744073709551615u"}[t]
    return ", ".join(str(ends if i == 2 else i * 5 % 13) for i in range(size))


def types():
    for t in TYPES:
        name = f"table_{SHORT[t]}"
        table.add(name, INDEX.format(size=7) + f"{t}* x = out(n + 1)\n{t}* y = out(n + 1)\nint n",
                  HEAD.replace("auto i = grid(cdiv(n, 128)) * 128", "auto p = grid(cdiv(n, 128));\nauto i = p * 128")
                  + f"store(x + i, load(kTable_{name} + k, m), m);\ny[p] = kTable_{name}[index[p]];",
                  ragged(128), helpers=f"constexpr {t} kTable_{name}[7] = {{{values(t, 7)}}};", warps=warps_of(name))


FLOATS = "const int* index = below(n + 1, {size})\nfloat* x = out(n + 1)\nint n"
PUT = "\nstore(x + i, v, m);"
# The declarations, the body, and how many indices there are.
KINDS = {
    "one": ("constexpr float kOne[1] = {2.5f};", "auto v = load(kOne + k) + kOne[n * 0];", 1),
    "nested": ("constexpr float kRows[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {-1, -2, -3}};",
               "auto v = load(kRows[n % 3] + k) + kRows[n % 3][n & 3] + kRows[1][n & 3] + kRows[n % 3][2];", 4),
    "deep": ("constexpr int kDeep[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};",
             "auto v = cast<float>(load(kDeep[n & 1][1] + k)) + kDeep[n & 1][n / 2 & 1][n / 4 & 1];", 2),
    "array": ("#include <array>\nconstexpr std::array<float, 5> kArray{1, 2, 3, 5, 8};",
              "auto v = load(kArray.data() + k) + kArray[n % 5];", 5),
    "computed": ("#include <array>\nconstexpr auto squares() {\n  std::array<float, 9> all{};\n  for (int i = 0; i < 9; ++i) all[i] = i * i;\n  return all;\n}\nconstexpr auto kSquares = squares();",
                 "auto v = load(kSquares.data() + k) + kSquares[n % 9];", 9),
    "local": ("", "constexpr float kLocal[4] = {0.5f, 1, 2, 4};\nauto v = load(kLocal + k) * kLocal[n & 3];", 4),
    "static_local": ("", "static constexpr float kStatic[4] = {0.5f, 1, 2, 4};\nauto v = load(kStatic + k) * kStatic[n & 3];", 4),
    "const_local": ("", "const int shifts[3] = {1, 4, 2};\nauto v = cast<float>((k + 1) << load(shifts + k)) + shifts[n % 3];", 3),
    "member": ("struct Holder {\n  static constexpr float kMember[3] = {3, 1, 2};\n};", "auto v = load(Holder::kMember + k) + Holder::kMember[n % 3];", 3),
    "member_of_template": ("template <class T>\nstruct Traits {\n  static constexpr T kOf[3] = {3, 1, sizeof(T)};\n};",
                           "auto v = load(Traits<float>::kOf + k) + cast<float>(load(Traits<int64_t>::kOf + k)) + Traits<int8_t>::kOf[n % 3];", 3),
    "pointer": ("constexpr float kLow[2] = {1, 2}, kHigh[2] = {10, 20};", "const float* p = n > 100 ? kHigh : kLow;\nauto v = load(p + k) + p[n & 1];", 2),
    "pointer_or_none": ("constexpr float kMaybe[2] = {1, 2};", "const float* p = n > 100 ? kMaybe : nullptr;\nauto v = cast<float>(k);\nif (p) v += load(p + k);", 2),
    "masked": ("constexpr float kMasked[3] = {1, 2, 3};", "auto v = load(kMasked + k, k < 3, -1.0f);", 9),
    "loop": ("constexpr float kSteps[6] = {1, 0.5f, 2, 0.25f, 4, 8};", "auto v = cast<float>(k);\nfor (int s = 0; s < min(n, 6); ++s) v = v * kSteps[s] + load(kSteps + (k + s) % 6);", 6),
    "aligned": ("constexpr float kAll[128] = {1, 2, 3};", "auto v = load(kAll + arange<128>()) + load(kAll + 127 - arange<128>()) + cast<float>(k);", 4),
    "shadowed": ("constexpr float kShadowed[2] = {1, 2};\n__tile__ float shadowed_at(int i) { return kShadowed[i]; }",
                 "auto kShadowed = cast<float>(k);\nauto v = kShadowed + shadowed_at(n & 1);", 2),
    "named_x": ("namespace tables { constexpr float x[2] = {1, 2}, stream[2] = {3, 4}, exp[2] = {5, 6}; }",
                "auto v = load(tables::x + k) + load(tables::stream + k) + tables::exp[n & 1];", 2),
    "structs": ("struct Point_t { int x, y; float z; };\nconstexpr Point_t kPoints[3] = {{1, 2, 0.5f}, {3, 4, 1.5f}, {5, 6, -1}};",
                "auto v = cast<float>(k) + kPoints[n % 3].y * kPoints[1].x;\nauto p = kPoints[n * 2 % 3];\nv += p.x + p.z;", 3),
    "structs_of_arrays": ("struct Row_t { float w[3]; bool set = true; };\nstruct Pair_t { Row_t a, b; };\nconstexpr Pair_t kPairs[2] = {{{{1, 2, 3}}, {{4, 5, 6}, false}}, {{{7, 8, 9}, false}, {{10, 11, 12}}}};",
                          "auto v = cast<float>(k) + kPairs[n & 1].b.w[2] - kPairs[n & 1].a.w[0];\nif (kPairs[n & 1].a.set) v *= 2;\nconst auto& r = kPairs[n / 2 & 1].a;\nv += r.w[1];", 3),
    "structs_in_array": ("#include <array>\nstruct Item_t { int first; double by; };\nconstexpr auto items() {\n  std::array<Item_t, 4> all{};\n  for (int i = 0; i < 4; ++i) all[i] = {i, i * 0.5};\n  return all;\n}\nconstexpr auto kItems = items();",
                         "auto v = cast<float>(k) + kItems[n % 4].first;\nfor (int s = 0; s < 4; ++s) v = v + float(kItems[s].by) * kItems.at(n & 3).first;", 3),
    "struct_methods": ("struct Line_t { float a, b; template <class X> __tile__ auto at(X x) const { return a * x + b; } };\nconstexpr Line_t kLines[2] = {{1, 2}, {3, 4}};",
                       "auto v = kLines[n & 1].at(cast<float>(k));", 3),
    "reduced": ("constexpr float kWeights[32] = {1, 2, 3, 4, 5};", "auto v = cast<float>(k) + sum(load(kWeights + arange<32>()) * 2.0f);", 2),
    "argument": ("constexpr float kGiven[3] = {1, 2, 4};\ntemplate <int N>\n__tile__ auto at_each(const float (&t)[N], const tile<int, 128>& k) { return load(t + k) + t[N - 1]; }",
                 "auto v = at_each(kGiven, k);", 3),
}


def kinds():
    for name, (helpers, body, size) in KINDS.items():
        name = f"table_{name}"
        table.add(name, FLOATS.format(size=size), HEAD + body + PUT, ragged(128), helpers=helpers, warps=warps_of(name))


def shapes():
    """Tiles of other ranks and sizes, one element and less than a warp; a product of values from a table."""
    for shape in ((1,), (8,), (3,), (4, 8), (1, 1), (2, 3, 4), (16, 32)):
        size = 1
        for extent in shape:
            size *= extent
        text = ", ".join(map(str, shape))
        name = "table_shape_" + "_".join(map(str, shape))
        table.add(name, f"const uint8_t* codes = below({size}, 16)\nfloat* x = out({size})\nint n",
                  f"grid(1);\nauto at = reshape<{text}>(arange<{size}>());\nstore(x + at, load(kCodes_{name} + cast<int>(load(codes + at))) * float(n));",
                  [{"n": 2}], helpers=f"constexpr float kCodes_{name}[16] = {{{values('float', 16)}}};", warps=warps_of(name, 2))
    for stages in (1, 3):
        table.add(f"table_dot_{stages}", "const uint8_t* a = below(64 * K + 1, 16)\nconst float16* b = small(K * 64 + 1)\nfloat* c = out(64 * 64)\nint K", """
            grid(1);
            auto i = arange<64>();
            auto acc = zeros<float, 64, 64>();
            for (int k0 = 0; k0 < K; k0 += 32) {
              auto k = k0 + arange<32>();
              auto codes = load(a + i[all, none] * K + k[none, all], (k < K)[none, all], 0);
              auto w = where((k < K)[none, all], load(kLevels + cast<int>(codes)), 0.0f);
              auto y = load(b + k[all, none] * 64 + i[none, all], (k < K)[all, none], 0);
              acc = dot(cast<float16>(w), y, acc);
            }
            store(c + i[all, none] * 64 + i[none, all], acc);
            """.replace("kLevels", f"kLevels_{stages}"), [{"K": k} for k in (32, 64, 100, 1, 0)],
                  helpers=f"constexpr float kLevels_{stages}[16] = {{{values('float', 16)}}};", options=f", .num_stages = {stages}", warps=(4,))


types()
kinds()
shapes()
