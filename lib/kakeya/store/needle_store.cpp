// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/needle_store.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/line_file.h"
#include "kakeya/store/parse_json.h"
#include "kakeya/store/xz.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr char kKind[] = "needle";
// Of a mean of shares such as thirds.
constexpr double kRounding = 1e-9;

std::string in(const std::string& folder, const char* name) {
  return (fs::path(folder) / name).string();
}
std::string samples_of(const std::string& folder) { return in(folder, "samples.jsonl"); }
std::string failures_of(const std::string& folder) { return in(folder, "failures.jsonl"); }
std::string head_of(const std::string& folder) { return in(folder, "provenance.json"); }

// Both ways over one list: writes a field, or reads and counts it.
struct Writer {
  Json& json;
  void operator()(const char* name, const double& value) const {
    if (!std::isfinite(value)) throw InputError(std::string(name) + ": not a finite number");
    json[name] = value;
  }
  template <typename T>
  void operator()(const char* name, const T& value) const {
    json[name] = value;
  }
};

struct Reader {
  const Json& json;
  const std::string& where;
  std::size_t& fields;
  template <typename T>
  void operator()(const char* name, T& value) const {
    const auto found = json.find(name);
    if (found == json.end()) throw CorruptStream(where + ": no key " + name);
    try {
      found->get_to(value);
    } catch (const Json::exception&) {
      throw CorruptStream(where + ": " + name + ": a value of another kind than expected");
    }
    ++fields;
  }
};

template <typename Key, typename Visit>
void describe_key(Key& key, const Visit& field) {
  field("codec_k", key.codec_k);
  field("codec_v", key.codec_v);
  field("task", key.task);
  field("length", key.length);
  field("depth", key.depth);
  field("sample", key.sample);
}

template <typename Sample, typename Visit>
void describe_sample(Sample& sample, const Visit& field) {
  describe_key(sample.key, field);
  field("answer_nll", sample.answer_nll);
  field("answer_nll_reference", sample.answer_nll_reference);
  field("substring", sample.substring);
  field("answer", sample.answer);
  field("generated", sample.generated);
  field("answer_tokens", sample.answer_tokens);
  field("generated_tokens", sample.generated_tokens);
  field("live_bytes", sample.live_bytes);
  field("bf16_bytes", sample.bf16_bytes);
  field("bits_per_value_whole_cache", sample.bits_per_value_whole_cache);
  field("seconds", sample.seconds);
}

template <typename Plan, typename Visit>
void describe_plan(Plan& plan, const Visit& field) {
  field("model_name", plan.origin.model.name);
  field("model_sha256", plan.origin.model.sha256);
  field("architecture", plan.origin.architecture);
  field("text_name", plan.origin.text.name);
  field("text_sha256", plan.origin.text.sha256);
  field("tokenizer", plan.origin.tokenizer.name);
  field("tokenizer_sha256", plan.origin.tokenizer.sha256);
  field("chat", plan.chat);
  field("dtype", plan.dtype);
  field("device", plan.device);
  for (const PolicyNumber& number : policy_numbers()) field(number.name, plan.policy.*number.value);
  field("seed", plan.seed);
  field("prefill_chunk", plan.prefill_chunk);
  field("more_tokens", plan.more_tokens);
}

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json plan_json(const NeedlePlan& plan) {
  Json json = Json::object();
  describe_plan(plan, Writer{json});
  json["tap"] = std::string(tap_name(plan.tap));
  json["draws"] = plan.draws;
  return json;
}

Json object_of(std::string_view text, const std::string& where) {
  Json json = parse_ordered_json(text, where);
  if (!json.is_object()) throw CorruptStream(where + ": expected a JSON object");
  return json;
}

void require_all_read(const Json& json, std::size_t fields, const std::string& where) {
  if (json.size() != fields) {
    throw CorruptStream(where + ": " + std::to_string(json.size()) + " keys, expected " +
                        std::to_string(fields));
  }
}

