#!/usr/bin/env bash
# Installs every dependency of Stagecoach: packages of the distribution, then
# LibTorch, unpacked from PyTorch's wheel into a cache folder. Works again and
# again; takes no time when nothing is missing. Nothing of Python is kept.
#
#   docker/install-dependencies.sh [--programs-only] [--cuda] [--no-torch]
#     --programs-only  leave out what only tests and benchmarks need
#     --cuda           also fetch LibTorch with CUDA (6 GB unpacked)
#     --no-torch       packages of the distribution only
#
# LibTorch goes to $STAGECOACH_CACHE, else $XDG_CACHE_HOME/stagecoach, else
# ~/.cache/stagecoach. Wheels already in its folder wheels/ are not fetched.
set -euo pipefail

torch_version=2.11.0

build_packages=(
  ca-certificates ccache cmake g++ git ninja-build pkg-config python3
  python3-pip unzip
  dataset-fashion-mnist
  libabsl-dev libcivetweb-dev libcli11-dev libgrpc++-dev libprotobuf-dev
  libspdlog-dev libsqlite3-dev libssl-dev libyaml-cpp-dev nlohmann-json3-dev
  prometheus-cpp-dev protobuf-compiler protobuf-compiler-grpc zlib1g-dev
)
test_packages=(
  clang clang-format clang-tidy libbenchmark-dev libgmock-dev libgtest-dev
  shellcheck
)

# Name, version and SHA-256 of the wheels.
torch_wheel=(
  "torch $torch_version
   7aa2f9bbc6d4595ba72138026b2074be1233186150e9292865e04b7a63b8c67a"
)
cpu_wheels=(
  "nvidia-cuda-runtime 13.0.96
   7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548"
  "nvidia-cuda-cupti 13.0.85
   4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8"
)

say() { printf 'install-dependencies: %s\n' "$*"; }
fail() {
  printf 'install-dependencies: %s\n' "$*" >&2
  exit 1
}

as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "packages are missing and can be installed only by root or sudo: $*"
  fi
}

# Prints the packages among the arguments that are not installed.
missing_packages() {
  local installed
  # dpkg-query fails for packages that it has never heard of: just not listed.
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" \
    2>/dev/null | sed -n 's/^installed //p' || true)
  local package
  for package in "$@"; do
    grep -qxF "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

install_packages() {
  command -v dpkg-query >/dev/null ||
    fail "this needs Debian 12 or Ubuntu 24.04 (no dpkg here);" \
      "elsewhere use the container images, see README.md"
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  say "installing packages: ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q)
  as_root "${apt[@]}" update ||
    fail "apt-get update failed; is there a network and a package mirror?"
  as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" ||
    fail "apt-get could not install: ${missing[*]}"
}

sha256_of() { sha256sum "$1" | cut -d' ' -f1; }

# Puts one wheel into $wheels and its path into $wheel.
fetch_wheel() {
  local name=$1 version=$2 hash=$3
  local flags=()
  if [[ $name == torch ]]; then
    flags=(--python-version 3.11 --implementation cp --abi cp311
      --platform manylinux_2_28_x86_64)
  fi
  wheel=$(find_wheel "$name" "$version")
  if [[ -z $wheel ]]; then
    say "fetching $name $version"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps \
      --only-binary=:all: "${flags[@]}" --dest "$wheels" "$name==$version" ||
      fail "pip could not fetch $name==$version;" \
        "is there a network, and is the package index reachable?"
    wheel=$(find_wheel "$name" "$version")
    [[ -n $wheel ]] || fail "pip left no wheel of $name $version in $wheels"
  fi
  local found
  found=$(sha256_of "$wheel")
  if [[ $found != "$hash" ]]; then
    rm -f "$wheel"
    fail "$wheel has SHA-256 $found, not $hash as expected:" \
      "deleted; run this again, and if it stays so do not trust the index"
  fi
}

find_wheel() {
  find "$wheels" -maxdepth 1 -name "${1//-/_}-$2-*.whl" -print -quit
}

# Unpacks the LibTorch of a CPU worker: its headers but for the copies of
# Protocol Buffers and fmt, which would hide the system's, and the libraries.
unpack_torch() {
  local folder=$1
  unzip -q "$wheel" 'torch/include/*' 'torch/lib/libtorch_cpu.so' \
    'torch/lib/libc10.so' 'torch/lib/libgomp.so.1' \
    -x 'torch/include/google/*' 'torch/include/fmt/*' -d "$folder/unpacked"
  mv "$folder/unpacked/torch/"{include,lib} "$folder"
}

# Puts what libtorch_cpu.so needs of an NVIDIA wheel where it looks.
unpack_nvidia() {
  local folder=$1
  unzip -q "$wheel" 'nvidia/*/lib/*' -d "$folder/unpacked"
  find "$folder/unpacked/nvidia" \
    \( -name 'libcudart.so.*' -o -name 'libcupti.so.*' \) \
    -exec mv -t "$folder/lib" {} +
}

install_torch() {
  local target=$cache/libtorch-$torch_version
  [[ ! -d $target ]] || return 0
  [[ $(uname -m) == x86_64 ]] ||
    fail "LibTorch is fetched for x86_64 only, and this is $(uname -m)"
  wheels=$cache/wheels
  mkdir -p "$wheels"
  say "LibTorch $torch_version goes to $target"
  partial=$(mktemp -d "$cache/partial.XXXXXX")
  trap 'rm -rf "$partial"' EXIT

  # shellcheck disable=SC2086  # three words
  fetch_wheel ${torch_wheel[0]}
  unpack_torch "$partial"
  local entry
  for entry in "${cpu_wheels[@]}"; do
    # shellcheck disable=SC2086
    fetch_wheel $entry
    unpack_nvidia "$partial"
  done
  rm -rf "$partial/unpacked"
  chmod 755 "$partial"
  mv -T "$partial" "$target"
  rm -rf "$wheels"
}

main() {
  local packages=("${build_packages[@]}" "${test_packages[@]}") torch=1
  local argument
  for argument in "$@"; do
    case $argument in
      --programs-only) packages=("${build_packages[@]}") ;;
      --no-torch) torch=0 ;;
      *) fail "unknown argument \"$argument\"; see the head of $0" ;;
    esac
  done
  install_packages "${packages[@]}"
  cache=${STAGECOACH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/stagecoach}
  [[ $torch -eq 0 ]] || install_torch
}

main "$@"
