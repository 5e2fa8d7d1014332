"""Asks real JAX about Pallas Mosaic GPU kernels: JSON lines in, JSON lines out.

The first line out is a greeting, written once JAX is ready:
  {"hello": 1, "jax": "0.11.2", "python": "3.12.1", "pid": 4711}
Each line in is a question, and gets one line as its answer:
  {"id": 7, "body": <Python source>, "arch": [9, 0], "facts": true,
   "scratch": ["acc", "b"], "limit_s": 60}
  {"id": 7, "outcome": "accepted", "ms": 9.5, "rss_kib": 340000, "facts": {..}}
  {"id": 7, "outcome": "raised", "class": "ValueError", "message": "..",
   "phase": "trace", "raise_site": "jax/_src/..py:83 _check_ref", ..}
`body` is what EmitPythonBody of model/text/python_emitter.h writes. `scratch`
names the items of its scratch, for the facts. `limit_s` is when the asker gives
up; a worker that nobody stops then stops itself. The outcome is "unusable" when
the source itself does not run, which is a fault of whoever wrote it.

Standard output belongs to this protocol alone: whatever JAX prints is dropped.
The worker ends when its standard input does.
"""

import faulthandler
import functools
import gc
import json
import os
import platform
import resource
import signal
import sys
import time
import traceback
import warnings

PROTOCOL_VERSION = 1

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"


def claim_standard_streams():
  """Takes stdin and stdout for the protocol and hides them from all others."""
  questions = os.fdopen(os.dup(0), "r", encoding="utf-8")
  answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
  nothing = os.open(os.devnull, os.O_RDWR)
  os.dup2(nothing, 0)
  os.dup2(nothing, 1)
  os.close(nothing)
  return questions, answers


if __name__ == "__main__":
  QUESTIONS, ANSWERS = claim_standard_streams()
  # Ctrl-C in a terminal is for the process that started the workers.
  signal.signal(signal.SIGINT, signal.SIG_IGN)
  # A crash leaves the Python stack on standard error, and no core file.
  faulthandler.enable()
  resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

# pylint: disable=g-import-not-at-top
import jax
from jax.experimental import pallas as pl
from jax.experimental.mosaic.gpu import utils as mgpu_utils
from jax.experimental.pallas import mosaic_gpu as plgpu
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P
from jax._src import traceback_util
from jax._src.pallas.mosaic_gpu import core as gpu_core
from jax._src.pallas.mosaic_gpu import lowering as gpu_lowering

# What JAX warns about is no answer, and would bury a crash on standard error.
warnings.simplefilter("ignore")

# Filtering would cut the frame that raised out of the traceback.
jax.config.update("jax_traceback_filtering", "off")

# For every frame of every error JAX looks its file up in a list of folders; files
# do not move, and this is a tenth of the time of a refusal.
traceback_util.include_filename = functools.cache(
    traceback_util.include_filename
)

PACKAGES = os.path.dirname(os.path.dirname(jax.__file__)) + os.sep
JAX_FILES = PACKAGES + "jax" + os.sep


class ResourceEstimate:
  """The last result of Mosaic GPU's resource estimate.

  It recurses through the module attribute, and the outermost call returns last.
  """

  def __init__(self):
    self.latest = None
    self._estimate = gpu_lowering._estimate_resources
    gpu_lowering._estimate_resources = self._call

  def _call(self, *args, **kwargs):
    self.latest = self._estimate(*args, **kwargs)
    return self.latest


ESTIMATE = ResourceEstimate()


def path_text(path):
  """Tree steps as the model writes them: `[0]` and `.key`."""
  text = ""
  for step in path:
    if isinstance(step, jax.tree_util.DictKey):
      text += f".{step.key}"
    else:
      text += f"[{step.idx}]"
  return text


def union_members(name, scratch):
  """Where each union of a scratch item places its refs."""
  members = []
  for path, leaf in jax.tree_util.tree_flatten_with_path(scratch)[0]:
    if not isinstance(leaf, gpu_core.RefUnion):
      continue
    try:
      groups = gpu_core.flatten_ref_union(leaf.get_ref_aval())
    except Exception:  # pylint: disable=broad-except
      continue  # a union that JAX accepts but cannot take apart
    placed = jax.tree_util.tree_flatten_with_path(
        groups, is_leaf=lambda x: hasattr(x, "transforms")
    )[0]
    for inner, ref in placed:
      alias = ref.transforms[0]
      members.append({
          "path": name + path_text(path) + path_text(inner),
          "group": alias.alias_group_idx,
          "offset": alias.offset,
      })
  return members


