"""Whether kernels with equal template parameters have the text of those where the parameters differ.

equal_parameters.py TILE2CU EXAMPLES WORK

A number with the name of the wrong parameter, or without a name, because two parameters happened to have one value makes
two kernels of one. Each example is emitted with parameters some of which are equal, and again with a second launcher whose
parameters differ: it has to have the same kernels for aligned arguments. Rows of NOT_YET do not, for the reason that they give; one that
does has to move to HOLDS.
"""
import pathlib
import re
import subprocess
import sys

# The example, its kernel, equal parameters, different ones.
HOLDS = [
    ("softmax", "softmax", "4096", "8192"),
    ("rope", "rope", "64, 64", "128, 32"),
    ("matmul", "matmul", "64, 128, 128, 8", "64, 128, 64, 8"),
    ("batched_matmul", "batched_matmul", "64, 128, 128, 8", "64, 128, 64, 8"),
    ("matmul_bias_gelu", "matmul_bias_gelu", "64, 128, 128, 8", "64, 128, 64, 8"),
    ("matmul_descriptor", "matmul_descriptor", "64, 128, 128, 8", "64, 128, 64, 8"),
    ("grouped_gemm", "grouped_gemm", "64, 128, 128", "64, 128, 64"),
]

NOT_YET = [
    ("flash_attention", "flash_attention", "64, 64, 64", "128, 32, 64", "one row of MMA tiles of a warp is no register axis"),
    ("matmul", "matmul", "64, 64, 64, 64", "128, 64, 32, 8", "many rows of programs in a group are counted in 64 bits"),
    ("matmul", "matmul", "64, 64, 64, 8", "128, 64, 32, 8", "copies of tiles of one layout share a loop"),
    ("matmul", "matmul", "64, 64, 64, 8", "64, 128, 32, 8", "the epilogue's tile shares memory with x or y by their sizes"),
    ("int8_matmul", "int8_matmul", "64, 64, 64, 8", "64, 128, 128, 8", "copies of tiles of one layout share a loop"),
    ("split_k", "split_k", "64, 64, 64", "64, 128, 32", "the epilogue's tile shares memory with x or y by their sizes"),
    ("softmax_online", "softmax_online", "16, 16", "16, 1024", "the lanes of a row are reduced, or none share one"),
    ("flash_decode", "flash_decode", "64, 64, 64", "32, 64, 128", "the warps of an accumulator are all along its rows or not"),
    ("flash_decode", "flash_decode_combine", "64, 64", "32, 128", "reductions have the numbers of lanes of this layout"),
    ("column_sum", "column_sum", "64, 64, 64", "128, 32, 128", "reductions have the numbers of warps of this layout"),
]


def kernels_of(tile2cu, source, work, launchers):
    """The names of the kernels for aligned arguments in the file with these launchers instead of its own."""
    text = source.read_text()
    text = re.sub(r"^inline constexpr[^;]*;", "", text, flags=re.M) + "".join(
        f"inline constexpr auto launcher_{i} = instantiate({each}, {{.num_warps = 4}});\n"
        for i, each in enumerate(launchers)
    )
    path, output = work / source.name, work / "equal_parameters.cu"
    path.write_text(text)
    subprocess.run([tile2cu, path, "-o", output], check=True, stderr=subprocess.DEVNULL)
    names = re.findall(r"^// ---- (\w+_kernel) -", output.read_text(), re.M)
    return [name for name in names if "_unaligned" not in name]


def main():
    tile2cu, examples, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    failed = 0
    for row in HOLDS + NOT_YET:
        example, kernel, equal, different = row[:4]
        source = examples / example / f"{example}.tile.cpp"
        alone = kernels_of(tile2cu, source, work, [f"{kernel}<{equal}>"])
        both = kernels_of(tile2cu, source, work, [f"{kernel}<{equal}>", f"{kernel}<{different}>"])
        if (both == alone) == (row in HOLDS):
            continue
        failed += 1
        if row in HOLDS:
            print(f"{kernel}<{equal}> and <{different}> are {', '.join(both)}")
        else:
            print(f"{kernel}<{equal}> and <{different}> are one kernel now: move the row to HOLDS")
    return failed


if __name__ == "__main__":
    sys.exit(main() != 0)
