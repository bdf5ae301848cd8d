// SPDX-License-Identifier: Apache-2.0
#include "fuzz/targets.h"

#include <iterator>
#include <stdexcept>

#include "fuzz/cache_seeds.h"
#include "fuzz/cache_target.h"
#include "fuzz/decoding.h"
#include "fuzz/frame_target.h"
#include "fuzz/page_target.h"
#include "fuzz/profile_target.h"
#include "fuzz/recipe.h"
#include "fuzz/seed_vectors.h"
#include "fuzz/sequence_target.h"
#include "fuzz/specs.h"

namespace kakeya::fuzz {
namespace {

bool run_codec(const Family& family, Input input) {
  if (input.size() < kRecipeHeader) return false;
  const Dish dish = assemble(family, input);
  return decode_checked(*dish.codec, dish.frame);
}

// Every spec with vectors of every kind; dim and number of vectors differ from one to the next.
Inputs codec_seeds(const Family& family) {
  Inputs seeds;
  std::size_t number = 0;
  for (std::size_t spec = 0; spec < family.cases.size(); ++spec) {
    for (const SeedKind kind : kSeedKinds) {
      const std::size_t place = (spec + number) % std::size(family.cases[spec].dims);
      const std::size_t vectors = (5 * number + 3) % std::size(kVectorCounts);
      ++number;
      const auto frame = seed_frame(codec_of(family.cases[spec], place), kind,
                                    family.cases[spec].more + kVectorCounts[vectors]);
      auto recipe = recipe_of(family, spec, place, vectors, frame);
      if (!recipe.empty()) seeds.push_back(std::move(recipe));
    }
  }
  return seeds;
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> list{{"frame", run_frame, frame_seeds}, {"page", run_page, page_seeds}};
    for (const Family& family : families()) {
      list.push_back({std::string(family.name),
                      [&family](Input input) { return run_codec(family, input); },
                      [&family] { return codec_seeds(family); }});
    }
    list.push_back({"cache", run_cache, cache_seeds});
    list.push_back({"profile", run_profile, profile_seeds});
    list.push_back({"sequence", run_sequence, sequence_seeds});
    return list;
  }();
  return all;
}

const Target& target_named(std::string_view name) {
  for (const Target& target : targets()) {
    if (target.name == name) return target;
  }
  throw std::out_of_range("no fuzz target is named " + std::string(name));
}

}  // namespace kakeya::fuzz
