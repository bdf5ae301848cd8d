// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/replaced_subject.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/replay_tap.h"
#include "kakeya/store/digest.h"

namespace kakeya {
namespace {

constexpr std::string_view kClaimed = "claimed:";
constexpr std::string_view kGivenParts = "a sweep over K and V of a file";

bool is_claimed(const GridCell& cell) { return cell.specs.keys.starts_with(kClaimed); }

std::string shortest(double number) {
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  return error == std::errc() ? std::string(text, end) : std::to_string(number);
}

/// What a value of `bits` bits takes, in whole bytes for `values` of them.
RateLedger claimed_ledger(std::size_t vectors, std::size_t dim, double bits) {
  RateLedger ledger;
  ledger.vectors = vectors;
  ledger.values = vectors * dim;
  ledger.nominal_bits = ledger.codebook_bits = ledger.entropy_bits = std::nullopt;
  ledger.payload_bits =
      8 * static_cast<std::uint64_t>(std::llround(bits * static_cast<double>(ledger.values) / 8));
  return ledger;
}

void require_finite(const std::vector<float>& values, const std::string& place) {
  const auto wrong =
      std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  if (wrong == values.end()) return;
  throw InputError(place + ": value " + std::to_string(wrong - values.begin()) +
                   " is not finite: expected finite ones");
}

}  // namespace

GridCell claimed_cell(const std::string& path, double bits) {
  if (!(bits > 0) || bits > 64) {
    throw SpecError("claim-bits " + shortest(bits) +
                    ": expected above 0 and at most 64 bits a value");
  }
  std::string name = last_part(path);
  if (const std::size_t ending = name.rfind('.'); ending != std::string::npos && ending > 0)
    name.resize(ending);
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0 && c != '.' && c != '-' && c != '_') c = '_';
  }
  GridCell cell;
  cell.specs.keys = cell.specs.values =
      std::string(kClaimed) + "bits=" + shortest(bits) + ",of=" + name;
  return cell;
}

void check_replacement(const std::vector<EvalMode>& modes,
                       const std::optional<std::string>& codec_device) {
  for (const EvalMode mode : modes) {
    if (mode == EvalMode::snapshot || mode == EvalMode::prefix) continue;
    throw SpecError("replace: K and V of a file are those of a clean pass, mode " +
                    std::string(mode_name(mode)) + " has none: expected mode snapshot or prefix");
  }
  if (codec_device && *codec_device != "cpu") {
    throw SpecError("replace: codec-device " + *codec_device + ": expected cpu");
  }
}

ReplacedSubject::ReplacedSubject(Model& model, const std::vector<Passage>& passages,
                                 const Settings& settings, WorkerPool& pool,
                                 Replacement replacement, const std::string& model_sha256)
    : ModelSubject(model, passages, settings, pool), replacement_(std::move(replacement)) {
  const DumpHead& head = replacement_.dump.head();
  const auto refuse = [&](const std::string& what, const std::string& given,
                          const std::string& expected) {
    throw InputError(replacement_.file + ": " + what + " " + given + ", expected " + expected);
  };
  const auto require = [&](const char* what, int given, int expected) {
    if (given != expected) refuse(what, std::to_string(given), std::to_string(expected));
  };
  const KvShape& shape = model.facts().shape;
  require("layers", head.shape.layers, shape.layers);
  require("kv_heads", head.shape.kv_heads, shape.kv_heads);
  require("head_dim", head.shape.head_dim, shape.head_dim);
  if (head.tap != settings.tap) {
    refuse("tap", std::string(tap_name(head.tap)),
           std::string(tap_name(settings.tap)) + ", as the sweep has");
  }
  const std::string& of = head.origin.model.sha256;
  if (!of.empty() && !model_sha256.empty() && of != model_sha256)
    refuse("model_sha256", of, model_sha256 + ", the model of the sweep");
  if (head.passages < static_cast<int>(passages.size())) {
    refuse(
        "passages", std::to_string(head.passages),
        std::to_string(passages.size()) + " as the sweep has (give --passages, or more of them)");
  }
  const bool only_prefix = std::all_of(settings.modes.begin(), settings.modes.end(),
                                       [](EvalMode mode) { return mode == EvalMode::prefix; });
  const auto has = static_cast<std::size_t>(head.tokens);
  if (has != tokens() && !(only_prefix && has == settings.context)) {
    refuse("tokens", std::to_string(has),
           std::to_string(tokens()) + " of ctx and eval together" +
               (only_prefix ? ", or " + std::to_string(settings.context) + " of ctx" : ""));
  }
  for (std::size_t p = 0; p < passages.size(); ++p) {
    const std::vector<std::int32_t> stored = replacement_.dump.tokens(static_cast<int>(p));
    const auto differs =
        std::mismatch(stored.begin(), stored.end(), passages[p].tokens.begin()).first;
    if (differs == stored.end()) continue;
    const auto token = static_cast<std::size_t>(differs - stored.begin());
    refuse("passage " + std::to_string(p) + ": token " + std::to_string(token) + " is",
           std::to_string(*differs),
           std::to_string(passages[p].tokens[token]) + " as in " +
               (passages[p].origin.empty() ? "the text" : passages[p].origin));
  }
}

void ReplacedSubject::check(const GridCell& cell) const {
  settings().policy.exact_ends(kGivenParts);
  if (!is_claimed(cell)) ModelSubject::check(cell);
}

Sample ReplacedSubject::measure(const GridCell& cell, const std::string& mode) {
  if (!is_claimed(cell)) return ModelSubject::measure(cell, mode);
  if (clean() == nullptr) throw InputError("sweep: expected start_passage before a cell");
  const EvalMode eval_mode = parse_modes({mode}).front();
  const KvCache& original = *clean();
  const std::size_t heads = original.heads(), dim = original.dim(), stride = heads * dim;
  const std::size_t coded = eval_mode == EvalMode::prefix ? settings().context : original.tokens();
  const CachePolicy& policy = settings().policy;
  const ExactEnds ends = policy.exact_ends(kGivenParts);
  const TokenRange range = ends.coded(coded, original.tokens());
  KvCache decoded(policy.layers, original.tokens(), heads, dim);
  CodingRecord record;
  record.add_layers(policy);
  std::vector<float> values(original.tokens() * stride);
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(policy.layers); ++i) {
    const KvSite site = site_of_index(i);
    original.load(site, original.tokens(), values);
    if (policy.codes(site.layer)) {
      const std::vector<float> given = replacement_.dump.part(passage(), site);
      require_finite(given, replacement_.file + ": passage " + std::to_string(passage()) + ", " +
                                site_name(site));
      for (std::size_t head = 0; head < heads; ++head) {
        const std::size_t first = range.first * stride + head * dim;
        CodedHead of;
        of.distortion.add(Rows<const float>{values.data() + first, range.count, dim, stride},
                          Rows<const float>{given.data() + first, range.count, dim, stride});
        of.ledger = claimed_ledger(range.count, dim, replacement_.bits);
        record.add(policy, site, of);
      }
      record.finish_part(site, ends.count(), heads, dim);
      const auto begin = static_cast<std::ptrdiff_t>(range.first * stride),
                 end = static_cast<std::ptrdiff_t>((range.first + range.count) * stride);
      std::copy(given.begin() + begin, given.begin() + end, values.begin() + begin);
      round_to_finite_bf16(values);
    }
    decoded.store(site, values);
  }
  ReplayTap tap(settings().tap, decoded, coded, eval_mode == EvalMode::prefix ? decoded : original,
                policy.exact_window());
  return run(cell, tap, record, coded, [] { return 0.0; });
}

}  // namespace kakeya
