// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/model/weights/gguf.h"

namespace kakeya {

/// What the gate of a feed-forward goes through.
enum class Activation {
  silu,
  gelu_tanh  ///< GELU by its tanh approximation
};

/// What sets one architecture apart. A model is a row of this and a ModelConfig, never a class.
struct Architecture {
  std::string_view name;      ///< as results name it, and `model_type` of a Hugging Face config
  std::string_view hf_class;  ///< the one class that `architectures` of such a config may name
  std::string_view gguf;      ///< `general.architecture` of a GGUF file; empty: none of its own
  bool qk_norm = false;       ///< RMSNorm over each head of Q and K, before RoPE
  bool qkv_bias = false;      ///< Q, K and V have biases
  bool own_head_dim = false;  ///< head_dim is given, never hidden / heads
  bool gguf_interleaved =
      false;  ///< its GGUF files hold the rows of Q and K in interleaved-RoPE order
  bool sandwich_norms = false;     ///< attention and feed-forward have a norm behind them as well
  bool hf_norms_less_one = false;  ///< its Hugging Face files hold the weights of norms less 1
  bool scaled_embedding = false;   ///< embeddings are multiplied by sqrt(hidden)
  Activation activation = Activation::silu;
  int full_every = 0;  ///< every so many-th layer sees all tokens, the others a window of the last
                       ///< ones, where a file does not say; 0: it has no windows
  double rope_base = 10000;  ///< of a Hugging Face config that does not say, and so the next
  bool tied_embeddings = false;
};

/// Every architecture that can run, in the order that messages list them.
std::span<const Architecture> known_architectures();

enum class RopeScalingKind {
  none,
  linear,  ///< all frequencies divided by `factor`
  llama3   ///< low frequencies divided by `factor`, high ones kept, a ramp between (Llama 3.1)
};

struct RopeScaling {
  RopeScalingKind kind = RopeScalingKind::none;
  double factor = 1;
  double low_freq_factor = 1;
  double high_freq_factor = 4;
  double original_context = 8192;
};

/// Layers that see the last tokens only.
struct SlidingWindow {
  int tokens = 0;            ///< how many, the query's own included; 0: no layer has a window
  double rope_base = 10000;  ///< of these layers; their frequencies are not scaled
  std::vector<bool> layers;  ///< which layers have it; empty where none has
};

/// The numbers that the maths of a decoder needs. All lengths are positive and consistent (heads
/// divide, head_dim is even).
struct ModelConfig {
  Architecture architecture;
  std::string name;
  KvShape shape;
  int hidden = 0;
  int ffn = 0;
  int vocab = 0;
  int context = 0;
  double norm_eps = 0;
  double rope_base = 0;
  RopeScaling rope_scaling;
  double attention_scale = 0;  ///< of q k^T
  SlidingWindow window;
  bool tied_embeddings = false;

  bool windowed(int layer) const {
    return !window.layers.empty() && window.layers[static_cast<std::size_t>(layer)];
  }
};

/// Reads config.json of a Hugging Face folder. A key that may change the maths must be known and
/// have a value that is implemented; keys that cannot are in a list; any other is an error. `vocab`
/// and the like are required; where Hugging Face's own classes have a default (rope_theta, kv
/// heads = heads, rms_norm_eps 1e-6, hidden_act, tied embeddings or not), so has this. Throws
/// IoError (naming a .gguf file where the folder holds one and no config.json), CorruptStream (no
/// JSON object) or InputError naming the key and its value.
ModelConfig read_hf_config(const std::string& folder);

/// Reads the metadata of a GGUF file by the same rules: every key of the architecture's own
/// namespace must be known. `tied_embeddings` is true where the file has no output.weight. Throws
/// InputError naming the key.
ModelConfig read_gguf_config(const GgufFile& file);

/// Angular frequency, in radians a token, of each of the head_dim / 2 rotary pairs of a layer:
/// rope_base^(-2i / head_dim), scaled as `rope_scaling` says; of a layer with a window, by the
/// window's base and not scaled.
std::vector<double> rope_frequencies(const ModelConfig& config, int layer);

/// Which of `layers` layers have a window where every `full_every`-th has none.
std::vector<bool> window_layers(int layers, int full_every);

/// Throws InputError naming `origin` and the field when a length is not positive, absurd (more than
/// any model has), or heads do not divide. Both readers end with this.
void check_config(const ModelConfig& config, const std::string& origin);

}  // namespace kakeya
