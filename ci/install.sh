#!/bin/sh
# Installs the Debian packages that building and testing need. Does nothing when
# they are all there.
set -eu

packages="ca-certificates ccache clang clang-format clang-tidy cmake g++ git
libabsl-dev libbenchmark-dev libboost-dev libclang-rt-14-dev libcli11-dev
libgmock-dev libgtest-dev librapidcheck-dev ninja-build nlohmann-json3-dev
python3 python3-venv"

missing=
for package in $packages; do
  case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
    "install ok installed") ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086 # a list
apt-get install -y -qq --no-install-recommends $missing >/dev/null
