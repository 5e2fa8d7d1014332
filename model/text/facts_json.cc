#include "model/text/facts_json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pallasite {
namespace {

struct Field {
  std::string_view key;
  int64_t Facts::*value;
};
constexpr Field kFields[] = {
    {"smem_bytes", &Facts::smem_bytes},
    {"tmem_columns", &Facts::tmem_columns},
    {"tmem_collective_columns", &Facts::tmem_collective_columns},
    {"barrier_allocations", &Facts::barrier_allocations},
    {"barriers", &Facts::barriers},
};

constexpr ObjectKeys kFactsKeys = {
    .name = "facts",
    .fields = {"smem_bytes", "tmem_columns", "tmem_collective_columns",
               "barrier_allocations", "barriers", "union_members"}};
constexpr ObjectKeys kMemberKeys = {.name = "union_member",
                                    .fields = {"path", "group", "offset"}};

}  // namespace

void EmitFacts(const Facts& facts, JsonEmitter& out) {
  out.Open('{');
  for (const Field& field : kFields) {
    out.Member(field.key, facts.*field.value);
  }
  if (!facts.union_members.empty()) {
    out.Key("union_members");
    out.Open('[');
    for (const UnionMember& member : facts.union_members) {
      out.Open('{');
      out.Member("path", member.path);
      out.Member("group", member.group);
      out.Member("offset", member.offset);
      out.Close();
    }
    out.Close();
  }
  out.Close();
}

bool DecodeFacts(const JsonValue& value, const Location& at, Decoder& decoder,
                 Facts& out) {
  if (!decoder.Object(value, at, kFactsKeys)) return false;
  const auto integer = decoder.Via(&Decoder::Int);
  for (const Field& field : kFields) {
    if (!decoder.Required(value, at, field.key, out.*field.value, integer)) {
      return false;
    }
  }
  const auto member = [&](const JsonValue& v, const Location& l,
                          UnionMember& m) {
    return decoder.Object(v, l, kMemberKeys) &&
           decoder.Required(v, l, "path", m.path,
                            decoder.Via(&Decoder::String)) &&
           decoder.Required(v, l, "group", m.group, integer) &&
           decoder.Required(v, l, "offset", m.offset, integer);
  };
  const auto members = [&](const JsonValue& v, const Location& l,
                           std::vector<UnionMember>& list) {
    return decoder.List(v, l, "a list of union members", list, member);
  };
  return decoder.Member(value, at, "union_members", out.union_members, members);
}

std::string FactsToJson(const Facts& facts) {
  JsonEmitter out;
  EmitFacts(facts, out);
  return std::move(out).Take();
}

absl::StatusOr<Facts> FactsFromJson(std::string_view json) {
  const absl::StatusOr<JsonValue> value = ParseJson(json);
  if (!value.ok()) return value.status();
  Decoder decoder;
  Facts facts;
  if (!DecodeFacts(*value, Location(), decoder, facts)) return decoder.status();
  return facts;
}

}  // namespace pallasite
