#!/bin/sh
# From nothing to a differential campaign against real JAX: installs, builds,
# sets up the oracle, fuzzes for SECONDS (60) and says where the report lies.
#
#   ci/fuzz.sh [SECONDS [fuzz options..]]
set -eu

cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift

ci/install.sh
ci/build.sh release pallasite
oracle=jax
release=0.11.2
if line=$(oracle/setup.sh); then
  release=$(echo "$line" | sed -n 's/^oracle: JAX \([0-9.]*\) .*/\1/p')
else
  oracle=recorded
fi
echo "$line"
exec build/release/pallasite fuzz --seconds "$seconds" --oracle "$oracle" \
  --target "jax=$release" "$@"
