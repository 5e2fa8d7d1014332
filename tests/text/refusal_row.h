#ifndef PALLASITE_TESTS_TEXT_REFUSAL_ROW_H_
#define PALLASITE_TESTS_TEXT_REFUSAL_ROW_H_

#include <ostream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "model/text/json_reader.h"

namespace pallasite {

// `text` holds one `@`. With `good` in its place it reads; with `bad` it is
// refused at `path`, for a reason that contains `phrase`.
struct RefusalRow {
  const char* name;
  const char* text;
  const char* good;
  const char* bad;
  const char* path;
  const char* phrase;
};

// What a failure prints.
inline void PrintTo(const RefusalRow& row, std::ostream* out) {
  *out << row.text << " with " << row.bad;
}

inline void ExpectRefusedOnlyWithBad(const RefusalRow& row,
                                     const std::string& before) {
  const auto with = [&](const char* what) {
    return absl::StrCat("{\"pallasite\": 1, ", before,
                        absl::StrReplaceAll(row.text, {{"@", what}}), "}");
  };
  const auto twin = ReadConfig(with(row.good));
  EXPECT_TRUE(twin.ok()) << twin.status();
  const auto refused = ReadConfig(with(row.bad));
  ASSERT_FALSE(refused.ok()) << with(row.bad);
  const std::string message(refused.status().message());
  EXPECT_TRUE(absl::StartsWith(message, absl::StrCat(row.path, ": ")))
      << message;
  EXPECT_TRUE(absl::StrContains(message, row.phrase)) << message;
}

inline std::string RowName(const testing::TestParamInfo<RefusalRow>& info) {
  return info.param.name;
}

}  // namespace pallasite

#endif  // PALLASITE_TESTS_TEXT_REFUSAL_ROW_H_
