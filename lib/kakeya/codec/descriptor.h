// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/spec.h"

namespace kakeya {

// Everything that the toolkit knows of a codec stands in its descriptor: what its spec may say, what
// its frames hold, how it is shown. Parser, canonical text, help, ledger, the battery of tests, and
// the order and colours of tables and charts follow from it.

class SpecArgs;
struct ForeignDescriptor;

enum class KeyKind { whole, real, choice, text };

/// One key of a codec's spec. The functions below make them.
struct CodecKey {
  std::string_view name;
  std::string_view default_text;  ///< left out of the canonical text; empty: there is none
  std::string_view help;
  KeyKind kind = KeyKind::text;
  double lowest = 0, highest = 0;                  ///< of numbers, both included
  std::span<const std::string_view> options = {};  ///< of a choice, the default first
  bool rate = false;                               ///< says the rate: first in a canonical text
};

constexpr CodecKey whole_key(std::string_view name, int lowest, int highest,
                             std::string_view default_text, std::string_view help) {
  return {name, default_text, help, KeyKind::whole, double(lowest), double(highest)};
}
constexpr CodecKey real_key(std::string_view name, double lowest, double highest,
                            std::string_view default_text, std::string_view help) {
  return {name, default_text, help, KeyKind::real, lowest, highest};
}
constexpr CodecKey choice_key(std::string_view name, std::span<const std::string_view> options,
                              std::string_view help) {
  return {name, options.front(), help, KeyKind::choice, 0, 0, options};
}
constexpr CodecKey text_key(std::string_view name, std::string_view help) {
  return {name, {}, help};
}
constexpr CodecKey rate_key(CodecKey key) {
  key.rate = true;
  return key;
}

/// A `key=value` that is known when the program is built.
struct SpecItemView {
  std::string_view key, value;
};

/// What the bytes of a section are, in a ledger (ledger.h).
enum class Booked { payload, scales, header, table, padding };

struct CodecSection {
  std::string_view name;
  Booked booked = Booked::payload;
};

/// How near a codec is to what its source describes.
enum class Faithful {
  own,      ///< ours: there is no other source
  exact,    ///< the same decoded values as the published code
  method,   ///< the published method; what differs is said
  idea,     ///< from the paper's idea, without its code
  foreign,  ///< not ours to say: somebody else's codec
};

struct CodecSource {
  std::string_view paper;  ///< title, venue or identifier; empty where there is none
  Faithful faithful = Faithful::own;
  std::string_view differs = {};  ///< from the source, in a sentence; empty: nothing known
};

/// How a codec is shown. Codecs without a colour get one in the order in which a chart meets them.
struct CodecLooks {
  int rank = 100;                ///< of its plain family in tables and legends, lowest first
  std::string_view colour = {};  ///< "#0072B2"
  int marker = 8;                ///< of its first variant in charts: a place in looks.cpp's list
};

/// Settings at which `kakeya-report rd` measures a codec: `keys` with '@' replaced by each of
/// `rates`, which are separated by spaces.
struct LadderRung {
  std::string_view keys, rates;
  bool charted = true;  ///< false: measured, but left out of charts of many codecs
};

/// A family that comparisons prefer: `keys` of the codec, and its place among all preferred ones,
/// lowest first.
struct PreferredFamily {
  std::string_view keys;
  int place = 0;
};

/// The largest |x - y| that decoding may make of a vector `x` (or, per_value, of a coordinate), by
/// the codec's own definition: what the battery of tests holds it to. `reach` is the largest norm
/// of the vectors that its step may have come from.
struct ErrorBound {
  double (*of)(const Spec& spec, std::span<const float> x, double reach,
               const CodecInput& input) = nullptr;
  bool per_value = false;
};

/// The published round trip, quantise and reconstruct without bytes, that a codec is timed beside.
struct PublishedRoundTrip {
  int levels = 0;    ///< as ReferenceCodec (model/reference) takes them, beside the codec's name
  std::string spec;  ///< the codec that computes the same: "e8:q=10,rule=published"
};

struct CodecDescriptor {
  std::string_view name = {}, summary = {}, example = {};
  std::span<const CodecKey> keys = {};  ///< in canonical order, the rate first
  std::span<const CodecSection> sections = {};
  CodecSource source = {};
  CodecLooks looks = {};
  /// "key=value" that tells this one from others of its name; empty: the one that is meant without.
  SpecItemView selector = {};
  VectorScope scope = VectorScope::any;
  std::string_view profile = {};  ///< the kind of profile it needs; empty: none
  std::span<const LadderRung> ladder = {};
  /// Numbers of its first rate key, separated by spaces, that a plan chooses among where it names the
  /// family alone; empty: they must be given.
  std::string_view plan_rates = {};
  std::span<const PreferredFamily> references = {};  ///< whose settings others are compared at
  std::span<const PreferredFamily> baselines = {};   ///< whom others are tested against
  bool always_compared = false;  ///< each of its settings is a point of comparison too
  ErrorBound error_bound = {};
  /// What was published at the rate of `spec`, one of the codec's; nothing for some of its variants.
  /// Null where nothing was.
  std::optional<PublishedRoundTrip> (*roundtrip)(const Spec& spec) = nullptr;
  std::unique_ptr<Codec> (*make)(SpecArgs&, const CodecInput&) = nullptr;
  /// Puts what a frame says of where its vectors come from into the input that its codec is made
  /// with. Throws CorruptStream where it does not say. Null for VectorScope::any.
  void (*read_place)(const FrameView&, CodecInput&) = nullptr;
  const ForeignDescriptor* foreign = nullptr;  ///< of a codec that is not ours (foreign_codec.h)

  bool calibrated() const { return !profile.empty(); }

  /// Whether it codes all layers of whole tokens together, and never each by itself.
  bool whole_cache() const { return scope == VectorScope::token && find_key("restart") == nullptr; }

  /// Null where it takes no such key.
  const CodecKey* find_key(std::string_view key) const;
};

/// Every codec of ours, in display order.
std::span<const CodecDescriptor* const> builtin_codecs();

/// The same, and after them those that were registered so far (foreign_codec.h). Thread-safe.
std::vector<const CodecDescriptor*> known_codecs();

/// The descriptor of the codec that `spec` names; null where there is none.
const CodecDescriptor* find_descriptor(const Spec& spec);

/// As above, of a text, which need not be whole: null also where it cannot be read.
const CodecDescriptor* find_descriptor(std::string_view spec);

/// "name" or "name:keys" of the families that descriptors prefer, in order: those that settings of
/// other codecs are compared at, and those they are tested against.
std::vector<std::string> reference_families();
std::vector<std::string> baseline_families();

/// The place of a family in tables and legends: descriptors' rank for the plain codec, after them
/// every other family; `identity`, which controls the harness, last.
int family_rank(std::string_view family);

}  // namespace kakeya
