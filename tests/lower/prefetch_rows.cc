#include "tests/lower/prefetch_rows.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/errors/verdict.h"
#include "model/evaluate.h"
#include "model/text/json_reader.h"

namespace pallasite {
namespace {

absl::string_view Abseil(std::string_view text) {
  return {text.data(), text.size()};
}

// `, field` for a field that is there.
std::string Further(std::string_view fields) {
  return fields.empty() ? "" : absl::StrCat(", ", Abseil(fields));
}

std::string Describe(const Verdict& verdict) {
  return absl::StrCat(Abseil(Name(verdict.kind)), " ",
                      verdict.rule == nullptr ? "" : Abseil(verdict.rule->id),
                      " at ", verdict.location, ": ",
                      verdict.error ? verdict.error->message : "",
                      verdict.unmodelled);
}

void CheckBroken(const PrefetchRow& row, Phase phase, Lowering lowering) {
  const Verdict verdict =
      Evaluate(PrefetchConfig(row.broken, lowering), Target());
  ASSERT_NE(verdict.rule, nullptr) << Describe(verdict);
  EXPECT_EQ(verdict.rule->id, row.rule) << Describe(verdict);
  EXPECT_FALSE(verdict.location.empty());
  ASSERT_EQ(verdict.error.has_value(), row.raises.has_value())
      << Describe(verdict);
  if (!row.raises) {
    EXPECT_EQ(verdict.rule->defect, DefectKind::kAccepted);
    return;
  }
  const bool reworded =
      lowering == Lowering::kWarpgroup && !row.warpgroup_message.empty();
  const std::string_view message =
      reworded ? row.warpgroup_message : row.message;
  EXPECT_EQ(verdict.error->exception, *row.raises);
  EXPECT_EQ(verdict.error->phase, phase);
  EXPECT_TRUE(MessageMatches(verdict.error->message, message))
      << verdict.error->message << "\n  does not match\n"
      << message;
}

}  // namespace

KernelConfig PrefetchConfig(const PrefetchKernel& kernel, Lowering lowering) {
  const std::string op =
      absl::StrCat(R"({"async_prefetch": {"ref": )", Abseil(kernel.ref),
                   Further(kernel.op), "}}");
  const std::string body = !kernel.body.empty() ? std::string(kernel.body)
                           : kernel.warp
                               ? absl::StrCat(R"([{"warp_map": [)", op, "]}]")
                               : absl::StrCat("[", op, "]");
  const std::string outputs =
      kernel.around.find("\"outputs\"") != kernel.around.npos
          ? ""
          : R"("outputs": {"o": "f32[8,1,4]"}, )";
  const absl::StatusOr<KernelConfig> config = ReadConfig(
      absl::StrCat(R"({"pallasite": 1, "inputs": {"x": ")", Abseil(kernel.x),
                   "\"}, ", outputs, R"("kernel": {)", Abseil(kernel.kernel),
                   "}", Further(kernel.around), R"(, "body": )", body, "}"));
  EXPECT_TRUE(config.ok()) << config.status().message();
  if (!config.ok()) return {};
  KernelConfig result = *config;
  result.kernel.params.lowering = lowering;
  return result;
}

void CheckPrefetchRows(absl::Span<const PrefetchRow> rows, Phase phase,
                       Lowering lowering) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const PrefetchRow& row = rows[i];
    SCOPED_TRACE(absl::StrCat("row ", i, ", ", Abseil(row.rule)));
    CheckBroken(row, phase, lowering);
    const Verdict twin = Evaluate(PrefetchConfig(row.twin, lowering), Target());
    EXPECT_EQ(twin.kind, VerdictKind::kAccepted) << Describe(twin);
  }
}

}  // namespace pallasite
