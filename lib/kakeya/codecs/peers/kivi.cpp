// SPDX-License-Identifier: Apache-2.0
// kivi: keys quantised by channel, values by token, after Liu et al., "KIVI: A Tuning-Free
// Asymmetric 2bit Quantization for KV Cache", arXiv 2402.02750 (ICML 2024), sections 3 and 4,
// Algorithm 1. A group of G values shares a zero and a scale, both stored as binary16:
//
//              channels                             channels
//            +-+-+-+-+-+-+-+-+                    +-------+-------+
//          ^ | | | | | | | | |                    +-------+-------+ one token
//   tokens G | | | | | | | | |  keys       tokens +-------+-------+  values
//          v | | | | | | | | |                    +-------+-------+
//            +-+-+-+-+-+-+-+-+                        G       G
//            bfloat16 (open group)
//
//   zero = min,  scale = (max - min) / (2^b - 1)
//   code = (x - zero) / scale, clamped to [0, 2^b - 1] and rounded, ties to even
//   decoded = zero + code scale
//
// with zero and scale as they are stored.
// Tokens at the end that do not fill a group of keys stay bfloat16. The last group of a token's
// values is shorter where G does not divide dim. The residual window that KIVI keeps beside
// its codes is the caller's affair. Sections:
//
//   "part"      u8: 0 keys, 1 values
//   "scales"    zero, scale: a binary16 each; a group's, or of keys a channel's, after the other
//   "codes"     b bits a value, token after token
//   "open"      keys of the open group, bfloat16
//   "windows"   scaled.h, a group each, where binary16 does not reach: both times 2^(16 window)
//   "site"      of center=bias: site_section.h. The keys that are coded are those less the bias
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kakeya/bitstream/bits.h"
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/key_bias.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/site_section.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/peers/block_rules.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/entropy/histogram.h"

namespace kakeya {
namespace {

constexpr std::string_view kSections[] = {"part", "scales",  "codes",
                                          "open", "windows", kSiteSection};
constexpr std::size_t kGroupBytes = 4;
constexpr std::uint16_t kHalfInfinity = 0x7c00u, kBfloat16Infinity = 0x7f80u;

class Kivi final : public NamedCodec, public FrameEntropy {
 public:
  Kivi(std::string spec, std::size_t dim, int bits, std::size_t group, bool key,
       std::unique_ptr<const KnownCentre> bias)
      : NamedCodec(std::move(spec), dim),
        bits_(bits),
        group_(group),
        key_(key),
        bias_(std::move(bias)) {}

  std::size_t page_vectors() const override { return group_; }

