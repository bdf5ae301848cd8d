// SPDX-License-Identifier: Apache-2.0
#include "kakeya/plugin/plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <memory>

#include "kakeya/core/error.h"
#include "kakeya/plugin/plugin_codec.h"

namespace kakeya {
namespace {

constexpr std::size_t kMostCodecs = 256;

using Library = std::unique_ptr<void, int (*)(void*)>;

Library open_library(const std::string& path) {
  // With a folder before its name, so that it is this file and none that the system has of its name.
  const std::string file = std::filesystem::absolute(path).string();
  Library library(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), ::dlclose);
  if (library == nullptr) throw IoError(path + ": cannot be loaded: " + ::dlerror());
  return library;
}

std::vector<ForeignDescriptor> codecs_of(const Library& library) {
  const auto plugin =
      reinterpret_cast<decltype(&kakeya_plugin)>(::dlsym(library.get(), "kakeya_plugin"));
  if (plugin == nullptr) {
    throw SpecError("exports no kakeya_plugin(), expected a plugin (kakeya_plugin.h)");
  }
  std::vector<ForeignDescriptor> codecs;
  while (const kakeya_plugin_codec* table = plugin(codecs.size())) {
    if (codecs.size() == kMostCodecs) {
      throw SpecError("more than " + std::to_string(kMostCodecs) +
                      " codecs, expected NULL behind the last");
    }
    codecs.push_back(descriptor_of(*table));
  }
  if (codecs.empty()) throw SpecError("has no codec, expected at least one");
  return codecs;
}

}  // namespace

std::vector<std::string> load_plugin(const std::string& path) {
  Library library = open_library(path);
  try {
    std::vector<ForeignDescriptor> codecs = codecs_of(library);
    std::vector<std::string> names;
    for (const ForeignDescriptor& codec : codecs) names.push_back(codec.name);
    register_codecs(std::move(codecs));
    // It stays: its functions are those of the codecs.
    library.release();  // NOLINT(bugprone-unused-return-value): nobody unloads it
    return names;
  } catch (const SpecError& error) {
    throw SpecError(path + ": " + error.what());
  }
}

void register_plugin(const kakeya_plugin_codec& table) { register_codec(descriptor_of(table)); }

}  // namespace kakeya