NeedleSample sample_from(std::string_view line, const std::string& where) {
  const Json json = object_of(line, where);
  NeedleSample sample;
  std::size_t fields = 0;
  describe_sample(sample, Reader{json, where, fields});
  require_all_read(json, fields, where);
  return sample;
}

NeedleFailure failure_from(std::string_view line, const std::string& where) {
  const Json json = object_of(line, where);
  NeedleFailure failure;
  std::size_t fields = 0;
  const Reader field{json, where, fields};
  describe_key(failure.key, field);
  field("reason", failure.reason);
  require_all_read(json, fields, where);
  return failure;
}

Json read_head(const std::string& folder) {
  const std::string path = head_of(folder);
  Json head = object_of(read_text_file(path), path);
  if (!head.contains("kind") || head["kind"] != kKind) {
    throw InputError(folder +
                     ": holds results of another program, expected those of kakeya-needle");
  }
  if (!head.contains("plan") || !head["plan"].is_object() || !head.contains("runs") ||
      !head["runs"].is_array()) {
    throw CorruptStream(path + ": expected a plan and runs");
  }
  return head;
}

// The first setting in which they differ.
void require_same(const Json& stored, const Json& asked, const std::string& folder) {
  for (const auto& [name, value] : asked.items()) {
    const auto found = stored.find(name);
    if (found != stored.end() && *found == value) continue;
    throw InputError(folder + ": holds results of another plan: " + name + ": " +
                     (found == stored.end() ? "nothing" : text_of(*found, -1)) + " stored, " +
                     text_of(value, -1) + " asked for");
  }
}

std::size_t read_samples(const std::string& folder, std::map<NeedleKey, NeedleSample>& samples,
                         std::vector<NeedleSample>* in_order = nullptr) {
  const auto take = [&](std::string_view line, const std::string& where) {
    NeedleSample sample = sample_from(line, where);
    if (samples.contains(sample.key)) {
      throw CorruptStream(where + ": " + describe(sample.key) + " is there twice");
    }
    if (in_order != nullptr) in_order->push_back(sample);
    samples.emplace(sample.key, std::move(sample));
  };
  const std::string path = samples_of(folder), packed = path + ".xz";
  if (fs::exists(path) || !fs::exists(packed)) return for_each_line(path, take);
  for_each_line_of(read_xz(packed), packed, take);
  return 0;
}

}  // namespace

std::string describe(const NeedleKey& key) {
  const std::string codec =
      key.codec_k == key.codec_v ? key.codec_k : "k " + key.codec_k + " v " + key.codec_v;
  return key.task + ", " + std::to_string(key.length) + " tokens, depth " +
         std::to_string(key.depth) + " %, sample " + std::to_string(key.sample) + ", codec " +
         codec;
}

