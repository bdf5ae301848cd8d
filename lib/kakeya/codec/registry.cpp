// SPDX-License-Identifier: Apache-2.0
// The descriptors of codecs that others registered, beside those that were built in.
#include <algorithm>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/foreign_codec.h"
#include "kakeya/codec/foreign_frame.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// Never destroyed: a descriptor may own what an interpreter or a library has already taken down.
struct Registry {
  std::shared_mutex mutex;
  std::deque<ForeignEntry> entries;  // addresses stay
};

Registry& registry() {
  static Registry& only = *new Registry;
  return only;
}

}  // namespace

std::vector<const CodecDescriptor*> known_codecs() {
  const auto builtin = builtin_codecs();
  std::vector<const CodecDescriptor*> all(builtin.begin(), builtin.end());
  Registry& known = registry();
  const std::shared_lock lock(known.mutex);
  for (const ForeignEntry& entry : known.entries) all.push_back(&entry.descriptor());
  return all;
}

const CodecDescriptor* find_descriptor(const Spec& spec) {
  const CodecDescriptor* plain = nullptr;
  for (const CodecDescriptor* codec : builtin_codecs()) {
    if (codec->name != spec.name()) continue;
    if (codec->selector.key.empty()) {
      plain = codec;
    } else if (spec.has(codec->selector.key, codec->selector.value)) {
      return codec;
    }
  }
  if (plain != nullptr) return plain;
  Registry& known = registry();
  const std::shared_lock lock(known.mutex);
  for (const ForeignEntry& entry : known.entries) {
    if (entry.descriptor().name == spec.name()) return &entry.descriptor();
  }
  return nullptr;
}

void register_codec(ForeignDescriptor descriptor) {
  std::vector<ForeignDescriptor> one;
  one.push_back(std::move(descriptor));
  register_codecs(std::move(one));
}

void register_codecs(std::vector<ForeignDescriptor> descriptors) {
  std::vector<ForeignEntry> entries;
  for (ForeignDescriptor& descriptor : descriptors) {
    entries.emplace_back(std::move(descriptor));  // checks it
    const std::string_view name = entries.back().descriptor().name;
    const auto builtin = builtin_codecs();
    const auto has_name = [&](const CodecDescriptor* codec) { return codec->name == name; };
    if (std::any_of(builtin.begin(), builtin.end(), has_name)) {
      throw SpecError("codec '" + std::string(name) +
                      "': the name of a codec of the library, expected another");
    }
  }
  Registry& known = registry();
  const std::unique_lock lock(known.mutex);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string_view name = entries[i].descriptor().name;
    const auto taken = [&](const ForeignEntry& other) { return other.descriptor().name == name; };
    const auto before = entries.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(known.entries.begin(), known.entries.end(), taken) ||
        std::any_of(entries.begin(), before, taken)) {
      throw SpecError("codec '" + std::string(name) +
                      "': registered already, expected another name");
    }
  }
  for (ForeignEntry& entry : entries) known.entries.push_back(std::move(entry));
}

std::vector<std::string> registered_codecs() {
  std::vector<std::string> names;
  Registry& known = registry();
  const std::shared_lock lock(known.mutex);
  for (const ForeignEntry& entry : known.entries) names.emplace_back(entry.descriptor().name);
  return names;
}

}  // namespace kakeya
