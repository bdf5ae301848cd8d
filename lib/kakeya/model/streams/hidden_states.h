// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kakeya/model/weights/mapped_file.h"
#include "kakeya/store/npy_header.h"

namespace kakeya {

/// What the attentions of a model are given, computed elsewhere: a .npy file of float16, 32 or 64,
///
///   [tokens, hidden]                    one passage, the same for every layer
///   [passages, tokens, hidden]          the same for every layer
///   [passages, layers, tokens, hidden]  of each layer its own
///
/// Mapped, so that one passage of one layer is in memory at a time.
class HiddenStates {
 public:
  /// Throws IoError; InputError where the file is no such array, or empty.
  explicit HiddenStates(const std::string& path);

  int passages() const { return passages_; }
  int layers() const { return layers_; }  ///< 0: the same for every layer
  int tokens() const { return tokens_; }
  int width() const { return static_cast<int>(header_.dim); }

  /// Dense [tokens, width]; `layer` counts those of the file, and is ignored where it has none. Throws
  /// InputError where there is no such passage or layer, or a value is not finite.
  std::vector<float> read(int passage, int layer) const;

 private:
  std::string path_;
  MappedFile file_;
  NpyHeader header_;
  int passages_ = 1, layers_ = 0, tokens_ = 0;
};

}  // namespace kakeya
