// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/storage_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/capacity/cache_bytes.h"
#include "kakeya/core/error.h"
#include "kakeya/studies/published/verdict.h"

namespace kakeya {
namespace {

constexpr std::size_t kTokens = 131072;
constexpr double kGiB = 1073741824.0;
constexpr int kSkipped = 2;  // layers at either end, of every published figure

struct Named {
  const char* decoder;
  const char* row;
};

constexpr Named kNames[] = {{"qwen3-4b", "Qwen3-4B"},
                            {"glm-4-9b", "GLM-4-9B"},
                            {"gemma-4-e4b", "Gemma-4-E4B"},
                            {"deepseek-r1-distill-qwen-1.5b", "DeepSeek-1.5B"}};

struct Study {
  const char* table;
  const char* codec;
};

constexpr Study kStudies[] = {
    {"storage-q10", "d4:q=10"}, {"storage-q38", "d4:q=38"}, {"storage-q152", "d4:q=152"}};

const std::string& published_cell(std::span<const PublishedTable> tables, const std::string& id,
                                  const std::string& row, const std::string& column) {
  const auto has = [](const std::string& label) {
    return [&label](const PublishedLine& line) { return line.label == label; };
  };
  for (const PublishedTable& table : tables) {
    if (table.id != id) continue;
    const auto at = std::find_if(table.rows.begin(), table.rows.end(), has(row));
    const auto of = std::find_if(table.columns.begin(), table.columns.end(), has(column));
    if (at == table.rows.end() || of == table.columns.end()) break;
    return table.cells[static_cast<std::size_t>(at - table.rows.begin())]
                      [static_cast<std::size_t>(of - table.columns.begin())];
  }
  throw InputError(fmt::format("published table {}: no cell {} of {}", id, column, row));
}

/// The layers that keep something, numbered anew: those that the published figures are of.
Decoder keeping_layers(const Decoder& decoder) {
  Decoder kept = decoder;
  kept.streams.clear();
  kept.layers = 0;
  for (CacheStream stream : decoder.streams) {
    if (stream.heads == 0) continue;
    stream.layer = kept.layers++;
    kept.streams.push_back(stream);
  }
  return kept;
}

/// As published: no window, and the head dim of the first layer in all.
Decoder all_growing(Decoder decoder) {
  for (CacheStream& stream : decoder.streams) {
    stream.window = 0;
    stream.key_dim = stream.value_dim = decoder.streams.front().key_dim;
  }
  return decoder;
}

CacheBytes bytes_of(const Decoder& decoder, const char* codec) {
  const CachePolicy policy{.layers = decoder.layers, .skipped_layers = kSkipped};
  // The published figures know no pages: every vector lies alone.
  return CodecOfCache(codec, decoder, PlainVectors::alone)
      .bytes(decoder, kTokens, policy, OpenPage::mean);
}

void add_row(const std::string& model, const std::string& figure, const std::string& published,
             double ours, Table& table) {
  const std::vector<FormulaValue> value = {ours};
  table.rows.push_back({text_cell(model), text_cell(figure), text_cell(published),
                        number_cell(ours, in_digits_of(published, value)),
                        text_cell(std::string(to_text(judge(published, value))))});
}

void add_model(std::span<const PublishedTable> tables, const std::string& row,
               const std::string& model, const Decoder& decoder, Table& table) {
  const std::string& plain = published_cell(tables, kStudies[0].table, row, "bf16 GiB");
  add_row(model, "bf16 GiB", plain, bytes_of(decoder, "identity").bf16 / kGiB, table);
  for (const Study& study : kStudies) {
    const CacheBytes bytes = bytes_of(decoder, study.codec);
    add_row(model, fmt::format("{} GiB", study.codec),
            published_cell(tables, study.table, row, "D4 GiB"), bytes.total() / kGiB, table);
    add_row(model, fmt::format("{} ratio", study.codec),
            published_cell(tables, study.table, row, "ratio"), bytes.ratio(), table);
  }
}

}  // namespace

Table storage_claims_table(std::span<const PublishedTable> tables,
                           std::span<const Decoder> decoders) {
  Table table = named_table("published", "Published storage at 131,072 tokens, beside ours");
  table.label_columns = 2;
  table.columns = {{"model", "model", false},
                   {"figure", "figure", false},
                   {"published", "published", true},
                   {"ours", "ours", true},
                   {"verdict", "verdict", false}};
  table.note =
      "Published: V14_KV_128K_REPORT.md of KakeyaLattice, two layers skipped at either end. Ours "
      "counts what each layer keeps. \"Counted as published\" lets every layer grow with the "
      "context and gives all of them the head dim of the first: it reproduces the published "
      "figures. Vectors lie alone here, as there: no page has to fill.";
  for (const Named& named : kNames) {
    const auto at = std::find_if(decoders.begin(), decoders.end(), [&](const Decoder& decoder) {
      return decoder.name == named.decoder;
    });
    if (at == decoders.end()) continue;
    const Decoder kept = keeping_layers(*at);
    add_model(tables, named.row, named.row, kept, table);
    const bool windowed = std::any_of(kept.streams.begin(), kept.streams.end(),
                                      [](const CacheStream& stream) { return stream.window > 0; });
    if (windowed) {
      add_model(tables, named.row, fmt::format("{}, counted as published", named.row),
                all_growing(kept), table);
    }
  }
  return table;
}

}  // namespace kakeya
