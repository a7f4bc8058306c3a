# Sourced by test/run and examples/run: what they need installed, and how they build.
export PATH="$PATH:/usr/local/cuda/bin"
jobs=${JOBS:-$(nproc)}

# Whether to go on: on a terminal the user is asked, unless YES is set (--yes).
confirm() {
  if [ -n "${YES:-}" ] || [ "${CI:-}" = true ] || [ ! -t 0 ] || [ ! -t 1 ]; then return 0; fi
  local answer
  read -r -p "$1 [Y/n] " answer
  [[ "$answer" =~ ^([Yy]([Ee][Ss])?)?$ ]]
}

# Debian 12's packages, each only if missing.
install_packages() {
  command -v apt-get >/dev/null || return 0
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "These Debian packages are missing here, and are installed with all that they depend on:"
  printf '  %s\n' "${missing[@]}"
  confirm "Install them with apt-get?" || { echo "Nothing was installed." >&2; return 1; }
  local sudo= quiet=-qq
  [ "$(id -u)" = 0 ] || sudo=sudo
  # apt-get shows its progress on a terminal.
  if [ -t 1 ]; then quiet=-q; fi
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y $quiet --no-install-recommends "${missing[@]}"
}

BUILD_PACKAGES=(g++ cmake ninja-build ccache mold python3 clang-19 llvm-19-dev libclang-19-dev
                zlib1g-dev libzstd-dev libfmt-dev libcli11-dev)
TEST_PACKAGES=(git gdb python3-venv dpkg-dev file llvm-19-tools libclang-rt-19-dev clang-format-19 clang-tidy-19 libgtest-dev)

# configure_and_build <preset> [targets...]
configure_and_build() {
  local preset=$1
  shift
  cmake --preset "$preset" >"/tmp/t2c-configure-$$.log" 2>&1 || { cat "/tmp/t2c-configure-$$.log"; return 1; }
  rm -f "/tmp/t2c-configure-$$.log"
  cmake --build "build/$preset" -j "$jobs" --target "${@:-all}"
}

# The number that chooses samples, from the commit that is checked out.
rotation_of_commit() {
  local commit
  commit=$(git rev-parse --verify -q HEAD) || commit=0
  echo $((16#${commit:0:6}))
}
