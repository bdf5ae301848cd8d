// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/json_pipeline.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using nlohmann::json;

std::string type_of(const json& part) { return part.at("type").get<std::string>(); }

[[noreturn]] void throw_unknown(const char* kind, const std::string& name, const char* known) {
  throw InputError(std::string(kind) + " " + name + ": expected " + known);
}

// The option `key`, or what Hugging Face tokenizers take where a file leaves it out.
bool flag(const json& part, const char* key, bool absent) {
  const auto found = part.find(key);
  return found == part.end() ? absent : found->get<bool>();
}

SplitBehavior behavior_of(const json& part) {
  const auto name = part.at("behavior").get<std::string>();
  if (name == "Isolated") return SplitBehavior::isolated;
  if (name == "Removed") return SplitBehavior::removed;
  if (name == "MergedWithPrevious") return SplitBehavior::merged_with_previous;
  if (name == "MergedWithNext") return SplitBehavior::merged_with_next;
  if (name == "Contiguous") return SplitBehavior::contiguous;
  throw_unknown("split behavior", name,
                "Isolated, Removed, MergedWithPrevious, MergedWithNext or Contiguous");
}

PrependScheme prepend_of(const json& part) {
  const auto scheme = part.find("prepend_scheme");
  if (scheme == part.end()) {
    return flag(part, "add_prefix_space", true) ? PrependScheme::always : PrependScheme::never;
  }
  const auto name = scheme->get<std::string>();
  if (name == "first") return PrependScheme::first;
  if (name == "always") return PrependScheme::always;
  if (name == "never") return PrependScheme::never;
  throw_unknown("prepend scheme", name, "first, always or never");
}

std::string literal_of(const char* kind, const json& part) {
  const json& pattern = part.at("pattern");
  if (!pattern.contains("String")) throw_unknown(kind, "with a Regex pattern", "a String");
  return pattern.at("String").get<std::string>();
}

std::unique_ptr<PreTokenizer> split_of(const json& part) {
  const json& pattern = part.at("pattern");
  const bool invert = flag(part, "invert", false);
  if (pattern.contains("Regex")) {
    return make_regex_split(pattern.at("Regex").get<std::string>(), behavior_of(part), invert);
  }
  return make_literal_split(literal_of("Split", part), behavior_of(part), invert);
}

void add_pre_tokenizer(const json& part, std::vector<std::unique_ptr<PreTokenizer>>& steps,
                       PreTokenizerPart& whole) {
  const std::string type = type_of(part);
  if (type == "Sequence") {
    for (const json& step : part.at("pretokenizers")) add_pre_tokenizer(step, steps, whole);
    return;
  }
  if (whole.byte_level) {
    throw InputError("pre-tokenizer " + type + " after ByteLevel: expected ByteLevel as the last");
  }
  whole.description += (whole.description.empty() ? "" : "+") + type;
  if (type == "ByteLevel") {
    if (flag(part, "add_prefix_space", true)) steps.push_back(make_prefix_space());
    if (flag(part, "use_regex", true)) {
      steps.push_back(make_regex_split(kGpt2Pattern, SplitBehavior::isolated));
    }
    whole.byte_level = true;
  } else if (type == "Digits") {
    steps.push_back(make_digit_split(flag(part, "individual_digits", false)));
  } else if (type == "Split") {
    steps.push_back(split_of(part));
  } else if (type == "Metaspace") {
    steps.push_back(make_metaspace(part.at("replacement").get<std::string>(), prepend_of(part),
                                   flag(part, "split", true)));
  } else {
    throw_unknown("pre-tokenizer", type, "Sequence, Split, Digits, ByteLevel or Metaspace");
  }
}

// Ids of the special token that a template names.
std::vector<std::int32_t> template_ids(const json& part, const json& piece) {
  const auto name = piece.at("SpecialToken").at("id").get<std::string>();
  std::vector<std::int32_t> ids;
  for (const json& id : part.at("special_tokens").at(name).at("ids")) {
    ids.push_back(token_id_of(id));
  }
  return ids;
}

