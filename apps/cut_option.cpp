// SPDX-License-Identifier: Apache-2.0
#include "cut_option.h"

#include <algorithm>
#include <filesystem>

#include "kakeya/core/error.h"

namespace kakeya {

void add_cut_option(CLI::App& app, std::optional<std::string>& cut) {
  app.add_option(
         "--cut", cut,
         "How a text file is cut. tokens: a passage ends when it has its tokens; published: "
         "the published rule, at 1.3 tokens a word, and what then has too few is dropped "
         "[tokens]")
      ->type_name("RULE");
}

Cut parse_cut(const std::optional<std::string>& cut) { return cut ? parse_cut(*cut) : Cut::tokens; }

void refuse_useless_cut(const std::optional<std::string>& cut, std::span<const std::string> texts) {
  const auto is_folder = [](const std::string& text) {
    return std::filesystem::is_directory(text);
  };
  if (!cut || texts.empty() || !std::all_of(texts.begin(), texts.end(), is_folder)) return;
  throw SpecError("--cut " + *cut + ": not for a folder, of which each .txt file is a passage");
}

}  // namespace kakeya
