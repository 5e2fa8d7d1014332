"""Adds up test results and prints the closing line: N passed, N failed.

Usage: count.py FOLDER, which holds GoogleTest's JSON reports (*.json), and for
each other check a file whose first word is "passed" or "failed".
"""

import json
import pathlib
import sys


def count(report):
  """(passed, failed, skipped) of one GoogleTest report."""
  passed = failed = skipped = 0
  for suite in report["testsuites"]:
    for test in suite["testsuite"]:
      if test["status"] != "RUN" or test["result"] == "SKIPPED":
        skipped += 1
      elif test.get("failures"):
        failed += 1
      else:
        passed += 1
  return passed, failed, skipped


def main(folder):
  totals = [0, 0, 0]
  for path in sorted(pathlib.Path(folder).iterdir()):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
      one = count(json.loads(text))
    else:
      good = text.split()[:1] == ["passed"]
      one = (int(good), int(not good), 0)
      if not good:
        print(f"failed: {path.name}")
    totals = [a + b for a, b in zip(totals, one)]
  passed, failed, skipped = totals
  line = f"{passed} passed, {failed} failed"
  print(line + (f", {skipped} skipped" if skipped else ""))
  return 1 if failed or not passed else 0


if __name__ == "__main__":
  sys.exit(main(sys.argv[1]))
