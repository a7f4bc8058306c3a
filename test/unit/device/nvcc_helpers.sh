#!/bin/bash
# Compiles every device helper for every supported architecture, without a warning.
# Without nvcc: skipped loudly, or failed where CI=true.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
if ! command -v nvcc >/dev/null; then
  echo "nvcc_helpers: SKIPPED, there is no nvcc here" >&2
  [ "${CI:-}" = true ] && exit 1
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for arch in 75 80 86 89 90a; do
  nice nvcc -std=c++17 -I"$root/runtime/include" -gencode=arch=compute_$arch,code=sm_$arch \
    -Xcompiler -Wall,-Wextra,-Wno-unknown-pragmas -c "$root/test/unit/device/nvcc_helpers.cu" \
    -o "$work/helpers.o" 2>"$work/messages" || { cat "$work/messages" >&2; exit 1; }
  if [ -s "$work/messages" ]; then
    cat "$work/messages" >&2
    echo "nvcc_helpers: sm_$arch: warnings" >&2
    exit 1
  fi
  echo "nvcc_helpers: sm_$arch ok"
done