  // Published: b + 32 / G bits a value. Exact: a shorter last group costs what others do. Neither
  // counts the open group of keys, which the bytes written do.
  Rates rates() const override {
    const double codes = static_cast<double>(dim_) * bits_;
    const double groups = static_cast<double>(groups_in_block()) / static_cast<double>(rows());
    return {codes + 32.0 * static_cast<double>(dim_) / static_cast<double>(group_),
            codes + 32.0 * groups};
  }

  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), std::size(kSections)) + 1 + kSiteBytes +
           groups(count) * (kGroupBytes + 1) + code_bytes(count) + open_bytes(count);
  }

  CodedPages code_pages(Rows<const float> given, PageHistory& history) const override {
    std::vector<float> room;
    const Rows<const float> x = centred(given, room);
    PartList parts(history, x.count, sections());
    const std::byte part[] = {part_byte()};
    parts.add_once(part);
    std::byte* scale_at = parts.reserve(groups(x.count) * kGroupBytes).data();
    BitWriter codes(parts.reserve(code_bytes(x.count)));
    WindowList windows(groups(x.count));
    std::size_t stored = 0;
    for_each_block(x, [&](Rows<const float> block, std::span<const KiviGroup> groups) {
      for (const KiviGroup& group : groups) {
        std::memcpy(scale_at + stored * kGroupBytes, &group.zero_half, 2);
        std::memcpy(scale_at + stored * kGroupBytes + 2, &group.scale_half, 2);
        windows.set(stored++, group.window);
      }
      for_each_code(block, groups,
                    [&](int code) { codes.put(static_cast<std::uint64_t>(code), bits_); });
    });
    codes.finish();
    std::byte* open_at = parts.reserve(open_bytes(x.count)).data();
    for (std::size_t row = closed(x.count); row < x.count; ++row) {
      finite_maximum(x[row], row);
      for (const float value : x[row]) {
        const std::uint16_t pattern = float_to_finite_bfloat16(value);
        std::memcpy(open_at, &pattern, 2);
        open_at += 2;
      }
    }
    parts.add_windows(windows, groups(x.count));
    if (bias_) parts.add_once(site_record(bias_->site));
    return parts.take();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    require_part(view);
    for (std::size_t first = 0; first < out.count; first += group_) {
      read_rows(view, first, out.slice(first, std::min(group_, out.count - first)));
    }
  }

  void read_page(const FrameView& view, std::size_t page, Rows<float> out) const override {
    require_part(view);
    read_rows(view, page * group_, out);
  }

  void check_frame(const FrameInfo& info) const override {
    // The first two bound the count before anything is multiplied by it.
    require_fields(info, "codes", closed(info.count), dim_ * static_cast<std::size_t>(bits_));
    require_items(info, "open", info.count - closed(info.count), 2 * dim_);
    require_items(info, "part", 1, 1);
    require_items(info, "scales", groups(info.count), kGroupBytes);
    require_items_or_none(info, "windows", groups(info.count), 1);
    if (bias_) require_items(info, kSiteSection, kSiteBytes, 1);
  }

  std::uint64_t padding_bits(const FrameInfo& info) const override {
    return 8 * code_bytes(info.count) - code_bits(info.count);
  }

  // Keys of the open group have no index: 16 bits each, whoever counts.
  std::optional<double> index_entropy_bits(Rows<const float> given) const override {
    std::vector<float> room;
    const Rows<const float> x = centred(given, room);
    Histogram histogram(256);
    for_each_block(x, [&](Rows<const float> block, std::span<const KiviGroup> groups) {
      for_each_code(block, groups,
                    [&](int code) { histogram.add(static_cast<std::size_t>(code)); });
    });
    const double open = 8.0 * static_cast<double>(open_bytes(x.count));
    return histogram.total_bits() + open;
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    const FrameView view = open_frame(*this, in);
    if (view.count == 0) return std::nullopt;
    Histogram histogram(256);
    BitReader codes(view.section(2, kSections[2]));
    for (std::size_t i = 0; i < closed(view.count) * dim_; ++i) histogram.add(codes.get(bits_));
    const double open = 8.0 * static_cast<double>(open_bytes(view.count));
    return (histogram.total_bits() + open) / static_cast<double>(view.count * dim_);
  }

 private:
  // A block: the rows that share groups, and the channels of a group in it.
  std::size_t rows() const { return key_ ? group_ : 1; }
  std::size_t channels() const { return key_ ? 1 : group_; }
  std::size_t groups_in_block() const { return (dim_ + channels() - 1) / channels(); }

  std::size_t closed(std::size_t count) const { return count / rows() * rows(); }
  std::size_t groups(std::size_t count) const { return count / rows() * groups_in_block(); }
  std::size_t code_bits(std::size_t count) const {
    return closed(count) * dim_ * static_cast<std::size_t>(bits_);
  }
  std::size_t code_bytes(std::size_t count) const { return (code_bits(count) + 7) / 8; }
  std::size_t open_bytes(std::size_t count) const { return (count - closed(count)) * dim_ * 2; }
  std::span<const std::string_view> sections() const {
    return std::span(kSections).first(std::size(kSections) - (bias_ ? 0 : 1));
  }

  // `x` less the bias, in `room`; itself where nothing is subtracted.
  Rows<const float> centred(Rows<const float> x, std::vector<float>& room) const {
    if (!bias_) return x;
    room.resize(x.count * dim_);
    for (std::size_t row = 0; row < x.count; ++row) {
      for (std::size_t i = 0; i < dim_; ++i) room[row * dim_ + i] = x[row][i] - bias_->mean[i];
    }
    return dense_rows(std::as_const(room).data(), x.count, dim_);
  }

  float levels() const { return static_cast<float>((1 << bits_) - 1); }
  std::byte part_byte() const { return std::byte{static_cast<unsigned char>(key_ ? 0 : 1)}; }

  // Calls work(block, groups) for every block of `x`. Throws InputError on NaN or infinity.
  template <typename Work>
  void for_each_block(Rows<const float> x, const Work& work) const {
    std::vector<float> lowest(dim_), highest(dim_);
    std::vector<KiviGroup> groups(groups_in_block());
    for (std::size_t first = 0; first < closed(x.count); first += rows()) {
      const Rows<const float> block = x.slice(first, rows());
      for (std::size_t row = 0; row < block.count; ++row) {
        finite_maximum(block[row], first + row);
        for (std::size_t i = 0; i < dim_; ++i) {
          const float value = block[row][i];
          lowest[i] = row == 0 ? value : std::min(lowest[i], value);
          highest[i] = row == 0 ? value : std::max(highest[i], value);
        }
      }
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::size_t at = g * channels(), end = std::min(at + channels(), dim_);
        groups[g] = kivi_group_of(bits_, *std::min_element(&lowest[at], lowest.data() + end),
                                  *std::max_element(&highest[at], highest.data() + end));
      }
      work(block, std::span<const KiviGroup>(groups));
    }
  }

  // Calls work(code) for the values of a block, row after row.
  template <typename Work>
  void for_each_code(Rows<const float> block, std::span<const KiviGroup> groups,
                     const Work& work) const {
    const float most = levels();
    for (std::size_t row = 0; row < block.count; ++row) {
      for (std::size_t g = 0, i = 0; g < groups.size(); ++g) {
        const std::size_t end = std::min(i + channels(), dim_);
        for (; i < end; ++i) work(kivi_code(block[row][i], groups[g], most));
      }
    }
  }

  void require_part(const FrameView& view) const {
    if (view.section(0, kSections[0])[0] != part_byte()) {
      throw CorruptStream(spec_ + ": a frame of " + (key_ ? "values" : "keys") + ", expected " +
                          (key_ ? "keys" : "values"));
    }
    if (bias_) require_same_site(spec_, section_of(view, kSiteSection), bias_->site);
  }

  void read_rows(const FrameView& view, std::size_t first, Rows<float> out) const {
    read_coded(view, first, out);
    for (std::size_t row = 0; bias_ && row < out.count; ++row) {
      for (std::size_t i = 0; i < dim_; ++i) out[row][i] += bias_->mean[i];
    }
  }

  // Tokens [first, first + out.count), where a group of keys begins.
  void read_coded(const FrameView& view, std::size_t first, Rows<float> out) const {
    if (first >= closed(view.count)) return read_open(view, out);
    const auto all = view.section(2, kSections[2]);
    BitReader codes(all.subspan(first * dim_ * static_cast<std::size_t>(bits_) / 8));
    std::vector<KiviGroup> groups(groups_in_block());
    for (std::size_t row = 0; row < out.count; row += rows()) {
      read_groups(view, (first + row) / rows() * groups.size(), groups);
      const Rows<float> block = out.slice(row, rows());
      for (std::size_t r = 0; r < block.count; ++r) {
        for (std::size_t g = 0, i = 0; g < groups.size(); ++g) {
          const std::size_t end = std::min(i + channels(), dim_);
          for (; i < end; ++i)
            block[r][i] = kivi_value(static_cast<int>(codes.get(bits_)), groups[g]);
        }
      }
    }
    if (first + out.count == closed(view.count)) codes.finish();
  }

  void read_groups(const FrameView& view, std::size_t first, std::span<KiviGroup> groups) const {
    const auto scales = view.section(1, kSections[1]), windows = view.section(4, kSections[4]);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      std::uint16_t zero, scale;
      std::memcpy(&zero, scales.data() + (first + g) * kGroupBytes, 2);
      std::memcpy(&scale, scales.data() + (first + g) * kGroupBytes + 2, 2);
      if ((zero & 0x7fffu) >= kHalfInfinity || scale >= kHalfInfinity) {
        throw CorruptStream(spec_ + ": group " + std::to_string(first + g) +
                            ": its zero is not finite or its scale not a number from 0 on");
      }
      groups[g] = kivi_group(zero, scale, read_window(windows, first + g));
    }
  }

  void read_open(const FrameView& view, Rows<float> out) const {
    const std::byte* at = view.section(3, kSections[3]).data();
    for (std::size_t row = 0; row < out.count; ++row) {
      for (float& value : out[row]) {
        std::uint16_t pattern;
        std::memcpy(&pattern, at, 2);
        at += 2;
        if ((pattern & 0x7fffu) >= kBfloat16Infinity) {
          throw CorruptStream(spec_ + ": a key of the open group is not finite");
        }
        value = bfloat16_to_float(pattern);
      }
    }
  }

  int bits_;
  std::size_t group_;
  bool key_;
  std::unique_ptr<const KnownCentre>
      bias_;  // of center=bias: heads of a cache are many, most without
};

