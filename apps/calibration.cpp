// SPDX-License-Identifier: Apache-2.0
#include "calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "calibration_source.h"
#include "kakeya/calibrate/build_profile.h"
#include "kakeya/calibrate/layer_transforms.h"
#include "kakeya/calibrate/sensitivity.h"
#include "kakeya/core/error.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/profile_files.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSamples = 1536;  // vectors a head, for the classes
constexpr int kSensitivityPassages = 3;
// Where sensitivities are measured: in the middle of the rates that a tier is for. A pass inside
// the forward takes all tokens, one of a whole cache only those that are scored.
constexpr double kHotBits = 2.25, kColdBits = 1.5;
constexpr std::size_t kHotContext = 768, kColdContext = 2048, kScored = 128;

// A calibration under way: each step leaves the profile with more in it.
class Calibration {
 public:
  explicit Calibration(const CalibrationOptions& options)
      : options_(options),
        path_(resolve_model(options.model)),
        pool_(options.threads),
        format_(names_flat_profile(options.out) ? ProfileFormat::flat : ProfileFormat::hdf5),
        unfinished_(options.out + ".unfinished"),
        source_(options.dump.empty() ? source_of_texts(options, path_)
                                     : source_of_dump(options, sha256_path(path_))),
        tap_(source_.tap) {
    model_ = load_model(path_, {options.device, options.dtype, pool_.threads()});
    require_context(source_, *model_);
    describe(profile_);
    check();
  }

  Calibrated<Profile> run() {
    const bool stopped = fs::exists(unfinished_);
    if (const auto there = stopped ? std::nullopt : profile_there(options_)) {
      require_same(options_, difference_from(*there->as<Profile>()));
      return {*there->as<Profile>(), true};
    }
    hint_on_interrupt("calibrate", "run the same command to go on");
    if (!resume()) {
      make_transforms();
      describe(profile_);
      write_profile_file(unfinished_, profile_, format_);
    }
    if (profile_.sensitivity_passages > 0) measure_in_forward();
    if (options_.scope == "layer") {
      profile_.layer_steps =
          options_.steps == layer_steps_name(Tier::cold) ? Tier::cold : Tier::hot;
      if (profile_.layer_steps == Tier::cold) measure_prefix();
      make_layer_transforms();
    }
    write_profile_file(options_.out, profile_, format_);
    fs::remove(unfinished_);
    return {*read_profile_file(options_.out).as<Profile>(), false};
  }

 private:
  void describe(Profile& profile) const {
    static_cast<ProfileHead&>(profile) = head_of(options_, source_, path_, *model_);
    const int passages = profile.passages;
    profile.sensitivity_passages =
        options_.sensitivity_passages.value_or(std::min(kSensitivityPassages, passages));
    profile.matrices = options_.matrices == "int8" ? MatrixFormat::int8 : MatrixFormat::fp16;
    profile.variants = {{true, true}};
    if (options_.ablations) {
      profile.variants.insert(profile.variants.end(),
                              {{false, true}, {true, false}, {false, false}});
    }
  }

  void check() const {
    if (options_.sinks >= source_.context) {
      throw SpecError(fmt::format("--sinks {}: expected fewer than the {} tokens of a passage",
                                  options_.sinks, source_.context));
    }
    if (profile_.sensitivity_passages > profile_.passages) {
      throw SpecError(fmt::format("--sensitivity-passages {}: expected at most the {} passages",
                                  profile_.sensitivity_passages, profile_.passages));
    }
    const int layers = model_->facts().shape.layers;
    if (options_.scope == "layer" && layers % options_.layer_group != 0) {
      throw SpecError(fmt::format("--layer-group {}: expected a divisor of the model's {} layers",
                                  options_.layer_group, layers));
    }
    if (profile_.sensitivity_passages == 0 && options_.scope == "layer") {
      throw SpecError(
          "--sensitivity-passages 0: whole layers need sensitivities: expected --scope head");
    }
  }

  // In what the profile that is there differs from the one asked for.
  std::string difference_from(const Profile& there) const {
    std::string found = difference_of(static_cast<const ProfileHead&>(there), profile_);
    const auto compare = [&](const char* what, const auto& a, const auto& b) {
      if (found.empty()) found = difference_of(what, a, b);
    };
    compare("sensitivity passages", there.sensitivity_passages, profile_.sensitivity_passages);
    compare("matrices", std::string(there.matrices == MatrixFormat::int8 ? "int8" : "fp16"),
            options_.matrices);
    compare("variants of transforms", there.variants.size(), profile_.variants.size());
    const bool layers = !there.layer_transforms.empty();
    compare("scope", std::string(layers ? "layer" : "head"), options_.scope);
    if (layers && found.empty()) {
      compare("layer group", there.layer_group, options_.layer_group);
      compare("steps", std::string(layer_steps_name(there.layer_steps)), options_.steps);
      compare("predict", static_cast<int>(there.layer_transforms.size()) - 1, options_.predict);
    }
    if (found.empty() && !options_.from.empty() &&
        !goes_on(read_same(options_.from, "of", ""), there)) {
      found = "other transforms or sensitivities than " + options_.from + " has";
    }
    return found;
  }

  // Goes on with what an earlier run has left, or has made of heads and sensitivities.
  bool resume() {
    std::optional<Profile> from, left;
    if (!options_.from.empty()) from = read_same(options_.from, "of", "");
    if (fs::exists(unfinished_)) left = read_same(unfinished_, "begun with", ", or no such file");
    if (!from && !left) return false;
    if (from && left && !goes_on(*from, *left)) {
      throw InputError(unfinished_ + ": begun with other transforms or sensitivities than " +
                       options_.from + " has: expected the same ones, or no such file");
    }
    profile_ = std::move(left ? *left : *from);
    profile_.layer_octaves.clear();
    profile_.layer_transforms.clear();
    return true;
  }

