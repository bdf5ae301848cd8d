// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kakeya {

struct CellKey;

/// One of `count` parts of a sweep that are measured by processes of their own, in one folder.
///
/// Which part has a cell follows from what names the cell and `count`, and from nothing else: not the
/// other codecs, nor what is finished, nor the machine. It is (hash + passage) % count + 1, the hash being the
/// first eight bytes, the most significant first, of SHA-256 over "codec_k\ncodec_v\nmode". So the
/// passages of each codec, quick or slow, are dealt out in turn: their numbers differ by one at most.
struct Shard {
  int index = 1, count = 1;  ///< `index` from 1

  /// A sweep that is not divided.
  bool whole() const { return count == 1; }
  bool has(const CellKey& cell) const;

  /// The same of a control, whose name stands in the place of the codecs.
  bool has_control(const std::string& control, int passage) const;

  std::string text() const;  ///< "2/8"

  /// "samples.jsonl" where it is whole, else "samples.2-of-8.jsonl": `stem` and `ending` give the
  /// name of a file of this part.
  std::string file_name(std::string_view stem, std::string_view ending) const;

  bool operator==(const Shard&) const = default;
};

/// Of "2/8". Throws SpecError unless both are whole numbers, 1 <= I <= N <= 100000.
Shard parse_shard(const std::string& text);

/// Of the name that file_name() gives for a part of several; nothing where it is another name.
std::optional<Shard> shard_of_file(std::string_view name, std::string_view stem,
                                   std::string_view ending);

}  // namespace kakeya
