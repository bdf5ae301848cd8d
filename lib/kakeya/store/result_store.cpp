// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/result_store.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/store/arrays.h"
#include "kakeya/store/line_file.h"
#include "kakeya/store/records.h"
#include "kakeya/store/xz.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

std::string in(const std::string& folder, const char* name) {
  return (fs::path(folder) / name).string();
}

constexpr char kSamples[] = "samples.jsonl";
constexpr char kPackedSamples[] = "samples.jsonl.xz";
constexpr char kControls[] = "controls.jsonl";
constexpr char kFailures[] = "failures.jsonl";
constexpr char kHead[] = "provenance.json";

std::string describe(const CellKey& key) {
  return "codec_k " + key.codec_k + ", codec_v " + key.codec_v + ", passage " +
         std::to_string(key.passage) + ", mode " + key.mode;
}

/// What a reader refuses in a stored file is damage, not a fault of the caller.
template <typename Read>
auto stored(const Read& read) {
  try {
    return read();
  } catch (const InputError& e) {
    throw CorruptStream(e.what());
  }
}

/// Whether a folder has samples as .xz alone.
bool is_packed(const std::string& folder) {
  return !fs::exists(in(folder, kSamples)) && fs::exists(in(folder, kPackedSamples));
}

/// Packed samples are samples all the same: taken for none, a sweep would begin anew.
void refuse_packed(const std::string& folder) {
  if (!is_packed(folder)) return;
  const std::string packed = in(folder, kPackedSamples);
  throw IoError(packed + ": expected " + kSamples + ": unpack it first: xz -dk " + packed);
}

/// Reads samples.jsonl, packed or not; returns the bytes of its whole lines.
std::size_t read_samples(const std::string& folder, const std::function<void(Sample&&)>& take) {
  std::vector<CellKey> keys;
  const auto take_line = [&](std::string_view line, const std::string& where) {
    Sample sample = stored([&] { return sample_from_line(line, where); });
    const auto at = std::lower_bound(keys.begin(), keys.end(), sample.key);
    if (at != keys.end() && *at == sample.key) {
      throw CorruptStream(where + ": the cell " + describe(sample.key) + " is there twice");
    }
    keys.insert(at, sample.key);
    take(std::move(sample));
  };
  if (!is_packed(folder)) return for_each_line(in(folder, kSamples), take_line);
  const std::string packed = in(folder, kPackedSamples);
  return for_each_line_of(read_xz(packed), packed, take_line);
}

/// Reads controls.jsonl; returns the bytes of its whole lines.
std::size_t read_controls(const std::string& folder,
                          const std::function<void(ControlSample&&)>& take) {
  std::set<std::pair<std::string, int>> seen;
  return for_each_line(in(folder, kControls), [&](std::string_view line, const std::string& where) {
    ControlSample control = stored([&] { return control_from_line(line, where); });
    if (!seen.emplace(control.control, control.passage).second) {
      throw CorruptStream(where + ": control " + control.control + ", passage " +
                          std::to_string(control.passage) + " is there twice");
    }
    take(std::move(control));
  });
}

std::string split_text(const std::string& split) {
  return split.empty() ? "passages of no named split" : "the split " + split;
}

/// A folder that names no split may become one of development, as those of before splits are.
void require_split(const std::string& folder, SweepPlan& stored, const SweepPlan& asked) {
  if (stored.split.empty() && asked.split == kDevelopment) stored.split = asked.split;
  if (stored.split == asked.split) return;
  throw InputError(folder + ": holds " + split_text(stored.split) + ", asked for " +
                   split_text(asked.split) + ": a folder holds one: give another");
}

/// Samples of before their folder's split was named have none.
void require_split(const StoredResults& results) {
  for (const Sample& sample : results.samples) {
    if (sample.split.empty() || sample.split == results.plan.split) continue;
    throw CorruptStream(in(results.folder, kSamples) + ": " + describe(sample.key) + ": of " +
                        split_text(sample.split) + ", in a folder of " +
                        split_text(results.plan.split));
  }
}

/// A folder holds of each codec what one plugin makes: another file of that name may code otherwise.
void require_plugins(const std::string& folder, const StoreHead& head, const Provenance& asked) {
  for (const Provenance& run : head.runs) {
    for (const PluginRecord& before : run.plugins) {
      for (const PluginRecord& now : asked.plugins) {
        if (before.sha256 == now.sha256) continue;
        for (const PluginCodec& codec : now.codecs) {
          if (std::none_of(before.codecs.begin(), before.codecs.end(),
                           [&](const PluginCodec& each) { return each.name == codec.name; })) {
            continue;
          }
          throw InputError(folder + ": holds results of " + codec.name + " of " + before.file +
                           " (SHA-256 " + before.sha256 + "), asked for that of " + now.file +
                           " (" + now.sha256 + "): expected the same file, or another folder");
        }
      }
    }
  }
}

