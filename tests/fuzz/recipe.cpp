// SPDX-License-Identifier: Apache-2.0
#include "fuzz/recipe.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <tuple>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/key_bias.h"
#include "kakeya/codecs/klt/chain_seeds.h"

namespace kakeya::fuzz {
namespace {

constexpr std::size_t kValuesAByte = 32;  // of a paged frame, at most
constexpr std::size_t kMostRecords = 32;

// The sections of a frame of `vectors` and the lengths that fit: those of zero vectors, with the
// optional ones of vectors so small that all have windows.
struct Layout {
  std::vector<std::string> names;
  std::vector<std::size_t> plain, full;
};

std::vector<std::byte> encode(const Codec& codec, std::span<const float> x) {
  std::vector<std::byte> frame(codec.encoded_bound(x.size() / codec.dim()));
  frame.resize(codec.encode(dense_rows(x.data(), x.size() / codec.dim(), codec.dim()), frame));
  return frame;
}

const Layout& layout_of(const Codec& codec, std::size_t vectors) {
  static std::map<std::pair<const Codec*, std::size_t>, Layout> kept;
  Layout& layout = kept[{&codec, vectors}];
  if (!layout.names.empty()) return layout;
  std::vector<float> x(vectors * codec.dim());
  const auto zeros = encode(codec, x);
  for (const FrameSection& section : parse_frame(zeros).sections) {
    layout.names.push_back(section.name);
    layout.plain.push_back(section.bytes.size());
  }
  // Far from 1, so that they need windows: less a bias, small ones would not be small.
  const float size = centres_on_bias(codec.spec()) ? 1e30f : 1e-30f;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = size * static_cast<float>(1 + i % 7);
  const auto far = encode(codec, x);
  for (const FrameSection& section : parse_frame(far).sections) {
    layout.full.push_back(section.bytes.size());
  }
  return layout;
}

std::size_t record_bytes(const Codec& codec, std::string_view section) {
  if (section == "exact") return 4 + (codec.spec().starts_with("klt") ? 2 : 4) * codec.dim();
  return codec.spec().starts_with("d4") ? 8 + 2 * 4 : 8 + 2 * 8;  // "escapes"
}

// The sections of DEFLATE streams: of kvtc two, whose lengths alternate in "pages".
std::vector<std::string_view> streams_of(const Codec& codec) {
  if (codec.spec().starts_with("kvtc")) return {"scales", "indices"};
  return {"streams"};
}

bool counts_records(std::string_view section) { return section == "exact" || section == "escapes"; }

std::uint8_t flag_of(std::string_view section) {
  return section == "windows" ? kWindows : (section == "owindows" ? kOutlierWindows : 0);
}

std::size_t place_of(const Layout& layout, std::string_view name) {
  return static_cast<std::size_t>(std::find(layout.names.begin(), layout.names.end(), name) -
                                  layout.names.begin());
}

// What the lengths number `first`, `first` + `step`, ... of "pages" add up to.
std::size_t sum_of(std::span<const std::uint8_t> pages, std::size_t first, std::size_t step) {
  std::size_t sum = 0;
  for (std::size_t at = 4 * first; at + 4 <= pages.size(); at += 4 * step) {
    std::uint32_t bytes;
    std::memcpy(&bytes, pages.data() + at, 4);
    sum += bytes;
  }
  return sum;
}

// The bytes of section `name` that a recipe gives, and those behind it, where all sections before it are as long as said.
std::span<const std::uint8_t> bytes_from(std::span<const std::uint8_t> recipe, const Layout& layout,
                                         std::string_view name,
                                         std::span<const std::size_t> lengths) {
  const std::size_t place = place_of(layout, name);
  std::size_t at = kRecipeHeader;
  for (std::size_t i = 0; i < place; ++i) at += lengths[i];
  if (place >= lengths.size() || at > recipe.size()) return {};
  return recipe.subspan(at);
}

// As long as the counts of directions say that stand at its beginning, of the two layers of codecs here or, with group=2, of both.
std::size_t seeds_length(const Codec& codec, std::span<const std::uint8_t> seeds) {
  const std::size_t groups = codec.spec().find("group=2") == std::string::npos ? 2 : 1;
  std::size_t length = 2 * groups;
  for (std::size_t at = 0; at < 2 * groups && seeds.size() >= 2 * groups; at += 2) {
    length += seed_bytes(seeds[at] + 256u * seeds[at + 1], codec.dim() / groups);
  }
  return std::min(length, std::max(seeds.size(), 2 * groups));
}

std::vector<std::size_t> lengths_of(const Codec& codec, const Layout& layout, std::size_t vectors,
                                    std::span<const std::uint8_t> recipe) {
  const std::uint8_t flags = recipe[5];
  std::vector<std::size_t> lengths = layout.plain;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::string_view name = layout.names[i];
    if (flag_of(name) != 0) lengths[i] = (flags & flag_of(name)) != 0 ? layout.full[i] : 0;
    if (counts_records(name)) lengths[i] = recipe[6] % kMostRecords * record_bytes(codec, name);
  }
  const std::size_t seeds = place_of(layout, "seeds");
  if (seeds < lengths.size()) {
    lengths[seeds] = seeds_length(codec, bytes_from(recipe, layout, "seeds", lengths));
  }
  // All streams together have that many bytes; all but the last section what its pages ask for.
  std::size_t left = std::min<std::size_t>(recipe[7] + 256u * recipe[8], recipe.size());
  const std::vector<std::string_view> streams = streams_of(codec);
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const std::size_t place = place_of(layout, streams[s]);
    if (place == lengths.size()) continue;
    const auto behind = bytes_from(recipe, layout, "pages", lengths);
    const std::size_t most = behind.empty() ? 0 : lengths[place_of(layout, "pages")];
    const auto pages = behind.first(std::min(most, behind.size()));
    const std::size_t asked = sum_of(pages, s, streams.size());
    lengths[place] = s + 1 == streams.size() ? left : std::min(left, asked);
    left -= lengths[place];
  }
  if (recipe[3] != 0) {
    std::size_t& length = lengths[(recipe[3] - 1u) % lengths.size()];
    const int by = static_cast<std::int8_t>(recipe[4]);
    length = by < 0 ? length - std::min(length, static_cast<std::size_t>(-by))
                    : length + static_cast<std::size_t>(by);
  }
  const std::size_t padding = place_of(layout, "padding");
  if (padding < lengths.size() && (flags & kLooseEnds) == 0) {
    std::size_t others = 0;
    for (const std::size_t length : lengths) others += length;
    others -= lengths[padding];
    const std::size_t least = (vectors * codec.dim() + kValuesAByte - 1) / kValuesAByte;
    lengths[padding] = least > others ? least - others : 0;
  }
  return lengths;
}

