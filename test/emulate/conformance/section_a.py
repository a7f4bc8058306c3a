"""Elementwise operations."""

from conformance.rows import Section, cover

section = Section("A")
INTEGERS = "i8 i16 i32 i64 u8 u16 u32 u64"
FLOATS = "f16 bf16 f32 f64"
WIDE = "i32 u32 i64 u64"

section.add(
    "+ - * / % of all pairs of 12 types, 128 elements: tile o tile, tile o scalar, scalar o tile, a tile of one element",
    "triton_binary_*",
    cover("add sub mul", f"{WIDE} {FLOATS}", "128", 4),
    cover("div", f"{WIDE} f32 f64", "128", 4),
    cover("rem", WIDE, "128", 4),
    cover("load", f"{INTEGERS} {FLOATS}", "128 1", 4),
    remark="results have the types of C++, with the rules of types.md for 16-bit floats",
)
section.absent("/ and % of mixed signs are errors", "they convert as in C++: types.md says so")
section.add("& | ^ ~ << >>, the shifts arithmetic or logical by the type", "triton_bits_* bits_*", cover("and or xor not shl shr", WIDE, "128", "1 4"))
section.add(
    "six comparisons of 12 types, NaN on the left, on the right, on both sides",
    "triton_compare_* compare_*",
    cover("lt le gt ge eq ne", f"{WIDE} f32 f64", "128", 4),
    cover("load", f"{INTEGERS} {FLOATS}", "128", 4),
)
section.absent("floordiv", "C++ has none: / of integers truncates; types.md says so")
section.add("bool: & | ^ ~ ! && ||, and + counts", "booleans", cover("and or xor not", "bool", "96", "1 4"))
section.absent("a Python integer that overflows its type is an error", "literals have the types of C++")
section.add("products of bf16 are rounded to nearest even", "triton_rounded_*", cover("mul", "bf16 f16", "128", 4))
section.add("umulhi, of 32 and 64 bits", "triton_mulhi_* umulhi_* mulhi_*", cover("mulhi", "i32 u32 i64 u64", "128", 4))
section.add("where of pointers, of a scalar, with broadcasting", "triton_where_*", cover("select", "f32 i8 i64", "128 16x32", "1 4"))
section.add("unary - ~ and abs; -0.0 kept by -", "triton_signs_* arithmetic_*", cover("neg abs", FLOATS, "128", "1 4"))
section.refuses("abs of 8-bit floats", "no matching function", "auto x = cast<float8_e4m3>(load(in + i)); store(out + i, cast<float>(abs(x)));", remark="cast to float first: types.md")
section.add("clamp, also symmetric; min, max, clamp with propagate_nan", "triton_signs_* extremes_*", cover("clamp minimum maximum", FLOATS))
FUNCTIONS = "exp log cos sin sqrt rsqrt exp2 log2 erf floor ceil"
section.add(f"{FUNCTIONS}, fp32 and fp64", "math_f32_* math_f64_*", cover(FUNCTIONS, "f32 f64", "96"))
section.add("fma", "fma_*", cover("fma", "f32 f64", "128"))
section.add("fdiv, div_rn and sqrt_rn: the bits of IEEE", "math2_f32 math2_f64", cover("div_rn sqrt_rn", "f32 f64", "128"))
section.add(
    "libdevice: rint, tan, asin, ..., erfinv, lgamma",
    "math_* math2_*",
    cover("rint trunc round tan asin acos atan sinh cosh asinh acosh atanh exp10 expm1 log10 log1p cbrt erfc erfinv lgamma tgamma", "f32 f64"),
    cover("pow hypot atan2 copysign nextafter remainder", "f32 f64"),
)
section.add("add, mul and fma that round in each direction", "rounded_r*", cover("add_rounded mul_rounded fma_rounded", "f32 f64", "96"))
