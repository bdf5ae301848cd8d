// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kakeya/cache/packed_cache.h"
#include "kakeya/codec/cache_codecs.h"
#include "kakeya/device/device_attention.h"
#include "kakeya/generate/page_places.h"
#include "kakeya/model/device_step_cache.h"
#include "kakeya/model/model.h"

namespace kakeya {

/// What a DeviceCache has room for at once. More sequences and tokens find room too, where memory is copied.
struct DeviceCacheRoom {
  std::size_t sequences = 1, tokens = 0;
};

/// What codes a DeviceCache.
struct DeviceCacheCodec {
  std::string spec;
  const ProfileSource* profiles = nullptr;  ///< of a codec that is calibrated
};

/// A packed cache in the memory of a GPU, whose kernels attend over the pages as they are packed
/// (DeviceAttention): of `tq` with b of 2 to 4, of `d4` and `e8` with q of 1 to 7, of `fp8` with block of 64 or more; of `klt` over single heads with
/// lattice=z,pages=tiles,page=128 or pages=fixed and a profile of keys after RoPE, whose slots are as long as the
/// longest page of all heads that the layer ever had, and never shorter again; or `identity`, bf16, over which the model attends. Sinks, the residual window and the
/// page that is not full are bf16, and so are layers that are not coded. Pages that a sliding window has left are
/// given to other tokens; layers in bf16 keep all.
///
///     DeviceCache cache(model.facts(), policy, {.spec = "e8:q=7"}, {.sequences = 1, .tokens = 8192});
///     const std::vector<float> logits = model.step({{{cache.add_sequence(), prompt}}}, cache);
///
/// What throws within a step leaves its sequences, all of the batch, to be dropped; also a vector that klt would
/// keep beside its pages, so far is it from the profile. Not thread-safe.
class DeviceCache final : public DeviceStepCache {
 public:
  /// Throws InputError where the policy keeps other tokens than first and last ones, or a sliding window is
  /// shorter than the residual window and a page; SpecError on a plan, NoKernelError on codecs without pages that
  /// attention reads, InputError on head dimensions that it does not take. What profiles throw goes through.
  DeviceCache(const ModelFacts& facts, const CachePolicy& policy, const DeviceCacheCodec& codec,
              DeviceCacheRoom room = {});
  ~DeviceCache() override;

  /// An empty sequence. Numbers are never used again.
  int add_sequence();
  /// Forgets a sequence. This and all below throw InputError where there is no such sequence or layer.
  void drop(int sequence);

  std::size_t tokens(int sequence) const override;
  std::size_t first_token(int sequence, int layer) const override;

  void begin_step(std::span<const StepPart> parts) override;
  void append_rows(int layer, const DeviceVectors& keys, const DeviceVectors& values,
                   DeviceStream stream) override;
  bool attends(int layer) const override;
  void attend(int layer, std::span<const StepPart> parts, const DeviceVectors& queries,
              const DeviceVectors& out, double scale, DeviceStream stream) override;
  std::array<DeviceVectors, 2> rows(int sequence, int layer, TokenRange range,
                                    DeviceStream stream) override;
  void end_step(DeviceStream stream) override;

  /// Device memory that the cache has allocated, all of its room: pages (of `identity` the rows of layers), open
  /// rows and sinks, layers that are not coded, and as tables what attention works in, of klt with its
  /// matrices. What codes of a profile, one for all caches, is not in it.
  LiveBytes live_bytes() const;

 private:
  static constexpr std::size_t kKinds = 2;  // of coded layers: all-seeing ones, windowed ones
  struct Memory;
  struct Layer;
  struct Sequence;
  struct Views;

  Sequence& sequence(int number);
  const Sequence& sequence(int number) const;
  const Layer& layer(int number) const;
  void take_slots(Sequence& of, const StepPart& part);
  void make_attentions(const DeviceCacheCodec& codec);
  void make_room(std::size_t tokens, std::size_t staged_rows);
  void upload_places(std::span<const StepPart> parts);
  DeviceVectors staged_rows(int side, TokenRange rows) const;
  void seal(Layer& of, const StepPart& part, std::size_t number,
            const std::array<DeviceVectors, 2>& made, DeviceStream stream);
  void refuse_flags(std::span<const std::uint32_t> flags) const;
  const Views& views_of(std::size_t kind, std::span<const StepPart> parts);

  KvShape shape_;
  int device_;  // the GPU
  PagePlaces places_;
  std::size_t window_ = 0;  // of windowed layers
  bool identity_ = false;
  const DeviceAttention* attention_ = nullptr;  // of the first coded layer; null where none is
  std::vector<Layer> layers_;
  std::map<int, Sequence> sequences_;
  int next_number_ = 0;
  std::size_t places_used_ = 0, sequence_room_ = 0, token_room_ = 0;  // rows of bf16 layers
  std::vector<std::size_t> free_places_;
  std::array<std::vector<std::int32_t>, kKinds> free_slots_;
  std::array<std::size_t, kKinds> slots_ = {};

  std::vector<StepPart> step_;  // in progress
  std::size_t step_rows_ = 0;
  std::unique_ptr<Memory> memory_;
  std::array<std::unique_ptr<Views>, kKinds> views_;
};

}  // namespace kakeya
