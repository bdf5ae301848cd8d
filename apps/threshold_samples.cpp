// SPDX-License-Identifier: Apache-2.0
#include "threshold_samples.h"

#include <filesystem>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/measure/prepare_sweep.h"
#include "progress.h"

namespace kakeya {
namespace {

void sweep_dump(const std::string& dump, const std::string& folder,
                const ReportThresholdsOptions& options, const std::vector<std::string>& specs,
                const std::vector<std::string>& arguments) {
  SweepConfig sweep;
  sweep.dump = dump;
  sweep.grid.both = specs;
  sweep.profiles = options.profiles;
  sweep.threads = options.threads;
  sweep.policy.fill(0);
  const PreparedSweep ready = prepare_sweep(sweep);
  const std::size_t cells = ready.grid.size() * ready.subject->modes().size() *
                            static_cast<std::size_t>(ready.subject->passages());
  ResultStore store(folder, ready.plan, ready.provenance(arguments), cells);
  Progress progress(dump, cells);
  const SweepOutcome outcome =
      run_sweep(*ready.subject, ready.grid, store, [&](const SweepEvent& event) {
        progress.skip(event.already);
        progress.update(event.done, event.now);
      });
  if (outcome.failed.empty()) return;
  throw Error(folder + ": " + std::to_string(outcome.failed.size()) +
              " cells failed, the first: " + outcome.failed.front().reason);
}

}  // namespace

std::vector<std::string> sweep_dumps(const ReportThresholdsOptions& options,
                                     const std::vector<std::string>& specs,
                                     const std::vector<std::string>& arguments) {
  if (options.out.empty()) {
    throw SpecError(
        "thresholds: codecs of profiles or of whole tokens: expected --out R, where the samples are kept, "
        "R/samples");
  }
  std::set<std::string> folders;
  for (const std::string& dump : options.dumps) {
    const std::filesystem::path name = std::filesystem::path(dump).stem();
    const std::string folder = (std::filesystem::path(options.out) / "samples" / name).string();
    if (!folders.insert(folder).second) {
      throw InputError(dump + ": a dump named " + name.string() +
                       " is there already: expected other names");
    }
    sweep_dump(dump, folder, options, specs, arguments);
  }
  return {folders.begin(), folders.end()};
}

}  // namespace kakeya
