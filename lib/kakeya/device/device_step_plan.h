// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kakeya/codec/step_codec.h"
#include "kakeya/device/device_codec.h"
#include "kakeya/device/device_memory.h"

namespace kakeya {

namespace kernels {
struct EntropyCoded;  // kernels/entropy_coded.h
}

// What kernels of ece8, ecd4 and ecz take of the codec of the CPU: its plan (codec/step_codec.h), by value
// and in device memory.

/// The plan of a codec that is a StepCodec; it lives as long as the codec.
StepPlan plan_of(const Codec& codec);

/// The plan as kernels take it, `signs` apart.
kernels::EntropyCoded kernel_of(const StepPlan& plan);

/// How far from 0 points are counted where classes are chosen: as far as any lies.
std::int32_t reach_of(const StepPlan& plan);

/// The signs of a random rotation, [dim] float32; of none 16 bytes.
DeviceBuffer signs_of(const StepPlan& plan);

/// Of center=bias what is subtracted of each head of `codec`, and minus it, as
/// EntropyCodedWork::means: [heads][2][dim] float32; of a codec for any number of heads 16 bytes.
DeviceBuffer known_means(const DeviceCodec& codec);

}  // namespace kakeya
