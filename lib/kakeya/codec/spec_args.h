// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/spec.h"

namespace kakeya {

/// The keys of a spec as its descriptor types them: a codec's make() asks for those that matter to
/// it, and what it asked for, defaults left out, is the canonical text. Kinds, ranges, options and
/// defaults stand in the descriptor alone.
class SpecArgs {
 public:
  /// Throws SpecError naming the first key of `spec` that `codec` does not take, and those it does.
  SpecArgs(Spec spec, const CodecDescriptor& codec);

  const std::string& name() const { return spec_.name(); }
  const CodecDescriptor& descriptor() const { return *codec_; }

  /// A whole number, or the key's default. Throws SpecError where it is none, out of range, or not
  /// given though there is no default.
  int whole(std::string_view key);

  /// As above, with a default that depends on what else is given.
  int whole(std::string_view key, int fallback);

  /// A finite number, or the key's default; 0 where it is not given and has none. Throws SpecError.
  double real(std::string_view key);

  /// The place of one of the key's options; 0, the default, where it is not given. Throws
  /// SpecError.
  std::size_t choice(std::string_view key);

  /// As choice(), the option itself.
  std::string_view word(std::string_view key);

  /// The text of `key`, empty where it is not given. keep() says what becomes of it.
  std::string text(std::string_view key);

  /// Makes `key=value` part of the canonical text.
  void keep(std::string_view key, std::string_view value);

  /// Throws SpecError when a given key was never asked for: it would have changed nothing.
  void require_used() const;

  /// The canonical text of what has been asked for so far, keys in the descriptor's order.
  std::string canonical() const;

 private:
  const std::string* given(std::string_view key);
  const CodecKey& key_of(std::string_view key) const;
  int whole_of(const CodecKey& key, std::optional<int> fallback);

  Spec spec_;
  const CodecDescriptor* codec_;
  std::set<std::string, std::less<>> asked_;
  std::map<std::string, std::string, std::less<>> kept_;
};

/// The whole number that a key of `spec` has, given or by default; 0 where the codec takes no such
/// key. Throws SpecError as make_codec() for this key alone.
int whole_of(std::string_view spec, std::string_view key);

}  // namespace kakeya
