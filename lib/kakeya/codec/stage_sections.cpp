// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/stage_sections.h"

#include <algorithm>

#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {

std::vector<std::string_view> with_stage_sections(std::vector<std::string_view> sections,
                                                  const Stages& stages) {
  if (stages.centres()) sections.push_back(stages.centre_section());
  if (stages.outliers() != 0) sections.insert(sections.end(), {"outliers", "owindows"});
  return sections;
}

std::size_t stage_bound(const Stages& stages, std::size_t vectors) {
  return stages.centre_bytes() + stages.outlier_bytes(vectors) +
         (stages.outliers() != 0 ? vectors : 0);
}

void write_stages(const Stages& stages, const StageData& data, std::size_t vectors,
                  FrameWriter& writer) {
  if (stages.centres()) stages.write_centre(data.centre, writer.section(stages.centre_bytes()));
  if (stages.outliers() == 0) return;
  stages.write_outliers(data.outliers, vectors, writer.section(stages.outlier_bytes(vectors)));
  const bool windowed = std::any_of(data.windows.begin(), data.windows.end(),
                                    [](std::int8_t window) { return window != 0; });
  write_section(writer,
                windowed ? std::as_bytes(std::span(data.windows)) : std::span<const std::byte>{});
}

StageData begin_stages(const Stages& stages, Rows<const float> x, PageHistory& history) {
  if (history.vectors == 0) {
    history.centre = std::make_shared<const Centre>(stages.centre_of(x));
  }
  StageData data(stages, x.count);
  data.centre = *history.centre;
  return data;
}

void add_stages(const Stages& stages, const StageData& data, std::size_t vectors, PartList& parts) {
  if (stages.centres()) {
    std::vector<std::byte> centre(stages.centre_bytes());
    stages.write_centre(data.centre, centre);
    parts.add_once(centre);
  }
  if (stages.outliers() == 0) return;
  stages.write_outliers(data.outliers, vectors, parts.reserve(stages.outlier_bytes(vectors)));
  parts.add(std::as_bytes(std::span(data.windows)));
}

std::shared_ptr<const Centre> first_centre(const Stages& stages, const FrameView& view) {
  auto centre = std::make_shared<Centre>();
  if (!stages.centres()) return centre;
  *centre = stages.read_centre(section_of(view, stages.centre_section()));
  for (const float value : centre->mean) centre->negative.push_back(-value);
  return centre;
}

StageData read_stages(const Stages& stages, const FrameView& view) {
  StageData data(stages, 0);
  if (stages.centres()) {
    data.centre = stages.read_centre(section_of(view, stages.centre_section()));
  }
  if (stages.outliers() == 0) return data;
  data.outliers = stages.read_outliers(section_of(view, "outliers"), view.count);
  const auto windows = section_of(view, "owindows");
  data.windows.resize(windows.size());
  for (std::size_t i = 0; i < windows.size(); ++i) {
    data.windows[i] = static_cast<std::int8_t>(read_window(windows, i));
  }
  return data;
}

void check_stages(const Stages& stages, const FrameInfo& info) {
  if (stages.centres()) {
    require_items(info, stages.centre_section(), stages.centre_bytes(), 1);
  }
  if (stages.outliers() == 0) return;
  require_fields(info, "outliers", info.count, stages.outliers() * stages.outlier_bits());
  require_items_or_none(info, "owindows", info.count, 1);
}

std::span<const std::byte> section_of(const FrameView& view, std::string_view name) {
  for (const FrameSection& section : view.sections) {
    if (section.name == name) return section.bytes;
  }
  throw CorruptStream("frame of " + view.spec + ": no section '" + std::string(name) + "'");
}

void require_sections(const FrameView& view, std::span<const std::string_view> names) {
  bool same = view.sections.size() == names.size();
  for (std::size_t i = 0; same && i < names.size(); ++i) same = view.sections[i].name == names[i];
  if (!same) throw CorruptStream("frame of " + view.spec + ": other sections than this codec has");
}

void write_section(FrameWriter& writer, std::span<const std::byte> bytes) {
  const auto section = writer.section(bytes.size());
  std::copy(bytes.begin(), bytes.end(), section.begin());
}

}  // namespace kakeya
