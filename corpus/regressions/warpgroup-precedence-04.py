"""What JAX says to one Pallas Mosaic GPU kernel.

Written for JAX 0.11.2, compute capability 10.0. Needs no GPU.
Prints one JSON line: the error, or that the kernel is accepted.
"""
import contextlib
import json
import os
import sys
import traceback

# The kernel is lowered for CUDA on a CPU; a mesh needs some devices there.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault(
    "XLA_FLAGS", "--xla_force_host_platform_device_count=8"
)

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu
from jax.sharding import PartitionSpec as P


def assume_architecture(major, minor):
  # Without a GPU, JAX lowers for compute capability 9.0. No public
  # setting changes that, so this replaces its own guess.
  from jax.experimental.mosaic.gpu import utils
  utils._infer_arch = lambda: (major, minor)


assume_architecture(10, 0)


def body(x, y, o, t):
  plgpu.print_layout("{}", t)
  plgpu.async_prefetch(y)


def scratch_types():
  return [plgpu.TMEM((128, 8), jnp.bool_, packed=True)]


def construct():
  kernel = plgpu.kernel(
      body,
      out_type=jax.ShapeDtypeStruct((8,), jnp.float32),
      scratch_types=scratch_types(),
      compiler_params=plgpu.CompilerParams(
          lowering_semantics=plgpu.LoweringSemantics.Warpgroup,
      ),
  )
  arguments = (
      jax.ShapeDtypeStruct((128, 128), jnp.float32),
      jax.ShapeDtypeStruct((4, 2), jnp.float32),
  )
  return kernel, arguments


def raise_site(error):
  """The innermost frame inside JAX."""
  site = ""
  packages = os.path.dirname(os.path.dirname(jax.__file__)) + os.sep
  for frame, line in traceback.walk_tb(error.__traceback__):
    code = frame.f_code
    if code.co_filename.startswith(packages + "jax" + os.sep):
      file = code.co_filename.removeprefix(packages)
      site = f"{file}:{line} {code.co_qualname}"
  return site


def ask():
  phase = "construct"
  try:
    kernel, arguments = construct()
    phase = "trace"
    traced = jax.jit(kernel).trace(*arguments)
    phase = "lower"
    traced.lower(lowering_platforms=("cuda",))
  except BaseException as error:
    return {
        "outcome": "raised",
        "class": type(error).__name__,
        "message": str(error),
        "phase": phase,
        "raise_site": raise_site(error),
    }
  return {"outcome": "accepted"}


if __name__ == "__main__":
  jax.config.update("jax_traceback_filtering", "off")
  with contextlib.redirect_stdout(sys.stderr):  # print_layout prints
    answer = ask()
  print(json.dumps(answer))
