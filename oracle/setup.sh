#!/bin/sh
# Makes the Python environment in which the oracle asks real JAX.
#
#   oracle/setup.sh            JAX 0.11.2, or what the Pythons at hand allow
#   oracle/setup.sh RELEASE    exactly that one of oracle/requirements/
#
# The environment is .venv/oracle-<release>; nothing is done when it is up to
# date. Prints which JAX is in use. Exit status 3: no JAX could be installed.
set -u

oracle=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$oracle")
environments=$project/.venv
log=$environments/setup.log

# Newest first; each with the Python it needs.
releases="0.11.2:3.12 0.10.2:3.11"

# Every Python that might do, those on PATH first.
candidates() {
  for minor in 12 13 14 11; do
    command -v "python3.$minor"
  done
  command -v python3
  for root in "${PYENV_ROOT:-}" "${HOME:-}/.pyenv"; do
    for python in "$root"/versions/*/bin/python3; do
      if [ -x "$python" ]; then echo "$python"; fi
    done
  done
}

# The first Python of at least a version that can make environments.
find_python() {
  candidates | while read -r python; do
    if "$python" -c "
import sys
wanted = tuple(map(int, '$1'.split('.')))
import ensurepip, venv
sys.exit(sys.version_info[:2] < wanted)" 2>>"$log"; then
      echo "$python"
      break
    fi
  done
}

# 0 when the environment of a release stands, made now or earlier.
install() {
  requirements=$oracle/requirements/$1.txt
  environment=$environments/oracle-$1
  checksum=$(sha256sum <"$requirements")
  if [ "$(cat "$environment/installed" 2>/dev/null)" = "$checksum" ] &&
    [ -x "$environment/bin/python" ]; then
    return 0
  fi
  python=$(find_python "$2")
  if [ -z "$python" ]; then return 1; fi
  rm -rf "$environment"
  "$python" -m venv "$environment" >>"$log" 2>&1 &&
    "$environment/bin/python" -m pip install --disable-pip-version-check \
      --retries 1 --only-binary :all: --no-deps \
      --requirement "$requirements" \
      >>"$log" 2>&1 &&
    JAX_PLATFORMS=cpu "$environment/bin/python" -c \
      "from jax.experimental.pallas import mosaic_gpu" >>"$log" 2>&1 ||
    return 1
  echo "$checksum" >"$environment/installed"
}

use() {
  version=$("$environments/oracle-$1/bin/python" -c \
    "import platform; print(platform.python_version())") || return 1
  echo "oracle: JAX $1 on Python $version, in .venv/oracle-$1"
}

give_up() {
  echo "oracle: no JAX could be installed: recorded verdicts will be used"
  exit 3
}

mkdir -p "$environments" 2>/dev/null || give_up
# One at a time: a second run waits and then finds the work done.
exec 9>"$environments/setup.lock"
if command -v flock >/dev/null; then flock 9; fi
: >"$log"

for entry in $releases; do
  release=${entry%%:*}
  if [ -n "${1:-}" ] && [ "$1" != "$release" ]; then continue; fi
  if install "$release" "${entry##*:}" && use "$release"; then exit 0; fi
done
give_up
