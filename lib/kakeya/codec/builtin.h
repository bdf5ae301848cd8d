// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/codec.h"

namespace kakeya {

// One line a codec; its file says what it does. The table is in builtin.cpp.

std::unique_ptr<Codec> make_identity(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_e8(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_d4(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_tq(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_ecz(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_ecd4(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_ece8(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_klt(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_klt_layers(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_fp8(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_q4_0(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_q5_0(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_q8_0(SpecArgs& args, const CodecInput& input);

/// The site that a frame of a codec of VectorScope::head names. Throws CorruptStream where it names
/// none.
CacheSite site_of_frame(const FrameView& view);

/// The layers that a frame of a codec of VectorScope::token names. Throws CorruptStream.
LayerRange layers_of_frame(const FrameView& view);

}  // namespace kakeya
