#ifndef PALLASITE_CLI_ERRORS_PAGE_H_
#define PALLASITE_CLI_ERRORS_PAGE_H_

#include <string>
#include <vector>

#include "cli/rule_record.h"

namespace pallasite::cli {

// docs/errors.md: every rule on one page, by phase and area.
std::string ErrorsPage(const std::vector<RuleRecord>& records);

}  // namespace pallasite::cli

#endif  // PALLASITE_CLI_ERRORS_PAGE_H_
