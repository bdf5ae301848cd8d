// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/core/origin.h"
#include "kakeya/store/attention_facts.h"
#include "kakeya/store/provenance.h"
#include "kakeya/store/stream_facts.h"

namespace kakeya {

/// The attributes of a dump of K and V: what was run, on what, where it was tapped.
struct DumpHead {
  Origin origin;
  KvShape shape;
  TapPoint tap = TapPoint::pre_rope;
  std::string storage;           ///< "fp16", "bf16" or "fp32": how the file stores K, V and Q
  int passages = 0, tokens = 0;  ///< tokens of each passage
  double rope_base = 0;          ///< of layers without a window
  std::string rope_layout;
  std::uint64_t seed = 0;
  bool queries = false;
  AttentionFacts attention = {};  ///< for who computes attention of queries and keys
  IndexSet dumped = {};           ///< the layers that it has; empty: all
  /// Of a dump of one KV stream: `tokens` are then its vectors, layers are numbered as they stand in
  /// StreamFacts::layers, keys are values too, and the file has them once, as k.
  std::optional<StreamFacts> stream = {};
  Provenance provenance;

  bool has_layer(int layer) const { return dumped.empty() || dumped.contains(layer); }
};

/// The parts that a dump stores: keys and values, queries where it has them; of a stream the keys.
std::span<const Part> stored_parts(const DumpHead& head);

/// Writes a dump of K and V, an HDF5 file that opens without our code:
///
///   /                                 attributes: format "kakeya-kv-dump", schema 1, axes,
///                                     every field of DumpHead, provenance (JSON); dumped_layers
///                                     ("0,5,10-20") only where not all layers are there,
///                                     put_attention()'s where they are known
///   /passages/<p>                     attribute: origin
///   /passages/<p>/tokens              int32 [tokens]
///   /passages/<p>/layers/<l>/{k,v}    [tokens, kv_heads, dim]
///   /passages/<p>/layers/<l>/q        [tokens, query_heads, dim], where the dump has queries
///
/// Of a stream there is no v; `tokens` are the positions of the first token of each vector, and the
/// root has the attributes of describe_stream().
///
/// Texts are fixed-length UTF-8 (h5py shows bytes). bf16 is a 16-bit HDF5 float type that h5py
/// shows as float32, exactly. Datasets are chunked by tokens, shuffled, deflated and under a
/// Fletcher-32 checksum.
///
/// The file appears under its name only at commit(); until then it is `path`.part. Not thread-safe.
class DumpWriter {
 public:
  /// Throws InputError when the head is not that of a dump, IoError when the file cannot be
  /// made.
  DumpWriter(const std::string& path, const DumpHead& head);
  ~DumpWriter();  ///< removes the unfinished file unless commit() was called

  /// Throws InputError on another number of tokens than the head's, or a passage written before.
  void write_tokens(int passage, const std::vector<std::int32_t>& tokens,
                    const std::string& origin);

  /// `data` is float32 [tokens, heads, dim]. Throws InputError on another shape than the head says,
  /// a part written before, or a value that is not finite in the dump's
  /// storage.
  void write_part(int passage, KvSite site, const float* data, std::size_t tokens,
                  std::size_t heads, std::size_t dim);

  /// Throws InputError naming the first part that was never written; IoError when the file cannot
  /// be finished.
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a dump. Opening it checks every attribute and the presence, type and shape of every
/// dataset; damage inside the data is found by its checksum when a part is read. Throws IoError or
/// CorruptStream (not a dump, truncated, an attribute missing: named); InputError when asked for a
/// passage, layer or part that is not there. Not thread-safe.
class DumpReader {
 public:
  explicit DumpReader(const std::string& path);
  ~DumpReader();
  const DumpHead& head() const;
  std::vector<std::int32_t> tokens(int passage) const;
  std::string origin(int passage) const;
  /// float32 [tokens, heads, dim]. The values of a stream are its keys.
  std::vector<float> part(int passage, KvSite site) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kakeya
