// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/result_store.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/store/arrays.h"
#include "kakeya/store/line_file.h"
#include "kakeya/store/records.h"
#include "kakeya/store/result_files.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

std::string split_text(const std::string& split) {
  return split.empty() ? "passages of no named split" : "the split " + split;
}

/// A folder that names no split may become one of development, as those of before splits are; one that says
/// nothing of the lines of splits takes those that are asked for.
void require_split(const std::string& folder, SweepPlan& stored, const SweepPlan& asked) {
  if (stored.split.empty() && asked.split == kDevelopment) stored.split = asked.split;
  if (stored.split_lines.empty()) stored.split_lines = asked.split_lines;
  if (stored.split == asked.split) return;
  throw InputError(folder + ": holds " + split_text(stored.split) + ", asked for " +
                   split_text(asked.split) + ": a folder holds one: give another");
}

/// Samples of before anybody said which lines are of which split: their passages are to be among those asked
/// for, which were held against the lines.
void require_lines(const std::string& folder, const SweepPlan& asked, const PlannedCells& planned,
                   std::span<const Sample> stored) {
  for (const Sample& sample : stored) {
    const CellKey& key = sample.key;
    if (key.passage >= planned.first_passage &&
        key.passage < planned.first_passage + planned.passages) {
      continue;
    }
    throw InputError(folder + ": holds " + describe(key) +
                     ", measured before lines of splits were said (" + asked.split_lines +
                     "): expected --first-passage and --passages that have it, or another folder");
  }
}

/// Samples of before their folder's split was named have none.
void require_split(const StoredResults& results) {
  for (const Sample& sample : results.samples) {
    if (sample.split.empty() || sample.split == results.plan.split) continue;
    throw CorruptStream(results.folder + ": " + describe(sample.key) + ": of " +
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

void require_plan(const std::string& where, const SweepPlan& stored, const SweepPlan& asked) {
  if (const auto difference = first_difference(stored, asked)) {
    throw InputError(where + ": holds results of another plan: " + *difference);
  }
}

/// A cell is measured by one shard of a division; of two divisions it would be two.
void refuse_other_divisions(const std::string& folder, const Shard& mine, const LeaseWait& how) {
  for (const Shard& other : other_locks(folder, mine)) {
    if (other.count == mine.count) continue;
    const auto holder = Lease::holder_of(ResultFiles{folder, other}.lock(), how);
    if (!holder) continue;
    const std::string they = other.whole() ? "a whole sweep" : "shard " + other.text();
    throw IoError(folder + ": " + they + " of another process is writing results here (" +
                  holder->who() +
                  "): expected one number of shards at a time; wait for its end, or "
                  "give another folder");
  }
}

std::unique_ptr<Lease> lock_of(const ResultFiles& mine, const LeaseWait& how) {
  LeaseOwner holder;
  if (std::unique_ptr<Lease> lease = Lease::try_take(mine.lock(), how, &holder)) return lease;
  throw IoError(mine.folder + ": another process is writing results here (" +
                (mine.shard.whole() ? "" : "shard " + mine.shard.text() + ", ") + holder.who() +
                "); give each its own folder" +
                (mine.shard.whole() ? "" : ", or each shard one process"));
}

}  // namespace

/// What provenance.json says, made where there is none. Shards may begin at the same time, so it is looked
/// at and changed by one process at a time.
StoreHead ResultStore::open_plan(const SweepPlan& plan, const Writer& writer) const {
  const ResultFiles whole{folder_, {}};
  const auto only_one =
      shard_.whole() ? nullptr
                     : Lease::take((fs::path(folder_) / ".plan_writer").string(), writer.lease);
  StoreHead head;
  if (fs::exists(whole.head())) {
    head = read_head(whole);
    const SweepPlan before = head.plan;
    require_split(folder_, head.plan, plan);
    require_plan(folder_, head.plan, plan);
    if (before.split_lines != plan.split_lines && writer.planned)
      require_lines(folder_, plan, *writer.planned, read_results(folder_).samples);
    if (before == head.plan) return head;
  } else if (fs::exists(whole.samples())) {
    throw CorruptStream(folder_ +
                        ": samples.jsonl without provenance.json: nobody knows what it measured");
  }
  head.plan = plan;
  if (!shard_.whole()) write_file(whole.head(), head_to_json(head));
  return head;
}

ResultStore::ResultStore(const std::string& folder, const SweepPlan& plan,
                         const Provenance& provenance, std::optional<std::size_t> cells_planned)
    : ResultStore(folder, plan, provenance, cells_planned, Writer{}) {}

ResultStore::ResultStore(const std::string& folder, const SweepPlan& plan,
                         const Provenance& provenance, std::optional<std::size_t> cells_planned,
                         const Writer& writer)
    : folder_(folder), split_(plan.split), shard_(writer.shard) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder + ": " + error.message());
  const ResultFiles mine{folder, shard_};
  lock_ = lock_of(mine, writer.lease);
  refuse_other_divisions(folder, shard_, writer.lease);
  StoreHead whole = open_plan(plan, writer), head = whole;
  require_plugins(folder, whole, provenance);
  for (const ResultFiles& files : {ResultFiles{folder, {}}, mine}) {
    for (const std::string& packed : files.packed()) {  // taken for none, a sweep would begin anew
      throw IoError(packed + ": expected " + fs::path(packed).stem().string() +
                    ": unpack it first: xz -dk " + packed);
    }
  }
  std::vector<ResultFiles> all = result_files(folder);
  if (!shard_.whole() && !fs::exists(mine.head())) {
    if (fs::exists(mine.samples()))
      throw CorruptStream(mine.samples() + ": without " + mine.head() +
                          ": nobody knows what it measured");
    head = StoreHead{};
  }
  SampleReader samples;
  ControlReader controls;
  std::size_t before = 0;  // this run, in the file that it writes
  for (const ResultFiles& files : all) {
    const bool ours = files.shard == shard_;
    if (!files.shard.whole()) {
      StoreHead other = read_head(files);
      require_split(folder, other.plan, plan);
      require_plan(files.head(), other.plan, plan);
      require_plugins(folder, other, provenance);
      if (ours) head = std::move(other);
    }
    std::size_t count = 0;
    const std::size_t samples_length = samples.read(files, all.size() > 1, [&](Sample&& sample) {
      keys_.push_back(std::move(sample.key));
      ++count;
    });
    const std::size_t failures_length = read_failures(files, [](Failure&&) {});
    const std::size_t controls_length = controls.read(files, [](ControlSample&&) {});
    if (!ours) continue;
    before = count;
    cut_file(files.samples(), samples_length);
    cut_file(files.controls(), controls_length);
    cut_file(files.failures(), failures_length);
  }
  controls_ = controls.seen();
  std::sort(keys_.begin(), keys_.end());
  const std::string device = head.runs.empty() ? plan.device : head.plan.device;  // the first run's
  head.plan = plan;
  head.plan.device = device;
  run_ = static_cast<int>(head.runs.size());
  head.runs.push_back(provenance);
  head.first_samples.push_back(before);
  head.cells_planned.push_back(cells_planned);
  head.planned.push_back(writer.planned);
  write_file(mine.head(), head_to_json(head));
}