NeedleStore::NeedleStore(const std::string& folder, const NeedlePlan& plan,
                         const Provenance& provenance, std::size_t cells_planned)
    : folder_(folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder + ": " + error.message());
  lock_ = lock_folder(folder);
  try {
    Json head = {{"kind", kKind}, {"plan", plan_json(plan)}, {"runs", Json::array()}};
    const std::string path = samples_of(folder);
    if (fs::exists(head_of(folder))) {
      Json stored = read_head(folder);
      require_same(stored["plan"], head["plan"], folder);
      head = std::move(stored);
    } else if (fs::exists(path)) {
      throw CorruptStream(path + ": without provenance.json: nobody knows what it measured");
    }
    if (!fs::exists(path) && fs::exists(path + ".xz")) {
      throw IoError(path + ".xz: expected samples.jsonl: unpack it first: xz -dk " + path + ".xz");
    }
    cut_file(path, read_samples(folder, samples_));
    cut_file(failures_of(folder), for_each_line(failures_of(folder), failure_from));
    Json run = {{"first_sample", samples_.size()}, {"cells_planned", cells_planned}};
    run["profiles"] = Json::array();
    for (const ProfileRecord& profile : provenance.profiles) {
      run["profiles"].push_back({{"sha256", profile.sha256},
                                 {"text_name", profile.text_name},
                                 {"text_sha256", profile.text_sha256}});
    }
    run["provenance"] = Json::parse(to_json(provenance));
    head["runs"].push_back(std::move(run));
    write_file(head_of(folder), text_of(head, 2) + "\n");
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

NeedleStore::~NeedleStore() { ::close(lock_); }

const NeedleSample* NeedleStore::find(const NeedleKey& key) const {
  const auto found = samples_.find(key);
  return found == samples_.end() ? nullptr : &found->second;
}

void NeedleStore::append(const NeedleSample& sample) {
  if (samples_.contains(sample.key)) {
    throw InputError(folder_ + ": " + describe(sample.key) + " is there already");
  }
  Json json = Json::object();
  describe_sample(sample, Writer{json});
  append_line(samples_of(folder_), text_of(json, -1));
  samples_.emplace(sample.key, sample);
}

void NeedleStore::append_failure(const NeedleFailure& failure) {
  Json json = Json::object();
  const Writer field{json};
  describe_key(failure.key, field);
  field("reason", failure.reason);
  append_line(failures_of(folder_), text_of(json, -1));
}

NeedleResults read_needle_results(const std::string& folder) {
  if (!fs::exists(head_of(folder))) {
    throw IoError(folder + ": no provenance.json there: expected a folder of kakeya-needle");
  }
  NeedleResults results;
  results.folder = folder;
  results.plan.draws = 1;  // of folders that do not say
  std::map<NeedleKey, NeedleSample> samples;
  read_samples(folder, samples, &results.samples);
  const Json head = read_head(folder);
  const std::string path = head_of(folder);
  if (head["runs"].empty()) throw CorruptStream(path + ": no runs, expected at least one");
  std::size_t fields = 1;  // the tap
  const Reader field{head["plan"], path, fields};
  describe_plan(results.plan, field);
  if (head["plan"].contains("draws")) field("draws", results.plan.draws);
  require_all_read(head["plan"], fields, path);
  try {
    results.plan.tap = parse_tap(head["plan"].at("tap").get<std::string>());
    for (const Json& run : head["runs"]) {
      results.runs.push_back(provenance_from_json(run.at("provenance").dump()));
      run.at("cells_planned").get_to(results.cells_planned);
      for (const Json& profile : run.at("profiles")) {
        ProfileRecord record;
        profile.at("sha256").get_to(record.sha256);
        profile.at("text_name").get_to(record.text_name);
        profile.at("text_sha256").get_to(record.text_sha256);
        results.runs.back().profiles.push_back(std::move(record));
      }
    }
  } catch (const Json::exception&) {
    throw CorruptStream(path + ": a run without cells_planned, profiles or provenance");
  }
  for_each_line(failures_of(folder), [&](std::string_view line, const std::string& where) {
    NeedleFailure failure = failure_from(line, where);
    if (samples.contains(failure.key)) return;
    std::erase_if(results.failures,
                  [&](const NeedleFailure& other) { return other.key == failure.key; });
    results.failures.push_back(std::move(failure));
  });
  return results;
}

std::vector<NeedleSolved> solved_tasks(const std::vector<NeedleSample>& samples, double solved) {
  std::vector<NeedleSolved> tasks;
  std::vector<std::size_t> counts;
  for (const NeedleSample& sample : samples) {
    if (!sample.key.is_identity()) continue;
    const auto at = std::find_if(tasks.begin(), tasks.end(), [&](const NeedleSolved& task) {
      return task.task == sample.key.task && task.length == sample.key.length;
    });
    const auto i = static_cast<std::size_t>(at - tasks.begin());
    if (at == tasks.end()) {
      tasks.push_back({sample.key.task, sample.key.length});
      counts.push_back(0);
    }
    tasks[i].substring += sample.substring;
    ++counts[i];
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].substring /= static_cast<double>(counts[i]);
    tasks[i].solved = tasks[i].substring >= solved - kRounding;
  }
  return tasks;
}

}  // namespace kakeya