// Makes the page lengths number `first`, `first` + `step`, ..., u32 each, add up to `total`.
void fit_pages(std::span<std::byte> pages, std::size_t first, std::size_t step, std::size_t total) {
  for (std::size_t at = 4 * first; at + 4 <= pages.size(); at += 4 * step) {
    std::uint32_t bytes;
    std::memcpy(&bytes, pages.data() + at, 4);
    const bool last = at + 4 * step + 4 > pages.size();
    const auto fitting =
        static_cast<std::uint32_t>(last ? total : std::min<std::size_t>(bytes, total));
    std::memcpy(pages.data() + at, &fitting, 4);
    total -= fitting;
  }
}

void seal(std::span<std::byte> frame) {
  const std::uint32_t crc = crc32c(frame.first(frame.size() - 4));
  std::memcpy(frame.data() + frame.size() - 4, &crc, 4);
}

}  // namespace

Dish assemble(const Family& family, std::span<const std::uint8_t> recipe) {
  const SpecCase& which = family.cases[recipe[0] % family.cases.size()];
  const std::size_t vectors = which.more + kVectorCounts[recipe[2] % std::size(kVectorCounts)];
  Dish dish;
  dish.codec = &codec_of(which, recipe[1] % std::size(which.dims));
  const std::string spec = dish.codec->spec();
  const Layout& layout = layout_of(*dish.codec, vectors);
  const auto lengths = lengths_of(*dish.codec, layout, vectors, recipe);
  const std::vector<std::string_view> names(layout.names.begin(), layout.names.end());
  std::size_t frame_bytes = frame_overhead(spec.size(), names.size());
  for (const std::size_t length : lengths) frame_bytes += length;
  dish.frame.resize(frame_bytes);
  FrameWriter writer(dish.frame, spec, dish.codec->dim(), vectors, names);
  auto left = recipe.subspan(kRecipeHeader);
  std::span<std::byte> pages;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const auto section = writer.section(lengths[i]);
    const std::size_t given = std::min(section.size(), left.size());
    std::memcpy(section.data(), left.data(), given);
    left = left.subspan(given);
    if (names[i] == "pages") pages = section;
  }
  if ((recipe[5] & kLooseEnds) == 0 && !pages.empty()) {
    const std::vector<std::string_view> streams = streams_of(*dish.codec);
    for (std::size_t s = 0; s < streams.size(); ++s) {
      fit_pages(pages, s, streams.size(), lengths[place_of(layout, streams[s])]);
    }
  }
  writer.finish();
  if ((recipe[5] & kHugeCount) != 0) {
    constexpr std::size_t kCountAt = 16;
    const std::uint64_t count = vectors + (std::uint64_t{1} << 40);
    std::memcpy(dish.frame.data() + kCountAt, &count, 8);
    seal(dish.frame);
  }
  return dish;
}

std::vector<std::uint8_t> recipe_of(const Family& family, std::size_t spec, std::size_t place,
                                    std::size_t vectors, std::span<const std::byte> frame) {
  const Codec& codec = codec_of(family.cases[spec], place);
  std::vector<std::uint8_t> recipe(kRecipeHeader);
  recipe[0] = static_cast<std::uint8_t>(spec);
  recipe[1] = static_cast<std::uint8_t>(place);
  recipe[2] = static_cast<std::uint8_t>(vectors);
  const std::vector<std::string_view> streams = streams_of(codec);
  std::size_t stream_bytes = 0;
  for (const FrameSection& section : parse_frame(frame).sections) {
    const std::size_t bytes = section.bytes.size();
    if (bytes != 0) recipe[5] |= flag_of(section.name);
    if (counts_records(section.name)) {
      const std::size_t records = bytes / record_bytes(codec, section.name);
      if (records >= kMostRecords) return {};
      recipe[6] = static_cast<std::uint8_t>(records);
    }
    if (std::find(streams.begin(), streams.end(), section.name) != streams.end()) {
      stream_bytes += bytes;
      if (stream_bytes > 65535) return {};
      recipe[7] = static_cast<std::uint8_t>(stream_bytes);
      recipe[8] = static_cast<std::uint8_t>(stream_bytes >> 8);
    }
    if (section.name == "padding") continue;  // zeros, as many as are needed
    const auto* first = reinterpret_cast<const std::uint8_t*>(section.bytes.data());
    recipe.insert(recipe.end(), first, first + bytes);
  }
  return recipe;
}

}  // namespace kakeya::fuzz
