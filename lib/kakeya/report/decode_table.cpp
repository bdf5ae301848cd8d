// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/decode_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "kakeya/report/number.h"
#include "kakeya/stats/interval.h"

namespace kakeya {
namespace {

/// Where the tokens of a setting's coded layers are at the end of a passage of mode decode, means over
/// parts, heads, layers and passages.
struct Places {
  double page = 0;    ///< tokens of a full page
  double open = 0;    ///< in a page that is not full
  double sealed = 0;  ///< in full pages
};

double passage_tokens(const ResultGroup& group) {
  return group.results->plan.context + group.results->plan.scored;
}

/// Nothing where a sample recorded no open pages.
std::optional<Places> places_of(const CodecResult& codec, const ResultGroup& group) {
  double values = 0, open = 0, page = 0;
  for (const Sample* sample : codec.samples) {
    if (!sample->open_page) return std::nullopt;
    values += static_cast<double>(sample->values);
    open += static_cast<double>(sample->open_page->values);
    page += static_cast<double>(sample->open_page->page_values);
  }
  const double tokens = passage_tokens(group), of_token = values / tokens;
  const auto exact = static_cast<double>(
      group.results->plan.policy.exact_tokens(static_cast<std::size_t>(tokens)));
  return Places{page / of_token, open / of_token, tokens - exact - open / of_token};
}

/// A mean of whole numbers: "128", "92.5".
std::string tokens_text(double tokens) {
  const double whole = std::round(tokens);
  if (std::fabs(tokens - whole) < 1e-6) return grouped(static_cast<unsigned long long>(whole));
  return fmt::format("{:.1f}", tokens);
}

const ResultGroup* at_once(const ResultGroup& group, std::span<const ResultGroup> groups) {
  const ResultGroup* found = nullptr;
  for (const ResultGroup& other : groups) {
    if (other.mode != "inforward" || other.codecs.empty()) continue;
    if (other.results == group.results) return &other;
    if (!found && other.results->plan == group.results->plan) found = &other;
  }
  return found;
}

const Sample& sample_on(const CodecResult& codec, int passage) {
  return **std::find_if(codec.samples.begin(), codec.samples.end(),
                        [&](const Sample* sample) { return sample->key.passage == passage; });
}

/// Passages whose losses are the same in both.
Cell equal_cell(const CodecResult& here, const CodecResult& there,
                const std::vector<int>& passages) {
  const auto equal = std::count_if(passages.begin(), passages.end(), [&](int passage) {
    const Sample &a = sample_on(here, passage), &b = sample_on(there, passage);
    return a.kld_mean == b.kld_mean && a.kld_max == b.kld_max && a.nll == b.nll &&
           a.kld_tokens == b.kld_tokens && a.nll_tokens == b.nll_tokens;
  });
  return number_cell(static_cast<double>(equal), fmt::format("{} of {}", equal, passages.size()));
}

/// NLL here less that there, passage by passage; nothing where one has none.
Cell nll_cell(const CodecResult& here, const CodecResult& there, const std::vector<int>& passages) {
  std::vector<double> differences;
  for (const int passage : passages) {
    const Sample &a = sample_on(here, passage), &b = sample_on(there, passage);
    if (!a.nll || !b.nll) return text_cell("-");
    differences.push_back(*a.nll - *b.nll);
  }
  const Interval difference = t_interval(differences);
  return interval_cell(difference, with_interval(difference, true));
}

}  // namespace

std::string decode_note(const ResultGroup& group) {
  if (group.mode != "decode") return "";
  std::vector<std::pair<std::string, std::vector<std::string>>> open;  // tokens of pages: settings
  for (const CodecResult& codec : group.codecs) {
    const std::optional<Places> places = places_of(codec, group);
    if (!places) continue;
    const std::string text =
        fmt::format("{} of {}", tokens_text(places->open), tokens_text(places->page));
    auto at = std::find_if(open.begin(), open.end(),
                           [&](const auto& known) { return known.first == text; });
    if (at == open.end()) at = open.insert(at, {text, {}});
    at->second.push_back(fmt::format("`{}`", codec.label));
  }
  std::vector<std::string> left = exact_token_words(group.results->plan.policy);
  for (const auto& [tokens, settings] : open) {
    left.push_back(
        fmt::format("{} tokens of an open page ({})", tokens, fmt::join(settings, ", ")));
  }
  std::string text =
      "Decoded token by token over a cache that lives packed, teacher-forced; the context in "
      "steps of 512 tokens. It differs from the in-forward mode in what lies in pages that are not "
      "full: that is bf16 here and coded there, as is what of the context lay in an open page when "
      "its step was taken; codecs without pages code 128 tokens at a time here, all at once there; a "
      "residual window is here that of the last token of a step. So a setting loses less here, by "
      "its page, and more tokens are bf16: compare by whole-cache bits. rel-MSE is of full "
      "pages. Where both see the same tokens coded they differ by the order of sums alone, which "
      "identity shows: its KL divergence is that of another order, 0 with --batch-invariant alone.";
  if (left.empty()) return text;
  return text +
         fmt::format(
             " Of the {} tokens of a passage the coded layers hold in bf16 when it ends: {}.",
             tokens_text(passage_tokens(group)), fmt::join(left, "; "));
}

Table decode_table(const ResultGroup& group, std::span<const ResultGroup> groups) {
  Table table = group_table(group, "decode", "Decoding beside the forward at once");
  if (group.mode != "decode") return table;
  const ResultGroup* const other = at_once(group, groups);
  if (other == nullptr) return table;
  const std::vector<std::string> exact = exact_token_words(group.results->plan.policy);
  table.note = fmt::format(
      "Over the passages that both modes have{}. Equal: passages of which every loss is the same to the last "
      "bit. Ratio: geometric mean, with the 95 % Student-t interval; ΔNLL: decode less in-forward, paired. The "
      "tokens of a passage when it ends: in full pages, coded in both modes; in the open page, coded "
      "in-forward and bf16 in decode, before, when a page had just been begun, up to a page more; {}. "
      "identity has nothing to code: what it differs by is the order of sums.",
      other->results == group.results ? "" : fmt::format(" (in-forward: {})", other->source),
      exact.empty() ? "no sinks and no residual window"
                    : fmt::format("{}, bf16 in both", fmt::join(exact, " and ")));
  table.columns = {{"codec", "codec", false},
                   {"equal", "passages with the losses of mode inforward to the last bit"},
                   {"KL divergence, decode", "kld_mean in mode decode (nats)"},
                   {"in-forward", "kld_mean in mode inforward (nats)"},
                   {"ratio", "log2(kld_mean in mode decode / in mode inforward), paired"},
                   {"ΔNLL, nats", "nll in mode decode - in mode inforward (nats)"},
                   {"tokens in full pages", "tokens coded in both modes"},
                   {"in the open page", "tokens coded in mode inforward, bf16 in mode decode"},
                   {"of a page", "tokens of a page in mode decode"},
                   {"whole-cache bits, decode", "whole_cache_bits_per_value in mode decode"},
                   {"in-forward", "whole_cache_bits_per_value in mode inforward"}};
  const Metric& kld = metric("kld_mean");
  for (const CodecResult& codec : group.codecs) {
    const auto same = std::find_if(other->codecs.begin(), other->codecs.end(),
                                   [&](const CodecResult& c) { return c.label == codec.label; });
    if (same == other->codecs.end()) continue;
    const std::vector<int> common = common_passages(codec, *same);
    if (common.empty()) continue;
    const std::vector<double> here = series(codec, kld, common), there = series(*same, kld, common);
    std::vector<Cell> row = {text_cell(codec.label), equal_cell(codec, *same, common)};
    for (const auto* values : {&here, &there}) {
      const Interval of = t_interval(*values);
      row.push_back(interval_cell(of, metric_text(kld, of)));
    }
    row.push_back(ratio_cell(here, there));
    row.push_back(nll_cell(codec, *same, common));
    const std::optional<Places> places = places_of(codec, group);
    for (const double Places::*tokens : {&Places::sealed, &Places::open, &Places::page}) {
      row.push_back(places ? number_cell((*places).*tokens, tokens_text((*places).*tokens))
                           : text_cell("-"));
    }
    row.push_back(whole_cache_cell(codec));
    row.push_back(whole_cache_cell(*same));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace kakeya