def facts_of(names, scratch):
  """What JAX computed on its way to accepting the kernel."""
  resources = ESTIMATE.latest
  barriers = resources.barrier_counts.items()
  members = []
  for name, item in zip(names, scratch, strict=True):
    members += union_members(name, item)
  return {
      "smem_bytes": resources.smem_scratch_bytes,
      "tmem_columns": resources.tmem_scratch_cols,
      "tmem_collective_columns": resources.tmem_collective_scratch_cols,
      "barrier_allocations": sum(count for _, count in barriers),
      "barriers": sum(b.num_barriers * count for b, count in barriers),
      "union_members": members,
  }


def raise_site(error):
  """The innermost frame inside JAX."""
  site = ""
  for frame, line in traceback.walk_tb(error.__traceback__):
    code = frame.f_code
    if code.co_filename.startswith(JAX_FILES):
      site = f"{code.co_filename[len(PACKAGES):]}:{line} {code.co_qualname}"
  return site


def describe(error, phase):
  try:
    message = str(error)
  except Exception as broken:  # pylint: disable=broad-except
    message = f"<{type(broken).__name__} while asking for the message>"
  return {
      "outcome": "raised",
      "class": type(error).__name__,
      # Half of a surrogate pair is no text that JSON could carry.
      "message": message.encode(errors="backslashreplace").decode(),
      "phase": phase,
      "raise_site": raise_site(error),
  }


def ask(body, arch, scratch_names):
  """Constructs, traces and lowers one kernel. Facts when names are given."""
  namespace = {"jax": jax, "jnp": jnp, "pl": pl, "plgpu": plgpu, "P": P}
  built = []
  try:
    exec(compile(body, "<kernel>", "exec"), namespace)  # pylint: disable=exec-used
    construct = namespace["construct"]
    if "scratch_types" in namespace and scratch_names is not None:
      make_scratch = namespace["scratch_types"]

      def scratch_types():
        built.extend(make_scratch())
        return built

      namespace["scratch_types"] = scratch_types
  except BaseException as error:  # pylint: disable=broad-except
    return describe(error, "construct") | {"outcome": "unusable"}

  mgpu_utils._infer_arch = lambda: arch
  ESTIMATE.latest = None
  phase = "construct"
  try:
    kernel, arguments = construct()
    phase = "trace"
    traced = jax.jit(kernel).trace(*arguments)
    phase = "lower"
    traced.lower(lowering_platforms=("cuda",))
  except BaseException as error:  # pylint: disable=broad-except
    return describe(error, phase)
  answer = {"outcome": "accepted"}
  # A kernel without effects is dropped before it is lowered: no estimate then.
  if scratch_names is not None and ESTIMATE.latest is not None:
    answer["facts"] = facts_of(scratch_names, built)
  return answer


def resident_kib():
  with open("/proc/self/statm", encoding="ascii") as statm:
    pages = int(statm.read().split()[1])
  return pages * (os.sysconf("SC_PAGE_SIZE") // 1024)


# JAX keeps what it traced; without this a worker grows by the hour.
CLEAR_CACHES_EVERY = 300
# Collecting garbage at set points costs less than whenever Python finds it due.
COLLECT_EVERY = 100
# How long after the asker's own limit a worker waits to be stopped.
GRACE_SECONDS = 10

WARM_UP = """
def body(x, o, s):
  plgpu.async_prefetch(x)
  plgpu.print_layout("{}", s)

def scratch_types():
  return [plgpu.SMEM((8, 128), jnp.float32)]

def construct():
  shape = jax.ShapeDtypeStruct((8, 128), jnp.float32)
  kernel = plgpu.kernel(body, out_type=shape, scratch_types=scratch_types())
  return kernel, (shape,)
"""


def serve(questions, answers):
  def say(message):
    answers.write(json.dumps(message) + "\n")
    answers.flush()

  warm = ask(WARM_UP, (9, 0), ["s"])
  say({
      "hello": PROTOCOL_VERSION,
      "jax": jax.__version__,
      "python": platform.python_version(),
      "pid": os.getpid(),
      "warm_up": warm["outcome"],
  })
  gc.collect()
  gc.freeze()  # what was imported stays; no need to look at it again
  gc.disable()
  for count, line in enumerate(questions, start=1):
    question = json.loads(line)
    start = time.perf_counter()
    if "limit_s" in question:
      faulthandler.dump_traceback_later(
          question["limit_s"] + GRACE_SECONDS, exit=True
      )
    names = question["scratch"] if question.get("facts") else None
    answer = {"id": question["id"]}
    answer |= ask(question["body"], tuple(question["arch"]), names)
    answer["ms"] = 1e3 * (time.perf_counter() - start)
    answer["rss_kib"] = resident_kib()
    faulthandler.cancel_dump_traceback_later()
    say(answer)
    if count % CLEAR_CACHES_EVERY == 0:
      jax.clear_caches()
    if count % COLLECT_EVERY == 0:
      gc.collect()


if __name__ == "__main__":
  serve(QUESTIONS, ANSWERS)
