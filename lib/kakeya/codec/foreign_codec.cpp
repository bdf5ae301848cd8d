// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/foreign_codec.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "kakeya/codec/foreign_frame.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr CodecSection kBooked[] = {
    {"site", Booked::header}, {"bytes", Booked::payload}, {"padding", Booked::padding}};

// What settings are called whose bits their author claims: no codec may look like one.
constexpr std::string_view kClaimed = "claimed";

[[noreturn]] void refuse(const ForeignDescriptor& codec, const std::string& reason) {
  throw SpecError("codec '" + codec.name + "': " + reason);
}

// Whether `text` is one word of a spec: its name, a key or a value.
bool is_word(const std::string& text) {
  const std::optional<Spec> spec = Spec::try_parse(text);
  return spec && spec->items().empty();
}

void check_keys(const ForeignDescriptor& codec) {
  for (const ForeignKey& key : codec.keys) {
    if (!is_word(key.name)) {
      refuse(codec, "key '" + key.name + "': expected letters, digits, '_', '.' or '-'");
    }
    if (!key.default_text.empty() && !is_word(key.default_text)) {
      refuse(codec, "key " + key.name + ": default '" + key.default_text +
                        "': expected letters, digits, '_', '.', '-' or '/'");
    }
    const auto named = [&](const ForeignKey& other) { return other.name == key.name; };
    if (std::count_if(codec.keys.begin(), codec.keys.end(), named) != 1) {
      refuse(codec, "key " + key.name + " is there twice");
    }
  }
  const auto rate = [](const ForeignKey& key) { return key.rate; };
  if (std::count_if(codec.keys.begin(), codec.keys.end(), rate) > 1) {
    refuse(codec, "two keys say the rate, expected at most one");
  }
}

void check_example(const ForeignDescriptor& codec) {
  const std::optional<Spec> example = Spec::try_parse(codec.example);
  if (!example || example->name() != codec.name) {
    refuse(codec, "example '" + codec.example + "': expected a spec of this name");
  }
  for (const ForeignKey& key : codec.keys) {
    if (key.default_text.empty() && example->find(key.name) == nullptr) {
      refuse(codec, "example '" + codec.example + "': expected one with key " + key.name +
                        ", which has no default");
    }
  }
}

}  // namespace

ForeignEntry::ForeignEntry(ForeignDescriptor given)
    : parts_(std::make_unique<Parts>(Parts{std::move(given), {}, {}})) {
  ForeignDescriptor& foreign = parts_->foreign;
  if (!is_word(foreign.name) || foreign.name.find('/') != std::string::npos) {
    refuse(foreign, "expected a name of letters, digits, '_', '.' or '-'");
  }
  if (foreign.name == kClaimed) {
    refuse(foreign, "names bits that nobody measured (--claim-bits), expected another");
  }
  if (!foreign.make) refuse(foreign, "no function that makes a coder");
  if (foreign.scope == VectorScope::token) {
    refuse(foreign, "vectors of whole tokens, expected scope any or head");
  }
  if (foreign.example.empty()) foreign.example = foreign.name;
  check_keys(foreign);
  check_example(foreign);
  for (const ForeignKey& key : foreign.keys) {
    CodecKey known{key.name, key.default_text, key.help};
    known.rate = key.rate;
    parts_->keys.insert(key.rate ? parts_->keys.begin() : parts_->keys.end(), known);
  }
  parts_->descriptor = {.name = foreign.name,
                        .summary = foreign.summary,
                        .example = foreign.example,
                        .keys = parts_->keys,
                        .sections = kBooked,
                        .source = {foreign.paper, Faithful::foreign},
                        .scope = foreign.scope,
                        .make = make_foreign,
                        .foreign = &foreign};
  if (foreign.scope == VectorScope::head) parts_->descriptor.read_place = read_foreign_place;
}

std::unique_ptr<Codec> make_foreign_codec(const ForeignDescriptor& descriptor,
                                          std::string_view spec, const CodecInput& input) {
  const ForeignEntry entry(descriptor);
  Spec parsed = Spec::parse(spec);
  if (parsed.name() != descriptor.name) {
    throw SpecError("codec '" + std::string(spec) + "': expected " + descriptor.name);
  }
  SpecArgs args(std::move(parsed), entry.descriptor());
  return make_foreign(args, input);
}

std::unique_ptr<ForeignCoder> make_foreign_coder(std::string_view spec, const CodecInput& input) {
  Spec parsed = Spec::parse(spec);
  const CodecDescriptor* known = find_descriptor(parsed);
  if (known == nullptr || known->foreign == nullptr) {
    throw SpecError("codec '" + std::string(spec) + "': expected one that was registered");
  }
  SpecArgs args(std::move(parsed), *known);
  return make_foreign_coder(args, input).coder;
}

FrameInfo frame_info_of(const Codec& codec, std::span<const std::byte> frame) {
  return summary_of(open_frame(codec, frame));
}

}  // namespace kakeya
