// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/store/records.h"
#include "kakeya/store/result_store.h"
#include "kakeya/store/shard.h"

namespace kakeya {

/// The files of a folder of results that one writer has: of a whole sweep, or of one shard.
struct ResultFiles {
  std::string folder;
  Shard shard;

  std::string samples() const { return path("samples", ".jsonl"); }
  std::string packed_samples() const { return path("samples", ".jsonl.xz"); }
  std::string controls() const { return path("controls", ".jsonl"); }
  std::string packed_controls() const { return path("controls", ".jsonl.xz"); }
  std::string failures() const { return path("failures", ".jsonl"); }
  std::string head() const { return path("provenance", ".json"); }
  std::string lock() const;

  /// Of samples and controls, the .xz files that are there without the plain one.
  std::vector<std::string> packed() const;

 private:
  std::string path(const char* stem, const char* ending) const;
};

/// Those of a folder, the whole sweep's first (there or not), then those of shards that have begun, by N
/// and I.
std::vector<ResultFiles> result_files(const std::string& folder);

/// Shards of which a lock is in the folder, but for `mine`.
std::vector<Shard> other_locks(const std::string& folder, const Shard& mine);

/// Reads head(). Throws IoError, CorruptStream.
StoreHead read_head(const ResultFiles& files);

/// Reads the samples of a folder, file after file, each cell once. Throws CorruptStream, naming both lines,
/// where a cell is there twice with other numbers, its times aside; or twice in samples.jsonl.
class SampleReader {
 public:
  /// Returns the bytes of the file's whole lines. `many`: other files of the folder are read too.
  std::size_t read(const ResultFiles& files, bool many, const std::function<void(Sample&&)>& take);

 private:
  struct Seen {
    std::string where, digest;
  };
  std::map<CellKey, Seen> seen_;
};

/// The same of controls, of which one that is there twice is refused.
class ControlReader {
 public:
  std::size_t read(const ResultFiles& files, const std::function<void(ControlSample&&)>& take);
  const std::set<std::pair<std::string, int>>& seen() const { return seen_; }

 private:
  std::set<std::pair<std::string, int>> seen_;
};

std::size_t read_failures(const ResultFiles& files, const std::function<void(Failure&&)>& take);

/// "codec_k e8:q=10, codec_v e8:q=10, passage 3, mode inforward".
std::string describe(const CellKey& key);

}  // namespace kakeya
