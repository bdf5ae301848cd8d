// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/calibration_subject.h"

#include <filesystem>
#include <span>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/measure/codec_device.h"
#include "kakeya/model/tokenizer/tokenizer.h"
#include "kakeya/profile/token_windows.h"
#include "kakeya/store/digest.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

constexpr int kPassages = 9, kContext = 2048;

// On the host where the layers are on several devices.
std::string codec_device_for(const CalibrationOptions& options) {
  if (options.device.find(',') == std::string::npos)
    return codec_device_of(options.codec_device, options.device, options.model);
  if (options.codec_device.value_or("cpu") != "cpu") {
    throw SpecError("codec-device " + *options.codec_device +
                    ": calibration sums over a model on several devices on the host: expected cpu");
  }
  return "cpu";
}

}  // namespace

CalibrationSubject::CalibrationSubject(const CalibrationOptions& options,
                                       const CalibrationProgress& progress)
    : options_(options),
      progress_(progress),
      pool_(options.threads),
      codec_device_(codec_device_for(options)) {
  if (options.dump.empty()) read_texts();
  model_ = load_model(options.model, {options.device, options.dtype, pool_.threads()});
  head_.origin.model = model_source(*model_, options.model);
  if (!options.dump.empty()) open_dump();
  if (on_device()) {
    use_codec_device(codec_device_);
    if (!dump_) algebra_ = make_device_algebra(codec_device_);
  }
  const ModelFacts& facts = model_->facts();
  if (head_.context > facts.context) {
    throw InputError(std::to_string(head_.context) + " tokens a passage: " + facts.name +
                     " takes at most " + std::to_string(facts.context));
  }
  if (options.sinks >= head_.context) {
    throw SpecError("--sinks " + std::to_string(options.sinks) + ": expected fewer than the " +
                    std::to_string(head_.context) + " tokens of a passage");
  }
  head_.shape = facts.shape;
  head_.tokens_sha256 =
      tokens_digest(passages_, passages_.size(), static_cast<std::size_t>(head_.context));
  head_.dtype = options.dtype;
  head_.passages = static_cast<int>(passages_.size());
  head_.sinks = options.sinks;
  for (const Passage& passage : passages_) {
    const auto windows = window_digests(passage.tokens);
    head_.token_windows.insert(head_.token_windows.end(), windows.begin(), windows.end());
  }
}

void CalibrationSubject::read_texts() {
  const std::vector<std::string>& texts = options_.texts;
  if (texts.empty()) throw SpecError("expected --text, or --dump");
  const auto tokenizer = load_tokenizer(options_.model);
  const auto count = static_cast<std::size_t>(options_.passages.value_or(kPassages));
  if (count < texts.size()) {
    throw SpecError("--passages " + std::to_string(count) + ": expected at least one for each of " +
                    std::to_string(texts.size()) + " texts");
  }
  head_.context = options_.context.value_or(kContext);
  head_.tap = options_.tap.value_or(TapPoint::pre_rope);
  Source& text = head_.origin.text;
  std::string digests;
  std::vector<std::vector<Passage>> of_each;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const std::size_t share = count / texts.size() + (t < count % texts.size() ? 1 : 0);
    of_each.push_back(
        read_passages(texts[t], *tokenizer,
                      {static_cast<std::size_t>(head_.context), share, options_.cut,
                       "--ctx " + std::to_string(head_.context), !options_.passages}));
    if (t > 0) text.name += " + ";
    const Source of = source_of(texts[t]);
    text.name += of.name;
    text.sha256 = of.sha256;
    digests += text.sha256 + "\n";
  }
  if (texts.size() > 1) text.sha256 = sha256(std::as_bytes(std::span(std::as_const(digests))));
  for (std::size_t round = 0; round < count; ++round) {
    for (std::vector<Passage>& passages : of_each) {
      if (round < passages.size()) passages_.push_back(std::move(passages[round]));
    }
  }
}

