// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/store/result_store.h"

namespace kakeya {

/// What provenance.json of a folder of results holds.
struct StoreHead {
  SweepPlan plan;
  std::vector<Provenance> runs;
  std::vector<std::size_t> first_samples;
  std::vector<std::optional<std::size_t>> cells_planned;  ///< absent in files of older versions
  std::vector<std::optional<PlannedCells>> planned;       ///< likewise
};

/// One line without its end. Throws InputError, naming the key, on a number that is not finite.
std::string sample_to_line(const Sample& sample);
std::string failure_to_line(const Failure& failure);
std::string control_to_line(const ControlSample& control);
std::string head_to_json(const StoreHead& head);

/// Throws CorruptStream on text that is not JSON, InputError on an unknown or missing key, on a
/// value of the wrong kind; `what` begins the message ("samples.jsonl:3").
Sample sample_from_line(std::string_view line, const std::string& what);
Failure failure_from_line(std::string_view line, const std::string& what);
ControlSample control_from_line(std::string_view line, const std::string& what);
StoreHead head_from_json(std::string_view text, const std::string& what);

/// "context: 2048 stored, 1024 asked for": the first field in which two plans differ; nothing when
/// they are equal.
std::optional<std::string> first_difference(const SweepPlan& stored, const SweepPlan& asked);

}  // namespace kakeya
