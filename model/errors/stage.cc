#include "model/errors/stage.h"

namespace pallasite {
namespace {

struct StageInfo {
  std::string_view name;
  StageWalk walk;
};

constexpr StageInfo kStages[kStageCount] = {
    {"construct-scratch", StageWalk::kScratch},
    {"construct-kernel", StageWalk::kNothing},
    {"trace-scratch", StageWalk::kScratch},
    {"trace-body", StageWalk::kBody},
    {"lower-params", StageWalk::kNothing},
    {"estimate", StageWalk::kScratch},
    {"estimate-totals", StageWalk::kNothing},
    {"shared-memory", StageWalk::kNothing},
    {"barriers", StageWalk::kScratch},
    {"tensor-memory", StageWalk::kNothing},
    {"lower-scratch", StageWalk::kScratch},
    {"registers", StageWalk::kNothing},
    {"lower-body", StageWalk::kBody},
    {"verify-kernel", StageWalk::kNothing},
    // Ops outside of warp_map come before those inside.
    {"verify-body", StageWalk::kNothing},
    {"infer-body", StageWalk::kBody},
    {"infer-scratch", StageWalk::kScratch},
    {"lower-printed", StageWalk::kScratch},
    {"lower-dialect", StageWalk::kBody},
    {"finish-body", StageWalk::kBody},
};

const StageInfo& Info(Stage stage) {
  return kStages[static_cast<size_t>(stage)];
}

}  // namespace

std::string_view Name(Stage stage) { return Info(stage).name; }

StageWalk WalkOf(Stage stage) { return Info(stage).walk; }

}  // namespace pallasite
