// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kakeya/model/weights/gguf.h"

namespace kakeya {

/// One tensor of a weights file: shape outermost first, `type` as the file calls it ("BF16",
/// "Q4_1").
struct WeightInfo {
  std::string name;
  std::vector<std::size_t> shape;
  std::string type;

  std::size_t values() const;
};

/// "[960, 576]"
std::string shape_text(const std::vector<std::size_t>& shape);

/// The tensors of a model's files by name, read as float32 whatever they are stored as.
class WeightSource {
 public:
  virtual ~WeightSource() = default;

  /// The file or folder, for messages.
  virtual const std::string& path() const = 0;

  /// Every tensor, in name order.
  virtual const std::vector<WeightInfo>& tensors() const = 0;

  /// Fills `out` with the values of tensor `name`, row-major. Throws InputError when the file has
  /// no such tensor, when `out` has not exactly its length, or when it is stored in a type that
  /// cannot be read here (named).
  virtual void read(const std::string& name, std::span<float> out) const = 0;

  /// The bytes of tensor `name` as they are stored. Throws InputError when the file has none.
  virtual std::span<const std::byte> stored(const std::string& name) const = 0;

  /// Null where the file has no such tensor.
  const WeightInfo* find(const std::string& name) const;

 protected:
  /// Index in tensors() of `name`; throws as read() does when it is missing, or has not `values`
  /// values.
  std::size_t require(const std::string& name) const;
  std::size_t require(const std::string& name, std::size_t values) const;
};

/// Which files of a folder must be there.
enum class Shards {
  all,
  present  ///< those that are; of the others the folder's index says alone which tensors they have
};

/// The weights of a Hugging Face folder: model.safetensors, or the shards that
/// model.safetensors.index.json names. Files are mapped; F32, F16, BF16, F8_E4M3 and F8_E8M0 can be
/// read, each by itself: read_scaled() multiplies blocks by their scales. Throws IoError (a file is
/// missing; with Shards::present, every one of them), CorruptStream (a header that is no header, a
/// tensor outside its file or overlapping another: named) or InputError (index and shards disagree).
/// https://github.com/huggingface/safetensors#format
std::unique_ptr<WeightSource> open_safetensors(const std::string& folder,
                                               Shards shards = Shards::all);

/// The weights of an open GGUF file, in the file's own row order. Keeps a reference to `file`.
std::unique_ptr<WeightSource> open_gguf_weights(const GgufFile& file);

}  // namespace kakeya
