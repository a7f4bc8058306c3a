#!/usr/bin/env bash
# Trains a GPT-2 of 124 million parameters on a Hopper GPU, with this program and with the twin in
# PyTorch: prints tokens per second and the memory of each.     train_gpu.sh [steps]
# Needs nvcc 13, and python3 with torch. TRAIN names a program that is built already. NCCL names a folder with NCCL's include
# and lib: then it also trains on two GPUs.
set -eu
cd "$(dirname "$0")"
steps=${1:-60}
export PATH="$PATH:/usr/local/cuda/bin"
work=${WORK:-/tmp/llm}
mkdir -p "$work"
size=(--layers 12 --channels 768 --heads 12 --length 1024 --batch 16 --vocabulary 50257)

if [ -z "${TRAIN:-}" ]; then
  TRAIN=$work/train
  target=(-gencode=arch=compute_90a,code=sm_90a)
  nccl=()
  if [ -n "${NCCL:-}" ]; then
    nccl=(-DLLM_NCCL -I"$NCCL/include" -L"$NCCL/lib" -l:libnccl.so.2 -Xlinker "-rpath=$NCCL/lib")
  fi
  nvcc -O3 -std=c++20 "${target[@]}" -I../../runtime/include "${nccl[@]}" -t 0 -x cu ./*.cu train.cpp -o "$TRAIN"
fi

# Runs a command, and prints the most memory that the GPU had in use meanwhile.
with_memory() {
  nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits -lms 200 >"$work/memory" &
  local sampler=$!
  "$@" || true
  kill "$sampler"
  echo "most GPU memory in use: $(sort -n "$work/memory" | tail -n 1) MiB"
}

echo "== tile2cu"
with_memory "$TRAIN" "${size[@]}" --steps "$steps" --generate 0
if [ -n "${NCCL:-}" ]; then
  echo "== tile2cu, two GPUs"
  "$TRAIN" "${size[@]}" --steps "$steps" --generate 0 --gpus 2
fi
echo "== PyTorch"
with_memory python3 twin.py time "${size[@]}" --steps "$steps"
echo "== a small model of bytes learns, and continues a prompt"
"$TRAIN" --layers 6 --channels 384 --heads 6 --length 256 --batch 64 --steps 600 --every 100
