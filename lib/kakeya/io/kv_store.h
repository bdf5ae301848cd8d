// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kakeya/io/provenance.h"

namespace kakeya {

/// The attributes of a dump of K and V: what was run, on what, where it was tapped.
struct DumpFacts {
  std::string model_name, model_sha256, architecture, tokenizer, text_name, text_sha256;
  std::string tap;      ///< "pre-rope" or "post-rope"
  std::string storage;  ///< "fp16", "bf16" or "fp32": how the file stores K, V and Q
  int layers = 0, kv_heads = 0, query_heads = 0, head_dim = 0;
  int passages = 0, tokens = 0;  ///< tokens of each passage
  double rope_base = 0;
  std::string rope_layout;
  std::uint64_t seed = 0;
  bool queries = false;
  Provenance provenance;
};

/// Writes a dump: /passages/<p>/tokens and /passages/<p>/layers/<l>/{k,v,q}, [tokens, heads, dim], chunked and compressed, with
/// the facts as attributes of the root. The file appears under its name only at commit(); until then it is `path`.part.
class DumpWriter {
 public:
  DumpWriter(const std::string& path, const DumpFacts& facts);
  ~DumpWriter();  ///< removes the unfinished file unless commit() was called
  void write_tokens(int passage, const std::vector<std::int32_t>& tokens, const std::string& origin);
  /// `part`: 'k', 'v' or 'q'; `data` is float32 [tokens, heads, dim].
  void write_part(int passage, int layer, char part, const float* data, std::size_t tokens,
                  std::size_t heads, std::size_t dim);
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a dump. Throws IoError or CorruptStream (not a dump, truncated, an attribute missing: named).
class DumpReader {
 public:
  explicit DumpReader(const std::string& path);
  ~DumpReader();
  const DumpFacts& facts() const;
  std::vector<std::int32_t> tokens(int passage) const;
  /// float32 [tokens, heads, dim].
  std::vector<float> part(int passage, int layer, char part) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kakeya
