// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/foreign_frame.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "kakeya/codec/site_section.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::string_view kBytes = "bytes", kPadding = "padding";
// More is no bound but a mistake, and memory that a codec of a cache would ask for again and again.
constexpr std::size_t kMostBytesAValue = 64, kMostBytesBesides = std::size_t{1} << 20;

// What a foreign function is doing when it throws.
enum class Doing { make, bound, encode, decode };

// `text` behind the codec's name, where it does not begin with it.
std::string named(const std::string& codec, const std::string& text) {
  if (text.starts_with(codec + ":") || text.starts_with("codec '" + codec)) return text;
  return codec + ": " + text;
}

// Throws what `doing` may throw, with what was caught within it.
[[noreturn]] void rethrow(const std::string& codec, Doing doing, const std::string& text) {
  if (doing == Doing::decode) std::throw_with_nested(CorruptStream(named(codec, text)));
  std::throw_with_nested(InputError(named(codec, text)));
}

// Calls a function that is not ours.
template <typename Call>
auto guarded(const std::string& codec, Doing doing, const Call& call) {
  try {
    return call();
  } catch (const SpecError& error) {
    if (doing != Doing::make) rethrow(codec, doing, error.what());
    std::throw_with_nested(SpecError(named(codec, error.what())));
  } catch (const std::exception& error) {
    rethrow(codec, doing, error.what());
  } catch (...) {
    rethrow(codec, doing, "threw what is no std::exception");
  }
}

// Every key of `codec` with the value that it is given or has by default; those given become the
// canonical text.
Spec whole_spec(SpecArgs& args, const ForeignDescriptor& codec) {
  std::string text = codec.name;
  char joint = ':';
  for (const ForeignKey& key : codec.keys) {
    std::string value = args.text(key.name);
    if (value.empty() && key.default_text.empty()) {
      throw SpecError(codec.name + ": no " + key.name + " given: expected " + codec.name + ":" +
                      key.name + "=..." + (key.help.empty() ? "" : ", " + key.help));
    }
    if (value.empty()) value = key.default_text;
    if (value != key.default_text) args.keep(key.name, value);
    text.append(1, joint).append(key.name).append("=").append(value);
    joint = ',';
  }
  return Spec::parse(text);
}

class ForeignCodec final : public NamedCodec {
 public:
  ForeignCodec(std::string spec, std::size_t dim, std::optional<KvSite> site,
               std::unique_ptr<ForeignCoder> coder)
      : NamedCodec(std::move(spec), dim), site_(site), coder_(std::move(coder)) {
    nominal_ = guarded(spec_, Doing::make, [&] { return coder_->nominal_bits_per_vector(); });
  }

  Rates rates() const override { return {nominal_, std::nullopt}; }

  std::size_t encoded_bound(std::size_t count) const override {
    const std::size_t least = padding_bytes(count, dim_, 0);
    return frame_overhead(spec_.size(), 3) + kSiteBytes + std::max(least, bound(count));
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    require_encodable(*this, x, out);
    for (std::size_t row = 0; row < x.count; ++row) finite_maximum(x[row], row);
    const std::size_t most = bound(x.count);
    const auto bytes = std::make_unique_for_overwrite<std::byte[]>(most);
    const std::size_t written = write(x, {bytes.get(), most});
    const std::size_t padding = padding_bytes(x.count, dim_, written);
    std::vector<std::string_view> sections;
    if (site_) sections.push_back(kSiteSection);
    sections.push_back(kBytes);
    if (padding != 0) sections.push_back(kPadding);
    FrameWriter writer(out, spec_, dim_, x.count, sections);
    if (site_) std::ranges::copy(site_record(*site_), writer.section(kSiteBytes).begin());
    std::copy_n(bytes.get(), written, writer.section(written).begin());
    if (padding != 0) writer.section(padding);
    return writer.finish();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    std::size_t at = 0;
    if (site_) require_same_site(spec_, view.section(at++, kSiteSection), *site_);
    const std::span<const std::byte> bytes = view.section(at++, kBytes);
    if (at < view.sections.size()) require_zeros(view.section(at, kPadding), spec_);
    if (out.count == 0) return;
    // What the coder leaves out is seen below.
    for (std::size_t row = 0; row < out.count; ++row) {
      std::ranges::fill(out[row], std::numeric_limits<float>::quiet_NaN());
    }
    guarded(spec_, Doing::decode, [&] { coder_->decode(bytes, out); });
    for (std::size_t row = 0; row < out.count; ++row) {
      if (largest_magnitude(out[row]) < 0x7f800000u) continue;
      throw CorruptStream(spec_ + ": decoded vector " + std::to_string(row) + " is not finite");
    }
  }

