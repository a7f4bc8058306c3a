# The lit levels: frontend, errors, passes, emit, cli. test/run calls it; by hand:
#   /usr/lib/llvm-19/build/utils/lit/lit.py -v build/dev/test/passes
import os
import subprocess

import lit.formats

config.name = "tile2cu"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".t2ir", ".cpp", ".cu", ".test"]
config.excludes = ["Inputs", "unit", "emulate", "bench", "gpu", "fuzz", "cmake", "nvcc"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.t2c_build_dir, "test")

# tile2cu, FileCheck, not, count
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.t2c_build_dir, "bin"), config.t2c_llvm_tools, os.environ["PATH"]]
)
config.environment["NO_COLOR"] = "1"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.substitutions.append(("%tile2cu", os.path.join(config.t2c_build_dir, "bin", "tile2cu")))
config.substitutions.append(("%runtime", os.path.join(config.t2c_source_dir, "runtime", "include")))
config.substitutions.append(("%root", config.t2c_source_dir))
# For tests of the parts that a long function is divided into: shorter functions than usual.
config.substitutions.append(("%in_parts", "--tunable=function_rows=96 --tunable=function_rows_with_steps=106"))
# Compiles an emulated kernel from its standard input.
config.substitutions.append(
    (
        "%compile_emulated",
        f"{lit.util.which('clang++-19') or 'g++'} -std=c++20 -w -DTILE2CU_EMULATE -fsyntax-only "
        f"-I{config.t2c_source_dir}/runtime/include -x c++ -",
    )
)

if lit.util.which("gdb"):
    # It may be there and not be allowed to trace a program.
    tried = subprocess.run(["gdb", "-batch", "-nx", "-ex", "run", "/bin/true"], capture_output=True, text=True)
    if "exited normally" in tried.stdout:
        config.available_features.add("gdb")

# For the page of --html: its scripts in node, and the page in a browser without a window.
node = lit.util.which("node")
chromium = next(
    filter(None, map(lit.util.which, ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"])), None
)
config.substitutions.append(("%node", node or "node"))
config.substitutions.append(("%chromium", chromium or "chromium"))
if node:
    config.available_features.add("node")
else:
    lit_config.note("SKIPPED: no node on this machine, so the scripts of the page were not tested")
if node and chromium:
    config.available_features.add("chromium")
else:
    lit_config.note("SKIPPED: no node or no Chromium on this machine, so no page was opened")

if lit.util.which("nvcc", config.environment["PATH"] + os.pathsep + "/usr/local/cuda/bin"):
    config.available_features.add("nvcc")
