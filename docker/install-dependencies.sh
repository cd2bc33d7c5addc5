#!/usr/bin/env bash
# Installs every dependency of Stagecoach: packages of the distribution, then
# LibTorch, unpacked from PyTorch's wheel into a cache folder. Works again and
# again; takes no time when nothing is missing. Nothing of Python is kept.
#
#   docker/install-dependencies.sh [--programs-only] [--cuda] [--no-torch]
#     --programs-only  leave out what only tests and benchmarks need
#     --cuda           LibTorch with CUDA instead (4 GB), for the preset cuda
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

# Name, version and SHA-256 of the wheels: LibTorch, what its CPU library is
# linked against, and what its CUDA libraries need besides.
torch_wheel="torch $torch_version
   7aa2f9bbc6d4595ba72138026b2074be1233186150e9292865e04b7a63b8c67a"
cpu_wheels=(
  "nvidia-cuda-runtime 13.0.96
   7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548"
  "nvidia-cuda-cupti 13.0.85
   4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8"
)
cuda_wheels=(
  "nvidia-cublas 13.1.0.3
   ee8722c1f0145ab246bccb9e452153b5e0515fd094c3678df50b2a0888b8b171"
  "nvidia-cuda-crt 13.0.88
   2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4"
  "nvidia-cuda-nvrtc 13.0.88
   ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575"
  "nvidia-cudnn-cu13 9.19.0.56
   d20e1734305e9d68889a96e3f35094d733ff1f83932ebe462753973e53a572bf"
  "nvidia-cufft 12.0.0.61
   6c44f692dce8fd5ffd3e3df134b6cdb9c2f72d99cf40b62c32dde45eea9ddad3"
  "nvidia-cufile 1.15.1.6
   08a3ecefae5a01c7f5117351c64f17c7c62efa5fffdbe24fc7d298da19cd0b44"
  "nvidia-curand 10.4.0.35
   1aee33a5da6e1db083fe2b90082def8915f30f3248d5896bcec36a579d941bfc"
  "nvidia-cusolver 12.0.4.66
   0a759da5dea5c0ea10fd307de75cdeb59e7ea4fcb8add0924859b944babf1112"
  "nvidia-cusparse 12.6.3.3
   2b3c89c88d01ee0e477cb7f82ef60a11a4bcd57b6b87c33f789350b59759360b"
  "nvidia-cusparselt-cu13 0.8.0
   25e30a8a7323935d4ad0340b95a0b69926eee755767e8e0b1cf8dd85b197d3fd"
  "nvidia-nccl-cu13 2.28.9
   e4553a30f34195f3fa1da02a6da3d6337d28f2003943aa0a3d247bbc25fefc42"
  "nvidia-nvjitlink 13.0.88
   13a74f429e23b921c1109976abefacc69835f2f433ebd323d3946e11d804e47b"
  "nvidia-nvshmem-cu13 3.4.5
   290f0a2ee94c9f3687a02502f3b9299a9f9fe826e6d0287ee18482e78d495b80"
  "nvidia-nvtx 13.0.85
   4936d1d6780fbe68db454f5e72a42ff64d1fd6397df9f363ae786930fd5c1cd4"
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

# Unpacks LibTorch: the headers but for its copies of Protocol Buffers and fmt,
# which would hide the system's, and the libraries of a worker.
unpack_torch() {
  local folder=$1 kind=$2
  local libraries=(libtorch_cpu.so libc10.so libgomp.so.1)
  [[ $kind == cpu ]] ||
    libraries+=(libtorch_cuda.so libtorch_cuda_linalg.so
      libtorch_nvshmem.so libc10_cuda.so libcaffe2_nvrtc.so)
  unzip -q "$wheel" 'torch/include/*' "${libraries[@]/#/torch/lib/}" \
    -x 'torch/include/google/*' 'torch/include/fmt/*' -d "$folder/unpacked"
  mv "$folder/unpacked/torch/"{include,lib} "$folder"
}

# Puts an NVIDIA wheel's libraries beside LibTorch's, which look there, and for
# CUDA its headers too. The CPU library wants only two of them.
unpack_nvidia() {
  local folder=$1 kind=$2
  rm -rf "$folder/unpacked"
  unzip -q "$wheel" 'nvidia/*' -d "$folder/unpacked"
  local names=(-name 'libcudart.so.*' -o -name 'libcupti.so.*')
  [[ $kind == cpu ]] || names=(-name '*.so*' ! -name '*.alt.so*')
  find "$folder/unpacked/nvidia" \( "${names[@]}" \) \
    -exec mv -t "$folder/lib" {} +
  if [[ $kind == cuda && -d $folder/unpacked/nvidia/cu13/include ]]; then
    cp -r "$folder/unpacked/nvidia/cu13/include/." "$folder/cuda-include"
  fi
}

# Kind is cpu or cuda; each has a folder of its own.
install_torch() {
  local kind=$1
  local target=$cache/libtorch-$torch_version
  local others=("${cpu_wheels[@]}")
  if [[ $kind == cuda ]]; then
    target+=-cuda
    others+=("${cuda_wheels[@]}")
  fi
  [[ ! -d $target ]] || return 0
  [[ $(uname -m) == x86_64 ]] ||
    fail "LibTorch is fetched for x86_64 only, and this is $(uname -m)"
  wheels=$cache/wheels
  mkdir -p "$cache"
  # Another run may be at it, or be interrupted: one at a time, and the folder
  # appears whole or not at all.
  exec 9>"$cache/lock"
  flock 9
  [[ ! -d $target ]] || return 0
  partial=$(mktemp -d "$cache/partial.XXXXXX")
  trap 'rm -rf "$partial"' EXIT
  mkdir -p "$wheels"
  say "LibTorch $torch_version ($kind) goes to $target"

  local entry
  # shellcheck disable=SC2086  # each entry is three words
  fetch_wheel $torch_wheel
  unpack_torch "$partial" "$kind"
  mkdir "$partial/cuda-include"
  for entry in "${others[@]}"; do
    # shellcheck disable=SC2086
    fetch_wheel $entry
    unpack_nvidia "$partial" "$kind"
  done
  rm -rf "$partial/unpacked"
  rmdir --ignore-fail-on-non-empty "$partial/cuda-include"
  chmod 755 "$partial"
  mv -T "$partial" "$target"
  rm -rf "$wheels"
}

main() {
  local packages=("${build_packages[@]}" "${test_packages[@]}")
  local kinds=(cpu)
  local argument
  for argument in "$@"; do
    case $argument in
      --programs-only) packages=("${build_packages[@]}") ;;
      --cuda) kinds=(cuda) ;;
      --no-torch) kinds=() ;;
      *) fail "unknown argument \"$argument\"; see the head of $0" ;;
    esac
  done
  install_packages "${packages[@]}"
  cache=${STAGECOACH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/stagecoach}
  local kind
  for kind in "${kinds[@]}"; do
    install_torch "$kind"
  done
}

main "$@"
