// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/codec_list.h"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "kakeya/codec/descriptor.h"
#include "kakeya/core/json.h"

namespace kakeya {
namespace {

// An object of members whose values are JSON already.
std::string object(std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string json;
  for (const auto& [name, value] : members) {
    if (value.empty()) continue;
    json += (json.empty() ? "{" : ", ") + json_string(name) + ": " + value;
  }
  return json + "}";
}

template <typename Items, typename Write>
std::string array(const Items& items, const Write& write) {
  std::string json;
  for (const auto& item : items) json += (json.empty() ? "" : ", ") + write(item);
  return "[" + json + "]";
}

std::string_view kind_name(KeyKind kind) {
  constexpr std::string_view kNames[] = {"whole", "real", "choice", "text"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view faithful_name(Faithful faithful) {
  constexpr std::string_view kNames[] = {"own", "exact", "method", "idea", "foreign"};
  return kNames[static_cast<std::size_t>(faithful)];
}

// What a spec calls the codec: its name, with what tells it from another one of that name.
std::string list_name(const CodecDescriptor& codec) {
  if (codec.selector.key.empty()) return std::string(codec.name);
  return std::string(codec.name) + ":" + std::string(codec.selector.key) + "=" +
         std::string(codec.selector.value);
}

// Members that are empty are left out.
std::string key_json(const CodecKey& key) {
  const bool number = key.kind == KeyKind::whole || key.kind == KeyKind::real;
  const bool choice = key.kind == KeyKind::choice;
  return object({{"name", json_string(key.name)},
                 {"default", json_string(key.default_text)},
                 {"help", json_string(key.help)},
                 {"kind", json_string(kind_name(key.kind))},
                 {"lowest", number ? json_number(key.lowest) : ""},
                 {"highest", number ? json_number(key.highest) : ""},
                 {"options", choice ? array(key.options, json_string) : ""}});
}

std::string codec_json(const CodecDescriptor* codec) {
  const auto section_json = [](const CodecSection& section) { return json_string(section.name); };
  return object({{"name", json_string(list_name(*codec))},
                 {"summary", json_string(codec->summary)},
                 {"example", json_string(codec->example)},
                 {"calibrated", codec->calibrated() ? "true" : "false"},
                 {"keys", array(codec->keys, key_json)},
                 {"source", json_string(codec->source.paper)},
                 {"faithful", json_string(faithful_name(codec->source.faithful))},
                 {"differs", json_string(codec->source.differs)},
                 {"sections", array(codec->sections, section_json)}});
}

}  // namespace

std::string codec_list_json() { return array(known_codecs(), codec_json); }

}  // namespace kakeya
