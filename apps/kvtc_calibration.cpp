// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "calibration.h"
#include "calibration_source.h"
#include "kakeya/calibrate/build_kvtc_profile.h"
#include "kakeya/core/error.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/profile_files.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

constexpr std::size_t kSamples = 512;  // tokens on which the errors of groups are measured
constexpr std::size_t kUsualRank = 4096;

std::size_t rank_of(const CalibrationOptions& options, std::size_t width) {
  if (!options.rank) return std::min(kUsualRank, width);
  if (static_cast<std::size_t>(*options.rank) > width) {
    throw InputError(
        fmt::format("--rank {}: expected at most {}, the scalars of the keys of a token",
                    *options.rank, width));
  }
  return static_cast<std::size_t>(*options.rank);
}

}  // namespace

Calibrated<KvtcProfile> calibrate_kvtc(const CalibrationOptions& options) {
  const std::string path = resolve_model(options.model);
  WorkerPool pool(options.threads);
  const CalibrationSource source = options.dump.empty()
                                       ? source_of_texts(options, path)
                                       : source_of_dump(options, sha256_path(path));
  const std::unique_ptr<Model> model =
      load_model(path, {options.device, options.dtype, pool.threads()});
  require_context(source, *model);
  KvtcProfile profile;
  static_cast<ProfileHead&>(profile) = head_of(options, source, path, *model);
  const std::size_t rank = rank_of(options, profile.width());
  if (const auto there = profile_there(options)) {
    std::string difference = difference_of(*there->profile, profile);
    if (difference.empty())
      difference = difference_of("rank", there->as<KvtcProfile>()->rank, rank);
    require_same(options, difference);
    return {*there->as<KvtcProfile>(), true};
  }
  hint_on_interrupt("calibrate", "nothing of it is kept");
  const auto sinks = static_cast<std::size_t>(options.sinks),
             tokens = source.passages.size() * (static_cast<std::size_t>(source.context) - sinks);
  WholeTokenTap tap(model->facts(), source.tap, sinks, tokens, kSamples, pool);
  show_passages("calibrate: prefills", *model, source, tap);
  std::optional<Progress> progress;
  build_kvtc_profile(tap, rank, profile, pool, [&](std::size_t done, std::size_t of) {
    if (!progress) progress.emplace("calibrate: components", of);
    progress->update(done);
  });
  progress.reset();
  const bool flat = names_flat_profile(options.out);
  write_profile_file(options.out, profile, flat ? ProfileFormat::flat : ProfileFormat::hdf5);
  return {*read_profile_file(options.out).as<KvtcProfile>(), false};
}

}  // namespace kakeya
