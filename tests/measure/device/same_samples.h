// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kakeya/measure/model_sweep.h"
#include "kakeya/store/records.h"
#include "measure/fake_sweep.h"

namespace kakeya::testing {

/// A grid for a cache, with codecs of the device beside those of the host where that is asked for.
inline std::vector<GridCell> device_grid(const std::vector<std::string>& codecs,
                                         const CacheInput& cache, bool on_device,
                                         bool host_too = false) {
  std::vector<GridCell> grid = build_grid(expand_grid({codecs, {}, {}}), cache);
  if (on_device) add_device_codecs(grid, cache, host_too);
  return grid;
}

/// The stored line of every sample of a sweep, its times set to 0.
inline std::vector<std::string> lines_of(Model& model, const std::vector<Passage>& passages,
                                         const std::vector<std::string>& codecs,
                                         ModelSubject::Settings how, bool on_device,
                                         const ProfileSource* profiles, bool host_too = false) {
  ScratchFolder folder;
  WorkerPool pool(2);
  how.on_device = on_device;
  ModelSubject subject(model, passages, how, pool);
  CacheInput cache{model.facts().shape, how.policy.skipped_layers, profiles};
  if (on_device) cache.layer_devices = model.facts().layer_devices;
  {
    ResultStore store(folder / "out", fake_plan(), make_provenance({"test"}, 2));
    const SweepOutcome outcome =
        run_sweep(subject, device_grid(codecs, cache, on_device, host_too), store, {});
    for (const Failure& failure : outcome.failed) ADD_FAILURE() << failure.reason;
  }
  std::vector<std::string> lines;
  for (Sample sample : read_results(folder / "out").samples) {
    sample.cell_seconds = sample.forward_seconds = 0;
    sample.encode_seconds = sample.decode_seconds = 0;
    lines.push_back(sample_to_line(sample));
  }
  return lines;
}

/// Expects that codecs of the host and of the device give the same samples, to the last bit.
inline void expect_same(Model& model, const std::vector<Passage>& passages,
                        const std::vector<std::string>& codecs, const ModelSubject::Settings& how,
                        const ProfileSource* profiles = nullptr) {
  const std::vector<std::string> host = lines_of(model, passages, codecs, how, false, profiles),
                                 device = lines_of(model, passages, codecs, how, true, profiles);
  EXPECT_EQ(host.size(), (codecs.size() + 1) * how.modes.size() * passages.size());
  EXPECT_EQ(host, device);
}

}  // namespace kakeya::testing
