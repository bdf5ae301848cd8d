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
std::unique_ptr<Codec> make_kvtc(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_fp8(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_q4_0(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_q5_0(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_q8_0(SpecArgs& args, const CodecInput& input);
std::unique_ptr<Codec> make_kivi(SpecArgs& args, const CodecInput& input);

// CodecEntry::read_place of those whose frames say where their vectors come from.

void read_klt_place(const FrameView& view, CodecInput& input);
void read_kivi_place(const FrameView& view, CodecInput& input);
void read_kvtc_place(const FrameView& view, CodecInput& input);

/// That of klt with scope=layer.
void read_klt_layers_place(const FrameView& view, CodecInput& input);

}  // namespace kakeya