void read_kivi_place(const FrameView& view, CodecInput& input) {
  const auto part = view.section(0, kSections[0]);
  if (part.size() != 1 || std::to_integer<int>(part[0]) > 1) {
    throw CorruptStream(view.spec + ": section part: expected one byte, 0 (keys) or 1 (values)");
  }
  input.site = KvSite{0, part[0] == std::byte{0} ? Part::key : Part::value, 0};
}

std::unique_ptr<Codec> make_kivi(SpecArgs& args, const CodecInput& input) {
  const int bits = args.whole("b");
  const int group = args.whole("group");
  if (group % 8 != 0) {  // so that groups of keys begin at whole bytes
    throw SpecError("group=" + std::to_string(group) + ": expected a multiple of 8 in [8, 1024]");
  }
  if (input.dim == 0 || input.dim > kMostHeadDim) {
    throw InputError("kivi: dim " + std::to_string(input.dim) +
                     ": expected a whole number in [1, " + std::to_string(kMostHeadDim) + "]");
  }
  if (!input.site) {
    throw InputError(
        "kivi: expected the site that the vectors are of: keys are quantised by channel, values by "
        "token");
  }
  std::unique_ptr<const KnownCentre> bias;
  if (args.word("center") == kBias)
    bias = std::make_unique<const KnownCentre>(known_centre(args, input));
  return std::make_unique<Kivi>(args.canonical(), input.dim, bits, static_cast<std::size_t>(group),
                                input.site->part == Part::key, std::move(bias));
}

