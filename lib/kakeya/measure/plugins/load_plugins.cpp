// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/plugins/load_plugins.h"

#include <algorithm>
#include <mutex>

#include "kakeya/codec/descriptor.h"
#include "kakeya/host/hosted_codec.h"
#include "kakeya/plugin/plugin.h"
#include "kakeya/store/digest.h"

namespace kakeya {
namespace {

std::string rate_key_of(const std::string& name) {
  for (const CodecKey& key : find_descriptor(name)->keys) {
    if (key.rate) return std::string(key.name);
  }
  return {};
}

}  // namespace

std::vector<PluginRecord> load_plugins(std::span<const std::string> files) {
  static std::mutex mutex;
  static std::vector<PluginRecord> loaded;
  const std::scoped_lock lock(mutex);
  std::vector<PluginRecord> records;
  for (const std::string& file : files) {
    const Source source = source_of(file);
    const auto is_this = [&](const PluginRecord& each) { return each.sha256 == source.sha256; };
    if (std::ranges::find_if(records, is_this) != records.end()) continue;
    auto known = std::ranges::find_if(loaded, is_this);
    if (known == loaded.end()) {
      PluginRecord record{source.name, source.sha256, {}};
      const bool python = file.ends_with(".py");
      for (std::string& name : python ? register_hosted_codecs(file) : load_plugin(file)) {
        std::string rate = rate_key_of(name);
        record.codecs.push_back({std::move(name), std::move(rate)});
      }
      loaded.push_back(std::move(record));
      known = loaded.end() - 1;
    }
    records.push_back(*known);
  }
  return records;
}

}  // namespace kakeya
