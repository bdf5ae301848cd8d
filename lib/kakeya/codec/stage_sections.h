// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/stages.h"

namespace kakeya {

class PartList;
struct PageHistory;

/// The sections "centre" or "site", "outliers" and "owindows", as far as a codec's stages need them.
std::vector<std::string_view> with_stage_sections(std::vector<std::string_view> sections,
                                                  const Stages& stages);

/// What the stages keep of a frame besides its points.
struct StageData {
  StageData(const Stages& stages, std::size_t vectors)
      : outliers(vectors, stages.outliers()), windows(stages.outliers() != 0 ? vectors : 0) {}

  Centre centre;
  Outliers outliers;
  std::vector<std::int8_t> windows;  ///< of the outliers; none or one a vector
};

/// Bytes of these sections, at most.
std::size_t stage_bound(const Stages& stages, std::size_t vectors);

void write_stages(const Stages& stages, const StageData& data, std::size_t vectors,
                  FrameWriter& writer);

/// The same of pages `x` (paged_frame.h): room with the means of the frame's first page, which are
/// those in `history` or go there, and the parts. begin_stages() throws as Stages::centre_of().
StageData begin_stages(const Stages& stages, Rows<const float> x, PageHistory& history);
void add_stages(const Stages& stages, const StageData& data, std::size_t vectors, PartList& parts);

/// The means in `view`, a frame's first page, as begin_stages() left them. Throws CorruptStream.
std::shared_ptr<const Centre> first_centre(const Stages& stages, const FrameView& view);

/// Throws CorruptStream.
StageData read_stages(const Stages& stages, const FrameView& view);
void check_stages(const Stages& stages, const FrameInfo& info);

/// The bytes of section `name`. Throws CorruptStream when there is none.
std::span<const std::byte> section_of(const FrameView& view, std::string_view name);

/// Throws CorruptStream unless the sections of `view` are exactly `names`, in that order.
void require_sections(const FrameView& view, std::span<const std::string_view> names);

/// Appends a section that holds `bytes`.
void write_section(FrameWriter& writer, std::span<const std::byte> bytes);

}  // namespace kakeya
