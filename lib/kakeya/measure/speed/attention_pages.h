// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kakeya/device/device_attention.h"
#include "kakeya/measure/speed/bench_vectors.h"
#include "kakeya/profile/profile_source.h"

namespace kakeya {

/// `count` bf16 vectors in device memory: the drawn ones again and again.
void fill_with(DeviceBuffer& to, const BenchVectors& drawn, std::size_t count);

/// Keys and values of heads as a model had them, in place of drawn ones.
struct BenchCaches {
  struct Head {
    KvSite site;                 ///< of which `profiles` has a transform
    std::vector<float> vectors;  ///< [tokens, dim]
  };
  std::vector<Head> keys, values;  ///< a head each
  const ProfileSource* profiles = nullptr;

  const std::vector<Head>& of(Part part) const { return part == Part::key ? keys : values; }
};

/// Keys and values of a sequence, and how they get into pages that attention reads.
class AttentionPages {
 public:
  virtual ~AttentionPages() = default;

  virtual const DeviceAttention& attention() const = 0;
  /// Whether put() codes them, or copies what a host has coded.
  virtual bool by_kernels() const = 0;
  /// Puts them in slots[0], slots[1], ...: words in device memory.
  virtual void put(const DevicePagePool& pool, const std::int32_t* slots, std::uint32_t* flags) = 0;
  /// Keys, or values, of head 0 as the codec decodes them: [tokens, dim].
  virtual std::vector<float> decoded(Part part) const = 0;
};

/// For `tokens` tokens. klt, without a profile in its spec, has one made for the purpose
/// (bench_profile.h), and vectors near it; with `caches` their profiles and vectors, again and again. Keys are before `rope`,
/// or with null after one. Throws as DeviceAttention, and InputError where `caches` are not of klt, have fewer heads
/// than the shape, or fewer than 128 tokens.
std::unique_ptr<AttentionPages> make_attention_pages(
    const std::string& spec, const KvShape& shape, std::size_t tokens,
    const std::shared_ptr<const DeviceRope>& rope = nullptr, const BenchCaches* caches = nullptr);

}  // namespace kakeya
