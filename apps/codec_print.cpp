// SPDX-License-Identifier: Apache-2.0
#include "codec_print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "kakeya/codec/codec.h"
#include "program.h"

namespace kakeya {
namespace {

// A short text for people: at most six digits, whole numbers without a point.
std::string text_of(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  return value.dump();
}

// Keys that stand in JSON beside what they are called now.
constexpr std::string_view kOldNames[] = {"boundary",
                                          "recent",
                                          "bits_per_value",
                                          "real_bits_per_vector",
                                          "charged_bits_per_vector",
                                          "exact_bits_per_vector",
                                          "charged_bits",
                                          "exact_bits"};

// What people see: every number once.
Json without_old_names(const Json& document) {
  Json shown = Json::object();
  for (const auto& [key, value] : document.items()) {
    if (std::ranges::find(kOldNames, key) != std::end(kOldNames)) continue;
    shown[key] = value.is_object() ? without_old_names(value) : value;
  }
  return shown;
}

}  // namespace

Json number_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

void put(Json& document, const char* key, const Json& value, const char* old_name) {
  document[key] = document[old_name] = value;
}

void put_rates(Json& document, const Rates& rates) {
  put(document, "nominal_bits_per_vector", number_or_null(rates.nominal_bits_per_vector),
      "charged_bits_per_vector");
  put(document, "codebook_bits_per_vector", number_or_null(rates.codebook_bits_per_vector),
      "exact_bits_per_vector");
}

Json ledger_json(const RateLedger& ledger) {
  Json json = {{"vectors", ledger.vectors},
               {"values", ledger.values},
               {"nominal_bits", number_or_null(ledger.nominal_bits)},
               {"charged_bits", number_or_null(ledger.nominal_bits)},
               {"codebook_bits", number_or_null(ledger.codebook_bits)},
               {"exact_bits", number_or_null(ledger.codebook_bits)},
               {"entropy_bits", number_or_null(ledger.entropy_bits)},
               {"payload_bits", ledger.payload_bits},
               {"scale_bits", ledger.scale_bits},
               {"header_bits", ledger.header_bits},
               {"table_bits", ledger.table_bits},
               {"padding_bits", ledger.padding_bits},
               {"exact_token_bits", ledger.exact_token_bits}};
  if (ledger.beyond_profile_values != 0) {
    json["beyond_profile_values"] = ledger.beyond_profile_values;
  }
  return json;
}

void tell_beyond_profile(Json& document, const std::string& spec, const RateLedger& ledger) {
  if (!is_calibrated(spec)) return;
  const double share = ledger.beyond_profile_share();
  document["beyond_profile_share"] = share;
  if (share <= kBeyondProfileTold) return;
  fmt::print(stderr, "kakeya-codec: warning: {:.3g} % of the values are {}\n", 100 * share,
             beyond_profile_text(spec));
}

void print(bool json, const Json& whole) {
  if (json) {
    fmt::print("{}\n", whole.dump(1));
    return;
  }
  const Json document = without_old_names(whole);
  std::size_t width = 0;
  for (const auto& [key, value] : document.items()) width = std::max(width, key.size());
  for (const auto& [key, value] : document.items()) {
    if (!value.is_object()) {
      fmt::print("{:<{}}  {}\n", key, width, text_of(value));
      continue;
    }
    fmt::print("{}\n", key);
    const bool rates = value.contains("values") && value["values"] > 0;
    for (const auto& [name, part] : value.items()) {
      fmt::print("  {:<{}}{:>12}", name, width, text_of(part));
      if (rates && name.ends_with("_bits") && !part.is_null()) {
        fmt::print("{:>10.4f} a value", part.get<double>() / value["values"].get<double>());
      }
      fmt::print("\n");
    }
  }
}

}  // namespace kakeya
