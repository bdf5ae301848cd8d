// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/spec.h"
#include "kakeya/core/rows.h"

namespace kakeya {

// Codecs that are not ours: of a shared library (kakeya/plugin), of a Python class, of a program.
// Whoever registers one here gets it in every program by its name, as "mine:group=64".

/// Vectors to bytes and back by code that is not ours. Immutable once made, so const means
/// thread-safe. What it throws becomes an error of the library that begins with its name.
class ForeignCoder {
 public:
  virtual ~ForeignCoder() = default;

  /// The most bytes that encode() writes for `count` vectors, at least one.
  virtual std::size_t bound(std::size_t count) const = 0;

  /// Writes the bytes of `x`, which are finite and at least one vector, and returns how many.
  /// `out` has exactly bound(x.count) bytes. Nobody else writes to `out`, whatever it returns.
  virtual std::size_t encode(Rows<const float> x, std::span<std::byte> out) const = 0;

  /// Reads what encode() wrote for out.count vectors. `in` may be damaged or of another origin; its
  /// length and `out` then have nothing to do with each other. Throws where it cannot be read.
  virtual void decode(std::span<const std::byte> in, Rows<float> out) const = 0;

  /// What a published formula counts for a vector, in bits; nothing where there is none.
  virtual std::optional<double> nominal_bits_per_vector() const { return std::nullopt; }
};

struct ForeignKey {
  std::string name;
  std::string default_text;  ///< left out of the canonical text; empty: the key must be given
  std::string help;
  bool rate = false;  ///< settings that differ in it alone are one curve; at most one key
};

struct ForeignDescriptor {
  std::string name;     ///< letters, digits, '_', '.', '-': what specs call it
  std::string summary;  ///< one line
  std::string example;  ///< a spec with its values; empty: the name alone
  std::string paper;    ///< where it is described; may be empty
  std::vector<ForeignKey> keys;
  VectorScope scope = VectorScope::any;  ///< any, or head: then `make` is told the site

  /// A coder for vectors of input.dim scalars, in [1, 65536], from a spec that has every key of
  /// `keys`, defaults filled in. input.site is there where scope is head; input.profiles is null.
  /// Throws SpecError for a value that makes no sense and InputError for a dim that it cannot take;
  /// all else that it throws becomes an InputError.
  std::function<std::unique_ptr<ForeignCoder>(const Spec& spec, const CodecInput& input)> make;
};

/// Makes a codec known under its name for the life of the process: to make_codec(), to frames
/// (codec_of_frame()), to lists and to programs. Thread-safe. Throws SpecError where the name is
/// taken or "claimed", where name or keys are no words of a spec, where the scope is token, and where `make` is
/// empty.
void register_codec(ForeignDescriptor descriptor);

/// The same of several: all of them, or none where it throws.
void register_codecs(std::vector<ForeignDescriptor> descriptors);

/// The codec that `spec` names, of a descriptor that need not be registered: frames are as
/// make_codec() would write them. `descriptor` must outlive the call alone. Throws as
/// register_codec(), but for a taken name, and as make_codec().
std::unique_ptr<Codec> make_foreign_codec(const ForeignDescriptor& descriptor,
                                          std::string_view spec, const CodecInput& input);

/// The coder that `spec` names, of a registered codec, for whoever tests one: without frames and
/// what they check. Throws SpecError where none of that name is registered, and as make_codec().
std::unique_ptr<ForeignCoder> make_foreign_coder(std::string_view spec, const CodecInput& input);

/// As frame_info(), of a codec at hand, which need not be registered. Throws CorruptStream where the
/// frame is none of it.
FrameInfo frame_info_of(const Codec& codec, std::span<const std::byte> frame);

/// The names that register_codec() has made known, in order.
std::vector<std::string> registered_codecs();

}  // namespace kakeya
