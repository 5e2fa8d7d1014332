#ifndef PALLASITE_MODEL_TEXT_RELEASE_H_
#define PALLASITE_MODEL_TEXT_RELEASE_H_

#include <string>

#include "model/config/kernel_config.h"

namespace pallasite {

// "0.11.2", or "0.12.0.1" with a post release.
std::string FormatRelease(const Release& release);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_RELEASE_H_