StoreHead read_head(const std::string& folder) {
  const std::string path = in(folder, kHead);
  const std::string text = read_text_file(path);
  return stored([&] { return head_from_json(text, path); });
}

}  // namespace

ResultStore::ResultStore(const std::string& folder, const SweepPlan& plan,
                         const Provenance& provenance, std::optional<std::size_t> cells_planned)
    : folder_(folder), split_(plan.split) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder + ": " + error.message());
  lock_ = lock_folder(folder);
  try {
    StoreHead head;
    if (fs::exists(in(folder, kHead))) {
      head = read_head(folder);
      require_split(folder, head.plan, plan);
      if (const auto difference = first_difference(head.plan, plan)) {
        throw InputError(folder + ": holds results of another plan: " + *difference);
      }
      require_plugins(folder, head, provenance);
    } else if (fs::exists(in(folder, kSamples))) {
      throw CorruptStream(folder + ": " + kSamples + " without " + kHead +
                          ": nobody knows what it measured");
    }
    refuse_packed(folder);
    const std::size_t samples_length =
        read_samples(folder, [&](Sample&& sample) { keys_.push_back(std::move(sample.key)); });
    const std::size_t failures_length =
        for_each_line(in(folder, kFailures), [&](std::string_view line, const std::string& where) {
          stored([&] { return failure_from_line(line, where); });
        });
    const std::size_t controls_length = read_controls(folder, [&](ControlSample&& control) {
      controls_.emplace(control.control, control.passage);
    });
    cut_file(in(folder, kSamples), samples_length);
    cut_file(in(folder, kControls), controls_length);
    cut_file(in(folder, kFailures), failures_length);
    std::sort(keys_.begin(), keys_.end());
    head.plan = plan;
    run_ = static_cast<int>(head.runs.size());
    head.runs.push_back(provenance);
    head.first_samples.push_back(keys_.size());
    head.cells_planned.push_back(cells_planned);
    write_file(in(folder, kHead), head_to_json(head));
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

ResultStore::~ResultStore() {
  if (lock_ >= 0) ::close(lock_);
}

ResultStore::ResultStore(ResultStore&& other) noexcept
    : folder_(std::move(other.folder_)),
      split_(std::move(other.split_)),
      keys_(std::move(other.keys_)),
      controls_(std::move(other.controls_)),
      run_(other.run_),
      lock_(std::exchange(other.lock_, -1)) {}

bool ResultStore::contains(const CellKey& key) const {
  return std::binary_search(keys_.begin(), keys_.end(), key);
}

void ResultStore::append(const Sample& sample) {
  const auto at = std::lower_bound(keys_.begin(), keys_.end(), sample.key);
  if (at != keys_.end() && *at == sample.key) {
    throw InputError(folder_ + ": the cell " + describe(sample.key) + " is there already");
  }
  Sample named = sample;
  named.split = split_;
  append_line(in(folder_, kSamples), sample_to_line(named));
  keys_.insert(at, sample.key);
}

void ResultStore::append_failure(const CellKey& key, const std::string& reason) {
  append_line(in(folder_, kFailures), failure_to_line({key, reason}));
}

bool ResultStore::contains_control(const std::string& control, int passage) const {
  return controls_.contains({control, passage});
}

void ResultStore::append_control(const ControlSample& sample) {
  if (contains_control(sample.control, sample.passage)) {
    throw InputError(folder_ + ": control " + sample.control + ", passage " +
                     std::to_string(sample.passage) + " is there already");
  }
  ControlSample mine = sample;
  mine.run = run_;
  append_line(in(folder_, kControls), control_to_line(mine));
  controls_.emplace(sample.control, sample.passage);
}

std::size_t ResultStore::finished() const { return keys_.size(); }

StoredResults read_results(const std::string& folder) {
  if (!std::filesystem::exists(in(folder, kHead))) {
    throw IoError(folder + ": no " + kHead + " there: expected a folder that kakeya-sweep wrote");
  }
  StoredResults results;
  results.folder = folder;
  // The samples first: a run that begins meanwhile adds its entry before its samples.
  std::vector<CellKey> keys;
  read_samples(folder, [&](Sample&& sample) {
    keys.push_back(sample.key);
    results.samples.push_back(std::move(sample));
  });
  std::sort(keys.begin(), keys.end());
  StoreHead head = read_head(folder);
  results.plan = std::move(head.plan);
  require_split(results);
  results.runs = std::move(head.runs);
  results.first_samples = std::move(head.first_samples);
  results.cells_planned = std::move(head.cells_planned);
  read_controls(folder,
                [&](ControlSample&& control) { results.controls.push_back(std::move(control)); });
  for_each_line(in(folder, kFailures), [&](std::string_view line, const std::string& where) {
    Failure failure = stored([&] { return failure_from_line(line, where); });
    if (std::binary_search(keys.begin(), keys.end(), failure.key)) return;
    std::erase_if(results.failures, [&](const Failure& f) { return f.key == failure.key; });
    results.failures.push_back(std::move(failure));
  });
  return results;
}

}  // namespace kakeya