  void check_frame(const FrameInfo& info) const override {
    const bool padded = info.sections.size() == (site_ ? 5u : 4u);
    if (!padded && info.sections.size() != (site_ ? 4u : 3u)) {
      throw CorruptStream("frame of " + info.spec + ": " +
                          std::to_string(info.sections.size() - 2) + " sections, expected " +
                          (site_ ? "site, " : "") + "bytes and, where they are few, padding");
    }
    if (site_) require_items(info, kSiteSection, kSiteBytes, 1);
    const std::size_t bytes = section_bytes(info, kBytes);
    const std::size_t padding = padded ? section_bytes(info, kPadding) : 0;
    // Without an overflow: no count that needs more bytes than there are is multiplied.
    const bool overlong = info.count / 32 > bytes + padding;
    if (overlong || padding_bytes(info.count, info.dim, bytes) != padding ||
        (padded && padding == 0) || (info.count == 0 && bytes != 0)) {
      throw CorruptStream("frame of " + info.spec + ": " + std::to_string(bytes) + " bytes and " +
                          std::to_string(padding) + " of padding for " +
                          std::to_string(info.count) + " vectors of " + std::to_string(info.dim) +
                          ", expected at least a byte for 32 values, padded where they are fewer");
    }
  }

 private:
  std::size_t bound(std::size_t count) const {
    if (count == 0) return 0;
    const std::size_t given = guarded(spec_, Doing::bound, [&] { return coder_->bound(count); });
    const std::size_t most = kMostBytesBesides + count * dim_ * kMostBytesAValue;
    if (given > most) {
      throw InputError(spec_ + ": a bound of " + std::to_string(given) + " bytes for " +
                       std::to_string(count) + " vectors of " + std::to_string(dim_) +
                       ", expected at most " + std::to_string(most));
    }
    return given;
  }

  std::size_t write(Rows<const float> x, std::span<std::byte> out) const {
    if (x.count == 0) return 0;
    const std::size_t written =
        guarded(spec_, Doing::encode, [&] { return coder_->encode(x, out); });
    if (written > out.size()) {
      throw InputError(spec_ + ": encode says that it wrote " + std::to_string(written) +
                       " bytes for " + std::to_string(x.count) + " vectors, its bound is " +
                       std::to_string(out.size()));
    }
    return written;
  }

  const std::optional<KvSite> site_;
  const std::unique_ptr<ForeignCoder> coder_;
  std::optional<double> nominal_;
};

}  // namespace

MadeForeign make_foreign_coder(SpecArgs& args, const CodecInput& input) {
  const ForeignDescriptor& foreign = *args.descriptor().foreign;
  const Spec whole = whole_spec(args, foreign);
  if (input.dim == 0 || input.dim > kMostHeadDim) {
    throw InputError(foreign.name + ": dim " + std::to_string(input.dim) +
                     ": expected a whole number in [1, " + std::to_string(kMostHeadDim) + "]");
  }
  CodecInput told{.dim = input.dim};
  if (foreign.scope == VectorScope::head) {
    require_site(foreign.name, input.site);
    told.site = input.site;
  }
  auto coder = guarded(foreign.name, Doing::make, [&] { return foreign.make(whole, told); });
  if (coder == nullptr) throw InputError(foreign.name + ": no coder was made");
  return {std::move(coder), told};
}

std::unique_ptr<Codec> make_foreign(SpecArgs& args, const CodecInput& input) {
  MadeForeign made = make_foreign_coder(args, input);
  return std::make_unique<ForeignCodec>(args.canonical(), made.input.dim, made.input.site,
                                        std::move(made.coder));
}

void read_foreign_place(const FrameView& view, CodecInput& input) { input.site = read_site(view); }

}  // namespace kakeya