constexpr std::string_view kCentres[] = {"none", kBias};
constexpr CodecKey kKeys[] = {
    rate_key(whole_key("b", 1, 8, "", "bits a code, a whole number in [1, 8]; must be given")),
    whole_key("group", 8, 1024, "32",
              "values that share a zero and a scale, a multiple of 8 up to 1024: tokens of a "
              "channel for keys, channels of a token for values"),
    choice_key("center", kCentres,
               "bias: subtract from keys before RoPE the bias of the model's key projection, exact "
               "and not stored (values as with none; it needs the model's biases: profile)"),
    kBiasProfileKey,
};
constexpr CodecSection kBooked[] = {
    {"part", Booked::header},  {"scales", Booked::scales},  {"codes", Booked::payload},
    {"open", Booked::payload}, {"windows", Booked::scales}, {"site", Booked::header},
};
constexpr LadderRung kLadder[] = {
    {"b=@", "1 2 3 4 5 6 8"},
    {"b=@,group=128", "1 2 3 4 6 8", false},
};

// Half a step of a range that is at most twice the largest magnitude of the group (for keys `reach`
// is twice the largest norm); up to an eighth of one, and 2^-8, for rounding zero and scale, or a
// key to bfloat16.
double kivi_bound(const Spec& spec, std::span<const float> x, double reach,
                  const CodecInput& input) {
  const double widest = input.site->part == Part::key ? reach / 2 : largest_of(x);
  return widest * (1.25 / (std::exp2(rate_of(spec)) - 1) + 0x1p-8) + 1e-40;
}

}  // namespace

extern const CodecDescriptor kKivi = {
    .name = "kivi",
    .summary =
        "asymmetric integers, a binary16 zero and scale a group: keys by channel, values by token",
    .example = "kivi:b=4",
    .keys = kKeys,
    .sections = kBooked,
    .source = {"KIVI: Liu et al., arXiv 2402.02750 (ICML 2024)", Faithful::method,
               "keys before RoPE unless the tap says otherwise; the residual window is the cache "
               "policy's"},
    .scope = VectorScope::head,
    .ladder = kLadder,
    .plan_rates = "2 3 4 5 6",
    .always_compared = true,
    .error_bound = {kivi_bound, true},
    .make = make_kivi,
    .read_place = read_kivi_place,
};

}  // namespace kakeya
