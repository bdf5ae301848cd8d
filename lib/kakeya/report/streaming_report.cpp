// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/streaming_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/report/dump_table.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

std::string way_text(const StreamedWay& way) {
  if (way.values_differ == 0) return way.same_bytes ? "equal" : "values equal, bytes differ";
  return fmt::format("{} values, by up to {}", grouped(way.values_differ),
                     significant(way.largest_difference));
}

Table caches_table(const Streaming& measured) {
  Table table = named_table("streaming", "A growing cache, however its tokens come");
  table.note =
      "Against one append of all tokens: the bytes of the saved cache (sealed pages, what they have "
      "in common, the open page) and every value that attention reads, keys and values. In the CSV: "
      "values that differ.";
  table.columns = {{"codec", "codec", false},
                   {"tokens a page", "tokens a page"},
                   {"saved, bytes", "saved cache (bytes)"}};
  const StreamedCodec* first = nullptr;
  for (const StreamedCodec& codec : measured.codecs) {
    if (!codec.refused.empty()) continue;
    if (first == nullptr) first = &codec;
    std::vector<Cell> cells = {text_cell(fmt::format("`{}`", codec.codec)),
                               codec.page_tokens == 0
                                   ? text_cell("")
                                   : fixed_cell(static_cast<double>(codec.page_tokens), 0),
                               number_cell(static_cast<double>(codec.bytes), grouped(codec.bytes))};
    for (const StreamedWay& way : codec.ways) {
      cells.push_back(number_cell(static_cast<double>(way.values_differ), way_text(way)));
    }
    table.rows.push_back(std::move(cells));
  }
  if (first == nullptr) return table;
  for (const StreamedWay& way : first->ways) {
    const std::string at = fmt::format("{} at a time", way.chunk);
    table.columns.push_back({at, "values that differ, " + at, false});
  }
  return table;
}

std::string batch_text(const BatchedRoundTrip& one) {
  if (one.values_differ == 0) return "equal";
  return fmt::format("{} % of values, by up to {}; {} % of vectors by a step",
                     significant(100 * one.values_differ), significant(one.largest_difference),
                     significant(100 * one.vectors_moved));
}

// A line a codec and whose; a column a batch.
Table batches_table(const Streaming& measured) {
  Table table = named_table("batches", "A round trip, by tokens in a call");
  table.note =
      "Against one call with all tokens. By a step: vectors in which a value differs by more than a "
      "thousandth of the values' deviation; what differs by less is rounding. Published: the authors' "
      "composition of tensor operations, its rotation a product with a dense matrix, whose order of "
      "sums may follow the batch. Ours: frames, written and read. In the CSV: share of the values "
      "that differ.";
  table.label_columns = 2;
  table.columns = {{"codec", "codec", false}, {"whose", "whose", false}, {"rel-MSE", "rel-MSE"}};
  const auto same_line = [](const BatchedRoundTrip& x, const BatchedRoundTrip& y) {
    return x.codec == y.codec && x.published == y.published;
  };
  for (const BatchedRoundTrip& one : measured.round_trips) {
    if (table.rows.empty() || !same_line(one, *(&one - 1))) {
      table.rows.push_back({text_cell(fmt::format("`{}`", one.codec)),
                            text_cell(one.published ? "published" : "ours"),
                            number_cell(one.rel_mse_at_once, significant(one.rel_mse_at_once, 5))});
    }
    table.rows.back().push_back(number_cell(one.values_differ, batch_text(one)));
    if (table.rows.size() > 1) continue;
    const std::string at = fmt::format("{} a call", one.batch);
    table.columns.push_back({at, "share of values that differ, " + at, false});
  }
  return table;
}

std::string in_short(const Streaming& measured) {
  std::size_t live = 0, dependent = 0;
  for (const StreamedCodec& codec : measured.codecs) {
    live += codec.refused.empty();
    dependent += depends(codec);
  }
  double theirs = 0, ours = 0;
  for (const BatchedRoundTrip& one : measured.round_trips) {
    (one.published ? theirs : ours) =
        std::max(one.published ? theirs : ours, one.largest_difference);
  }
  std::string text =
      fmt::format("Of {} codecs that live in a growing cache, {} depend on how its tokens come.",
                  live, dependent == 0 ? "none" : std::to_string(dependent));
  const auto by = [](double most) {
    return most == 0 ? std::string("do not differ") : "differ by up to " + significant(most);
  };
  if (measured.library.empty()) return text;
  return text + fmt::format(
                    " Values of the published round trip {} between batches on this machine "
                    "({}), ours {}.",
                    by(theirs), measured.library, by(ours));
}

}  // namespace

bool depends(const StreamedCodec& codec) {
  return std::any_of(codec.ways.begin(), codec.ways.end(), [](const StreamedWay& way) {
    return !way.same_bytes || way.values_differ > 0;
  });
}

Document make_streaming_report(const Streaming& measured, const Provenance& provenance) {
  if (measured.codecs.empty()) throw InputError("streaming report: expected at least one codec");
  const StreamInput& input = measured.input;
  Document out;
  const std::vector<std::string> head = {
      "# Streaming: does it matter how tokens arrive?", in_short(measured),
      fmt::format(
          "{} tokens of {} heads of {} values, normal with a deviation of {}, seed {}; `klt` "
          "with a drawn profile.",
          grouped(input.tokens), input.heads, input.dim, input.deviation, input.seed)};
  for (const std::string& text : head) out.paragraph(text);
  out.table(caches_table(measured), "##");
  out.table(batches_table(measured), "##");
  std::string refused;
  for (const StreamedCodec& codec : measured.codecs) {
    if (!codec.refused.empty()) refused += fmt::format("- `{}`: {}\n", codec.codec, codec.refused);
  }
  if (!refused.empty()) {
    out.paragraph("## Not in a growing cache");
    refused.pop_back();
    out.paragraph(refused);
  }
  // Caches that differ where any does; where none does, what is beside them.
  Table shown = caches_table(measured);
  const auto equal = [](const std::vector<Cell>& row) {
    return std::all_of(row.begin() + 3, row.end(), [](const Cell& c) { return c.text == "equal"; });
  };
  std::erase_if(shown.rows, equal);
  if (shown.rows.empty()) shown = batches_table(measured);
  out.put_behind({head, "", {}, std::move(shown), made_by_line(provenance)});
  return out;
}

}  // namespace kakeya
