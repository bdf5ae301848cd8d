// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/ledger.h"

#include <string>
#include <string_view>

#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

struct Place {
  std::string_view section;
  std::uint64_t RateLedger::*category;
};

// Where the bytes of a section are booked; every section of every codec is here.
constexpr Place kPlaces[] = {
    {"header", &RateLedger::header_bits},    {"checksum", &RateLedger::header_bits},
    {"pages", &RateLedger::header_bits},     {"site", &RateLedger::header_bits},
    {"part", &RateLedger::header_bits},      {"layers", &RateLedger::header_bits},
    {"open", &RateLedger::payload_bits},     {"values", &RateLedger::payload_bits},
    {"indices", &RateLedger::payload_bits},  {"codes", &RateLedger::payload_bits},
    {"escapes", &RateLedger::payload_bits},  {"streams", &RateLedger::payload_bits},
    {"outliers", &RateLedger::payload_bits}, {"exact", &RateLedger::payload_bits},
    {"scales", &RateLedger::scale_bits},     {"windows", &RateLedger::scale_bits},
    {"owindows", &RateLedger::scale_bits},   {"centre", &RateLedger::table_bits},
    {"classes", &RateLedger::table_bits},    {"plan", &RateLedger::table_bits},
    {"padding", &RateLedger::padding_bits},
};

std::uint64_t RateLedger::*category_of(const std::string& section) {
  for (const Place& place : kPlaces) {
    if (place.section == section) return place.category;
  }
  throw InputError("ledger: no category for section '" + section + "'");
}

std::optional<double> times(std::optional<double> rate, std::uint64_t count) {
  return rate ? std::optional(*rate * static_cast<double>(count)) : std::nullopt;
}

}  // namespace

RateLedger ledger_of(const Codec& codec, Rows<const float> x, std::span<const std::byte> frame,
                     bool entropy) {
  const FrameInfo info = summary_of(open_frame(codec, frame));
  if (info.count != x.count) {
    throw CorruptStream("ledger: a frame of " + std::to_string(info.count) + " vectors, expected " +
                        std::to_string(x.count));
  }
  RateLedger ledger;
  ledger.vectors = info.count;
  ledger.values = info.count * info.dim;
  const Rates rates = codec.rates();
  ledger.charged_bits = times(rates.charged_bits_per_vector, ledger.vectors);
  ledger.exact_bits = times(rates.exact_bits_per_vector, ledger.vectors);
  ledger.entropy_bits.reset();
  if (entropy && x.count == 0) ledger.entropy_bits = 0.0;
  if (entropy && x.count != 0) {
    ledger.entropy_bits = times(codec.index_entropy_bits_per_value(x), ledger.values);
  }
  for (const auto& [name, bytes] : info.sections) {
    ledger.*category_of(name) += 8 * static_cast<std::uint64_t>(bytes);
  }
  const std::uint64_t padding = codec.padding_bits(info);  // so far counted as payload
  ledger.payload_bits -= padding;
  ledger.padding_bits += padding;
  return ledger;
}

RateLedger ledger_of_exact(std::uint64_t vectors, std::uint64_t dim) {
  RateLedger ledger;
  ledger.vectors = vectors;
  ledger.values = vectors * dim;
  ledger.exact_token_bits = 16 * ledger.values;
  const auto bits = static_cast<double>(ledger.exact_token_bits);
  ledger.charged_bits = ledger.exact_bits = ledger.entropy_bits = bits;
  return ledger;
}

}  // namespace kakeya
