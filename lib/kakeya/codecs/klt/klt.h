// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kakeya/codec/codec.h"

namespace kakeya {

// klt of single heads (klt.cpp), of whole layers (klt_layers.cpp) and without a profile
// (klt_profileless.cpp); descriptors.cpp has their descriptors.

std::unique_ptr<Codec> make_klt(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_klt_layers(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_klt_profileless(SpecArgs& args, const CodecInput& input);

void read_klt_place(const FrameView& view, CodecInput& input);
void read_klt_layers_place(const FrameView& view, CodecInput& input);

}  // namespace kakeya
