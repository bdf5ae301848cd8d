// SPDX-License-Identifier: Apache-2.0
// kakeya-sweep: every codec over every passage, with real bytes; results that a killed run keeps.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "cut_option.h"
#include "device_workers.h"
#include "kakeya/core/error.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/noise_floor.h"
#include "kakeya/measure/plugins/load_plugins.h"
#include "kakeya/measure/prepare_sweep.h"
#include "kakeya/measure/shared_references.h"
#include "kakeya/model/device.h"
#include "program.h"
#include "progress.h"
#include "shard_option.h"
#include "stop_signals.h"
#include "sweep_options.h"
#include "sweep_status.h"
#include "sweep_submit.h"
#include "sweep_summary.h"

namespace kakeya {
namespace {

void warn_of_shared_text(const SharedText& shared, const PreparedSweep& ready) {
  const std::size_t passages = shared.passages ? shared.passages->size() : 0;
  if (!shared.whole && passages == 0) return;
  const std::string& text = ready.plan.origin.text.name;
  const std::string what =
      shared.whole
          ? fmt::format("calibrated on the text that is measured here ({})", text)
          : fmt::format("calibrated on text of {} of the {} passages that are measured here ({})",
                        passages, ready.subject->passages(), text);
  fmt::print(stderr, "kakeya-sweep: warning: {}: {}: its codecs look better than they are\n",
             shared.path, what);
}

void measure_noise_floor(const PreparedSweep& ready, ResultStore& store) {
  const NoiseFloor& floor = *ready.noise_floor;
  const ControlPassages passages =
      control_passages(*floor.subject, ready.grid.front(), floor.model);
  Progress progress("controls", passages.total());
  run_noise_floor(
      passages, floor.model_path, floor.model, store,
      [&](std::size_t done, const std::string& now) { progress.update(done, now); }, stop_asked);
}

/// What may be said of a sweep before it loads anything; the rest, those say who measure it. `codecs`: all
/// that are asked for are registered.
void check_early(const SweepConfig& sweep, bool codecs) {
  if (codecs && !sweep.replace && sweep.plans.empty()) expand_grid(sweep.grid);
  for (const auto& path : {sweep.text, sweep.dump, sweep.replace}) {
    if (path && !std::filesystem::exists(*path)) throw IoError(*path + ": no such file or folder");
  }
}

void submit(const SweepFlags& flags, const SweepConfig& sweep,
            const std::vector<std::string>& arguments) {
  if (!flags.shard.empty())
    throw SpecError("--shard " + flags.shard + ": not beside --submit, whose tasks have one each");
  load_plugins(sweep.plugins);
  check_early(sweep, true);
  submit_sweep({flags.submit, flags.out, arguments, flags.dry_run, flags.json});
}

[[noreturn]] void tell_stopped(const SweepFlags& flags, const std::string& signal,
                               const std::string& done = {}) {
  throw Stopped(
      fmt::format("stopped by {}{}: run the same command to go on in {}", signal, done, flags.out));
}

/// Measures what this shard lacks; of a whole sweep, all.
SweepOutcome measure(const PreparedSweep& ready, const SweepFlags& flags, const Shard& shard,
                     const std::vector<std::string>& arguments) {
  const Provenance provenance = ready.provenance(arguments);
  const std::size_t cells = ready.grid.size() * ready.subject->modes().size() *
                            static_cast<std::size_t>(ready.subject->passages());
  const LeaseWait lease{flags.lease, stop_asked};
  ResultStore store(flags.out, ready.plan, provenance, cells,
                    {shard, cells_of(*ready.subject, ready.grid), lease});
  std::optional<SharedReferences> references;
  if (!shard.whole() && !ready.dump) {
    references.emplace(flags.out, ready.plan, provenance, lease, [](const std::string& text) {
      fmt::print(stderr, "kakeya-sweep: {}\n", error_line(text));
    });
    ready.subject->share_references(&*references);
  }
  SweepOutcome outcome;
  {
    Progress progress(shard.whole() ? "sweep" : "shard " + shard.text(), cells);
    outcome = run_sweep(
        *ready.subject, ready.grid, store,
        [&](const SweepEvent& event) {
          progress.skip(event.already);
          progress.update(event.done, event.now);
        },
        stop_asked);
  }
  if (ready.noise_floor && !outcome.stopped) measure_noise_floor(ready, store);
  if (references) {
    outcome.references_computed = references->computed();
    outcome.references_read = references->read();
  }
  return outcome;
}

/// What a reader of the numbers should know of how they come about.
void tell_of(const PreparedSweep& ready, const SweepConfig& sweep) {
  for (const SharedText& shared : ready.shared_texts) warn_of_shared_text(shared, ready);
  if (!sweep.passages && ready.passages && ready.passages->size() < kSweepPassages) {
    fmt::print(stderr,
               "kakeya-sweep: {} passages, all that {} has of this length ({} by default)\n",
               ready.passages->size(), ready.plan.origin.text.name, kSweepPassages);
  }
  for (const StoredProfile& cold : ready.cold_profiles_inside_forward()) {
    fmt::print(stderr,
               "kakeya-sweep: {}: its steps of whole layers are for finished caches: "
               "kakeya-calibrate --steps inforward makes those for modes inforward and decode\n",
               cold.path);
  }
  tell_host_codecs("sweep", ready.codecs_on_host());
}

/// One process: all that `shard` lacks, or what --dry-run shows of it.
std::optional<SweepOutcome> run_here(const SweepFlags& flags, const SweepConfig& sweep,
                                     const Shard& shard,
                                     const std::vector<std::string>& arguments) {
  const PreparedSweep ready = prepare_sweep(sweep);
  tell_of(ready, sweep);
  if (flags.dry_run) {
    print_plan(ready.plan, ready.grid, ready.subject->modes(), ready.subject->first_passage(),
               ready.subject->passages(), flags.json);
    return std::nullopt;
  }
  if (stop_asked()) tell_stopped(flags, stop_signal());
  try {
    SweepOutcome outcome = measure(ready, flags, shard, arguments);
    const std::size_t done = outcome.already + outcome.finished + outcome.failed.size();
    outcome.stopped =
        (outcome.stopped || stop_asked()) && (done < outcome.total || ready.noise_floor);
    return outcome;
  } catch (const StoppedWaiting&) {
    tell_stopped(flags, stop_signal());
  }
}

/// A process for each device.
WorkersOutcome run_spread(const SweepFlags& flags, const SweepConfig& sweep,
                          const std::vector<DeviceWorker>& workers,
                          const std::vector<std::string>& arguments) {
  // Each loads plugins for itself: a host, threads or a device that they begin are lost in a fork. What such a
  // codec is refused for all say, before they load the model.
  check_early(sweep, sweep.plugins.empty());
  return run_workers(workers, flags.out, [&](const DeviceWorker& worker) {
    SweepConfig part = sweep;
    part.device = worker.device;
    if (part.threads.value_or(0) == 0)
      part.threads = std::max(1, machine_threads() / static_cast<int>(workers.size()));
    return run_here(flags, part, worker.shard, arguments).value();  // never of --dry-run
  });
}

/// The files of `written` that have the reasons of these failures.
std::string failures_files(const std::string& folder, const std::vector<Failure>& failed,
                           const std::vector<Shard>& written) {
  std::vector<std::string> names;
  for (const Shard& shard : written) {
    const auto has = [&](const Failure& failure) { return shard.has(failure.key); };
    if (std::ranges::any_of(failed, has)) names.push_back(shard.file_name("failures", ".jsonl"));
  }
  if (names.size() == 1) return (std::filesystem::path(folder) / names.front()).string();
  return fmt::format("{} in {}", fmt::join(names, ", "), folder);
}

void run(const SweepFlags& flags, const std::vector<std::string>& arguments) {
  SweepConfig sweep = flags.sweep;
  if (flags.noise_floor) sweep.noise_floor = true;
  if (flags.batch_invariant) sweep.batch_invariant = true;
  if (flags.layer_study) sweep.layer_study = true;
  const bool split_layers = take_splits(flags, sweep);
  if (!flags.config.empty()) sweep = override_config(read_sweep_config(flags.config), sweep);
  if (sweep.text) refuse_useless_cut(flags.sweep.cut, {&*sweep.text, 1});
  if (flags.out.empty() && (!flags.dry_run || !flags.submit.empty()))
    throw SpecError("expected --out, the folder of the results");
  if (sweep.model && !sweep.dump) sweep.model = resolve_model(*sweep.model);
  const std::vector<std::string> devices = take_devices(flags, split_layers, sweep);
  if (!flags.submit.empty()) return submit(flags, sweep, arguments);
  const Shard shard = shard_option(flags.shard);
  std::vector<Shard> written = {shard};
  WorkersOutcome done;
  if (flags.dry_run) {
    for (const std::string& device : devices) require_device(device);
  } else {
    hint_on_interrupt("sweep", "run the same command to go on");
    stop_on_signals();
  }
  if (devices.empty() || flags.dry_run) {
    const std::optional<SweepOutcome> here = run_here(flags, sweep, shard, arguments);
    if (!here) return;
    done.sum = *here;
    done.stop_signal = stop_signal();
  } else {
    const std::vector<DeviceWorker> workers = workers_of(devices, shard);
    written.clear();
    for (const DeviceWorker& worker : workers) written.push_back(worker.shard);
    done = run_spread(flags, sweep, workers, arguments);
  }
  const SweepOutcome& outcome = done.sum;
  if (outcome.stopped) {
    const std::size_t cells = outcome.already + outcome.finished + outcome.failed.size();
    tell_stopped(flags, done.stop_signal,
                 done.counted && outcome.total > 0
                     ? fmt::format(" after {} of {} cells", cells, outcome.total)
                     : "");
  }
  const StoredResults results = read_results(flags.out);
  // Other shards may still measure the noise floor of cells that are there.
  const bool last = shard.whole() || !sweep.noise_floor.value_or(false);
  if (!written.front().whole() && last && missing_cells(results).empty())
    remove_references(flags.out);
  print_summary(flags.out, outcome, results, shard, written, flags.json);
  if (!outcome.failed.empty()) {
    throw Error(fmt::format("{} of {} cells failed: see {}", outcome.failed.size(), outcome.total,
                            failures_files(flags.out, outcome.failed, written)));
  }
}

}  // namespace
}  // namespace kakeya

int main(int argc, char** argv) {
  kakeya::SweepFlags flags;
  const std::vector<std::string> arguments(argv, argv + argc);
  return kakeya::run_program(
      argc, argv, "sweep",
      "Measures KV-cache codecs on a real model: rate, distortion, likelihoods, cell by cell.",
      [&](CLI::App& app) { kakeya::define_sweep(app, flags); },
      [&] {
        if (flags.status.command->parsed()) return kakeya::run_status(flags.status);
        kakeya::run(flags, arguments);
      });
}