  // Throws InputError where a profile is of other settings than these: "PATH: `how` another ...".
  Profile read_same(const std::string& path, const char* how, const char* otherwise) const {
    const StoredProfile stored = read_profile_file(path);
    const auto klt = stored.as<Profile>();
    if (!klt) throw InputError(path + ": a profile of kvtc, expected one of klt");
    Profile found = *klt;
    const Profile& now = profile_;
    const bool same = found.origin.model.sha256 == now.origin.model.sha256 &&
                      found.origin.text.sha256 == now.origin.text.sha256 &&
                      found.tokens_sha256 == now.tokens_sha256 && found.dtype == now.dtype &&
                      found.tap == now.tap && found.passages == now.passages &&
                      found.context == now.context && found.sinks == now.sinks &&
                      found.matrices == now.matrices && found.variants == now.variants &&
                      found.sensitivity_passages == now.sensitivity_passages;
    if (same) return found;
    throw InputError(
        fmt::format("{}: {} another model, other texts or other settings: expected the same ones{}",
                    path, how, otherwise));
  }

  // Whether `left` has the transforms of `from` and every sensitivity that was measured there.
  static bool goes_on(const Profile& from, const Profile& left) {
    const auto kept = [](double before, double after) { return before == 0 || before == after; };
    return std::equal(from.parts.begin(), from.parts.end(), left.parts.begin(), left.parts.end(),
                      [&](const PartProfile& before, const PartProfile& after) {
                        return before.heads == after.heads &&
                               kept(before.sensitivity, after.sensitivity) &&
                               kept(before.prefix_sensitivity, after.prefix_sensitivity);
                      });
  }

  std::size_t tokens() const {
    return source_.passages.size() * static_cast<std::size_t>(source_.context - options_.sinks);
  }

  void make_transforms() {
    CacheMoments moments(model_->facts(), tokens(), kSamples);
    MomentsTap tap(moments, tap_, static_cast<std::size_t>(options_.sinks));
    show_passages("calibrate: prefills", *model_, source_, tap);
    const auto layers = static_cast<std::size_t>(model_->facts().shape.layers);
    Progress progress("calibrate: transforms", layers);
    profile_ = build_profile(
        *model_, moments, tap_, profile_.variants, profile_.matrices, pool_, [&](int layer) {
          progress.update(static_cast<std::size_t>(layer) + 1, "layer " + std::to_string(layer));
        });
  }

  // `context` tokens of each passage, or as many as there are.
  SensitivitySettings sensitivity_settings(double bits, std::size_t context) const {
    SensitivitySettings settings;
    settings.bits = bits;
    settings.tap = tap_;
    settings.sinks = static_cast<std::size_t>(options_.sinks);
    settings.context = std::min(context, static_cast<std::size_t>(source_.context));
    settings.scored = std::min(kScored, settings.context / 2);
    return settings;
  }

  // Calls measure(passages, done).
  template <typename Measure>
  void measure(const char* what, const Measure& measure) {
    std::vector<std::span<const std::int32_t>> passages;
    for (int p = 0; p < profile_.sensitivity_passages; ++p) {
      passages.emplace_back(source_.passages[static_cast<std::size_t>(p)].tokens);
    }
    Progress progress(what, profile_.parts.size());
    measure(passages, [&](std::size_t part) {
      write_profile_file(unfinished_, profile_, format_);
      progress.update(part + 1, fmt::format("layer {}", part / 2));
    });
  }

  void measure_in_forward() {
    const SensitivitySettings settings = sensitivity_settings(kHotBits, kHotContext);
    measure("calibrate: sensitivities", [&](const auto& passages, const auto& done) {
      measure_sensitivities(*model_, passages, settings, profile_, pool_, done);
    });
  }

  void measure_prefix() {
    const SensitivitySettings settings = sensitivity_settings(kColdBits, kColdContext);
    measure("calibrate: sensitivities of whole caches",
            [&](const auto& passages, const auto& done) {
              measure_prefix_sensitivities(*model_, passages, settings, profile_, pool_, done);
            });
  }

  void make_layer_transforms() {
    profile_.layer_octaves = octaves_of_layers(profile_);
    profile_.layer_group = options_.layer_group;
    profile_.layer_shaping = kLayerShaping;
    const auto groups = static_cast<std::size_t>(profile_.layer_groups());
    LayerMoments moments(groups, profile_.group_width(), options_.predict);
    LayerMomentsTap tap(profile_, moments, tap_, tokens(), kSamples, pool_);
    show_passages("calibrate: prefills for whole layers", *model_, source_, tap);
    const auto orders = static_cast<std::size_t>(options_.predict) + 1;
    Progress progress("calibrate: transforms of layers", orders * groups);
    build_layer_transforms(moments, profile_, pool_,
                           [&](std::size_t done) { progress.update(done); });
  }

  const CalibrationOptions& options_;
  std::string path_;
  WorkerPool pool_;
  ProfileFormat format_;
  std::string unfinished_;
  CalibrationSource source_;
  TapPoint tap_;
  std::unique_ptr<Model> model_;
  Profile profile_;
};

}  // namespace

Calibrated<Profile> calibrate(const CalibrationOptions& options) {
  return Calibration(options).run();
}

}  // namespace kakeya
