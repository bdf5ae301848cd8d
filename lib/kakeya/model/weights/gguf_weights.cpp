// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kakeya/core/error.h"
#include "kakeya/model/weights/dequantize.h"
#include "kakeya/model/weights/ggml_type.h"
#include "kakeya/model/weights/weight_source.h"

namespace kakeya {
namespace {

class GgufWeights final : public WeightSource {
 public:
  explicit GgufWeights(const GgufFile& file) : file_(file) {
    for (const GgufTensor& tensor : file.tensors()) stored_.push_back(&tensor);
    std::sort(stored_.begin(), stored_.end(),
              [](const GgufTensor* a, const GgufTensor* b) { return a->name < b->name; });
    for (const GgufTensor* tensor : stored_) {
      infos_.push_back({tensor->name,
                        {tensor->dims.rbegin(), tensor->dims.rend()},
                        ggml_layout(tensor->type)->name});
    }
  }

  const std::string& path() const override { return file_.path(); }
  const std::vector<WeightInfo>& tensors() const override { return infos_; }

  std::span<const std::byte> stored(const std::string& name) const override {
    return stored_[require(name)]->bytes;
  }

  void read(const std::string& name, std::span<float> out) const override {
    const GgufTensor& tensor = *stored_[require(name, out.size())];
    try {
      dequantize(tensor.type, tensor.bytes, out);
    } catch (const InputError& error) {
      throw InputError(path() + ": tensor " + name + ": " + error.what());
    }
  }

 private:
  const GgufFile& file_;
  std::vector<const GgufTensor*> stored_;
  std::vector<WeightInfo> infos_;
};

}  // namespace

std::unique_ptr<WeightSource> open_gguf_weights(const GgufFile& file) {
  return std::make_unique<GgufWeights>(file);
}

}  // namespace kakeya
