// SPDX-License-Identifier: Apache-2.0
#include "calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>

#include "kakeya/calibrate/build_profile.h"
#include "kakeya/calibrate/layer_transforms.h"
#include "kakeya/calibrate/sensitivity.h"
#include "kakeya/core/error.h"
#include "kakeya/eval/mode.h"
#include "kakeya/io/digest.h"
#include "kakeya/io/profile_store.h"
#include "kakeya/text/passages.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSamples = 1536;  // vectors a head, for the classes
constexpr int kSensitivityPassages = 3;

struct Texts {
  std::vector<Passage> passages;  // the first of each text, then the second of each, ...
  std::string name, sha256;
};

Texts read_texts(const CalibrationOptions& options, const Tokenizer& tokenizer) {
  const auto count = static_cast<std::size_t>(options.passages), texts = options.texts.size();
  if (count < texts) {
    throw SpecError(
        fmt::format("--passages {}: expected at least one for each of {} texts", count, texts));
  }
  Texts read;
  std::string digests;
  std::vector<std::vector<Passage>> of_each;
  for (std::size_t t = 0; t < texts; ++t) {
    const std::size_t share = count / texts + (t < count % texts ? 1 : 0);
    of_each.push_back(read_passages(options.texts[t], tokenizer,
                                    static_cast<std::size_t>(options.context), share));
    read.name += (t == 0 ? "" : " + ") +
                 fs::absolute(options.texts[t] + "/").parent_path().filename().string();
    digests += sha256_path(options.texts[t]) + "\n";
  }
  for (std::size_t round = 0; read.passages.size() < count; ++round) {
    for (std::vector<Passage>& passages : of_each) {
      if (round < passages.size()) read.passages.push_back(std::move(passages[round]));
    }
  }
  read.sha256 = texts == 1 ? sha256_path(options.texts[0])
                           : sha256(std::as_bytes(std::span(digests.data(), digests.size())));
  return read;
}

// A calibration under way: each step leaves the profile with more in it.
class Calibration {
 public:
  explicit Calibration(const CalibrationOptions& options)
      : options_(options),
        path_(resolve_model(options.model)),
        tap_(parse_tap(options.tap)),
        pool_(options.threads),
        unfinished_(options.out + ".unfinished") {
    const auto tokenizer = load_tokenizer(path_);
    texts_ = read_texts(options, *tokenizer);
    model_ = load_model(path_, {options.device, options.dtype, pool_.threads()});
    if (options.context > model_->facts().context) {
      throw InputError(fmt::format("--ctx {}: {} takes at most {} tokens", options.context,
                                   model_->facts().name, model_->facts().context));
    }
    describe(profile_);
  }

  Profile run() {
    if (!resume()) {
      make_transforms();
      describe(profile_);
      write_profile(unfinished_, profile_);
    }
    if (profile_.sensitivity_passages > 0) measure();
    if (options_.scope == "layer") make_layer_transforms();
    write_profile(options_.out, profile_);
    fs::remove(unfinished_);
    return read_profile(options_.out);
  }

 private:
  void describe(Profile& profile) const {
    profile.model_name = model_->facts().name;
    profile.model_sha256 = sha256_path(path_);
    profile.text_name = texts_.name;
    profile.text_sha256 = texts_.sha256;
    profile.tap = options_.tap;
    profile.passages = options_.passages;
    profile.context = options_.context;
    profile.sinks = options_.sinks;
    profile.sensitivity_passages =
        options_.sensitivity_passages.value_or(std::min(kSensitivityPassages, options_.passages));
    profile.variants = {{true, true}};
    if (options_.ablations) {
      profile.variants.insert(profile.variants.end(),
                              {{false, true}, {true, false}, {false, false}});
    }
  }

