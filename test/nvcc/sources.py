"""The tile sources that test/nvcc/run compiles, and for which architectures."""

import dataclasses
import importlib.machinery
import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "test/emulate"))

import generate  # noqa: E402

ARCHITECTURES = ["75", "80", "86", "89", "90", "90a"]
IN_TABLE = ["80", "90a"]  # resources.txt has these, and each run compiles for them
# Programs for a GPU that are built with an emitted file.
PROGRAMS = {"tune": ROOT / "test/gpu/tune_check.cu"}
# Sources of test/emit, and tile2cu's arguments for them.
FLAGS = {"mixed_targets": ["--arch=sm_80,sm_90a"], "hopper_sums": ["--arch=sm_90a"]}
# The same as arguments of tile2cu and of nvcc.
MACROS = ["-DVEC=4", "-DVECS=2", "-Dlane=3", "-DPROGRAMS_PER_BLOCK=1", "-DNDEBUG"]
FUZZED = {0: 14, 3: 14}  # batches of test/fuzz (3: for Hopper), and how many of their programs

# Generated cases that between them use every device helper.
CASES = [
    "arithmetic_u16", "bits_i64", "cast_f16", "narrow_f64_bits", "math_f32_0", "math_f16_2", "masked_bool", "form_runtime_stride",
    "plane_80x16_f32_turned", "trans_64x64_f16", "permute_201_4x8x16_f32", "row_1000_f32", "row_192_f16", "axis1_80x16_f32", "all_axes_16x32_i32",
    "kinds_i64_256", "reduce_welford", "cumsum_1000_f32", "scan_16x32_0_f32", "compact", "random_96", "philox_words", "atomic_f16_collide",
    "atomic_old_i32", "map_branches", "break_on_tile", "while_data", "halves_64_i8", "crossed_16_f16", "outer_16x64_bool",
    "order_epilogue_pointer", "order_epilogue_pointer_and_offset", "device_float16", "device_in_branches", "device_overloads_of_scalars", "cuda_text_of_tiles",
    "cuda_text_in_functions", "cuda_text_of_scalars", "cuda_text_of_matrix", "cuda_effect_order", "cuda_effect_scalars",
    "cuda_effect_shapes", "cuda_effect_of_2x16",
    "rounded_ru_f32", "rounded_rz_f64", "mulhi_i64", "umulhi_u32", "strides_scaled", "strides_matmul", "strides_row_sums_assume",
    "null_norm_float", "null_choice", "null_read_and", "null_none_choice", "null_reset", "null_outputs", "table_f32", "table_bool", "table_i64",
    "table_nested", "table_pointer_or_none", "table_dot_3",
]  # fmt: skip


@dataclasses.dataclass
class Source:
    path: pathlib.Path
    flags: list
    architectures: list
    in_table: bool = True  # resources.txt has its kernels
    may_spill: bool = False  # without a line in spills.txt


def rotated(rotation):
    """The architectures of one run: those of the table and one of the others."""
    others = [arch for arch in ARCHITECTURES if arch not in IN_TABLE]
    chosen = {*IN_TABLE, others[rotation % len(others)]}
    return [arch for arch in ARCHITECTURES if arch in chosen]


def flags_of(path):
    file = path.with_name("flags")
    return [f"@{file}"] if file.exists() else []


def examples(architectures):
    result = {}
    for path in sorted((ROOT / "examples").glob("*/*.tile.cpp")):
        stem, folder = path.name.split(".")[0], path.parent.name
        name = stem if stem == folder else f"{folder}_{stem}"
        result[name] = Source(path, flags_of(path), architectures)
    tune = ROOT / "test/gpu/tune.tile.cpp"
    result["tune"] = Source(tune, flags_of(tune), architectures)
    in_header = [*flags_of(tune), "--helpers=header"]
    result["tune_header"] = Source(tune, in_header, ["80"], in_table=False)
    for name, flags in FLAGS.items():
        result[name] = Source(ROOT / f"test/emit/{name}.cpp", flags, architectures)
    checked = ROOT / "test/emulate/lib/failing.tile.cpp"
    result["checks"] = Source(checked, ["--checks"], ["80"], in_table=False)
    names = ROOT / "test/emit/occupied_names.cpp"
    result["occupied_names"] = Source(names, MACROS, ["80"], in_table=False)
    return result


def benches(architectures):
    """The kernels that are only timed: for the architecture that their flags name."""
    result = {}
    for path in sorted((ROOT / "test/bench/kernels").rglob("*.tile.cpp")):
        stem = path.name.split(".")[0]
        folder = path.parent.name
        name = stem if folder == "kernels" else f"{folder}_{stem}"
        file = path.with_name("flags")
        text = file.read_text() if file.exists() else ""
        mine = [a for a in ARCHITECTURES if f"--arch=sm_{a}" in text.split()] or architectures
        result[f"bench_{name}"] = Source(path, flags_of(path), mine, in_table=False)
    return result


def cases(build, architectures):
    chosen = []
    for group in generate.GROUPS:
        for case in generate.cases_of(group, True):
            if case.name in CASES:
                case.warps = case.warps[-1:]
                chosen.append(case)
    missing = set(CASES) - {case.name for case in chosen}
    if missing:
        raise SystemExit(f"test/nvcc/run: there is no case {', '.join(sorted(missing))}")
    generate.write_file(build, "cases", chosen)
    return {"cases": Source(build / "cases.tile.cpp", [], architectures)}


def fuzzed(build, rotation, accepts):
    """Programs of test/fuzz, from the rotation as their seed. `accepts(path, flags)`: whether tile2cu takes a file."""
    script = ROOT / "test/fuzz/run"
    sys.path.insert(0, str(script.parent))
    loader = importlib.machinery.SourceFileLoader("fuzz_run", str(script))
    fuzz = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzz_run", loader))
    loader.exec_module(fuzz)
    result = {}
    for number, count in FUZZED.items():
        programs, targets = fuzz.cases_of(rotation, number)
        flags = targets[-1]  # Hopper, if the batch has two targets
        taken = []
        for program in programs[:count]:
            generate.write_file(build, "fuzzed_alone", [program])
            if accepts(build / "fuzzed_alone.tile.cpp", list(flags)):
                taken.append(program)
        if taken:
            name = f"fuzzed_{number}"
            generate.write_file(build, name, taken)
            path = build / f"{name}.tile.cpp"
            result[name] = Source(path, list(flags), IN_TABLE, in_table=False, may_spill=True)
    if not result:
        raise SystemExit("test/nvcc/run: tile2cu takes none of the fuzzed programs")
    return result
