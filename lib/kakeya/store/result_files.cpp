// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/result_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

#include "kakeya/core/error.h"
#include "kakeya/store/arrays.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/line_file.h"
#include "kakeya/store/xz.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

// Not ".lock": folders of before leases may have an empty file of that name.
constexpr char kLock[] = ".writer";

/// What a reader refuses in a stored file is damage, not a fault of the caller.
template <typename Read>
auto stored(const Read& read) {
  try {
    return read();
  } catch (const InputError& e) {
    throw CorruptStream(e.what());
  }
}

/// The lines of a file that may be there as .xz alone.
std::size_t for_lines(const std::string& plain, const std::string& packed, const TakeLine& take) {
  if (fs::exists(plain) || !fs::exists(packed)) return for_each_line(plain, take);
  return for_each_line_of(read_xz(packed), packed, take);
}

/// Of what was measured, without how long that took.
std::string digest_of(Sample sample) {
  sample.encode_seconds = sample.decode_seconds = sample.forward_seconds = sample.cell_seconds = 0;
  const std::string line = sample_to_line(sample);
  return sha256(std::as_bytes(std::span(line)));
}

void sort(std::vector<Shard>& shards) {
  std::sort(shards.begin(), shards.end(), [](const Shard& a, const Shard& b) {
    return std::tie(a.count, a.index) < std::tie(b.count, b.index);
  });
}

template <typename Match>
std::vector<Shard> shards_in(const std::string& folder, const Match& match) {
  std::vector<Shard> shards;
  if (!fs::is_directory(folder)) return shards;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (const std::optional<Shard> shard = match(entry.path().filename().string()))
      shards.push_back(*shard);
  }
  sort(shards);
  return shards;
}

}  // namespace

std::string describe(const CellKey& key) {
  return "codec_k " + key.codec_k + ", codec_v " + key.codec_v + ", passage " +
         std::to_string(key.passage) + ", mode " + key.mode;
}

std::string ResultFiles::path(const char* stem, const char* ending) const {
  return (fs::path(folder) / shard.file_name(stem, ending)).string();
}

std::string ResultFiles::lock() const { return path(kLock, ""); }

std::vector<std::string> ResultFiles::packed() const {
  std::vector<std::string> found;
  for (const auto& [plain, packed] :
       {std::pair{samples(), packed_samples()}, std::pair{controls(), packed_controls()}}) {
    if (!fs::exists(plain) && fs::exists(packed)) found.push_back(packed);
  }
  return found;
}

std::vector<ResultFiles> result_files(const std::string& folder) {
  std::vector<ResultFiles> files{{folder, {}}};
  for (const Shard& shard : shards_in(folder, [](const std::string& name) {
         return shard_of_file(name, "provenance", ".json");
       })) {
    files.push_back({folder, shard});
  }
  return files;
}

std::vector<Shard> other_locks(const std::string& folder, const Shard& mine) {
  std::vector<Shard> shards = shards_in(folder, [](const std::string& name) {
    return name == kLock ? std::optional(Shard{}) : shard_of_file(name, kLock, "");
  });
  std::erase(shards, mine);
  return shards;
}

bool has_shards(const std::string& folder) { return result_files(folder).size() > 1; }

bool is_result_file(const std::string& name) {
  for (const auto& [stem, ending] :
       {std::pair{"samples", ".jsonl"}, std::pair{"samples", ".jsonl.xz"},
        std::pair{"controls", ".jsonl"}, std::pair{"controls", ".jsonl.xz"},
        std::pair{"provenance", ".json"}}) {
    if (name == std::string(stem) + ending || shard_of_file(name, stem, ending)) return true;
  }
  return false;
}

StoreHead read_head(const ResultFiles& files) {
  const std::string path = files.head(), text = read_text_file(path);
  return stored([&] { return head_from_json(text, path); });
}

std::size_t SampleReader::read(const ResultFiles& files, bool many,
                               const std::function<void(Sample&&)>& take) {
  const auto take_line = [&](std::string_view line, const std::string& where) {
    Sample sample = stored([&] { return sample_from_line(line, where); });
    Seen mine{where, many ? digest_of(sample) : std::string()};
    const auto [at, fresh] = seen_.try_emplace(sample.key, mine);
    if (fresh) return take(std::move(sample));
    const Seen& before = at->second;
    if (!many || (files.shard.whole() && before.where.starts_with(files.samples()))) {
      throw CorruptStream(where + ": the cell " + describe(sample.key) + " is there twice");
    }
    if (before.digest != mine.digest) {
      throw CorruptStream(where + ": the cell " + describe(sample.key) + " is in " + before.where +
                          " too, with other numbers: expected the same but for its times");
    }
  };
  return for_lines(files.samples(), files.packed_samples(), take_line);
}

std::size_t ControlReader::read(const ResultFiles& files,
                                const std::function<void(ControlSample&&)>& take) {
  const auto take_line = [&](std::string_view line, const std::string& where) {
    ControlSample control = stored([&] { return control_from_line(line, where); });
    if (!seen_.emplace(control.control, control.passage).second) {
      throw CorruptStream(where + ": control " + control.control + ", passage " +
                          std::to_string(control.passage) + " is there twice");
    }
    take(std::move(control));
  };
  return for_lines(files.controls(), files.packed_controls(), take_line);
}

std::size_t read_failures(const ResultFiles& files, const std::function<void(Failure&&)>& take) {
  return for_each_line(files.failures(), [&](std::string_view line, const std::string& where) {
    take(stored([&] { return failure_from_line(line, where); }));
  });
}

}  // namespace kakeya
