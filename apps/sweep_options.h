// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "kakeya/measure/config.h"
#include "kakeya/store/lease.h"
#include "sweep_status.h"

namespace kakeya {

/// What a sweep is told on the command line.
struct SweepFlags {
  std::string config, out, shard, submit, devices;
  std::vector<std::string> splits;
  double lease = LeaseWait{}.seconds;
  StatusFlags status;
  SweepConfig sweep;
  bool json = false, dry_run = false, noise_floor = false, batch_invariant = false,
       layer_study = false;
};

/// Declares options, `status` and what --help says below them.
void define_sweep(CLI::App& app, SweepFlags& flags);

/// Takes over --split: what the passages are; "layers" is said of the model, and returned. Throws SpecError where
/// passages are of two.
bool take_splits(const SweepFlags& flags, SweepConfig& sweep);

/// Takes over --devices: of `split_layers`, those that have the model's layers; else the devices that cells are
/// spread over are returned, where there are several. They replace a device of the configuration, which a line on
/// stderr says. Throws SpecError on a name that is none, on devices of two kinds, and on what does not go together.
std::vector<std::string> take_devices(const SweepFlags& flags, bool split_layers,
                                      SweepConfig& sweep);

}  // namespace kakeya
