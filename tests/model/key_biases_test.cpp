// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/key_biases.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::ScratchFolder;
using testing::TinyModel;
using testing::write_text;

TinyModel tiny_of(const char* architecture) {
  TinyModel tiny;
  tiny.architecture = architecture;
  return tiny.fill();
}

TEST(KeyBiases, AreThoseOfBothKindsOfFile) {
  const ScratchFolder scratch;
  const TinyModel tiny = tiny_of("qwen2");
  tiny.write_hf(scratch / "hf");
  write_text(scratch / "hf.gguf", tiny.gguf());
  const KeyBiases folder = read_key_biases(scratch / "hf"),
                  file = read_key_biases(scratch / "hf.gguf");
  EXPECT_EQ(folder.values, file.values);
  EXPECT_EQ(folder.name, "hf");
  EXPECT_EQ(file.name, "hf");
  std::vector<float> expected;
  for (int layer = 0; layer < folder.shape.layers; ++layer) {
    const auto& bias =
        tiny.tensors.at("model.layers." + std::to_string(layer) + ".self_attn.k_proj.bias").values;
    expected.insert(expected.end(), bias.begin(), bias.end());
  }
  EXPECT_EQ(folder.values, expected);
}

TEST(KeyBiases, ModelsWithoutAreRefusedByName) {
  const ScratchFolder scratch;
  for (const char* architecture : {"llama", "qwen3", "gemma3_text"}) {
    const std::string folder = scratch / architecture;
    tiny_of(architecture).write_hf(folder);
    EXPECT_EQ(message_of<InputError>([&] { read_key_biases(folder); }),
              std::string(architecture) + ": the keys of a " + architecture +
                  " model have no bias: expected a model whose keys have one, such as qwen2");
  }
  EXPECT_NE(message_of<InputError>([] {
              read_key_biases("transformers:some/model");
            }).find("transformers:some/model: a model in a host does not tell its biases"),
            std::string::npos);
}

}  // namespace
}  // namespace kakeya
