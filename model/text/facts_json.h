#ifndef PALLASITE_MODEL_TEXT_FACTS_JSON_H_
#define PALLASITE_MODEL_TEXT_FACTS_JSON_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/errors/verdict.h"
#include "model/text/json_decode.h"
#include "model/text/json_emit.h"

namespace pallasite {

// Facts on one line: every number, and the union members when there are any.
std::string FactsToJson(const Facts& facts);
// As strict as the configuration reader, with the same paths.
absl::StatusOr<Facts> FactsFromJson(std::string_view json);

// The same as a value inside a larger document.
void EmitFacts(const Facts& facts, JsonEmitter& out);
bool DecodeFacts(const JsonValue& value, const Location& at, Decoder& decoder,
                 Facts& out);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_TEXT_FACTS_JSON_H_
