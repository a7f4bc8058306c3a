#!/bin/bash
# in_root.sh deb|tgz|wheel [all]: in a root with a compiler and without LLVM, installs the package that is in /packages and
# uses it as a user would. /examples has examples of the repository. A line for each check; ends with "N passed, N failed".
set -u
form=$1 amount=${2:-}
passed=0 failed=0

# check <what> <command...>
check() {
  local what=$1
  shift
  if "$@" >/tmp/log 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $form: $what"
    tail -n 20 /tmp/log
  fi
}

case $form in
  deb)
    check "install" dpkg -i /packages/tile2cu_*.deb
    tile2cu=/usr/bin/tile2cu prefix=/usr
    ;;
  tgz)
    mkdir -p /opt/any
    check "unpack" tar -xf /packages/tile2cu-*.tar.gz -C /opt/any --strip-components=1
    tile2cu=/opt/any/bin/tile2cu prefix=/opt/any
    ;;
  wheel)
    check "venv" python3 -m venv /venv
    check "pip install" /venv/bin/pip install --no-index --disable-pip-version-check /packages/tile2cu-*.whl
    tile2cu=/venv/bin/tile2cu prefix=$(/venv/bin/python -c 'import tile2cu, os; print(os.path.dirname(tile2cu.__file__))')
    check "the paths are there" /venv/bin/python -c 'import os, tile2cu
assert tile2cu.__version__ and os.access(tile2cu.program(), os.X_OK)
for folder, name in (
    (tile2cu.include_dir(), "tile2cu/tile.h"),
    (tile2cu.lib_dir(), "libtile2cu_emulator.a"),
    (tile2cu.cmake_dir(), "tile2cuConfig.cmake"),
):
    assert os.path.exists(os.path.join(folder, name)), name'
    check "launchers by ctypes" /venv/bin/python -c 'import tile2cu.library'
    check "python -m tile2cu" /venv/bin/python -m tile2cu --version
    ;;
esac

check "no LLVM is here" test -z "$(find / -xdev \( -name 'libLLVM*' -o -name 'libclang*.so*' -o -name 'clang-[0-9]*' \) -print -quit)"
check "--version" "$tile2cu" --version
if [ "$form" != deb ]; then
  check "precompile the header" "$tile2cu" --precompile-header="$prefix/lib/tile2cu/tile.h.pch"
fi
check "the precompiled header is in use" \
  bash -c "cd /tmp && '$tile2cu' --time-passes -o - /examples/softmax/softmax.tile.cpp 2>&1 | grep -q 'tile.h precompiled'"

# What is emitted is what the repository has, byte for byte.
cd /examples
for name in */; do
  name=${name%/}
  flags=()
  if [ -f "$name/flags" ]; then flags=("@flags"); fi
  mkdir -p "/tmp/out/$name"
  check "transpile $name" bash -c 'cd "$1" && shift && exec "$@"' - "$name" \
    "$tile2cu" "$name.tile.cpp" "${flags[@]}" -o "/tmp/out/$name/$name.cu" --header
  for file in "$name.cu" "$name.h"; do check "$file" cmp "$name/$file" "/tmp/out/$name/$file"; done
done

# Clang's own headers come with the package.
printf '#include <cstddef>\n#include <cstdint>\n#include <limits.h>\n#include <cmath>\n' >/tmp/headers.tile.cpp
cat /examples/softmax/softmax.tile.cpp >>/tmp/headers.tile.cpp
check "headers of C and C++" "$tile2cu" /tmp/headers.tile.cpp -o /tmp/out/headers.cu -MD -MF /tmp/out/headers.d
# Those of the system are no dependencies; the .deb has its own in the same folder.
"$tile2cu" /examples/softmax/softmax.tile.cpp -o /tmp/out/softmax.cu -MD -MF /tmp/out/softmax.d
check "dependencies" bash -c "! tr ' ' '\n' < <(cat /tmp/out/*.d) | grep include/ | grep -v 'include/tile2cu/'"

for file in share/man/man1/tile2cu.1.gz share/doc/tile2cu/copyright share/doc/tile2cu/CHANGELOG.md share/doc/tile2cu/LICENSE \
  share/doc/tile2cu/licenses/llvm-19-dev.txt share/doc/tile2cu/runtime/doc/tutorial.md share/tile2cu/gdb/tile2cu_gdb.py; do
  check "$file" test -s "$prefix/$file"
done
check "completion of bash" bash -c "source '$prefix/share/bash-completion/completions/tile2cu' && complete -p tile2cu"

# A project that uses the package.
cp -r /project /tmp/project && cp -r /examples/* /tmp/project
rm -f /tmp/project/*/*.{cu,h}
where=(-DCMAKE_PREFIX_PATH="$prefix")
if [ "$form" = wheel ]; then where=(-Dtile2cu_DIR="$(/venv/bin/python -c 'import tile2cu; print(tile2cu.cmake_dir())')"); fi
check "configure a project" cmake -G Ninja -S /tmp/project -B /tmp/build -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=Debug "${where[@]}"
targets=(tile2cu/emulated/softmax/softmax.cu)
if [ "$form" = deb ] || [ "$amount" = all ]; then targets=(emulated); fi
if [ "$amount" = all ]; then targets+=(reference); fi
check "build it" cmake --build /tmp/build --target "${targets[@]}"
for target in "${targets[@]}"; do
  if [ -x "/tmp/build/$target" ]; then check "run $target" "/tmp/build/$target"; fi
done

rm -rf /opt/any /venv
if [ "$form" = deb ]; then
  check "remove" dpkg -r tile2cu
  check "nothing is left" test -z "$(find / -xdev -path /tmp -prune -o -path /proc -prune -o -name '*tile2cu*' \
    -not -path '/packages/*' -print)"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
