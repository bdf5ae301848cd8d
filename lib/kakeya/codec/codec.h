// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/core/rows.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

class SpecArgs;
struct CodedPages;
struct FrameView;
struct PageHistory;

/// What one vector of a codec is.
enum class VectorScope {
  any,    ///< wherever it comes from
  head,   ///< one head of the keys or values of a layer: the codec needs CodecInput::site
  token,  ///< all keys and values of a token in some layers: it needs CodecInput::layers
};

/// What a codec may know when it is built, besides its spec.
struct CodecInput {
  std::size_t dim = 0;                              ///< scalars a vector (head_dim)
  const ProfileSource* profiles = nullptr;          ///< of codecs that are calibrated
  std::optional<KvSite> site = std::nullopt;        ///< where the vectors come from, of scope head
  std::optional<LayerRange> layers = std::nullopt;  ///< and of scope token
};

/// Where the bytes of a frame are, by name, in file order; the sum is the frame's length.
struct FrameInfo {
  std::string spec;
  std::size_t dim = 0;
  std::size_t count = 0;
  std::uint32_t format_version = 0;
  std::vector<std::pair<std::string, std::size_t>> sections;
};

/// What a vector costs by two countings, in bits, never rounded; nothing where there is none.
struct Rates {
  std::optional<double> nominal_bits_per_vector;   ///< the published formula
  std::optional<double> codebook_bits_per_vector;  ///< log2 of the codebook, scales included
};

/// What a codec tells those who count bits, beside its bytes.
class RateAccount {
 public:
  virtual ~RateAccount() = default;

  virtual Rates rates() const = 0;

  /// Bytes of tables or means that a reader needs once, besides the frames.
  virtual std::size_t side_bytes() const { return 0; }

  /// Bytes of its profile that a reader needs for these vectors, of calibrated codecs. No rate
  /// counts them: they are known once a model.
  virtual std::size_t profile_bytes() const { return 0; }

  /// Symbols an entropy coder spends on a vector; 0 where the codec has none.
  virtual std::size_t symbols_per_vector() const { return 0; }

  /// Where the bytes of a frame that check_frame() took are: its sections, or what these hold in turn.
  /// Throws CorruptStream.
  virtual FrameInfo contents(const FrameView& view) const;

  /// Bits of this frame's sections that only fill up a byte or a least length. `info`, here and in
  /// beyond_profile(): contents() of the frame.
  virtual std::uint64_t padding_bits(const FrameInfo& info) const {
    (void)info;
    return 0;
  }

  /// Vectors of this frame that are so far from the codec's profile that they are kept beside the
  /// code, as bfloat16 or exactly; 0 of codecs without a profile.
  virtual std::size_t beyond_profile(const FrameInfo& info) const {
    (void)info;
    return 0;
  }

  /// Order-0 entropy, in bits per value, of the indices this codec stores for `x`; empty where a
  /// codec has none.
  virtual std::optional<double> index_entropy_bits_per_value(Rows<const float> x) const {
    (void)x;
    return std::nullopt;
  }
};

/// Vectors to bytes and back. Immutable once built, so const means thread-safe.
class Codec {
 public:
  virtual ~Codec() = default;

  /// Canonical text; make_codec(spec(), ...) writes the same bytes.
  virtual std::string spec() const = 0;

  /// Scalars a vector.
  virtual std::size_t dim() const = 0;

  /// An upper bound, in bytes, of encode() for `count` vectors.
  virtual std::size_t encoded_bound(std::size_t count) const = 0;

  /// Writes one self-describing frame and returns its length in bytes. `x.dim` is dim(); `out`
  /// holds at least encoded_bound(x.count) bytes. Throws InputError on NaN or infinity (naming the
  /// row and coordinate) or a wrong shape.
  virtual std::size_t encode(Rows<const float> x, std::span<std::byte> out) const = 0;

  /// Reads one frame into `out`, whose count and dim are the frame's. Throws CorruptStream when
  /// `in` is not exactly a frame of this codec: any truncation, extra byte or flipped bit.
  virtual void decode(std::span<const std::byte> in, Rows<float> out) const = 0;

  /// Vectors a page, of codecs whose frames consist of pages that decode alone; 0 for others.
  virtual std::size_t page_vectors() const { return 0; }

