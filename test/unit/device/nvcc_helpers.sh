#!/bin/bash
# Compiles every device helper for every supported architecture, without a warning: all of them instantiated for
# every type, and each alone with what its marker says that it needs: nvcc_helpers.sh [--all]
# Without --all: for sm_80, sm_90a and one more architecture, which ROTATION chooses.
# Without nvcc: skipped loudly, or failed where CI=true.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../../runtime/include
others=(75 86 89)
architectures=(80 90a)
if [ "${1:-}" = --all ]; then
  architectures+=("${others[@]}")
else
  architectures+=("${others[$((${ROTATION:-0} % 3))]}")
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The emulator has all of them, with the same signatures.
python3 "$here/slice_helpers.py" --include >"$work/twins.cpp"
nice g++ -std=c++20 -fsyntax-only -DTILE2CU_EMULATE -I"$include" -Wall -Wextra -Werror "$work/twins.cpp"
echo "nvcc_helpers: the emulator's twins ok"

if ! command -v nvcc >/dev/null; then
  echo "nvcc_helpers: SKIPPED, there is no nvcc here" >&2
  [ "${CI:-}" = true ] && exit 1
  exit 0
fi
# compile <architecture> <file> [options...]: no message at all may come, but for those on a wgmma or
# setmaxnreg that stands alone.
compile() {
  local arch=$1 file=$2 rc=0
  shift 2
  nice nvcc -std=c++17 -I"$include" -I"$here" -gencode=arch=compute_$arch,code=sm_$arch \
    -Xcompiler -Wall,-Wextra,-Wno-unknown-pragmas "$@" -c "$file" -o "$work/out.o" >"$work/all_messages" 2>&1 || rc=$?
  grep -vE '\(C(7508|7517|7519)\)' "$work/all_messages" >"$work/messages" || true
  [ $rc = 0 ] && [ ! -s "$work/messages" ] && return
  cat "$work/messages" >&2
  echo "nvcc_helpers: $(basename "$file") for sm_$arch: failed" >&2
  exit 1
}

python3 "$here/slice_helpers.py" >"$work/alone.cu"
cat >"$work/kernels.cu" <<'TEXT'
#include "matmul_kernel.cuh"
#include "row_kernels.cuh"
template __global__ void matmul_kernels::matmul<4>(const __half*, const __half*, float*, int, int, int, int, int, int);
namespace row_kernels {
template __global__ void softmax<4096, 4, 4>(const float*, float*, int, int, int);
template __global__ void softmax<1920, 5, 1>(const float*, float*, int, int, int);
template __global__ void layernorm<512, 2, 8>(const __half*, const __half*, const __half*, __half*, int, float);
template __global__ void gelu<4096, 8>(const __half*, __half*, int64_t);
template __global__ void cumsum<5>(const float*, float*, int);
}  // namespace row_kernels
TEXT
for arch in "${architectures[@]}"; do
  compile $arch "$here/nvcc_helpers.cu"
  compile $arch "$work/kernels.cu"
  echo "nvcc_helpers: sm_$arch ok"
done
# Each helper alone, and in it the instruction that it is there for.
for arch in "${architectures[@]}"; do
  compile $arch "$work/alone.cu" -diag-suppress 550
  nice nvcc -std=c++17 -arch=compute_$arch -diag-suppress 550 -ptx "$work/alone.cu" -o "$work/alone.ptx"
  if command -v cuobjdump >/dev/null; then
    cuobjdump -sass "$work/out.o" >"$work/alone.sass"
    python3 "$here/check_instructions.py" $arch "$work/alone.ptx" "$work/alone.sass"
  else
    python3 "$here/check_instructions.py" $arch "$work/alone.ptx"
  fi
done
echo "nvcc_helpers: each helper alone ok"
compile 90a "$here/gpu_helpers.cu"
compile 90a "$here/../../gpu/mma_check.cu"
# The wgmma instructions, which the emitter writes.
python3 "$here/../../gpu/wgmma_products.py" "$work/wgmma_products.cuh"
compile 90a "$here/../../gpu/wgmma_check.cu" -I"$work"
echo "nvcc_helpers: the programs for a GPU ok"
