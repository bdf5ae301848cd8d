// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "kakeya/core/error.h"
#include "kakeya/device/device_vectors.h"
#include "kakeya/model/step_cache.h"

namespace kakeya {

/// The new tokens of a sequence among the rows of a step: rows [row, row + rows), which are its tokens
/// `position` and on.
struct StepPart {
  int sequence = 0;
  std::size_t row = 0, rows = 0, position = 0;
  bool operator==(const StepPart&) const = default;
};

/// A StepCache in the memory of the GPU where the model computes: keys and values come from there, after
/// RoPE, and attention reads them there, as they are packed. Of each step: begin_step(), then for each
/// layer append_rows() and attend() or rows(), then end_step(). What throws in between leaves the
/// sequences of the step as no step may go on with: they have to be dropped.
class DeviceStepCache : public StepCache {
 public:
  DeviceStepCache* on_device() final { return this; }
  TapPoint tap_point() const final { return TapPoint::post_rope; }

  /// Makes room. Throws InputError where a part does not go on where its sequence ends.
  virtual void begin_step(std::span<const StepPart> parts) = 0;

  /// Keys and values of all rows of the step, views [rows, kv_heads, head_dim].
  virtual void append_rows(int layer, const DeviceVectors& keys, const DeviceVectors& values,
                           DeviceStream stream) = 0;

  /// Whether attention over this layer is the cache's own. Where not, the layer is kept in bf16, and the
  /// model attends over rows().
  virtual bool attends(int layer) const = 0;

  /// out = softmax(scale * q K^T) V, [rows, query_heads, head_dim] both; a query sees the tokens of its
  /// sequence up to its own, or those of them that the layer's window covers. `parts`: of those of the step all or some last
  /// rows, which those of `queries` are, in their order. Each query reads the pages anew, so this is for few.
  virtual void attend(int layer, std::span<const StepPart> parts, const DeviceVectors& queries,
                      const DeviceVectors& out, double scale, DeviceStream stream) = 0;

  /// Keys and values of some tokens of a layer, those of the step too, in bf16: [range.count, kv_heads,
  /// head_dim] each. Of a layer in bf16 they are where they are kept; of others they are decoded, to memory that
  /// the next call gives to other tokens.
  virtual std::array<DeviceVectors, 2> rows(int sequence, int layer, TokenRange range,
                                            DeviceStream stream) = 0;

  /// Waits until all is done. Throws InputError on keys or values that were not finite, CorruptStream on
  /// damaged pages, and names the sequences of the step.
  virtual void end_step(DeviceStream stream) = 0;

  // On the host there is nothing of it.
  void append(int, int, Rows<const float>, Rows<const float>) final { refuse(); }
  void read(int, KvSite, TokenRange, Rows<float>) const final { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw InputError(
        "a cache on a GPU takes and reads keys and values there, expected a model that computes on it");
  }
};

}  // namespace kakeya
