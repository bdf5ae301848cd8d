// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/ledger.h"

#include <string>
#include <string_view>

#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

std::uint64_t& total_of(RateLedger& ledger, Booked booked) {
  switch (booked) {
    case Booked::scales:
      return ledger.scale_bits;
    case Booked::header:
      return ledger.header_bits;
    case Booked::table:
      return ledger.table_bits;
    case Booked::padding:
      return ledger.padding_bits;
    case Booked::payload:
      break;
  }
  return ledger.payload_bits;
}

// "header" and "checksum" are every frame's; the rest is the codec's.
Booked booking_of(const FrameInfo& info, const std::string& section) {
  if (section == "header" || section == "checksum") return Booked::header;
  const CodecDescriptor* codec = find_descriptor(info.spec);
  if (codec != nullptr) {
    for (const CodecSection& known : codec->sections) {
      if (known.name == section) return known.booked;
    }
  }
  throw InputError("ledger: the descriptor of " + info.spec + " has no section '" + section + "'");
}

std::optional<double> times(std::optional<double> rate, std::uint64_t count) {
  return rate ? std::optional(*rate * static_cast<double>(count)) : std::nullopt;
}

}  // namespace

RateLedger ledger_of(const Codec& codec, Rows<const float> x, std::span<const std::byte> frame,
                     bool entropy) {
  const FrameInfo info = codec.account().contents(open_frame(codec, frame));
  if (info.count != x.count) {
    throw CorruptStream("ledger: a frame of " + std::to_string(info.count) + " vectors, expected " +
                        std::to_string(x.count));
  }
  RateLedger ledger;
  ledger.vectors = info.count;
  ledger.values = info.count * info.dim;
  ledger.beyond_profile_values = codec.account().beyond_profile(info) * info.dim;
  const Rates rates = codec.account().rates();
  ledger.nominal_bits = times(rates.nominal_bits_per_vector, ledger.vectors);
  ledger.codebook_bits = times(rates.codebook_bits_per_vector, ledger.vectors);
  ledger.entropy_bits.reset();
  if (entropy && x.count == 0) ledger.entropy_bits = 0.0;
  if (entropy && x.count != 0) {
    ledger.entropy_bits = times(codec.account().index_entropy_bits_per_value(x), ledger.values);
  }
  for (const auto& [name, bytes] : info.sections) {
    total_of(ledger, booking_of(info, name)) += 8 * static_cast<std::uint64_t>(bytes);
  }
  const std::uint64_t padding = codec.account().padding_bits(info);  // so far counted as payload
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
  ledger.nominal_bits = ledger.codebook_bits = ledger.entropy_bits = bits;
  return ledger;
}

}  // namespace kakeya
