// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/capacity/card.h"
#include "kakeya/capacity/storage.h"
#include "kakeya/report/document.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// What is asked of every model on one card.
struct CapacityQuestion {
  StorageQuestion storage;
  double card = 0;  ///< bytes
  WeightFormat weights;
  double reserve = 0;                   ///< bytes that are neither weights nor cache
  std::vector<std::uint64_t> users;     ///< how long their sequences may be
  std::optional<double> profile_bytes;  ///< of codecs whose profile a config does not tell
};

/// One codec on the card.
struct CodecCapacity {
  std::string codec;  ///< canonical
  bool nominal = false;
  CardRoom room;
  std::vector<double> user_bytes;    ///< of a sequence, at each length asked for
  std::vector<std::uint64_t> users;  ///< that fit, at each length
  std::vector<std::size_t> tokens;   ///< that each may have, of each number of users asked for
};

struct ModelCapacity {
  Decoder decoder;
  std::vector<CodecCapacity> codecs;
  std::vector<std::string> left_out;  ///< "SPEC: why"
};

/// Throws InputError where weights and reserve fill the card, SpecError where a codec's profile is
/// unknown and question.profile_bytes is not given, and as storage_of().
ModelCapacity capacity_of(Decoder decoder, const CapacityQuestion& question);

/// A row a codec: users at every length beside bf16's, tokens of so many users.
Table capacity_table(const ModelCapacity& model, const CapacityQuestion& question);

Document make_capacity_report(std::span<const ModelCapacity> models,
                              const CapacityQuestion& question,
                              const std::vector<std::string>& without_room,
                              const std::vector<Table>& more);

}  // namespace kakeya
