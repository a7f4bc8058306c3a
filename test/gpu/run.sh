#!/usr/bin/env bash
# On the machine with the GPU: builds the bundle of test/bench/make_bundle, checks it and times it.
#
#   run.sh [build] [check] [mains] [sanitize] [bench] [name...]
#
# Without a step: all of them; `build` alone only builds. A name is a kernel (softmax), which limits
# all steps to it, or a group of timings: add gelu softmax softmax_online layer_norm dropout reduce
# products attention, and, not in the default, extra, hopper_half hopper_products hopper_attention
# hopper_variants (H100 and H200 alone). Needs nvcc, and python3 with torch and Triton. Results go to
# $OUT, libraries to $BUILD, where a second call finds them.
set -u
cd "$(dirname "$0")" || exit
export PATH="$PATH:/usr/local/cuda/bin"
export OUT=${OUT:-$PWD/out} BUILD=${BUILD:-/tmp/t2c-build}
export TILE2CU_CACHE=$BUILD/tuned TRITON_CACHE_DIR=$BUILD/triton PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
COMMIT=$(cat commit)
export COMMIT
jobs=${JOBS:-$(nproc)}
start=$SECONDS
failures=()
mkdir -p "$OUT" "$BUILD"/{ours,targets,helpers,mains,log}

say() { echo "== $* ($((SECONDS - start)) s)"; }

# ---- arguments
all_groups=" add gelu softmax softmax_online layer_norm dropout reduce products attention extra "
all_groups+="hopper_half hopper_products hopper_attention hopper_variants "
steps=() names=() groups=()
for word in "$@"; do
  known=
  case $word in
    build | check | mains | sanitize | bench) steps+=("$word") known=1 ;;
  esac
  [ ! -e "ours/$word.cu" ] || { names+=("$word") known=1; }
  [[ "$all_groups" != *" $word "* ]] || { groups+=("$word") known=1; }
  [ -n "$known" ] || { echo "run.sh: what is '$word'?" && exit 2; }
done
# hopper_attention is both: a group of timings where it stands among others.
for group in "${groups[@]}"; do
  if [ ! -e "ours/$group.cu" ]; then
    mapfile -t names < <(printf '%s\n' "${names[@]}" | grep -vxFf <(printf '%s\n' "${groups[@]}"))
    [ -n "${names[*]}" ] || names=()
    break
  fi
