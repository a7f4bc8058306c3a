"""Casts."""

from conformance.rows import Section, cover

section = Section("B")
INTEGERS = "i8 i16 i32 i64 u8 u16 u32 u64"
FLOATS = "f16 bf16 f32 f64"

section.add(
    "every pair of 12 types and bool, by cast and by store; integers wrap around",
    "cast_* store_i* store_u* store_f* store_bf16 store_bool",
    cover("cast", f"bool {INTEGERS} {FLOATS}", "96 128 160 192"),
    jobs=("conversions",),
    remark="`conversions` compares every pair with exact arithmetic",
)
section.add("bitcast between integers of 8 to 64 bits, and between integers and floats", "bitcast_*", cover("bitcast", f"{INTEGERS} {FLOATS}", "80"))
section.add("8-bit floats to and from fp16, bf16, fp32, tiles of a few to 1024 elements", "narrow_to_float8_* widen_* to_integers_*", cover("cast", "f8e4m3 f8e5m2 f16 bf16 f32"))
section.add("every bit pattern of e4m3 and e5m2 to wider floats", "widen_*", cover("cast", "f8e4m3 f8e5m2 f16 bf16 f32 f64", "256"), jobs=("conversions",))
section.refuses("e4b8", "float8_e4b8", "store(out + i, cast<float>(cast<float8_e4b8>(load(in + i))));", remark="a format of other machines")
section.refuses("e4b15", "float8_e4b15", "store(out + i, cast<float>(cast<float8_e4b15>(load(in + i))));", remark="emulated in Triton")
section.refuses("e5b16", "float8_e5b16", "store(out + i, cast<float>(cast<float8_e5b16>(load(in + i))));", remark="a format of other machines")
section.add(
    "every fp16 and bf16, floats and doubles around each tie, to e4m3 and e5m2: to nearest even and toward zero, saturation, subnormal numbers, NaN",
    "narrow_to_float8_*",
    cover("cast", "f8e4m3 f8e5m2", "1024"),
    jobs=("conversions",),
)
section.add("toward zero to fp16, bf16 and fp32", "narrow_f32_* narrow_f64_*", cover("cast", "f16 bf16 f32", "128"), jobs=("conversions",))
