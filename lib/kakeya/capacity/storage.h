// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kakeya/capacity/cache_bytes.h"
#include "kakeya/capacity/decoder.h"
#include "kakeya/core/kv.h"
#include "kakeya/report/document.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// What is asked of every model.
struct StorageQuestion {
  std::vector<std::string> codecs;  ///< specs
  std::vector<std::size_t> tokens;  ///< lengths
  CachePolicy policy;               ///< `layers` is taken from each model
  OpenPage open_page = OpenPage::mean;
  bool every_codec = false;  ///< one that a model cannot have is an error, not left out

  /// What stays bf16, in words; empty: nothing.
  std::string policy_text() const;
};

/// Codecs that nobody asked for by name: what engines have today, and ours.
std::vector<std::string> usual_cache_codecs();

/// One codec over the layers of one kind, or all of them, at one length.
struct StorageCell {
  std::string codec;  ///< canonical
  std::string kind;   ///< of CacheStream; "all" for the whole cache
  int layers = 0;
  std::size_t tokens = 0;
  CacheBytes bytes;
};

/// A model and what was left out of it.
struct ModelStorage {
  Decoder decoder;
  std::vector<StorageCell> cells;     ///< by codec, kind, length
  std::vector<std::string> left_out;  ///< "SPEC: why", codecs that cannot code its vectors
};

/// Throws as CodecOfCache where question.every_codec, InputError where the policy leaves no layer.
ModelStorage storage_of(Decoder decoder, const StorageQuestion& question);

/// " The model was made for 8,192 tokens: 32k is arithmetic.": those of `lengths` that are beyond its
/// context; empty where none is.
std::string beyond_context(const Decoder& decoder, std::span<const std::size_t> lengths);

/// A row a kind of layer: how many, what a token keeps there, bf16 bytes at every length.
Table cache_kinds_table(const ModelStorage& model, const StorageQuestion& question);

/// A row a codec and kind of layer: MiB and ratio at every length; in the CSV what they consist of.
Table cache_storage_table(const ModelStorage& model, const StorageQuestion& question);

/// report.md has the ratios of all models at the middle one of the lengths; details.md everything.
Document make_storage_report(std::span<const ModelStorage> models, const StorageQuestion& question,
                             const std::vector<Table>& more);

}  // namespace kakeya
