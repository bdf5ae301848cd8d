// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kakeya {

/// The vectors that one layer of a decoder keeps of a sequence, all of one kind. A layer may have
/// several, such as the last tokens and a compressed one of every four.
struct CacheStream {
  std::string kind;       ///< "full attention", "sliding window of 512", "latent", ...
  int layer = 0;          ///< from 0
  std::size_t heads = 1;  ///< vectors a token of each part; 0: the layer keeps nothing of its own
  std::size_t key_dim = 0, value_dim = 0;  ///< scalars a vector; value_dim 0: one vector serves as
                                           ///< both, and is coded as a key
  std::size_t window = 0;                  ///< of how many last tokens; 0: of all
  std::size_t ratio = 1;  ///< a vector for every so many tokens, when they are full

  /// Vectors of a head and part after `tokens` tokens.
  std::size_t vectors(std::size_t tokens) const;

  /// Scalars of all heads and both parts of one of them.
  std::size_t width() const { return heads * (key_dim + value_dim); }

  /// Whether it differs by its layer alone.
  bool like(const CacheStream& other) const;
};

/// Parameters of one kind of block, over all layers.
struct ParameterCount {
  std::string block;  ///< "embedding", "attention", "experts", ...
  std::uint64_t count = 0;
};

/// What the config.json of a decoder says of the cache and the weights, without either.
struct Decoder {
  std::string name;  ///< of the folder, or of the file where it is not called config.json
  std::string model_type;
  int layers = 0;
  std::size_t context = 0;           ///< tokens the model was made for
  bool quantised = false;            ///< the config has quantization_config: so are its weights
  std::vector<CacheStream> streams;  ///< by layer
  std::vector<ParameterCount> parameters;
  std::vector<std::string> notes;  ///< what was taken how, and what is not counted

  std::uint64_t parameter_count() const;

  /// Adds to the block of that name.
  void count(const std::string& block, std::uint64_t parameters_more);
};

/// Reads a Hugging Face config.json (a file, or the folder that has one) of a family that
/// decoder_families() names, or of a model of text and more whose `text_config` is of one; then of
/// the text alone. Weights are not needed. Throws IoError, CorruptStream (no JSON) or InputError:
/// another `model_type`, by its name; a key that shapes cache or weights absent or out of range.
Decoder read_decoder(const std::string& path);

/// The `model_type`s that can be read.
std::vector<std::string> decoder_families();

}  // namespace kakeya