Surroundings template_of(const json& part) {
  Surroundings around;
  bool text_seen = false;
  for (const json& piece : part.at("single")) {
    if (piece.contains("Sequence")) {
      if (std::exchange(text_seen, true)) {
        throw InputError("post-processor TemplateProcessing names the text twice, once expected");
      }
      continue;
    }
    const std::vector<std::int32_t> ids = template_ids(part, piece);
    auto& side = text_seen ? around.after : around.before;
    side.insert(side.end(), ids.begin(), ids.end());
  }
  if (!text_seen) throw InputError("post-processor TemplateProcessing without the text itself");
  return around;
}

}  // namespace

std::int32_t token_id_of(const json& value) {
  const bool fits =
      value.is_number_unsigned()
          ? std::in_range<std::int32_t>(value.get<std::uint64_t>())
          : value.is_number_integer() && std::in_range<std::int32_t>(value.get<std::int64_t>());
  if (!fits) throw CorruptStream("token id " + value.dump() + ": a whole number expected");
  return value.get<std::int32_t>();
}

std::unique_ptr<Normalizer> normalizer_of(const json& part) {
  if (part.is_null()) return nullptr;
  const std::string type = type_of(part);
  if (type == "Sequence") {
    std::vector<std::unique_ptr<Normalizer>> steps;
    for (const json& step : part.at("normalizers")) steps.push_back(normalizer_of(step));
    return make_normalizer_sequence(std::move(steps));
  }
  if (type == "NFC" || type == "NFD" || type == "NFKC" || type == "NFKD") {
    return make_unicode_normalizer(type);
  }
  if (type == "Prepend") return make_prepend_normalizer(part.at("prepend").get<std::string>());
  if (type == "Replace") {
    return make_replace_normalizer(literal_of("normalizer Replace", part),
                                   part.at("content").get<std::string>());
  }
  throw_unknown("normalizer", type, "Sequence, NFC, NFD, NFKC, NFKD, Prepend or Replace");
}

PreTokenizerPart pre_tokenizer_of(const json& part) {
  PreTokenizerPart whole;
  if (part.is_null()) return whole;
  std::vector<std::unique_ptr<PreTokenizer>> steps;
  add_pre_tokenizer(part, steps, whole);
  whole.pre_tokenizer = make_pre_tokenizer_sequence(std::move(steps));
  return whole;
}

std::unique_ptr<TokenDecoder> decoder_of(const json& part) {
  if (part.is_null()) return make_spacing_decoder();
  const std::string type = type_of(part);
  if (type == "Sequence") {
    std::vector<std::unique_ptr<TokenDecoder>> steps;
    for (const json& step : part.at("decoders")) steps.push_back(decoder_of(step));
    return make_decoder_sequence(std::move(steps));
  }
  if (type == "ByteLevel") return make_byte_level_decoder();
  if (type == "ByteFallback") return make_byte_fallback_decoder();
  if (type == "Fuse") return make_fuse_decoder();
  if (type == "Replace") {
    return make_replace_decoder(literal_of("decoder Replace", part),
                                part.at("content").get<std::string>());
  }
  if (type == "Strip") {
    return make_strip_decoder(part.at("content").get<std::string>(),
                              part.at("start").get<std::size_t>(),
                              part.at("stop").get<std::size_t>());
  }
  if (type == "Metaspace") {
    return make_metaspace_decoder(part.at("replacement").get<std::string>(),
                                  prepend_of(part) != PrependScheme::never);
  }
  throw_unknown("decoder", type,
                "Sequence, ByteLevel, ByteFallback, Fuse, Replace, Strip or Metaspace");
}

Surroundings surroundings_of(const json& part) {
  if (part.is_null()) return {};
  const std::string type = type_of(part);
  if (type == "ByteLevel") return {};  // moves offsets only
  if (type == "TemplateProcessing") return template_of(part);
  if (type == "Sequence") {
    Surroundings around;
    for (const json& step : part.at("processors")) {
      const Surroundings more = surroundings_of(step);
      around.before.insert(around.before.begin(), more.before.begin(), more.before.end());
      around.after.insert(around.after.end(), more.after.begin(), more.after.end());
    }
    return around;
  }
  throw_unknown("post-processor", type, "Sequence, ByteLevel or TemplateProcessing");
}

}  // namespace kakeya
