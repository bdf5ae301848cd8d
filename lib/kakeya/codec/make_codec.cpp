// SPDX-License-Identifier: Apache-2.0
// Codecs from specs and from frames.
#include <string>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/key_bias.h"
#include "kakeya/codec/site_section.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

std::string known_names() {
  std::string names;
  for (const CodecDescriptor* codec : known_codecs()) {
    if (!codec->selector.key.empty()) continue;
    names += (names.empty() ? "" : ", ") + std::string(codec->name);
  }
  return names;
}

// The codec that a frame names, the frame checked against it.
std::unique_ptr<Codec> codec_of(const FrameView& view, const ProfileSource* profiles) {
  std::unique_ptr<Codec> codec;
  CodecInput input{view.dim, profiles};
  require_stored_spec(view.spec);
  const CodecDescriptor* known = find_descriptor(view.spec);
  if (is_calibrated(view.spec) && profiles == nullptr) {
    throw InputError("frame of " + view.spec + ": expected the profile that it was made with");
  }
  if (centres_on_bias(view.spec)) {
    input.site = read_site(view);
  } else if (known != nullptr && known->read_place != nullptr) {
    known->read_place(view, input);
  }
  try {
    codec = make_codec(view.spec, input);
  } catch (const SpecError& error) {
    throw CorruptStream("frame names a codec that is not known here: " + std::string(error.what()));
  } catch (const InputError& error) {
    throw CorruptStream("frame: " + std::string(error.what()));
  }
  if (codec->spec() != view.spec) {
    throw CorruptStream("frame names codec '" + view.spec + "', which is not canonical: '" +
                        codec->spec() + "'");
  }
  codec->check_frame(summary_of(view));
  return codec;
}

}  // namespace

void Codec::check_frame(const FrameInfo& info) const {
  std::size_t bytes = 0;
  for (const auto& [name, length] : info.sections) bytes += length;
  if (info.count > bytes) {
    throw CorruptStream("frame of " + info.spec + ": " + std::to_string(bytes) +
                        " bytes cannot hold " + std::to_string(info.count) + " vectors");
  }
}

std::unique_ptr<Codec> make_codec(std::string_view spec, const CodecInput& input) {
  Spec parsed = Spec::parse(spec);
  const CodecDescriptor* known = find_descriptor(parsed);
  if (known == nullptr) {
    throw SpecError("codec '" + std::string(spec) + "': expected one of " + known_names());
  }
  SpecArgs args(std::move(parsed), *known);
  auto codec = known->make(args, input);
  args.require_used();
  return codec;
}

void require_stored_spec(std::string_view spec) {
  const std::optional<Spec> parsed = Spec::try_parse(spec);
  const std::string* profile = parsed ? parsed->find("profile") : nullptr;
  if (profile == nullptr) return;  // not given, or make_codec() will refuse the text
  if (*profile == "none" && !is_calibrated(spec)) return;  // of a codec without one
  const bool digest = profile->size() == ProfileHead::kShortDigest &&
                      profile->find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!digest) {
    throw CorruptStream("codec " + std::string(spec) +
                        ": expected the first 16 digits of a profile's digest");
  }
}

bool is_calibrated(std::string_view spec) {
  const CodecDescriptor* codec = find_descriptor(spec);
  return codec != nullptr && (codec->calibrated() || centres_on_bias(spec));
}

VectorScope scope_of(std::string_view spec) {
  const CodecDescriptor* codec = find_descriptor(spec);
  if (codec == nullptr) return VectorScope::any;
  return centres_on_bias(spec) ? VectorScope::head : codec->scope;
}

FrameInfo frame_info(std::span<const std::byte> frame, const ProfileSource* profiles) {
  const FrameView view = parse_frame(frame);
  codec_of(view, profiles);
  return summary_of(view);
}

std::unique_ptr<Codec> codec_of_frame(std::span<const std::byte> frame,
                                      const ProfileSource* profiles) {
  return codec_of(parse_frame(frame), profiles);
}

}  // namespace kakeya