void CalibrationSubject::open_dump() {
  dump_ = std::make_unique<DumpReader>(options_.dump);
  const DumpHead& dump = dump_->head();
  const auto refuse = [&](const std::string& what) {
    throw InputError(options_.dump + ": " + what);
  };
  const std::string tokens = "passages of " + std::to_string(dump.tokens) + " tokens, expected ",
                    &sha256 = head_.origin.model.sha256;
  if (!dump.queries) refuse("no queries: expected a dump of kakeya-capture --queries");
  if (dump.origin.model.sha256 != sha256) {
    refuse("of " + dump.origin.model.name + " (sha256 " + dump.origin.model.sha256.substr(0, 12) +
           "), expected one of the model with sha256 " + sha256.substr(0, 12));
  }
  if (options_.tap && *options_.tap != dump.tap) {
    refuse("tapped " + std::string(tap_name(dump.tap)) + ", not " +
           std::string(tap_name(*options_.tap)));
  }
  if (options_.context && *options_.context != dump.tokens) {
    refuse(tokens + std::to_string(*options_.context));
  }
  if (options_.sinks >= dump.tokens) {
    refuse(tokens + "more than the " + std::to_string(options_.sinks) + " sinks");
  }
  const int count = options_.passages.value_or(dump.passages);
  if (count > dump.passages) {
    refuse(std::to_string(dump.passages) + " passages, expected at least " + std::to_string(count));
  }
  head_.context = dump.tokens;
  head_.tap = dump.tap;
  head_.origin.text = dump.origin.text;
  for (int p = 0; p < count; ++p) passages_.push_back({dump_->tokens(p), dump_->origin(p)});
}

std::size_t CalibrationSubject::tokens() const {
  return passages_.size() * static_cast<std::size_t>(head_.context - head_.sinks);
}

void CalibrationSubject::show(std::string_view step, KvTap& tap) {
  for (std::size_t p = 0; p < passages_.size(); ++p) {
    tell({step, p, passages_.size(), passages_[p].origin});
    if (dump_) {
      show_dump(static_cast<int>(p), tap);
    } else {
      model_->prefill(passages_[p].tokens, tap);
    }
  }
  tell({step, passages_.size(), passages_.size()});
}

// Shows a passage of the dump as a prefill would.
void CalibrationSubject::show_dump(int passage, KvTap& tap) const {
  const DumpHead& dump = dump_->head();
  for (int layer = 0; layer < dump.shape.layers; ++layer) {
    for (const Part part : {Part::query, Part::key, Part::value}) {
      const KvSite site{layer, part};
      if (!tap.wants(site)) continue;
      std::vector<float> values = dump_->part(passage, site);
      tap.visit(site, {.data = values.data(),
                       .tokens = static_cast<std::size_t>(dump.tokens),
                       .heads = dump.shape.heads(part),
                       .dim = dump.shape.dim()});
    }
  }
}

ProfileFormat CalibrationSubject::format() const {
  return names_flat_profile(options_.out) ? ProfileFormat::flat : ProfileFormat::hdf5;
}

std::optional<StoredProfile> CalibrationSubject::profile_there(std::string_view kind) const {
  if (!fs::exists(options_.out)) return std::nullopt;
  std::optional<StoredProfile> there;
  try {
    there = read_profile_file(options_.out);
  } catch (const CorruptStream&) {
    return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
  require_same(difference_of("codec", there->kind, kind));
  return there;
}

void CalibrationSubject::require_same(const std::string& difference) const {
  if (difference.empty()) return;
  throw InputError(options_.out + ": holds a profile of other settings (" + difference +
                   "): expected the same ones, or another --out");
}

void CalibrationSubject::complete(bool already) const {
  if (!already || !fs::exists(flat_name_beside(options_.out))) write_beside(options_.out);
}

std::string difference_of(const ProfileHead& there, const ProfileHead& asked) {
  std::string found;
  const auto compare = [&](const char* what, const auto& a, const auto& b) {
    if (found.empty()) found = difference_of(what, a, b);
  };
  // Of the same bytes under another name nothing differs.
  if (there.origin.model.sha256 != asked.origin.model.sha256) {
    compare("model", there.origin.model.name, asked.origin.model.name);
  }
  compare("sha256 of the model", there.origin.model.sha256, asked.origin.model.sha256);
  if (there.origin.text.sha256 != asked.origin.text.sha256) {
    compare("text", there.origin.text.name, asked.origin.text.name);
  }
  compare("sha256 of the text", there.origin.text.sha256, asked.origin.text.sha256);
  compare("passages", there.passages, asked.passages);
  compare("ctx", there.context, asked.context);
  compare("sha256 of the passages' tokens", there.tokens_sha256, asked.tokens_sha256);
  compare("sinks", there.sinks, asked.sinks);
  compare("tap", tap_name(there.tap), tap_name(asked.tap));
  compare("dtype", there.dtype, asked.dtype);
  return found;
}

}  // namespace kakeya
