#ifndef PALLASITE_MODEL_TEXT_JSON_WRITER_H_
#define PALLASITE_MODEL_TEXT_JSON_WRITER_H_

#include <string>

#include "model/config/kernel_config.h"
#include "model/text/json_emit.h"

namespace pallasite {

// The canonical text of a configuration: fixed key order, nothing that is empty
// or default, one top-level entry a line. No newline at the end. Reading it
// back gives the same configuration.
std::string WriteConfig(const KernelConfig& config);

// The same on one line, for JSON Lines and pipes.
std::string WriteConfigLine(const KernelConfig& config);

// The same as a value inside a larger document.
void EmitConfig(const KernelConfig& config, JsonEmitter::Layout layout,
                JsonEmitter& out);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_JSON_WRITER_H_
