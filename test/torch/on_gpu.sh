#!/usr/bin/env bash
# The operators on a machine with a GPU, torch and nvcc but without tile2cu:
#
#   test/torch/on_gpu.sh write FOLDER [ARCH]    where tile2cu is: writes what the other machine needs
#   test/torch/on_gpu.sh run FOLDER             there: operators.py, and examples/pytorch
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=$2
case $1 in
  write)
    tile2cu=${TILE2CU:-$root/build/dev/bin/tile2cu}
    mkdir -p "$folder"
    for source in "$here/every_type" "$root"/examples/pytorch/kernels/layer_norm_train \
      "$root"/examples/{softmax/softmax,matmul_bias_gelu/matmul_bias_gelu,flash_attention/flash_attention}; do
      "$tile2cu" "$source.tile.cpp" --torch --arch="${3:-sm_80}" -o "$folder/"
    done
    "$tile2cu" "$root/examples/softmax/softmax.tile.cpp" --extern-c --header --arch="${3:-sm_80}" -o "$folder/softmax_c.cu"
    ;;
  run)
    export PYTHONPATH=$root/runtime/package/python
    python=${PYTHON:-python3}
    "$python" "$here/operators.py" "$folder"
    "$python" "$root/examples/pytorch/functions.py" "$folder"
    ;;
esac
