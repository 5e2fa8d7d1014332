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
# Runs the tests of a build, a process a core. The counts come from the
# reports; a crash leaves none and counts as failed.
run_tests() {
  preset=$1 filter=$2 shards=$(nproc)
  echo "tests: $preset"
  for shard in $(seq 0 $((shards - 1))); do
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard \
      "build/$preset/pallasite_tests" --gtest_brief=1 --gtest_filter="$filter" \
      --gtest_output="json:$results/$preset.$shard.json" &
  done
  wait
  for shard in $(seq 0 $((shards - 1))); do
    [ -s "$results/$preset.$shard.json" ] ||
      echo failed >"$results/$preset.$shard.crash"
  done
}

ci/build.sh release
run_tests release '*'
if [ -z "$quick" ]; then
  ci/build.sh asan pallasite_tests
  # What is written in Python has nothing for the sanitizers to see, and the
  # millionth case of an enumeration nothing new.
  run_tests asan '-OracleWorkerTest.*:EmittedPython.*:ScopesTest.MoreThan*:ScopesTest.Configurations*'
fi

python3 ci/count.py "$results"
