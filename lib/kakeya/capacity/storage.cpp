// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/storage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "kakeya/capacity/sizes.h"
#include "kakeya/core/error.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

constexpr double kMiB = 1048576.0;
constexpr const char* kAll = "all";

/// The streams of one kind.
struct Kind {
  const CacheStream* stream;
  int layers = 0;
};

std::vector<Kind> kinds_of(const Decoder& decoder) {
  std::vector<Kind> kinds;
  for (const CacheStream& stream : decoder.streams) {
    const auto at = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const Kind& kind) { return kind.stream->like(stream); });
    if (at == kinds.end()) {
      kinds.push_back({&stream, 1});
    } else {
      ++at->layers;
    }
  }
  return kinds;
}

/// The name of a kind; kinds that differ by their shape alone tell it.
std::string name_of(const Kind& kind, const std::vector<Kind>& kinds) {
  const auto same = std::count_if(kinds.begin(), kinds.end(), [&](const Kind& other) {
    return other.stream->kind == kind.stream->kind;
  });
  if (same == 1) return kind.stream->kind;
  return fmt::format("{}, {} x {}", kind.stream->kind, kind.stream->heads, kind.stream->key_dim);
}

std::string width_text(const CacheStream& stream) {
  if (stream.heads == 0) return "nothing";
  if (stream.value_dim == 0) return fmt::format("{} x {}", stream.heads, stream.key_dim);
  if (stream.value_dim == stream.key_dim) {
    return fmt::format("K and V, {} x {}", stream.heads, stream.key_dim);
  }
  return fmt::format("K {} x {}, V {} x {}", stream.heads, stream.key_dim, stream.heads,
                     stream.value_dim);
}

void add_cells(const CodecOfCache& codec, const StorageQuestion& question,
               const CachePolicy& policy, ModelStorage& model) {
  const std::vector<Kind> kinds = kinds_of(model.decoder);
  const auto add = [&](const std::string& kind, const CacheStream* like, int layers) {
    for (const std::size_t tokens : question.tokens) {
      StorageCell cell{codec.spec(), kind, layers, tokens, {}};
      for (const CacheStream& stream : model.decoder.streams) {
        if (like != nullptr && !like->like(stream)) continue;
        cell.bytes += codec.bytes(stream, tokens, policy, question.open_page);
      }
      model.cells.push_back(std::move(cell));
    }
  };
  for (const Kind& kind : kinds) add(name_of(kind, kinds), kind.stream, kind.layers);
  if (kinds.size() > 1) add(kAll, nullptr, model.decoder.layers);
}

}  // namespace

std::string beyond_context(const Decoder& decoder, std::span<const std::size_t> lengths) {
  std::vector<std::string> beyond;
  for (const std::size_t tokens : lengths) {
    if (tokens > decoder.context) beyond.push_back(tokens_text(tokens));
  }
  if (beyond.empty()) return "";
  return fmt::format(" The model was made for {} tokens: {} is arithmetic.",
                     grouped(decoder.context), fmt::join(beyond, " and "));
}