bool ResultStore::contains(const CellKey& key) const {
  return std::binary_search(keys_.begin(), keys_.end(), key);
}

void ResultStore::tell(const std::string& now, std::size_t done, std::size_t total) {
  lock_->tell(now, done, total);
}

void ResultStore::append(const Sample& sample) {
  const auto at = std::lower_bound(keys_.begin(), keys_.end(), sample.key);
  if (at != keys_.end() && *at == sample.key) {
    throw InputError(folder_ + ": the cell " + describe(sample.key) + " is there already");
  }
  Sample named = sample;
  named.split = split_;
  const std::string line = sample_to_line(named);
  lock_->require_held();
  append_line(ResultFiles{folder_, shard_}.samples(), line);
  keys_.insert(at, sample.key);
}

void ResultStore::append_failure(const CellKey& key, const std::string& reason) {
  lock_->require_held();
  append_line(ResultFiles{folder_, shard_}.failures(), failure_to_line({key, reason}));
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
  lock_->require_held();
  append_line(ResultFiles{folder_, shard_}.controls(), control_to_line(mine));
  controls_.emplace(sample.control, sample.passage);
}

std::size_t ResultStore::finished() const { return keys_.size(); }

StoredResults read_results(const std::string& folder) {
  const std::vector<ResultFiles> all = result_files(folder);
  if (!fs::exists(all.front().head())) {
    throw IoError(folder + ": no provenance.json there: expected a folder that kakeya-sweep wrote");
  }
  StoredResults results;
  results.folder = folder;
  SampleReader samples;
  ControlReader controls;
  std::vector<Failure> failures;
  for (const ResultFiles& files : all) {
    const std::size_t before = results.samples.size(), runs_before = results.runs.size();
    // The samples first: a run that begins meanwhile adds its entry before its samples.
    samples.read(files, all.size() > 1,
                 [&](Sample&& sample) { results.samples.push_back(std::move(sample)); });
    StoreHead head = read_head(files);
    if (files.shard.whole()) results.plan = head.plan;
    if (head.plan.split.empty() && results.plan.split == kDevelopment)
      head.plan.split = results.plan.split;  // of a run of before the folder's split was named
    if (head.plan.split_lines.empty()) head.plan.split_lines = results.plan.split_lines;
    if (const auto difference = first_difference(results.plan, head.plan)) {
      throw CorruptStream(files.head() + ": of another plan than provenance.json: " + *difference);
    }
    for (std::size_t r = 0; r < head.runs.size(); ++r) {
      results.runs.push_back(std::move(head.runs[r]));
      results.first_samples.push_back(before + head.first_samples[r]);
      results.cells_planned.push_back(head.cells_planned[r]);
      results.planned.push_back(std::move(head.planned[r]));
    }
    controls.read(files, [&](ControlSample&& control) {
      control.run += static_cast<int>(runs_before);
      results.controls.push_back(std::move(control));
    });
    read_failures(files, [&](Failure&& failure) { failures.push_back(std::move(failure)); });
  }
  require_split(results);
  std::vector<CellKey> keys;
  for (const Sample& sample : results.samples) keys.push_back(sample.key);
  std::sort(keys.begin(), keys.end());
  for (Failure& failure : failures) {
    if (std::binary_search(keys.begin(), keys.end(), failure.key)) continue;
    std::erase_if(results.failures, [&](const Failure& f) { return f.key == failure.key; });
    results.failures.push_back(std::move(failure));
  }
  return results;
}

}  // namespace kakeya