  /// Reads page `page` of a frame into `out`: page_vectors() rows, or as many as are left. Decodes
  /// no other page, so that damage there under a fitting checksum goes unseen; but checks the
  /// checksum of the whole frame, reads the outliers of all its vectors and checks all that it
  /// keeps exactly, which takes time and memory that grow with the frame. Throws as decode(), and
  /// InputError where there is no such page.
  virtual void decode_page(std::span<const std::byte> in, std::size_t page, Rows<float> out) const;

  /// Codes `x`, the vectors after those that `history` tells of, and adds to `history` what pages
  /// after them need. All pages of `x` are whole, but for the last of a frame. What encode() and
  /// PageWriter (page_writer.h), which callers use, have in common. Throws InputError where
  /// page_vectors() is 0, and on NaN or infinity.
  virtual CodedPages code_pages(Rows<const float> x, PageHistory& history) const;

  /// Reads page `page` of `view`: what decode_page() and PageWriter have in common. The caller has
  /// checked that the lengths of the sections fit and that `out` is as long as the page. Throws
  /// CorruptStream; InputError where page_vectors() is 0.
  virtual void read_page(const FrameView& view, std::size_t page, Rows<float> out) const;

  /// decode() and read_page() as a cache does them again and again: each scalar rounded to bf16
  /// (core/bf16_rows.h), by a codec that knows how, while a few vectors are at hand. recall() is of a frame
  /// that encode() wrote or decode() took, in memory that nothing has changed since: a codec may leave
  /// its checksum alone. Here: decode() or read_page(), then a pass over `out`.
  virtual void recall(std::span<const std::byte> frame, Rows<float> out) const;
  virtual void recall_page(const FrameView& view, std::size_t page, Rows<float> out) const;

  /// What the first page of a frame leaves to the pages after it, in `view`, which is as long as
  /// check_frame() wants it: code_pages() after it goes on as it did behind the page itself, but for
  /// the number of vectors and StepHistory, which the bytes do not tell. Throws CorruptStream.
  virtual PageHistory history_of(const FrameView& view) const;

  /// Throws CorruptStream unless the lengths of the sections of a frame of this codec fit the
  /// frame's count and dim: after that, memory for `count` vectors is a small multiple of the
  /// frame's length. Here: at least a byte a vector; codecs that know better say more.
  virtual void check_frame(const FrameInfo& info) const;

  /// What decode() of encode() gives for `x`, without writing bytes: false, and nothing written,
  /// where a codec has no such shortcut. Throws as encode().
  virtual bool reconstruct(Rows<const float> x, Rows<float> out) const {
    (void)x, (void)out;
    return false;
  }

  /// What it tells those who count bits.
  virtual const RateAccount& account() const = 0;
};

/// A codec that is its own account, as ours are.
class AccountedCodec : public Codec, public RateAccount {
 public:
  const RateAccount& account() const final { return *this; }
};

/// Throws CorruptStream where `spec`, which comes from outside bytes, names a profile by anything
/// but the digits of its digest: a file that is decoded has no say in which others are opened.
void require_stored_spec(std::string_view spec);

/// Whether `spec`, which need not be whole, is of a codec that needs a profile.
bool is_calibrated(std::string_view spec);

/// What a vector of the codec is that `spec` names; VectorScope::any where there is no such codec.
VectorScope scope_of(std::string_view spec);

/// The codec that `spec` ("e8:q=10,rule=published") names. Throws SpecError naming the offending
/// text and what was expected, InputError when the codec cannot take vectors of input.dim.
std::unique_ptr<Codec> make_codec(std::string_view spec, const CodecInput& input);

/// What a frame says of itself, without decoding it: its checksum verified, its codec known, the
/// lengths of its sections fitting count and dim. For the codecs of descriptor.h, count * dim
/// floats are at most 128 times the frame's bytes. Throws CorruptStream.
FrameInfo frame_info(std::span<const std::byte> frame, const ProfileSource* profiles = nullptr);

/// The codec that wrote this frame. Throws CorruptStream, and InputError where the codec is
/// calibrated and its profile is not to be had (here and in frame_info()).
std::unique_ptr<Codec> codec_of_frame(std::span<const std::byte> frame,
                                      const ProfileSource* profiles = nullptr);

}  // namespace kakeya
