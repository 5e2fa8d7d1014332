#!/bin/sh
# Configures a preset and builds targets: ci/build.sh PRESET [TARGET..]
set -eu

cd "$(dirname "$0")/.."
preset=$1
shift
# Object files are shared between clones, wherever they lie.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
if [ ! -f "build/$preset/build.ninja" ]; then
  cmake --preset "$preset" >/dev/null
fi
ninja -C "build/$preset" --quiet "$@"
