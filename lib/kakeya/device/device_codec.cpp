// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_codec.h"

#include <algorithm>
#include <cstring>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/device/device_pages.h"
#include "kernels/budget.h"
#include "kernels/entropy_coded.h"
#include "kernels/field_attention.h"
#include "kernels/kernels.h"
#include "kernels/klt.h"
#include "kernels/page_classes.h"

namespace kakeya {
namespace {

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

void DeviceCodec::require_view(const DeviceVectors& x) const {
  if (x.dim != dim()) {
    throw InputError(spec() + ": vectors of " + std::to_string(x.dim) +
                     " scalars given, expected " + std::to_string(dim()));
  }
  const bool aligned = reinterpret_cast<std::uintptr_t>(x.data) % 16 == 0;
  if (!aligned || x.token_stride % 8 != 0 || x.head_stride % 8 != 0) {
    throw InputError(spec() + ": a view with strides of " + std::to_string(x.token_stride) +
                     " and " + std::to_string(x.head_stride) +
                     " scalars given, expected multiples of 8, from a multiple of 16 bytes on");
  }
  if (heads() != 0 && x.heads != heads()) {
    throw InputError(spec() + ": " + std::to_string(x.heads) + " heads given, expected the " +
                     std::to_string(heads()) + " that the codec was made for");
  }
  if (x.heads == 0 || x.heads * x.tokens > std::size_t{1} << 31) {
    throw InputError(spec() + ": " + std::to_string(x.heads) + " heads of " +
                     std::to_string(x.tokens) + " tokens given, expected 1 to 2^31 vectors");
  }
}

DeviceLayout DeviceCodec::layout_for(const DeviceVectors& x, const void* workspace) const {
  require_view(x);
  DeviceLayout made = layout(x.tokens, x.heads);
  if (made.workspace_bytes != 0 && workspace == nullptr) {
    throw InputError(spec() + ": no workspace given, expected one of " +
                     std::to_string(made.workspace_bytes) + " bytes");
  }
  return made;
}

void DeviceCodec::encode(const DeviceVectors& x, void* sections, std::uint32_t* flags,
                         DeviceStream stream, void* workspace) const {
  const DeviceLayout made = layout_for(x, workspace);
  run_encode(x, {made, static_cast<std::byte*>(sections), static_cast<std::byte*>(workspace), flags,
                 stream});
}

void DeviceCodec::decode(const void* sections, const DeviceVectors& y, std::uint32_t* flags,
                         DeviceStream stream, void* workspace) const {
  const DeviceLayout made = layout_for(y, workspace);
  // Launchers have one type for sections to write and to read; they only read these.
  auto* data = static_cast<std::byte*>(const_cast<void*>(sections));
  run_decode(y, {made, data, static_cast<std::byte*>(workspace), flags, stream});
}

void DeviceCodec::round_trip(const DeviceVectors& x, const DeviceVectors& y, std::uint32_t* flags,
                             DeviceStream stream, void* workspace) const {
  const DeviceLayout made = layout_for(x, workspace);
  require_view(y);
  if (x.tokens != y.tokens || x.heads != y.heads) {
    throw InputError(spec() + ": views of different shapes given, expected the same");
  }
  run_round_trip(x, y, {made, nullptr, static_cast<std::byte*>(workspace), flags, stream});
}

std::vector<std::byte> DeviceCodec::frame(const DeviceLayout& layout,
                                          std::span<const std::byte> sections,
                                          std::size_t head) const {
  std::vector<std::string_view> names;
  for (const DeviceLayout::Section& section : layout.sections) names.push_back(section.name);
  std::vector<std::byte> out(host(head).encoded_bound(layout.tokens));
  FrameWriter writer(out, spec(), dim(), layout.tokens, names);
  for (const DeviceLayout::Section& section : layout.sections) {
    const auto from = bytes_of(section, sections, head);
    if (section.name == "part") {
      writer.section(1)[0] = part_;
    } else if (section.name == "windows" && all_zero(from)) {
      writer.section(0);
    } else {
      const auto to = writer.section(from.size());
      std::copy(from.begin(), from.end(), to.begin());
    }
  }
  out.resize(writer.finish());
  return out;
}

void DeviceCodec::take_frame(std::span<const std::byte> frame, const DeviceLayout& layout,
                             std::size_t head, std::span<std::byte> sections) const {
  const FrameView view = open(frame, layout, head);
  for (std::size_t i = 0; i < layout.sections.size(); ++i) {
    const DeviceLayout::Section& section = layout.sections[i];
    put_section(view.section(i, section.name), section, head, sections);
  }
}

FrameView DeviceCodec::open(std::span<const std::byte> frame, const DeviceLayout& layout,
                            std::size_t head) const {
  FrameView view = open_frame(host(head), frame);
  if (view.count != layout.tokens) {
    throw CorruptStream(spec() + ": a frame of " + std::to_string(view.count) +
                        " vectors given, expected " + std::to_string(layout.tokens));
  }
  return view;
}

std::span<const std::byte> DeviceCodec::bytes_of(const DeviceLayout::Section& section,
                                                 std::span<const std::byte> sections,
                                                 std::size_t head) const {
  std::uint64_t bytes = section.bytes;
  if (section.sizes != DeviceLayout::kAllBytes) {
    std::memcpy(&bytes, sections.data() + section.sizes + 8 * head, 8);
  }
  if (bytes > section.bytes) too_long(section, bytes);
  return sections.subspan(section.offset + head * section.stride, bytes);
}

void DeviceCodec::put_section(std::span<const std::byte> from, const DeviceLayout::Section& section,
                              std::size_t head, std::span<std::byte> sections) const {
  if (from.size() > section.bytes) too_long(section, from.size());
  const auto to = sections.subspan(section.offset + head * section.stride, section.bytes);
  std::copy(from.begin(), from.end(), to.begin());
  if (section.sizes == DeviceLayout::kAllBytes) {
    std::fill(to.begin() + static_cast<std::ptrdiff_t>(from.size()), to.end(), std::byte{0});
    return;
  }
  const std::uint64_t bytes = from.size();
  std::memcpy(sections.data() + section.sizes + 8 * head, &bytes, 8);
}

void DeviceCodec::too_long(const DeviceLayout::Section& section, std::size_t bytes) const {
  throw CorruptStream(spec() + ": section '" + std::string(section.name) + "' of " +
                      std::to_string(bytes) + " bytes, expected at most " +
                      std::to_string(section.bytes));
}

void require_no_flags(const DeviceCodec& codec, std::span<const std::uint32_t> flags) {
  constexpr std::pair<std::uint32_t, const char*> kWrong[] = {
      {kernels::kNotFinite, "a vector has a NaN or an infinity, expected finite numbers"},
      {kernels::kNoSuchPoint, "an index beyond the codebook, or a code that is no finite number"},
      {kernels::kBadScale, "a scale is infinite, NaN or out of range"},
      {kernels::kBadWindow, "a window is out of range"},
      {kernels::kBadOpen, "a key of the open group is not finite"},
      {kernels::kBadExact, "exact vectors out of order, cut or not finite"},
      {kernels::kBadPoint, "a point beyond what product=exact takes"},
      {kernels::kNotInRange, "points whose vector is not finite"},
      {kernels::kBadClass, "a class that the model does not have"},
      {kernels::kBadCentre, "a mean that is not finite or out of range"},
      {kernels::kBadOutlier, "an outlier out of order or not finite"},
      {kernels::kKeptVectors,
       "vectors so far from the profile that they are kept beside their pages: their tokens have to be in bf16"},
      {kernels::kBadSlot, "a slot that the pool lacks"},
      {kernels::kBadBudgetPage, "a page of a budget that does not come apart into its parts"},
      {kernels::kOverBudget, "a page that takes more than its budget with each of the steps"},
  };
  for (std::size_t head = 0; head < flags.size(); ++head) {
    for (const auto& [flag, what] : kWrong) {
      if ((flags[head] & flag) == 0) continue;
      const std::string text = codec.spec() + ": head " + std::to_string(head) + ": " + what;
      if (flag == kernels::kNotFinite || flag == kernels::kKeptVectors ||
          flag == kernels::kOverBudget) {
        throw InputError(text);
      }
      throw CorruptStream(text);
    }
  }
  require_good_pages(flags);
}

}  // namespace kakeya
