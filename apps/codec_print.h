// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "kakeya/codec/ledger.h"
#include "kakeya/core/error.h"

namespace kakeya {

// What kakeya-codec says.

using Json = nlohmann::ordered_json;

/// Null where there is no number, or none that is finite.
Json number_or_null(std::optional<double> value);

/// A value under its key, and in JSON also under the name that scripts know from before.
void put(Json& document, const char* key, const Json& value, const char* old_name);

/// Nominal and codebook bits of a vector, under both names.
void put_rates(Json& document, const Rates& rates);

/// The keys of "ledger_k" and "ledger_v" in samples.jsonl, and beside them today's names of two.
Json ledger_json(const RateLedger& ledger);

/// Puts "beyond_profile_share" into the document where `spec`, canonical, is of a codec with a
/// profile: the share of the values that are kept beside the code because they are too far from it.
/// Above 1 % also warns on stderr.
void tell_beyond_profile(Json& document, const std::string& spec, const RateLedger& ledger);

/// A document of one level, or objects of one level in it: with `json` as it is, else a line a key
/// for people, old names left out. Of an object with "values", what ends in "_bits" gets a rate.
void print(bool json, const Json& whole);

/// What the library says of bytes or vectors, with the file they came from before it.
template <typename Work>
auto of_file(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const CorruptStream& error) {
    throw CorruptStream(path + ": " + error.what());
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

}  // namespace kakeya
