// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/capacity/decoder.h"
#include "kakeya/core/files.h"
#include "support/scratch_folder.h"

namespace kakeya::testing {

/// The decoder that a config.json of this text describes.
inline Decoder decoder_of(const std::string& text) {
  const ScratchFolder folder;
  write_file(folder / "config.json", text);
  return read_decoder(folder.path().string());
}

/// A Qwen3 of `layers` layers, 2 KV heads of 64, with what `more` says besides.
inline std::string small_config(int layers = 4, const std::string& more = "") {
  return R"({"model_type": "qwen3", "hidden_size": 128, "num_hidden_layers": )" +
         std::to_string(layers) +
         R"(, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64,
            "intermediate_size": 256, "vocab_size": 1000, "max_position_embeddings": 4096)" +
         more + "}";
}

/// The shipped facts of a model.
inline Decoder shipped_decoder(const std::string& name) {
  return read_decoder(KAKEYA_SOURCE_DIR "/data/configs/" + name + ".json");
}

}  // namespace kakeya::testing
