// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/users_claim.h"

#include <fmt/format.h>

#include <algorithm>

#include "kakeya/capacity/cache_bytes.h"
#include "kakeya/capacity/sizes.h"
#include "kakeya/core/error.h"
#include "kakeya/studies/published/derive.h"

namespace kakeya {
namespace {

constexpr const char* kGain = "22";  // percent, as published

/// More users of the published codec than of FP8 with 16 bits a scale, as charged there, in percent, by
/// all that a sequence keeps.
double gain_of(const Decoder& decoder, std::size_t tokens) {
  const CachePolicy policy{.layers = decoder.layers};
  const auto bytes = [&](const char* codec) {
    return CodecOfCache(codec, decoder, PlainVectors::alone)
        .bytes(decoder, tokens, policy, OpenPage::mean)
        .total();
  };
  return 100 * (bytes("fp8:scale=fp16") / bytes("e8:q=38,rule=published") - 1);
}

}  // namespace

Table users_claim_table(std::span<const PublishedTable> tables, const PublishedRecord& record,
                        std::span<const Decoder> decoders) {
  const auto at = std::find_if(tables.begin(), tables.end(),
                               [](const PublishedTable& table) { return table.id == "users"; });
  if (at == tables.end()) throw InputError("published tables: no table users");
  Table table = named_table("users", at->title);
  table.columns = {{"what", "what", false},
                   {"published", "published"},
                   {"ours", "ours"},
                   {"verdict", "verdict", false}};
  const std::vector<DerivedTable> derived = derive(std::span(&*at, 1), record);
  for (const DerivedCell& cell : derived.front().cells) {
    table.rows.push_back({text_cell(at->rows[cell.row].label), text_cell(cell.published),
                          number_cell(std::get<double>(cell.ours.front()), cell.ours_text()),
                          text_cell(std::string(to_text(cell.verdict)))});
  }
  for (const Decoder& decoder : decoders) {
    if (decoder.model_type != "deepseek_v4") continue;
    for (const std::size_t tokens : {std::size_t{131072}, std::size_t{1048576}}) {
      const double gain = gain_of(decoder, tokens);
      table.rows.push_back({text_cell(fmt::format("more users of {} tokens, percent, {}",
                                                  tokens_text(tokens), decoder.name)),
                            text_cell(kGain), number_cell(gain, fmt::format("{:.1f}", gain)),
                            text_cell(std::string(to_text(judge(kGain, {gain}))))});
    }
  }
  table.note = fmt::format(
      "{} ({}; statement {} of kakeya-report published). The last rows count whole sequences, sliding "
      "windows, indexer keys and headers among them, E8 Q=38 in place of FP8 (a 16-bit scale a block of 64) in all of them; vectors lie alone, as there: no page has to fill.",
      at->note, at->source, at->statement);
  return table;
}

}  // namespace kakeya