done
[ ${#steps[@]} -gt 0 ] || steps=(check mains sanitize bench)
# Kernels without timings of their own: nothing to time.
[ ${#names[@]} = 0 ] || [ ${#groups[@]} -gt 0 ] || steps=("${steps[@]/bench/}")
wanted() { [[ " ${steps[*]} " == *" $1 "* ]]; }
# What is for Hopper is left out for other GPUs.
fitting() { if [ "$ARCH" = 90a ]; then cat; else grep -vE 'hopper_|_sm90|sm_90_'; fi; }
kernels() {
  if [ ${#names[@]} -gt 0 ]; then
    printf '%s\n' "${names[@]}"
  else
    find ours -name '*.cu' -printf '%f\n' | sed 's/\.cu$//' | sort | fitting
  fi
}

# ---- build
if [ -z "${ARCH:-}" ]; then
  ARCH=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
  [ "$ARCH" != 90 ] || ARCH=90a
fi
export ARCH

# build_library <kind>/<name>: from <kind>/<name>.cu, unless a library of the same sources is there
# or was made on the other machine. Prints nothing; the log tells.
build_library() {
  local library=$BUILD/$1.so log=$BUILD/log/${1/\//-}.log key
  key=$(cat "$1.cu" "${1%/*}"/*.cuh 2>/dev/null | sha256sum)$ARCH
  [ "$(cat "$library.key" 2>/dev/null)" != "$key" ] || [ ! -e "$library" ] || return 0
  rm -f "$library"
  if [ "$(cat "prebuilt/$1.so.key" 2>/dev/null)" = "$key" ] &&
    python3 -c "import ctypes, os; ctypes.CDLL(os.path.abspath('prebuilt/$1.so'))" 2>/dev/null; then
    cp "prebuilt/$1.so" "$library"
    echo "prebuilt" >"$log"
  else
    local began=$SECONDS
    local flags=(-O3 -std=c++17 -gencode "arch=compute_$ARCH,code=sm_$ARCH" -shared)
    flags+=(-Xcompiler -fPIC -Xptxas -v)
    [ "${1%/*}" != ours ] || flags+=(-lineinfo)
    timeout 240 nice nvcc "${flags[@]}" -o "$library" "$1.cu" >"$log" 2>&1 ||
      rm -f "$library"
    echo "nvcc took $((SECONDS - began)) s" >>"$log"
  fi
  [ ! -e "$library" ] || echo "$key" >"$library.key"
}
export -f build_library

# What ptxas said: kernels, registers, spills; or the errors.
report_library() {
  local log=$BUILD/log/${1/\//-}.log
  if [ ! -e "$BUILD/$1.so" ]; then
    echo "FAILED $1"
    grep -E 'error|fatal|rror:' "$log" | head -n 8
    return 1
  fi
  local kernels registers spills
  kernels=$(grep -c 'Compiling entry function' "$log")
  registers=$(grep -oE 'Used [0-9]+ registers' "$log" | awk '$2 > m {m = $2} END {print m + 0}')
  spills=$(grep -oE '[0-9]+ bytes spill stores' "$log" | awk '$1 > m {m = $1} END {print m + 0}')
  printf '   %-36s %3d kernels, up to %3d registers, %4d bytes spilled; %s\n' "$1" "$kernels" \
    "$registers" "$spills" "$(tail -n 1 "$log")"
}

build() {
  local units unit
  mapfile -t units < <({ kernels | sed 's|.*|ours/&.cu|' && find targets helpers -name '*.cu' | fitting; } |
    sed 's/\.cu$//')
  printf '%s\n' "${units[@]}" | xargs -P "$jobs" -I{} bash -c 'build_library {}'
  for unit in "${units[@]}"; do
    report_library "$unit" || failures+=("build $unit")
  done
  cat "$BUILD"/log/{ours,targets}-*.log >"$OUT/build.log"
}

# ---- the steps
run_main() {
  local name=$1
  local log=$BUILD/log/main-$name.log
  if ! timeout 120 nice nvcc -std=c++17 -O1 -DTILE2CU_CUDA -Iinclude -Iours -Xlinker \
    "-rpath=$BUILD/ours" -o "$BUILD/mains/$name" "examples/$name/main.cpp" "$BUILD/ours/$name.so" \
    >"$log" 2>&1; then
    echo "$name: FAILED to build: $(grep -m 1 -E 'error|undefined' "$log")"
    return 1
  fi
  timeout 60 "$BUILD/mains/$name" 2>&1 || { echo "$name: FAILED"; return 1; }
}
export -f run_main

# run_check <name> <source and flags>...: builds a program and runs it.
run_check() {
  local name=$1
  shift
  if nvcc -std=c++17 -O3 -arch="sm_$ARCH" -o "$BUILD/$name" "$@" >"$BUILD/log/$name.log" 2>&1; then
    timeout 60 "$BUILD/$name" | tail -n 8
    [ "${PIPESTATUS[0]}" = 0 ] || failures+=("$name")
  else
    head -n 5 "$BUILD/log/$name.log"
    failures+=("build $name")
  fi
}

# Every conversion between element types, compiled for this GPU and for sm_75, against exact arithmetic.
run_conversions() {
  local log=$BUILD/log/conversions.log program=$BUILD/conversions
  if ! nvcc -std=c++20 -DTILE2CU_CUDA -gencode arch=compute_75,code=compute_75 \
    -gencode "arch=compute_$ARCH,code=sm_$ARCH" -Iconversions -Iinclude \
    conversions/conversions.cu conversions/main.cpp -o "$program" >"$log" 2>&1; then
    head -n 5 "$log"
    failures+=("build conversions")
    return
  fi
  local jit
  for jit in 0 1; do
    CUDA_FORCE_PTX_JIT=$jit timeout 100 "$program" conversions/in "$program.out" &&
      python3 conversions/conversions.py check "$program.out" | tail -n 8
    [ "${PIPESTATUS[*]}" = "0 0" ] || failures+=(conversions)
  done
}

sanitize_one() {
  local tool=$1 name=$2
  local log=$BUILD/log/sanitize-$tool-$name.log
  timeout 150 compute-sanitizer --tool "$tool" --error-exitcode 9 --print-limit 10 \
    "$BUILD/sanitize" "$BUILD/ours" "$name" >"$log" 2>&1
  local rc=$?
  if [ $rc = 0 ] && grep -qE '(ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards)' "$log"; then
    echo "ok     $tool $name"
  else
    echo "FAILED $tool $name (exit code $rc)"
    grep -vE '^sanitize: ran|^========= COMPUTE-SANITIZER' "$log" | head -n 14
    return 1
  fi
}
export -f sanitize_one

say "build for sm_$ARCH"
warm=
if wanted bench; then  # Triton compiles beside nvcc
  timeout 300 python3 harness/bench.py warm "${groups[@]}" >"$BUILD/log/warm.log" 2>&1 &
  warm=$!
fi
build
say "built"

if wanted check; then
  timeout 400 python3 harness/check.py "${names[@]}" || failures+=(check)
  if [ ${#names[@]} = 0 ]; then
    run_check mma_check mma/gpu/mma_check.cu -Iinclude  # the helpers of tensor cores, by themselves
    if [ "$ARCH" = 90a ]; then  # those of Hopper
      run_check wgmma_check wgmma/gpu/wgmma_check.cu -Iinclude -Iwgmma/gpu
    fi
    run_check tune_check tune/tune_check.cu tune/tune.cu -Itune  # launchers that time their candidates
    run_conversions
  fi
  say "checked"
fi
if wanted mains; then
  for name in $(kernels); do [ ! -e "examples/$name/main.cpp" ] || echo "$name"; done |
    xargs -P 8 -I{} bash -c 'run_main {}' || failures+=(mains)
  say "example programs ran"
fi
if wanted bench; then
  wait "$warm"
  tail -n 12 "$BUILD/log/warm.log"
  rm -f "$OUT/table.txt"
  timeout 420 python3 harness/bench.py "${groups[@]}" || failures+=(bench)
  say "timed"
fi
if wanted sanitize; then
  if nvcc -std=c++17 -O1 -o "$BUILD/sanitize" harness/sanitize.cpp -ldl; then
    tools=(racecheck memcheck synccheck)
    runs=$(kernels | wc -l)
    runs=$((runs * ${#tools[@]}))
    for tool in "${tools[@]}"; do
      for name in $(kernels); do echo "$tool $name"; done
    done | timeout 300 xargs -P 8 -n 2 bash -c 'sanitize_one "$@"' - >"$OUT/sanitize.log"
    clean=$(grep -c '^ok' "$OUT/sanitize.log")
    grep -A 14 FAILED "$OUT/sanitize.log" | head -n 60
    echo "sanitize: $clean of $runs runs clean"
    [ "$clean" = "$runs" ] || failures+=(sanitize)
  else
    failures+=(sanitize)
  fi
  say "sanitized"
fi
[ ! -e "$OUT/table.txt" ] || cat "$OUT/table.txt"
if [ ${#failures[@]} -gt 0 ]; then
  say "FAILED: ${failures[*]}"
  exit 1
fi
say "all right"
