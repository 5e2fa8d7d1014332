#!/bin/sh
# Checks the sources: formatting, clang-tidy, and generated documents against
# their source. Writes one result file a check: ci/lint.sh [--quick] PREFIX
set -eu

cd "$(dirname "$0")/.."
quick=
if [ "$1" = --quick ]; then
  quick=1
  shift
fi
prefix=$1

# Runs a check and notes how it went.
check() {
  name=$1
  shift
  echo "check: $name"
  if "$@"; then echo passed >"$prefix.$name"; else echo failed >"$prefix.$name"; fi
}

formatted() {
  git ls-files '*.cc' '*.h' | xargs clang-format --dry-run --Werror
}

# What clang-tidy found clean stays clean until a source or a rule changes.
tidy() {
  cmake --preset release >/dev/null
  stamps=build/tidy
  mkdir -p "$stamps"
  shared=$(git ls-files '*.h' .clang-tidy CMakeLists.txt | xargs cat | sha256sum)
  git ls-files '*.cc' ':!tests' | while read -r file; do
    stamp=$stamps/$(echo "$file" | tr / _)
    now="$shared $(sha256sum <"$file")"
    [ "$(cat "$stamp" 2>/dev/null)" = "$now" ] || echo "$file"
  done >build/tidy.todo
  status=0
  xargs -r -P "$(nproc)" -I{} sh -c \
    'clang-tidy --quiet -p build/release "$1" 2>/dev/null || exit 1' _ {} \
    <build/tidy.todo || status=1
  if [ "$status" -eq 0 ]; then
    while read -r file; do
      echo "$shared $(sha256sum <"$file")" \
        >"$stamps/$(echo "$file" | tr / _)"
    done <build/tidy.todo
  fi
  return "$status"
}

# docs/errors.md is what `pallasite rules` prints.
errors_page() {
  ci/build.sh release pallasite &&
    build/release/pallasite rules --format markdown | diff -u docs/errors.md -
}

check format formatted
check errors-page errors_page
[ -n "$quick" ] || check tidy tidy
