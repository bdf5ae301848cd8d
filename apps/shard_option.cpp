// SPDX-License-Identifier: Apache-2.0
#include "shard_option.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

long number_of(const char* name, std::optional<long> without = std::nullopt) {
  const char* const text = std::getenv(name);
  if (text == nullptr && without) return *without;
  if (text == nullptr) {
    throw SpecError(std::string("--shard slurm: no ") + name +
                    ": expected a task of a Slurm array (sbatch --array=1-8), or --shard I/N");
  }
  const std::string_view given = text;
  long number = 0;
  const auto [rest, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  if (error != std::errc() || rest != given.data() + given.size() || number < 0) {
    throw SpecError(std::string("--shard slurm: ") + name + "=" + text +
                    ": expected a whole number");
  }
  return number;
}

Shard shard_of_task() {
  const long task = number_of("SLURM_ARRAY_TASK_ID"), count = number_of("SLURM_ARRAY_TASK_COUNT"),
             first = number_of("SLURM_ARRAY_TASK_MIN"),
             step = number_of("SLURM_ARRAY_TASK_STEP", 1);
  const long last = number_of("SLURM_ARRAY_TASK_MAX", first + (count - 1) * step);
  if (step < 1 || last != first + (count - 1) * step || task < first || task > last ||
      (task - first) % step != 0) {
    throw SpecError("--shard slurm: task " + std::to_string(task) + " of " + std::to_string(count) +
                    ", from " + std::to_string(first) + " to " + std::to_string(last) +
                    " in steps of " + std::to_string(step) +
                    ": expected an array without gaps, as --array=1-" + std::to_string(count));
  }
  return parse_shard(std::to_string((task - first) / step + 1) + "/" + std::to_string(count));
}

}  // namespace

Shard shard_option(const std::string& text) {
  if (text.empty()) return {};
  return text == "slurm" ? shard_of_task() : parse_shard(text);
}

}  // namespace kakeya
