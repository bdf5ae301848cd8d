// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "kakeya/calibrate/build_profile.h"
#include "kakeya/calibrate/calibration_subject.h"
#include "kakeya/calibrate/device_moments.h"
#include "kakeya/calibrate/layer_transforms.h"
#include "kakeya/calibrate/sensitivity.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace std::string_view_literals;
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
  Calibration(const CalibrationOptions& options, const KltCalibration& klt,
              const CalibrationProgress& progress)
      : klt_(klt), unfinished_(options.out + ".unfinished"), subject_(options, progress) {
    describe(profile_);
    check();
  }

  Calibrated<Profile> run() {
    const std::string& out = subject_.options().out;
    const bool stopped = fs::exists(unfinished_);
    if (const auto there = stopped ? std::nullopt : subject_.profile_there(Profile::kKind)) {
      subject_.require_same(difference_from(*there->as<Profile>()));
      subject_.complete(true);
      return {there->as<Profile>(), true};
    }
    if (!resume()) {
      make_transforms();
      describe(profile_);
      save();
    }
    if (profile_.sensitivity_passages > 0) {
      measure("sensitivities", kHotBits, kHotContext, measure_sensitivities);
    }
    if (klt_.layers) {
      profile_.layer_steps = klt_.steps;
      if (klt_.steps == Tier::cold) {
        measure("sensitivities of whole caches", kColdBits, kColdContext,
                measure_prefix_sensitivities);
      }
      make_layer_transforms();
    }
    profile_.token_windows = subject_.head().token_windows;
    write_profile_file(out, profile_, subject_.format());
    fs::remove(unfinished_);
    subject_.complete(false);
    return {read_profile_file(out).as<Profile>(), false};
  }

 private:
  void save() const { write_profile_file(unfinished_, profile_, subject_.format()); }

  void describe(Profile& profile) const {
    static_cast<ProfileHead&>(profile) = subject_.head();
    profile.token_windows.clear();  // the finished one has them, whatever it was resumed from
    profile.sensitivity_passages =
        klt_.sensitivity_passages.value_or(std::min(kSensitivityPassages, profile.passages));
    profile.matrices = klt_.matrices;
    profile.variants = {{true, true}};
    if (klt_.ablations) {
      profile.variants.insert(profile.variants.end(),
                              {{false, true}, {true, false}, {false, false}});
    }
  }

  void check() const {
    const int sensitivity = profile_.sensitivity_passages, layers = profile_.shape.layers;
    if (sensitivity > profile_.passages) {
      throw SpecError("--sensitivity-passages " + std::to_string(sensitivity) +
                      ": expected at most the " + std::to_string(profile_.passages) + " passages");
    }
    if (!klt_.layers) return;
    if (layers % klt_.layer_group != 0) {
      throw SpecError("--layer-group " + std::to_string(klt_.layer_group) +
                      ": expected a divisor of the model's " + std::to_string(layers) + " layers");
    }
    if (sensitivity == 0) {
      throw SpecError(
          "--sensitivity-passages 0: whole layers need sensitivities: expected --scope head");
    }
  }

  // In what a profile differs from the one asked for, transforms of whole layers left out.
  std::string difference_of_heads(const Profile& there) const {
    std::string found = difference_of(static_cast<const ProfileHead&>(there), profile_);
    const auto compare = [&](const char* what, const auto& a, const auto& b) {
      if (found.empty()) found = difference_of(what, a, b);
    };
    const auto name = [](const Profile& of) {
      return of.matrices == MatrixFormat::int8 ? "int8"sv : "fp16"sv;
    };
    compare("sensitivity passages", there.sensitivity_passages, profile_.sensitivity_passages);
    compare("matrices", name(there), name(profile_));
    compare("variants of transforms", there.variants.size(), profile_.variants.size());
    return found;
  }

  // In what the finished profile that is there differs.
  std::string difference_from(const Profile& there) const {
    std::string found = difference_of_heads(there);
    const auto compare = [&](const char* what, const auto& a, const auto& b) {
      if (found.empty()) found = difference_of(what, a, b);
    };
    const auto name = [](bool layers) { return layers ? "layer"sv : "head"sv; };
    const bool layers = !there.layer_transforms.empty();
    compare("scope", name(layers), name(klt_.layers));
    if (layers && found.empty()) {
      compare("layer group", there.layer_group, klt_.layer_group);
      compare("steps", layer_steps_name(there.layer_steps), layer_steps_name(klt_.steps));
      compare("predict", static_cast<int>(there.layer_transforms.size()) - 1, klt_.predict);
    }
    if (found.empty() && !klt_.from.empty() && !goes_on(read_same(klt_.from, "of", ""), there)) {
      found = "other transforms or sensitivities than " + klt_.from + " has";
    }
    return found;
  }

  // Goes on with what an earlier run has left, or has made of heads and sensitivities.
  bool resume() {
    std::optional<Profile> from, left;
    if (!klt_.from.empty()) from = read_same(klt_.from, "of", "");
    if (fs::exists(unfinished_)) left = read_same(unfinished_, "begun with", ", or no such file");
    if (!from && !left) return false;
    if (from && left && !goes_on(*from, *left)) {
      throw InputError(unfinished_ + ": begun with other transforms or sensitivities than " +
                       klt_.from + " has: expected the same ones, or no such file");
    }
    profile_ = std::move(left ? *left : *from);
    profile_.layer_octaves.clear();
    profile_.layer_transforms.clear();
    return true;
  }

  // Throws InputError where a profile is of other settings than these: "PATH: `how` another ...".
  Profile read_same(const std::string& path, const char* how, const char* otherwise) const {
    const auto klt = read_profile_file(path).as<Profile>();
    if (!klt) throw InputError(path + ": a profile of kvtc, expected one of klt");
    const std::string difference = difference_of_heads(*klt);
    if (difference.empty()) return *klt;
    throw InputError(path + ": " + how + " another model, other texts or other settings (" +
                     difference + "): expected the same ones" + otherwise);
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

  void make_transforms() {
    CacheMoments moments(subject_.model().facts(), subject_.tokens(), kSamples);
    gather(moments);
    const auto layers = static_cast<std::size_t>(profile_.shape.layers);
    profile_ = build_profile(subject_.model(), moments, profile_.tap, profile_.variants,
                             profile_.matrices, subject_.pool(), [&](int layer) {
                               subject_.tell({"transforms", static_cast<std::size_t>(layer) + 1,
                                              layers, "layer " + std::to_string(layer)});
                             });
  }

  void gather(CacheMoments& moments) {
    const auto sinks = static_cast<std::size_t>(profile_.sinks);
    if (subject_.algebra() == nullptr) {
      MomentsTap tap(moments, profile_.tap, sinks);
      subject_.show("prefills", tap);
      return;
    }
    DeviceMomentsTap tap(subject_.model().facts(), *subject_.algebra(), profile_.tap, sinks,
                         subject_.tokens(), kSamples);
    subject_.show("prefills", tap);
    tap.finish(moments);
  }

  void gather(LayerMoments& moments) {
    const char* const step = "prefills for whole layers";
    if (subject_.algebra() == nullptr) {
      LayerMomentsTap tap(profile_, moments, profile_.tap, subject_.tokens(), kSamples,
                          subject_.pool());
      subject_.show(step, tap);
      return;
    }
    DeviceLayerMomentsTap tap(profile_, *subject_.algebra(), moments, profile_.tap,
                              subject_.tokens(), kSamples);
    subject_.show(step, tap);
    tap.finish();
  }

  // Sensitivities by `method`, on up to `context` tokens of each passage.
  void measure(std::string_view step, double bits, std::size_t context,
               decltype(measure_sensitivities)& method) {
    SensitivitySettings settings;
    settings.bits = bits;
    settings.tap = profile_.tap;
    settings.on_device = subject_.on_device();
    settings.sinks = static_cast<std::size_t>(profile_.sinks);
    settings.context = std::min(context, static_cast<std::size_t>(profile_.context));
    settings.scored = std::min(kScored, settings.context / 2);
    std::vector<std::span<const std::int32_t>> passages;
    for (int p = 0; p < profile_.sensitivity_passages; ++p) {
      passages.emplace_back(subject_.passages()[static_cast<std::size_t>(p)].tokens);
    }
    subject_.tell({step, 0, profile_.parts.size()});
    method(subject_.model(), passages, settings, profile_, subject_.pool(), [&](std::size_t part) {
      save();
      subject_.tell({step, part + 1, profile_.parts.size(), "layer " + std::to_string(part / 2)});
    });
  }

  void make_layer_transforms() {
    profile_.layer_octaves = octaves_of_layers(profile_);
    profile_.layer_group = klt_.layer_group;
    profile_.layer_shaping = kLayerShaping;
    const auto groups = static_cast<std::size_t>(profile_.layer_groups());
    LayerMoments moments(groups, profile_.group_width(), klt_.predict);
    gather(moments);
    const std::size_t steps = (static_cast<std::size_t>(klt_.predict) + 1) * groups;
    build_layer_transforms(moments, profile_, subject_.pool(), [&](std::size_t done) {
      subject_.tell({"transforms of layers", done, steps});
    });
  }

  const KltCalibration& klt_;
  std::string unfinished_;
  CalibrationSubject subject_;
  Profile profile_;
};

}  // namespace

Calibrated<Profile> calibrate_klt(const CalibrationOptions& options, const KltCalibration& klt,
                                  const CalibrationProgress& progress) {
  return Calibration(options, klt, progress).run();
}

}  // namespace kakeya
