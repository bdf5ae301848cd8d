// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/foreign_codec.h"

namespace kakeya {

/// A foreign descriptor and the one that the toolkit makes of it, which points into it.
class ForeignEntry {
 public:
  /// Throws SpecError as register_codec(), but for a taken name.
  explicit ForeignEntry(ForeignDescriptor foreign);

  const CodecDescriptor& descriptor() const { return parts_->descriptor; }

 private:
  struct Parts {
    ForeignDescriptor foreign;
    std::vector<CodecKey> keys;
    CodecDescriptor descriptor;
  };
  std::unique_ptr<Parts> parts_;  // an address that stays
};

/// A coder and what it was made for.
struct MadeForeign {
  std::unique_ptr<ForeignCoder> coder;
  CodecInput input;  ///< what it was told: no profiles, the site where its scope is head
};

/// The coder of a foreign codec. Throws as make_codec().
MadeForeign make_foreign_coder(SpecArgs& args, const CodecInput& input);

/// CodecDescriptor::make of every foreign codec: the coder that its descriptor makes, in frames:
///
///   "site"      of scope head alone: layer u16, KV head u16, part u8 (0 keys, 1 values), 0 u8
///   "bytes"     what the coder wrote; no vectors: nothing, and the coder is not asked
///   "padding"   zeros, where less than a byte for 32 values was written: a reader's memory is
///               bounded by what it was given; else there is no such section
std::unique_ptr<Codec> make_foreign(SpecArgs& args, const CodecInput& input);

/// CodecDescriptor::read_place of those of scope head.
void read_foreign_place(const FrameView& view, CodecInput& input);

}  // namespace kakeya