std::string StorageQuestion::policy_text() const {
  std::vector<std::string> words = exact_token_words(policy);
  if (policy.skipped_layers > 0) {
    words.push_back(fmt::format("the first and last {} layers", policy.skipped_layers));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> usual_cache_codecs() {
  return {"identity", "fp8:scale=e8m0", "q8_0",    "q4_0",        "kivi:b=4",
          "kivi:b=2", "e8:q=38",        "e8:q=10", "ece8:bits=4", "klt:bits=3"};
}

ModelStorage storage_of(Decoder decoder, const StorageQuestion& question) {
  ModelStorage model{std::move(decoder), {}, {}};
  const CachePolicy policy = policy_for(model.decoder, question.policy);
  for (const std::string& spec : question.codecs) {
    try {
      add_cells(CodecOfCache(spec, model.decoder), question, policy, model);
    } catch (const Error& error) {
      if (question.every_codec) throw;
      model.left_out.push_back(fmt::format("{}: {}", spec, error.what()));
    }
  }
  return model;
}

Table cache_kinds_table(const ModelStorage& model, const StorageQuestion& question) {
  const Decoder& decoder = model.decoder;
  Table table = named_table("kinds", fmt::format("{}: what a sequence keeps", decoder.name));
  table.source = decoder.name;
  table.columns = {{"layers that keep", "kind", false},
                   {"layers", "layers"},
                   {"vectors a token", "vectors", false}};
  for (const std::size_t tokens : question.tokens) {
    table.columns.push_back(
        {fmt::format("vectors at {}", tokens_text(tokens)), fmt::format("vectors_at_{}", tokens)});
    table.columns.push_back({fmt::format("bf16 MiB at {}", tokens_text(tokens)),
                             fmt::format("bf16_bytes_at_{}", tokens)});
  }
  const std::vector<Kind> kinds = kinds_of(decoder);
  for (const Kind& kind : kinds) {
    std::vector<Cell> row = {text_cell(name_of(kind, kinds)),
                             number_cell(kind.layers, fmt::format("{}", kind.layers)),
                             text_cell(width_text(*kind.stream))};
    for (const std::size_t tokens : question.tokens) {
      const std::size_t vectors = kind.stream->heads == 0 ? 0 : kind.stream->vectors(tokens);
      const double bytes = 2.0 * static_cast<double>(vectors * kind.stream->width()) * kind.layers;
      row.push_back(number_cell(static_cast<double>(vectors), grouped(vectors)));
      row.push_back(number_cell(bytes, fmt::format("{:.1f}", bytes / kMiB)));
    }
    table.rows.push_back(std::move(row));
  }
  table.note = fmt::format("{}, {} layers, {} parameters.", decoder.model_type, decoder.layers,
                           grouped(decoder.parameter_count()));
  for (const std::string& note : decoder.notes) table.note += " " + note;
  table.note += beyond_context(decoder, question.tokens);
  return table;
}

Table cache_storage_table(const ModelStorage& model, const StorageQuestion& question) {
  Table table = named_table("storage", fmt::format("{}: bytes by codec", model.decoder.name));
  table.source = model.decoder.name;
  table.label_columns = 2;
  table.columns = {{"codec", "codec", false}, {"layers that keep", "kind", false}};
  table.columns.push_back({"rate", "rate", false});
  for (const std::size_t tokens : question.tokens) {
    const std::string at = tokens_text(tokens);
    table.columns.push_back({fmt::format("MiB at {}", at), fmt::format("bytes_at_{}", tokens)});
    table.columns.push_back({"ratio", fmt::format("ratio_at_{}", tokens)});
    for (const char* part : {"coded", "open_page", "exact", "left_of_window", "bf16"}) {
      table.columns.push_back({"", fmt::format("{}_bytes_at_{}", part, tokens)});
    }
  }
  const std::size_t lengths = question.tokens.size();
  for (std::size_t i = 0; i + lengths <= model.cells.size(); i += lengths) {
    const StorageCell& first = model.cells[i];
    if (first.bytes.bf16 == 0) continue;  // layers that keep nothing of their own
    std::vector<Cell> row = {text_cell(first.codec), text_cell(first.kind),
                             text_cell(first.bytes.nominal ? "nominal" : "counted")};
    for (std::size_t at = 0; at < lengths; ++at) {
      const CacheBytes& bytes = model.cells[i + at].bytes;
      row.push_back(number_cell(bytes.total(), fmt::format("{:.1f}", bytes.total() / kMiB)));
      row.push_back(fixed_cell(bytes.ratio(), 3));
      for (const double part : {bytes.coded, bytes.open, bytes.exact, bytes.stale, bytes.bf16}) {
        row.push_back(number_cell(part, full_precision(part)));
      }
    }
    table.rows.push_back(std::move(row));
  }
  const std::string kept = question.policy_text();
  table.note = fmt::format(
      "One sequence. Counted: frames of these shapes were written; nominal: what the codec's key "
      "`bits` promises, without headers, not measured. {} stay bf16, and what waits for its page to "
      "fill: {}.",
      kept.empty() ? "No layers and no tokens" : kept,
      question.open_page == OpenPage::mean ? "half a page, the mean over all lengths"
                                           : "at exactly this length");
  if (!model.left_out.empty()) {
    table.note += fmt::format(" Left out: {}.", fmt::join(model.left_out, "; "));
  }
  return table;
}

namespace {

/// A line a model at one length, in the middle of those asked for: bf16's GiB, and by codec how
/// many times fewer bytes.
Table ratios_table(std::span<const ModelStorage> models, std::size_t tokens) {
  Table table = named_table(
      "ratios", fmt::format("bf16's bytes over a codec's, {} tokens", tokens_text(tokens)));
  table.columns = {{"model", "model", false}, {"bf16, GiB", "bf16"}};
  std::vector<std::string> codecs;
  for (const ModelStorage& model : models) {
    for (const StorageCell& cell : model.cells) {
      if (cell.codec == "identity" || std::ranges::count(codecs, cell.codec) > 0) continue;
      codecs.push_back(cell.codec);
      table.columns.push_back({cell.codec, cell.codec});
    }
  }
  std::set<std::string> nominal;
  for (const ModelStorage& model : models) {
    std::vector<Cell> row = {text_cell(model.decoder.name), text_cell("-")};
    row.resize(2 + codecs.size(), text_cell("-"));
    const bool several = kinds_of(model.decoder).size() > 1;
    for (const StorageCell& cell : model.cells) {
      if (cell.tokens != tokens || (several && cell.kind != kAll) || cell.bytes.bf16 == 0) continue;
      row[1] = fixed_cell(cell.bytes.bf16 / kMiB / 1024, 2);
      const auto at = std::ranges::find(codecs, cell.codec);
      if (at == codecs.end()) continue;
      if (cell.bytes.nominal) nominal.insert(cell.codec);
      row[2 + static_cast<std::size_t>(at - codecs.begin())] = fixed_cell(cell.bytes.ratio(), 3);
    }
    table.rows.push_back(std::move(row));
  }
  table.note = "One sequence, all layers, what waits for its page to fill included.";
  if (!nominal.empty()) {
    table.note += fmt::format(" Rates of {} are nominal: what the key `bits` promises.",
                              fmt::join(nominal, ", "));
  }
  return table;
}

}  // namespace

Document make_storage_report(std::span<const ModelStorage> models, const StorageQuestion& question,
                             const std::vector<Table>& more) {
  Document report;
  const std::vector<std::string> head = {
      "# What a KV cache takes",
      "Arithmetic from `config.json` alone: shapes, windows, shared layers, latents and pooled "
      "vectors, without weights and without a forward. Ratio: bf16 bytes over these bytes, of the "
      "same tokens. It says nothing of what a codec does to a model; `kakeya-sweep` measures that."};
  for (const std::string& text : head) report.paragraph(text);
  for (const Table& table : more) report.table(table, "##");
  for (const ModelStorage& model : models) {
    report.table(cache_kinds_table(model, question), "##");
    report.table(cache_storage_table(model, question), "###");
  }
  const std::size_t tokens = question.tokens[question.tokens.size() / 2];
  report.put_behind({head, "", {}, ratios_table(models, tokens), ""});
  return report;
}

}  // namespace kakeya
