// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/shard.h"

#include <charconv>
#include <cstdint>
#include <span>

#include "kakeya/core/error.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/result_store.h"

namespace kakeya {
namespace {

constexpr int kMostShards = 100'000;

std::uint64_t hash_of(const std::string& text) {
  const std::string digest = sha256(std::as_bytes(std::span(text)));
  std::uint64_t hash = 0;
  std::from_chars(digest.data(), digest.data() + 16, hash, 16);
  return hash;
}

bool takes(const Shard& shard, const std::string& column, int passage) {
  if (shard.whole()) return true;
  const auto count = static_cast<std::uint64_t>(shard.count);
  const std::uint64_t place = hash_of(column) % count + static_cast<std::uint64_t>(passage);
  return place % count == static_cast<std::uint64_t>(shard.index - 1);
}

/// The whole number that `text` is, or nothing.
std::optional<int> number_of(std::string_view text) {
  int number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool plain = error == std::errc() && rest == text.data() + text.size() && number >= 1;
  return plain ? std::optional(number) : std::nullopt;
}

/// Of "2/8" or "2-of-8".
std::optional<Shard> parsed(std::string_view text, std::string_view between) {
  const std::size_t at = text.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const auto index = number_of(text.substr(0, at)),
             count = number_of(text.substr(at + between.size()));
  if (!index || !count || *index > *count || *count > kMostShards) return std::nullopt;
  return Shard{*index, *count};
}

}  // namespace

bool Shard::has(const CellKey& cell) const {
  return takes(*this, cell.codec_k + "\n" + cell.codec_v + "\n" + cell.mode, cell.passage);
}

bool Shard::has_control(const std::string& control, int passage) const {
  return takes(*this, control + "\n" + control + "\ncontrol", passage);
}

std::string Shard::text() const { return std::to_string(index) + "/" + std::to_string(count); }

std::string Shard::file_name(std::string_view stem, std::string_view ending) const {
  std::string name(stem);
  if (!whole())
    name.append(1, '.').append(std::to_string(index)).append("-of-").append(std::to_string(count));
  return name.append(ending);
}

Shard parse_shard(const std::string& text) {
  if (const auto shard = parsed(text, "/")) return *shard;
  throw SpecError("shard " + text + ": expected I/N, part I of N, as 1/8 to 8/8, N at most " +
                  std::to_string(kMostShards) + ", or slurm");
}

std::optional<Shard> shard_of_file(std::string_view name, std::string_view stem,
                                   std::string_view ending) {
  if (name.size() <= stem.size() + 1 + ending.size() || !name.starts_with(stem) ||
      !name.ends_with(ending) || name[stem.size()] != '.') {
    return std::nullopt;
  }
  name.remove_prefix(stem.size() + 1);
  name.remove_suffix(ending.size());
  const auto shard = parsed(name, "-of-");
  return shard && !shard->whole() ? shard : std::nullopt;
}

}  // namespace kakeya
