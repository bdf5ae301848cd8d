// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "kakeya/calibrate/build_kvtc_profile.h"
#include "kakeya/calibrate/calibration_subject.h"
#include "kakeya/calibrate/device_moments.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kSamples = 512;  // tokens on which the errors of groups are measured
constexpr int kUsualRank = 4096;

// Prefills, summed where the model computes or on the host.
std::array<WholeTokens, 2> gather(CalibrationSubject& subject, TapPoint point) {
  const ModelFacts& facts = subject.model().facts();
  const auto sinks = static_cast<std::size_t>(subject.options().sinks);
  const auto through = [&](auto&& tap) {
    subject.show("prefills", tap);
    return tap.take();
  };
  if (subject.algebra() == nullptr) {
    return through(WholeTokenTap(facts, point, sinks, subject.tokens(), kSamples, subject.pool()));
  }
  return through(
      DeviceWholeTokenTap(facts, *subject.algebra(), point, sinks, subject.tokens(), kSamples));
}

}  // namespace

Calibrated<KvtcProfile> calibrate_kvtc(const CalibrationOptions& options, std::optional<int> rank,
                                       const CalibrationProgress& progress) {
  CalibrationSubject subject(options, progress);
  KvtcProfile profile;
  static_cast<ProfileHead&>(profile) = subject.head();
  const auto width = static_cast<int>(profile.width());
  if (rank.value_or(1) > width) {
    throw InputError("--rank " + std::to_string(*rank) + ": expected at most " +
                     std::to_string(width) + ", the scalars of the keys of a token");
  }
  const auto components = static_cast<std::size_t>(rank.value_or(std::min(kUsualRank, width)));
  if (const auto there = subject.profile_there(KvtcProfile::kKind)) {
    std::string difference = difference_of(*there->profile, profile);
    if (difference.empty())
      difference = difference_of("rank", there->as<KvtcProfile>()->rank, components);
    subject.require_same(difference);
    subject.complete(true);
    return {there->as<KvtcProfile>(), true};
  }
  build_kvtc_profile(gather(subject, profile.tap), components, profile, subject.pool(),
                     [&](std::size_t done, std::size_t of) {
                       subject.tell({"components", done, of});
                     });
  write_profile_file(options.out, profile, subject.format());
  subject.complete(false);
  return {read_profile_file(options.out).as<KvtcProfile>(), false};
}

}  // namespace kakeya
