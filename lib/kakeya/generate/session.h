// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/cache/packed_cache.h"
#include "kakeya/cache/sequence_file.h"
#include "kakeya/codec/cache_codecs.h"
#include "kakeya/core/layer_choice.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/generate/device_cache.h"
#include "kakeya/generate/generate.h"
#include "kakeya/generate/packed_step_cache.h"
#include "kakeya/model/model.h"
#include "kakeya/model/tokenizer/tokenizer.h"
#include "kakeya/profile/profile_shelf.h"

namespace kakeya {

/// A model and its tokenizer, loaded once for any number of caches.
struct LoadedModel {
  std::string path;      ///< file or folder
  ModelOptions options;  ///< it was loaded with
  std::unique_ptr<Tokenizer> tokenizer;
  std::unique_ptr<Model> model;
  CacheFacts facts;  ///< model and tokenizer by name and digest, RoPE; the rest at its default
};

/// Reads tokenizer and weights of `path`, and their digests. Throws as load_tokenizer() and
/// load_model().
LoadedModel load_for_sessions(const std::string& path, const ModelOptions& options);

/// Throws SpecError where attention of a model that is loaded so cannot add up what is packed
/// (SessionRequest::packed_sums).
void require_packed_sums(const std::string& path, const ModelOptions& options);

/// A saved cache: the bytes of its file, and what they say.
struct SavedSequence {
  std::string path;  ///< for messages
  std::vector<std::byte> file;
  SequenceHead head;
};

/// Throws IoError, and CorruptStream naming the file.
SavedSequence read_saved_sequence(const std::string& path);

/// What is asked of a cache. What is not given is as a saved sequence says, or else the standard.
struct SessionRequest {
  std::optional<CodecPair> codecs;  ///< else identity: bf16
  LayerChoice layers = {};          ///< which layers are coded, in place of skipped edge layers
  std::array<std::optional<int>, kPolicyNumbers> policy = {};  ///< in the order of policy_numbers()
  std::optional<TapPoint> tap;                                 ///< else pre-rope
  std::size_t prefill_chunk =
      512;                   ///< tokens of the longest step: what sliding windows keep for it
  std::uint64_t seed = 0;    ///< of the sampling, which files tell
  bool packed_sums = false;  ///< attention adds values up as they are packed (PackedStepCache)
  bool on_gpu = false;       ///< the cache lives on the model's GPU (DeviceCache), keys after RoPE
  DeviceCacheRoom gpu_room = {};  ///< that it has at once
};

/// A model that decodes over a packed cache of its own: codecs, policy and tap point made to fit, and
/// sequences of it begun, generated, saved and restored.
///
///     LoadedModel loaded = load_for_sessions(path, {});
///     ProfileShelf shelf;
///     Session session(loaded, shelf, {.codecs = CodecPair{"q8_0", "q8_0"}});
///     session.begin(loaded.tokenizer->encode("Once"));
///     const Generated generated = session.generate({.max_tokens = 40});
///     session.save("once.kkv");
class Session {
 public:
  /// `loaded` and `shelf`, the profiles of calibrated codecs, must outlive it. `saved` tells what
  /// `request` leaves open, and need not. Throws SpecError on codecs and policies that do not fit the
  /// model, as DeviceCache of a cache on a GPU, and where the shelf has profiles that no codec asks for; InputError where a profile is of
  /// another model or tap point, `saved` is (require_facts()), or a saved window is too short for steps of prefill_chunk tokens.
  Session(LoadedModel& loaded, const ProfileShelf& shelf, const SessionRequest& request,
          const SavedSequence* saved = nullptr);

  /// Begins a sequence with the tokens of a prompt, which generate() gives to the cache. The one
  /// before it, if any, stays in the cache. Throws InputError on an empty prompt.
  void begin(std::vector<std::int32_t> prompt);

  /// Goes on with a saved sequence: behind its tokens, and the one that was to come next, come `more`.
  /// Throws InputError and CorruptStream, naming the file, where it is of another model, tokenizer, type,
  /// tap point, policy, codec or profile (restore_sequence()), and where no token comes next.
  void restore(const SavedSequence& saved, std::span<const std::int32_t> more = {});

  /// Generates behind the tokens that are known and pending; sequence and prompt of `request` are set
  /// here. A restored sequence that had ended, by one of its end tokens, stays ended. Throws as generate()
  /// of generate.h.
  Generated generate(GenerateRequest request, const GenerateEvents& events = {});

  /// Writes the current sequence and the last token, which is not in the cache yet. Throws IoError, and
  /// InputError of a cache on a GPU.
  void save(const std::string& path) const;

  /// The tokens of the sequence so far: in the cache, and those to be given to it first.
  const std::vector<std::int32_t>& known() const { return known_; }
  const std::vector<std::int32_t>& pending() const { return pending_; }

  const CodecPair& codecs() const { return specs_; }  ///< canonical
  /// The cache on the host. Throws InputError where it is on a GPU.
  PackedCache& cache();
  StepCache& step_cache() { return *steps_; }
  int add_sequence();  ///< an empty one of the cache
  LiveBytes live_bytes() const;
  Model& model() { return *loaded_.model; }

 private:
  void make_cache(const ProfileShelf& shelf, const SessionRequest& request,
                  const SavedSequence* saved);
  void make_device_cache(const ProfileShelf& shelf, const CachePolicy& policy,
                         const SessionRequest& request, const SavedSequence* saved);

  LoadedModel& loaded_;
  WorkerPool sealing_;  // codes the heads of a page at once
  CacheFacts facts_;
  CodecPair specs_;
  std::unique_ptr<PackedCache> packed_;  // one of the two
  std::unique_ptr<DeviceCache> device_;
  std::unique_ptr<StepCache> host_steps_;  // of packed_
  StepCache* steps_ = nullptr;
  int sequence_ = 0;
  bool only_next_ = false;  // restored, and nothing but the token that comes next is pending
  std::vector<std::int32_t> known_;    // in the cache
  std::vector<std::int32_t> pending_;  // to be given to it first
};

}  // namespace kakeya
