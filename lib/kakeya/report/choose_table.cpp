// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kakeya/report/charts.h"
#include "kakeya/report/choose.h"
#include "kakeya/report/number.h"
#include "kakeya/store/whole_cache.h"

namespace kakeya {
namespace {

using Where = RateAtLoss::Where;

/// So many families behind the first one are named in the sentence.
constexpr std::size_t kNamed = 3;

std::string end_text(double end) {
  return std::isinf(end) ? "out of range" : fmt::format("{:.3f}", end);
}

/// What stands before bits that are known to be too few.
std::string mark_of(const ChosenSetting& chosen) { return chosen.open_page_known ? "" : "≥ "; }

std::string with_range(double value, const std::optional<Range>& range, const char* unit = "") {
  if (!range) return fmt::format("{:.3f}{}", value, unit);
  return fmt::format("{:.3f}{} ({} to {})", value, unit, end_text(range->low),
                     end_text(range->high));
}

Cell at_kl_cell(const ChosenSetting& chosen) {
  switch (chosen.at_kl.where) {
    case Where::inside:
      return number_cell(chosen.at_kl.rate,
                         mark_of(chosen) + with_range(chosen.at_kl.rate, chosen.at_kl_interval));
    case Where::too_fine:
      return text_cell(fmt::format("< {:.3f}", chosen.at_kl.rate));
    case Where::too_lossy:
      return text_cell(fmt::format("> {:.3f}", chosen.at_kl.rate));
    case Where::unmeasured:
      break;
  }
  return text_cell("-");
}

Cell bits_cell(const ChosenSetting& chosen) {
  return number_cell(chosen.bits, mark_of(chosen) + with_range(chosen.bits, chosen.interval));
}

Cell at_kl_ratio_cell(const ChosenSetting& chosen) {
  if (!chosen.at_kl_ratio) return text_cell("-");
  return number_cell(*chosen.at_kl_ratio,
                     with_range(*chosen.at_kl_ratio, chosen.at_kl_ratio_range, "x"));
}

/// A star where only the mean keeps to what was asked for.
Cell kld_cell(const ChosenSetting& chosen) {
  return interval_cell(chosen.kld, with_interval(chosen.kld) + (chosen.surely ? "" : " *"));
}

Cell optional_cell(const std::optional<double>& number) {
  return number ? number_cell(*number, significant(*number)) : text_cell("-");
}

std::string cache_text(const ChooseOptions& options) {
  return options.tokens ? fmt::format("one cache of {} tokens, profile included",
                                      grouped(static_cast<unsigned long long>(*options.tokens)))
                        : std::string("the caches measured, profiles not counted");
}

/// The setting of least mean KL divergence, and that; nullptr where none is lossy.
std::pair<const CodecResult*, double> least_kl(const ResultGroup& group) {
  std::pair<const CodecResult*, double> least = {nullptr, 0};
  for (const CodecResult& codec : group.codecs) {
    if (codec.identity()) continue;
    const double kld = summary(codec, metric("kld_mean")).mean;
    if (!least.first || kld < least.second) least = {&codec, kld};
  }
  return least;
}

/// What the first setting of the answer beats: the cheapest one of another codec, of another family
/// where there is none; nullptr where it is alone.
const ChosenSetting* beaten(std::span<const ChosenSetting> answer) {
  const auto others = answer.subspan(1);
  if (others.empty()) return nullptr;
  const std::string codec = codec_of(answer.front().family);
  const auto other = std::ranges::find_if(
      others, [&](const ChosenSetting& each) { return codec_of(each.family) != codec; });
  return other == others.end() ? &others.front() : &*other;
}

}  // namespace

std::string chosen_sentence(std::span<const ChosenSetting> answer, const ChooseOptions& options) {
  const ChosenSetting& first = answer.front();
  std::string text = fmt::format(
      "{}, {} ({}): {} is the cheapest measured setting of a KL divergence of at most {}: {} bits a "
      "value of the whole cache ({}), KL divergence {}",
      first.source, mode_text(first.mode), first.model, first.codec, full_precision(options.kl),
      mark_of(first) + with_range(first.bits, first.interval), cache_text(options),
      with_interval(first.kld));
  if (!first.surely) text += ", whose interval reaches beyond";
  if (first.encode_us && first.decode_us) {
    text += fmt::format("; {} us a token to encode and {} to decode, summed over threads",
                        significant(*first.encode_us), significant(*first.decode_us));
  }
  text += ".";
  std::string others;
  for (std::size_t i = 1; i < answer.size() && i <= kNamed; ++i) {
    const ChosenSetting& other = answer[i];
    if (!others.empty()) others += "; ";
    others += fmt::format("{} takes {:.3f}x its bits", other.codec, other.ratio);
    if (other.at_kl_ratio) {
      others += fmt::format(", at equal KL divergence {}",
                            with_range(*other.at_kl_ratio, other.at_kl_ratio_range, "x"));
    }
  }
  text += others.empty() ? " No other family keeps to it." : " " + others + ".";
  const ChosenSetting* least = nullptr;
  for (const ChosenSetting& each : answer) {
    if (each.at_kl.where == Where::inside && (!least || each.at_kl.rate < least->at_kl.rate))
      least = &each;
  }
  if (least && least != &first) {
    text += fmt::format(
        " Between measured settings {} would take fewest bits at exactly that KL divergence: {}.",
        least->legend, mark_of(*least) + with_range(least->at_kl.rate, least->at_kl_interval));
  }
  return text;
}

Table choose_table(std::span<const ChosenSetting> answer, const ChooseOptions& options) {
  const std::string kl = full_precision(options.kl);
  Table table = named_table(fmt::format("choose_at_kl_{}", kl),
                            fmt::format("What to use at a KL divergence of at most {}", kl));
  if (!answer.empty()) {
    table.source = answer.front().source;
    table.mode = answer.front().mode;
  }
  table.note = fmt::format(
      "Of every family the setting of fewest whole-cache bits whose mean KL divergence is at most {} "
      "nats. Whole-cache bits: a value of {}, with skipped layers, sinks and residual window as bf16; "
      "95 % percentile intervals over passages (from 8 on). Ratio: over the first row. At equal KL: "
      "whole-cache bits at exactly that KL divergence, log-linear between neighbouring measured "
      "settings, never extrapolated (\"<\": even the cheapest setting loses less), and their ratio to "
      "those of the first row's family, both of the same resamples. A star: the upper end of the KL "
      "divergence's interval is above what was asked for. \"≥\": the version that measured this recorded "
      "no open pages, which count as written. Encode, decode: microseconds a token, summed "
      "over threads and layers, on the device of the samples.",
      full_precision(options.kl), cache_text(options));
  table.columns = {{"family", "family", false},
                   {"setting", "setting", false},
                   {"whole-cache bits", "bits_whole_cache"},
                   {"ratio", "ratio of bits_whole_cache"},
                   {"KL nats", "kld_mean (nats)"},
                   {"bits at equal KL", "bits_whole_cache at kl"},
                   {"ratio at equal KL", "ratio of bits_whole_cache at kl"},
                   {"encode µs", "encode (us a token)"},
                   {"decode µs", "decode (us a token)"},
                   {"profile bytes", "profile bytes"}};
  if (options.tokens) table.columns.push_back({"of it profile bits", "profile bits of them"});
  for (const ChosenSetting& chosen : answer) {
    std::vector<Cell> row = {text_cell(chosen.legend),
                             text_cell(chosen.codec),
                             bits_cell(chosen),
                             number_cell(chosen.ratio, fmt::format("{:.3f}x", chosen.ratio)),
                             kld_cell(chosen),
                             at_kl_cell(chosen),
                             at_kl_ratio_cell(chosen),
                             optional_cell(chosen.encode_us),
                             optional_cell(chosen.decode_us),
                             chosen.profile_bytes
                                 ? number_cell(static_cast<double>(*chosen.profile_bytes),
                                               grouped(*chosen.profile_bytes))
                                 : text_cell("not recorded")};
    if (options.tokens) {
      row.push_back(number_cell(chosen.profile_bits, fmt::format("{:.4f}", chosen.profile_bits)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string nothing_chosen(const ResultGroup& group, const ChooseOptions& options) {
  const auto [best, least] = least_kl(group);
  if (!best) return "";
  if (least <= options.kl)
    return fmt::format(
        "{}, {}: the settings that keep to a KL divergence of {} have profiles whose "
        "bytes were not recorded: expected no --tokens",
        group.source, mode_text(group.mode), full_precision(options.kl));
  return fmt::format("{}, {}: no setting keeps to a KL divergence of {}: the least is {} ({})",
                     group.source, mode_text(group.mode), full_precision(options.kl),
                     significant(least), best->label);
}

Choice choose_for(const ResultGroup& group, std::string name, const ChooseOptions& options) {
  Choice choice{fmt::format("{}, {} ({})", name, mode_text(group.mode),
                            cache_grows(group.mode) ? "hot" : "cold"),
                options, choose_settings(group, options), ""};
  if (!choice.settings.empty()) return choice;
  const auto [best, least] = least_kl(group);
  if (best) choice.least = fmt::format("{} ({})", significant(least), best->label);
  return choice;
}

Table choices_table(std::span<const Choice> choices) {
  Table table = named_table("choices", "What to use");
  table.columns = {{"of", "", false},        {"KL at most", ""},    {"cheapest setting", "", false},
                   {"whole-cache bits", ""}, {"KL divergence", ""}, {"decode µs a token", ""},
                   {"beats", "", false},     {"which takes", ""},   {"at equal KL", ""}};
  std::string of, nothing;
  for (const Choice& choice : choices) {
    if (choice.settings.empty()) {
      if (choice.least.empty()) continue;
      nothing += fmt::format("{} {} in {}: the least is {}", nothing.empty() ? "" : ";",
                             full_precision(choice.options.kl), choice.of, choice.least);
      continue;
    }
    const ChosenSetting& first = choice.settings.front();
    std::vector<Cell> row = {text_cell(of == choice.of ? "" : choice.of),
                             number_cell(choice.options.kl, full_precision(choice.options.kl)),
                             text_cell(first.codec),
                             bits_cell(first),
                             kld_cell(first),
                             optional_cell(first.decode_us)};
    of = choice.of;
    if (const ChosenSetting* other = beaten(choice.settings)) {
      row.insert(row.end(), {text_cell(other->legend),
                             number_cell(other->ratio, fmt::format("{:.3f}x", other->ratio)),
                             at_kl_ratio_cell(*other)});
    } else {
      row.resize(table.columns.size(), text_cell("-"));
    }
    table.rows.push_back(std::move(row));
  }
  if (!table.rows.empty()) {
    table.note = fmt::format(
        "The setting of fewest whole-cache bits that keeps to a KL divergence (a star: on average "
        "alone). Bits are of {}, 95 % intervals over passages, from 8 on. Hot: growing caches; cold: "
        "finished ones. {} Beats: the cheapest setting of another codec, or else family, that keeps "
        "to it, its bits over the first's, and their ratio where both lose so much. More: "
        "`kakeya-report choose`.",
        cache_text(choices.front().options), kTimesOfSweeps);
  }
  if (!nothing.empty()) {
    table.note += fmt::format("{}No setting keeps to{}.", table.note.empty() ? "" : " ", nothing);
  }
  return table;
}

}  // namespace kakeya