  // Goes on with what an earlier run has left.
  bool resume() {
    if (!fs::exists(unfinished_)) return false;
    Profile found = read_profile(unfinished_);
    const Profile& now = profile_;
    const bool same = found.model_sha256 == now.model_sha256 &&
                      found.text_sha256 == now.text_sha256 && found.tap == now.tap &&
                      found.passages == now.passages && found.context == now.context &&
                      found.sinks == now.sinks && found.variants == now.variants &&
                      found.sensitivity_passages == now.sensitivity_passages;
    if (!same) {
      throw InputError(unfinished_ +
                       ": begun with another model, other texts or other settings: expected the "
                       "same ones, or no such file");
    }
    profile_ = std::move(found);
    return true;
  }

  std::size_t tokens() const {
    return texts_.passages.size() * static_cast<std::size_t>(options_.context - options_.sinks);
  }

  void prefill(const char* what, KvTap& tap) {
    Progress progress(what, texts_.passages.size());
    for (std::size_t p = 0; p < texts_.passages.size(); ++p) {
      progress.update(p, texts_.passages[p].origin);
      model_->prefill(texts_.passages[p].tokens, tap);
    }
    progress.update(texts_.passages.size());
  }

  void make_transforms() {
    CacheMoments moments(model_->facts(), tokens(), kSamples);
    MomentsTap tap(moments, tap_, static_cast<std::size_t>(options_.sinks));
    prefill("calibrate: prefills", tap);
    const auto layers = static_cast<std::size_t>(model_->facts().layers);
    Progress progress("calibrate: transforms", layers);
    profile_ = build_profile(*model_, moments, tap_, profile_.variants, pool_, [&](int layer) {
      progress.update(static_cast<std::size_t>(layer) + 1, "layer " + std::to_string(layer));
    });
  }

  void measure() {
    SensitivitySettings settings;
    settings.tap = tap_;
    settings.sinks = static_cast<std::size_t>(options_.sinks);
    settings.context = std::min(settings.context, static_cast<std::size_t>(options_.context));
    settings.scored = std::min(settings.scored, settings.context / 2);
    std::vector<std::span<const std::int32_t>> passages;
    for (int p = 0; p < profile_.sensitivity_passages; ++p) {
      passages.emplace_back(texts_.passages[static_cast<std::size_t>(p)].tokens);
    }
    Progress progress("calibrate: sensitivities", profile_.parts.size());
    measure_sensitivities(*model_, passages, settings, profile_, pool_, [&](std::size_t part) {
      write_profile(unfinished_, profile_);
      progress.update(part + 1, fmt::format("layer {}", part / 2));
    });
  }

  void make_layer_transforms() {
    profile_.layer_octaves = octaves_of_layers(profile_);
    const auto layers = static_cast<std::size_t>(profile_.layers);
    LayerMoments moments(layers, profile_.layer_width());
    LayerMomentsTap tap(profile_, moments, tap_, tokens(), kSamples, pool_);
    prefill("calibrate: prefills for whole layers", tap);
    const auto orders = static_cast<std::size_t>(options_.predict) + 1;
    Progress progress("calibrate: transforms of layers", orders * layers);
    build_layer_transforms(moments, options_.predict, profile_, pool_,
                           [&](std::size_t done) { progress.update(done); });
  }

  const CalibrationOptions& options_;
  std::string path_;
  TapPoint tap_;
  WorkerPool pool_;
  std::string unfinished_;
  Texts texts_;
  std::unique_ptr<Model> model_;
  Profile profile_;
};

void check(const CalibrationOptions& options) {
  if (options.sinks >= options.context) throw SpecError("--sinks: expected fewer than --ctx");
  const int asked = options.sensitivity_passages.value_or(1);
  if (asked > options.passages) {
    throw SpecError(fmt::format("--sensitivity-passages {}: expected at most the {} of --passages",
                                asked, options.passages));
  }
  if (asked == 0 && options.scope == "layer") {
    throw SpecError(
        "--sensitivity-passages 0: whole layers need sensitivities: expected --scope head");
  }
}

}  // namespace

Profile calibrate(const CalibrationOptions& options) {
  check(options);
  return Calibration(options).run();
}

}  // namespace kakeya
