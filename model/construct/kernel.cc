#include "model/construct/kernel.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "model/python.h"

namespace pallasite {
namespace {

constexpr std::string_view kArea = "mesh/grid/kernel-params";
constexpr std::string_view kSource = "core.py Mesh.__post_init__";
constexpr int64_t kMaxThreads = 16;  // warpgroups a block may have

constexpr Rule<CompilerParams> kParamsRules[] = {
    {.doc = {.id = "construct.compiler-params.profile-pair",
             .area = "profiler/debug",
             .wordings = {{.pattern = "Either both profile_space and "
                                      "profile_dir must be set, or neither."}},
             .why = "A profile needs room for its events and a place to be "
                    "written to.",
             .fix = "Set both profile_space and profile_dir, or neither.",
             .source = "core.py CompilerParams.__post_init__"},
     .violated =
         [](const CompilerParams& params) {
           const bool space = params.profile_space.value_or(0) != 0;
           const bool directory = !params.profile_dir.value_or("").empty();
           return BrokenIf(space != directory);
         }},
};

std::string MeshRepr(const KernelSpec& kernel) {
  const ThreadAxis& threads = kernel.threads;
  return absl::StrFormat(
      "Mesh(grid=%s, grid_names=%s, cluster=%s, cluster_names=%s, "
      "num_threads=%s, thread_name=%s, kernel_name=None)",
      PyTuple(kernel.grid.sizes), PyTuple(kernel.grid.names),
      PyTuple(kernel.cluster.sizes), PyTuple(kernel.cluster.names),
      threads.count ? PyInt(*threads.count) : "None",
      threads.name ? PyStr(*threads.name) : "None");
}

Finding BrokenMeshIf(bool broken, const KernelSpec& kernel) {
  if (!broken) return Holds();
  return Broken({{"mesh", MeshRepr(kernel)}});
}

constexpr Rule<KernelSpec> kMeshRules[] = {
    {.doc = {.id = "construct.mesh.cluster-rank",
             .area = kArea,
             .wordings = {{.pattern =
                               "cluster= must be at most 3D, got {mesh}."}},
             .why = "CUDA clusters have three dimensions.",
             .fix = "Fold the cluster axes into three or fewer.",
             .source = kSource},
     .violated =
         [](const KernelSpec& kernel) {
           return BrokenMeshIf(kernel.cluster.sizes.size() > 3, kernel);
         }},
    {.doc = {.id = "construct.mesh.grid-names",
             .area = kArea,
             .wordings = {{.pattern = "grid_names must have the same length as "
                                      "grid, got {mesh}."}},
             .why = "Every grid axis is known by its name inside the kernel.",
             .fix = "Name every grid axis exactly once.",
             .source = kSource},
     .violated =
         [](const KernelSpec& kernel) {
           return BrokenMeshIf(
               kernel.grid.sizes.size() != kernel.grid.names.size(), kernel);
         }},
    {.doc = {.id = "construct.mesh.cluster-names",
             .area = kArea,
             .wordings = {{.pattern =
                               "cluster_names must have the same length as "
                               "cluster, got {mesh}."}},
             .why =
                 "Every cluster axis is known by its name inside the kernel.",
             .fix = "Name every cluster axis exactly once.",
             .source = kSource},
     .violated =
         [](const KernelSpec& kernel) {
           return BrokenMeshIf(
               kernel.cluster.sizes.size() != kernel.cluster.names.size(),
               kernel);
         }},
    {.doc = {.id = "construct.mesh.thread-pair",
             .area = kArea,
             .wordings = {{.pattern = "num_threads and thread_name must be "
                                      "either both set or both None, got "
                                      "{mesh}"}},
             .why = "The thread axis has a size and a name, like any other.",
             .fix = "Set both num_threads and thread_name, or neither.",
             .source = kSource},
     .violated =
         [](const KernelSpec& kernel) {
           const ThreadAxis& threads = kernel.threads;
           return BrokenMeshIf(
               threads.count.has_value() != threads.name.has_value(), kernel);
         }},
    {.doc = {.id = "construct.mesh.too-many-threads",
             .area = kArea,
             .wordings =
                 {{.pattern = "Requested too many CUDA threads per block. Each "
                              "Mosaic thread corresponds to 128 CUDA threads. "
                              "At most 16 are supported, got {mesh}"}},
             .why =
                 "A Pallas thread is a warpgroup of 128 CUDA threads, and JAX "
                 "allows 2048 CUDA threads a block.",
             .fix = "Use 16 threads or fewer.",
             .source = kSource},
     .violated =
         [](const KernelSpec& kernel) {
           return BrokenMeshIf(kernel.threads.count.value_or(0) > kMaxThreads,
                               kernel);
         }},
};

}  // namespace

bool CheckCompilerParams(const CompilerParams& params, const Location& at,
                         Checker& checker) {
  return checker.Check(kParamsRules, params, at);
}

bool CheckKernelMesh(const KernelSpec& kernel, const Location& at,
                     Checker& checker) {
  return checker.Check(kMeshRules, kernel, at);
}

void AppendKernelRules(RuleList& rules) {
  AppendDocs(kParamsRules, Stage::kConstructKernel, rules);
  AppendDocs(kMeshRules, Stage::kConstructKernel, rules);
}

}  // namespace pallasite
