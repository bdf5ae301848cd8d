// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/session.h"

#include <algorithm>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/host/start_host.h"
#include "kakeya/store/digest.h"

namespace kakeya {
namespace {

// What a saved cache kept of its windows' past bounds the steps that can go on with it.
std::vector<std::size_t> windows_of(const ModelFacts& model, std::size_t chunk,
                                    const SavedSequence* saved) {
  std::vector<std::size_t> windows = step_windows(model, chunk);
  if (saved == nullptr || windows.empty()) return windows;
  const std::vector<std::size_t>& kept = saved->head.windows;
  if (kept.size() != windows.size()) return windows;  // of another shape: refused by name
  for (std::size_t layer = 0; layer < windows.size(); ++layer) {
    if ((kept[layer] == 0) != (windows[layer] == 0) || kept[layer] >= windows[layer]) continue;
    const std::size_t least = windows[layer] - chunk;
    throw InputError(saved->path + ": layer " + std::to_string(layer) + " keeps " +
                     std::to_string(kept[layer]) + " tokens: --prefill-chunk " +
                     std::to_string(chunk) + ", expected at most " +
                     std::to_string(kept[layer] > least ? kept[layer] - least : 0));
  }
  return kept;
}

CacheFacts facts_for(const LoadedModel& loaded, const SessionRequest& request,
                     const SavedSequence* saved) {
  CacheFacts facts = loaded.facts;
  const TapPoint usual = request.on_gpu ? TapPoint::post_rope : TapPoint::pre_rope,
                 tap = saved != nullptr ? saved->head.facts.tap : usual;
  facts.tap = request.tap.value_or(tap);
  facts.passage = "generated, " + loaded.options.dtype;
  facts.seed = request.seed;
  return facts;
}

// Says which file it was.
template <typename Work>
void of_file(const std::string& path, const Work& work) {
  try {
    work();
  } catch (const CorruptStream& error) {
    throw CorruptStream(path + ": " + error.what());
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

// No more than there are heads to be coded at once.
int sealing_threads(const LoadedModel& loaded) {
  const int asked = loaded.options.threads, all = asked > 0 ? asked : machine_threads();
  return std::clamp(all, 1, loaded.model->facts().shape.kv_heads);
}

}  // namespace

LoadedModel load_for_sessions(const std::string& path, const ModelOptions& options) {
  LoadedModel loaded{path, options, load_tokenizer(path), load_model(path, options), {}};
  const ModelFacts& model = loaded.model->facts();
  CacheFacts& facts = loaded.facts;
  facts.origin.model = model_source(*loaded.model, path);
  facts.origin.architecture = model.architecture;
  facts.origin.tokenizer =
      tokenizer_source(*loaded.tokenizer, path, path, facts.origin.model.sha256);
  facts.rope_layout = model.rope_layout;
  facts.rope_base = model.rope_base;
  return loaded;
}

void require_packed_sums(const std::string& path, const ModelOptions& options) {
  if (is_hosted(path)) {
    throw SpecError(
        "sums of packed values: given with " + path +
        ", which runs in a host and reads all that it attends to, expected a model that "
        "runs here");
  }
  if (options.device != "cpu") {
    throw SpecError("sums of packed values under a model on " + options.device +
                    ", expected one on cpu");
  }
  if (options.batch_invariant) {
    throw SpecError("sums of packed values: given with batch-invariant, expected one of them");
  }
}

SavedSequence read_saved_sequence(const std::string& path) {
  SavedSequence saved{path, read_file(path), {}};
  of_file(path, [&] { saved.head = read_sequence_head(saved.file); });
  return saved;
}

Session::Session(LoadedModel& loaded, const ProfileShelf& shelf, const SessionRequest& request,
                 const SavedSequence* saved)
    : loaded_(loaded),
      sealing_(sealing_threads(loaded)),
      facts_(facts_for(loaded, request, saved)) {
  if (saved != nullptr) {  // first: nothing else that it says is of a model of another shape
    of_file(saved->path, [&] { require_facts(saved->head.facts, facts_); });
  }
  make_cache(shelf, request, saved);
}

void Session::make_cache(const ProfileShelf& shelf, const SessionRequest& request,
                         const SavedSequence* saved) {
  const ModelFacts& model = loaded_.model->facts();
  CachePolicy policy;
  for (std::size_t i = 0; i < kPolicyNumbers; ++i) {
    const PolicyNumber& number = policy_numbers()[i];
    const int standard =
        saved != nullptr ? saved->head.facts.extent.policy.*number.value : number.standard;
    policy.*number.value = request.policy[i].value_or(standard);
  }
  policy.layers = model.shape.layers;
  const CodecPair other =
      saved != nullptr ? saved->head.facts.codecs : CodecPair{"identity", "identity"};
  CodecPair specs = request.codecs.value_or(other);
  const bool edges = request.policy[kSkippedEdgeLayers].has_value();
  if (is_plan(specs.keys) && (edges || request.layers.given())) {
    throw SpecError(
        "the plan says itself which layers are coded: expected no --layers, "
        "--skip-layers or --skip-edge-layers beside it");
  }
  request.layers.apply(policy, edges);
  const bool of_layers = !policy.skipped.empty() && !request.on_gpu;
  if (of_layers) specs = with_skipped(specs, policy.all_skipped());
  if (!shelf.entries().empty() && !is_calibrated(specs)) {
    throw SpecError("--profile: " + specs.label() + " has no use for it");
  }
  CacheCodecs codecs = make_cache_codecs(specs, {model.shape, policy, &shelf});
  policy = codecs.policy_of(policy);
  shelf.require_model(facts_.origin.model, facts_.tap);
  specs_ = codecs.canonical();
  if (request.on_gpu && request.packed_sums) {
    throw SpecError(
        "sums of packed values: given with a cache on a GPU, whose attention reads packed pages "
        "itself, expected it alone");
  }
  if (request.packed_sums) require_packed_sums(loaded_.path, loaded_.options);
  if (request.on_gpu) return make_device_cache(shelf, policy, request, saved);
  packed_ = std::make_unique<PackedCache>(model.shape, policy, std::move(codecs),
                                          windows_of(model, request.prefill_chunk, saved));
  packed_->seal_on(&sealing_);
  host_steps_ = std::make_unique<PackedStepCache>(*packed_, facts_.tap, request.packed_sums);
  steps_ = host_steps_.get();
}

void Session::make_device_cache(const ProfileShelf& shelf, const CachePolicy& policy,
                                const SessionRequest& request, const SavedSequence* saved) {
  const ModelFacts& model = loaded_.model->facts();
  if (saved != nullptr) {
    throw InputError(saved->path + ": a cache on a GPU is not restored, expected it on the host");
  }
  if (model.layer_devices.empty()) {
    throw InputError("a cache on a GPU under a model on " + loaded_.options.device +
                     ", expected a model on cuda");
  }
  for (const int device : model.layer_devices) {
    if (device == model.layer_devices.front()) continue;
    throw InputError("a cache on a GPU under a model on " + loaded_.options.device +
                     ", expected a model on one GPU");
  }
  if (facts_.tap != TapPoint::post_rope) {
    throw SpecError("a cache on a GPU with keys " + std::string(tap_name(facts_.tap)) +
                    ", expected post-rope: its attention does not rotate them");
  }
  if (specs_.keys != specs_.values) {
    throw SpecError(specs_.label() +
                    ": a cache on a GPU, expected one codec of both keys and values");
  }
  try {
    device_ = std::make_unique<DeviceCache>(model, policy, DeviceCacheCodec{specs_.keys, &shelf},
                                            request.gpu_room);
  } catch (const NoKernelError& error) {
    throw NoKernelError(error.fact(), "; --cache-device cpu keeps the cache on the host");
  }
  steps_ = device_.get();
}

PackedCache& Session::cache() {
  if (packed_) return *packed_;
  throw InputError("the cache of this session is on a GPU, expected one on the host");
}

int Session::add_sequence() { return device_ ? device_->add_sequence() : packed_->add_sequence(); }

LiveBytes Session::live_bytes() const {
  return device_ ? device_->live_bytes() : packed_->live_bytes();
}

void Session::begin(std::vector<std::int32_t> prompt) {
  if (prompt.empty()) throw InputError("an empty prompt: expected at least one token");
  sequence_ = add_sequence();
  known_.clear();
  pending_ = std::move(prompt);
  only_next_ = false;
}

void Session::restore(const SavedSequence& saved, std::span<const std::int32_t> more) {
  of_file(saved.path, [&] {
    if (saved.head.facts.passage != facts_.passage) {
      throw InputError("saved sequence: of passage \"" + saved.head.facts.passage +
                       "\", expected \"" + facts_.passage + "\" (--dtype)");
    }
    if (!saved.head.next && more.empty()) {
      throw InputError("has no token that comes next: expected --prompt");
    }
    sequence_ = restore_sequence(cache(), saved.file, facts_);
  });
  known_ = saved.head.token_ids;
  pending_.clear();
  if (saved.head.next) pending_.push_back(*saved.head.next);
  only_next_ = more.empty();
  pending_.insert(pending_.end(), more.begin(), more.end());
}

Generated Session::generate(GenerateRequest request, const GenerateEvents& events) {
  request.sequence = sequence_;
  request.prompt = pending_;
  const std::vector<std::int32_t>& ends = request.end_tokens;
  if (only_next_ && std::find(ends.begin(), ends.end(), pending_.front()) != ends.end()) {
    Generated generated;
    generated.ended = true;  // it had ended when it was saved
    return generated;
  }
  Generated generated = kakeya::generate(*loaded_.model, *steps_, request, events);
  known_.insert(known_.end(), pending_.begin(), pending_.end());
  known_.insert(known_.end(), generated.tokens.begin(), generated.tokens.end());
  pending_ = {known_.back()};
  known_.pop_back();
  only_next_ = true;
  return generated;
}

void Session::save(const std::string& path) const {
  if (pending_.empty())
    throw InputError("a session of no tokens: expected begin() or restore() first");
  if (!packed_) {
    throw InputError("a cache on a GPU is not saved, expected it on the host (--cache-device cpu)");
  }
  const std::vector<std::byte> file =
      save_sequence(*packed_, sequence_, facts_, known_, pending_.back());
  write_file(path, file.data(), file.size());
}

}  // namespace kakeya
