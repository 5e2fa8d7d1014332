#!/bin/sh
# Installs what is missing, builds, and runs every test: the checks of the
# sources, and the unit and end-to-end tests, once as released and once under
# ASan and UBSan. The last line counts them: "N passed, N failed".
#
#   ci/test.sh [--quick]     --quick leaves out clang-tidy, ASan and UBSan
set -eu

cd "$(dirname "$0")/.."
quick=
[ "${1:-}" != --quick ] || quick=--quick
results=build/results
rm -rf "$results"
mkdir -p "$results"

ci/install.sh
oracle/setup.sh || true

ci/lint.sh ${quick:+"$quick"} "$results/lint"
presets=release
[ -n "$quick" ] || presets="release asan"
for preset in $presets; do
  ci/build.sh "$preset"
  echo "tests: $preset"
  # The count comes from the report; a crash leaves none and counts as failed.
  "build/$preset/pallasite_tests" --gtest_brief=1 \
    --gtest_output="json:$results/$preset.json" || true
  [ -s "$results/$preset.json" ] || echo "failed" >"$results/$preset.crash"
done

python3 ci/count.py "$results"
