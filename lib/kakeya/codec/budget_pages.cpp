// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/budget_pages.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::string_view kSite = "site", kStreams = "streams", kLengths = "pages",
                           kPadding = "padding", kPool = "pool";

// Sections of a codec that its pages do not have: the frame says whose vectors they are; the length of
// the one stream is known, and so are zeros behind it.
bool is_outside(std::string_view section) {
  return section == kSite || section == kLengths || section == kPadding;
}

// Lengths and the step, from a page's last byte backwards: numbers of 7 bits a byte, low ones first.
void put_backwards(std::size_t number, std::vector<std::byte>& reversed) {
  for (; number >= 128; number >>= 7) reversed.push_back(static_cast<std::byte>(number | 128));
  reversed.push_back(static_cast<std::byte>(number));
}

std::size_t take_backwards(std::span<const std::byte>& bytes, const std::string& spec) {
  std::size_t number = 0;
  for (int shift = 0; !bytes.empty() && shift < 28; shift += 7) {
    const auto byte = std::to_integer<std::size_t>(bytes.back());
    bytes = bytes.first(bytes.size() - 1);
    number |= (byte & 127) << shift;
    if (byte < 128) return number;
  }
  throw CorruptStream(spec + ": a page's lengths do not end");
}

}  // namespace

// A codec at one of the steps, and its section "site".
struct BudgetPages::Rung {
  std::unique_ptr<AccountedCodec> codec;
  std::vector<std::byte> site;
  std::vector<std::string> sections;
};

// A page at one of the steps, and what it takes, which may be more than there is room for.
struct BudgetPages::Coded {
  int rung = 0;
  std::vector<std::vector<std::byte>> parts;
  std::vector<std::byte> reversed;  // what is read from the end backwards
  std::size_t bytes = 0;
};

// A page taken apart; it points into the frame.
struct BudgetPages::Page {
  int rung = 0;
  std::vector<std::span<const std::byte>> parts;
  std::size_t padding = 0;
};

BudgetPages::BudgetPages(std::string spec, std::size_t dim, std::size_t budget, Make make)
    : NamedCodec(std::move(spec), dim), budget_(budget), make_(std::move(make)) {
  asked_ = at(0);
  const std::size_t least =
      std::max(kLeastBudget, padding_bytes(asked_->codec->page_vectors(), dim_, 0));
  if (budget < least || budget > kMostBudget) {
    throw InputError(spec_ + ": a budget of " + std::to_string(budget) +
                     " bytes given, expected at least " + std::to_string(least) + " for pages of " +
                     std::to_string(asked_->codec->page_vectors()) + " vectors of " +
                     std::to_string(dim_) + ", and at most " + std::to_string(kMostBudget));
  }
  for (const std::string& section : asked_->sections) {
    if (section == kSite) sections_.push_back(kSite);
    if (!is_outside(section)) in_pages_.push_back(section);
  }
  sections_.push_back(kPool);
  const auto streams = std::find(in_pages_.begin(), in_pages_.end(), kStreams);
  std::rotate(in_pages_.begin(), streams, streams + 1);
}

BudgetPages::~BudgetPages() = default;

std::size_t BudgetPages::pages(std::size_t vectors) const {
  const std::size_t page = page_vectors();
  return vectors / page + (vectors % page != 0 ? 1 : 0);
}

std::size_t BudgetPages::page_vectors() const { return asked_->codec->page_vectors(); }

std::shared_ptr<const BudgetPages::Rung> BudgetPages::at(int rung) const {
  if (rung == 0 && asked_) return asked_;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < last_.size(); ++i) {
      if (!last_[i].second || last_[i].first != rung) continue;
      std::rotate(last_.begin(), last_.begin() + i, last_.begin() + i + 1);
      return last_[0].second;
    }
  }
  auto made = std::make_shared<Rung>();
  made->codec = make_(rung);
  std::vector<std::byte> frame(made->codec->encoded_bound(0));
  frame.resize(made->codec->encode({nullptr, 0, dim_, dim_}, frame));
  for (const FrameSection& section : parse_frame(frame).sections) {
    made->sections.push_back(section.name);
    if (section.name == kSite) made->site.assign(section.bytes.begin(), section.bytes.end());
  }
  if (rung == 0) return made;
  const std::lock_guard lock(mutex_);
  std::rotate(last_.begin(), last_.end() - 1, last_.end());
  last_[0] = {rung, made};
  return made;
}

BudgetPages::Coded BudgetPages::code(Rows<const float> x, int rung) const {
  const auto codec = at(rung);
  std::vector<std::byte> frame(codec->codec->encoded_bound(x.count));
  frame.resize(codec->codec->encode(x, frame));
  const FrameView view = parse_frame(frame);
  Coded coded;
  coded.rung = rung;
  coded.reversed.push_back(static_cast<std::byte>(rung));
  for (const std::string& section : in_pages_) {
    const auto bytes = section_of(view, section);
    coded.parts.emplace_back(bytes.begin(), bytes.end());
    put_backwards(bytes.size(), coded.reversed);
    coded.bytes += bytes.size();
  }
  coded.bytes += coded.reversed.size();
  return coded;
}

// From the step asked for on: a page that takes so many bits a value too many needs a step so many octaves
// coarser, or a little more. Then between the coarsest that does not fit and the finest that does. As sizes may
// rise from a step to a coarser one, all are tried before a page is refused.
BudgetPages::Coded BudgetPages::finest(Rows<const float> x, std::size_t first) const {
  int too_fine = -1, fits = kRungs, next = 0;
  Coded best;
  std::size_t least = 0;
  while (too_fine + 1 < fits) {
    Coded coded = code(x, next);
    if (coded.bytes <= budget_) {
      fits = next;
      best = std::move(coded);
      next = too_fine + (fits - too_fine) / 2;
      continue;
    }
    too_fine = next;
    least = coded.bytes;
    const double bits =
        8.0 * static_cast<double>(least - budget_) / static_cast<double>(x.values());
    const double rungs = std::fmin(kRungs, std::ceil(kRungsAnOctave * bits));
    next = std::min(too_fine + static_cast<int>(rungs), fits - 1);
  }
  if (fits < kRungs) return best;
  for (int rung = 1; rung + 1 < kRungs; ++rung) {
    Coded coded = code(x, rung);
    if (coded.bytes <= budget_) return coded;
    least = std::min(least, coded.bytes);
  }
  throw InputError(spec_ + ": the page of vectors " + std::to_string(first) + " to " +
                   std::to_string(first + x.count - 1) + " takes " + std::to_string(least) +
                   " bytes or more with each of " + std::to_string(kRungs) +
                   " steps, expected at most budget=" + std::to_string(budget_));
}

CodedPages BudgetPages::code_pages(Rows<const float> x, PageHistory& history) const {
  for (std::size_t row = 0; row < x.count; ++row) finite_maximum(x[row], row);
  PartList parts(history, x.count, sections_);
  if (sections_.size() > 1) parts.add_once(asked_->site);
  std::span<std::byte> pool = parts.reserve(pages(x.count) * budget_);
  for (std::size_t first = 0; first < x.count; first += page_vectors()) {
    const auto rows = x.slice(first, std::min(page_vectors(), x.count - first));
    const Coded coded = finest(rows, history.vectors + first);
    const auto page = pool.first(budget_);
    pool = pool.subspan(budget_);
    std::copy(coded.parts[0].begin(), coded.parts[0].end(), page.begin());
    auto end = std::copy(coded.reversed.begin(), coded.reversed.end(), page.rbegin()).base();
    for (std::size_t i = coded.parts.size(); i-- > 1;) {
      end = std::copy_backward(coded.parts[i].begin(), coded.parts[i].end(), end);
    }
  }
  return parts.take();
}

BudgetPages::Page BudgetPages::take_apart(const FrameView& view, std::size_t page) const {
  auto bytes = section_of(view, kPool).subspan(page * budget_, budget_);
  Page found;
  found.rung = std::to_integer<int>(bytes.back());
  if (found.rung >= kRungs) {
    throw CorruptStream(spec_ + ": a page of step " + std::to_string(found.rung) +
                        ", expected one below " + std::to_string(kRungs));
  }
  bytes = bytes.first(bytes.size() - 1);
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < in_pages_.size(); ++i) {
    lengths.push_back(take_backwards(bytes, spec_));
  }
  found.parts.resize(lengths.size());
  for (std::size_t i = lengths.size(); i-- > 0;) {
    if (lengths[i] > bytes.size()) {
      throw CorruptStream(spec_ + ": a page whose parts are longer than it");
    }
    found.parts[i] = i == 0 ? bytes.first(lengths[i]) : bytes.last(lengths[i]);
    bytes = i == 0 ? bytes.subspan(lengths[i]) : bytes.first(bytes.size() - lengths[i]);
  }
  require_zeros(bytes, spec_);
  found.padding = bytes.size();
  return found;
}

// As the codec would have written it alone; `length` is what its section "pages" lies in.
FrameView BudgetPages::frame_of(const Page& page, const Rung& rung, std::size_t vectors,
                                std::span<std::byte, 4> length) const {
  const auto stream_bytes = static_cast<std::uint32_t>(page.parts[0].size());
  std::memcpy(length.data(), &stream_bytes, 4);
  FrameView view;
  view.version = kFrameVersion;
  view.spec = rung.codec->spec();
  view.dim = dim_;
  view.count = vectors;
  for (const std::string& section : rung.sections) {
    std::span<const std::byte> bytes;
    if (section == kSite) bytes = rung.site;
    if (section == kLengths) bytes = length;
    const auto part = std::find(in_pages_.begin(), in_pages_.end(), section);
    if (part != in_pages_.end())
      bytes = page.parts[static_cast<std::size_t>(part - in_pages_.begin())];
    view.sections.push_back({section, bytes});
  }
  FrameInfo info = summary_of(view);
  std::size_t bytes = 0;
  for (const auto& [name, size] : info.sections) bytes += size;
  for (auto& [name, size] : info.sections) {
    if (name == kPadding) size = padding_bytes(vectors, dim_, bytes);
  }
  rung.codec->check_frame(info);
  return view;
}

template <typename Read>
void BudgetPages::with_page(const FrameView& view, std::size_t page, const Read& read) const {
  require_sections(view, sections_);
  if (sections_.size() > 1 && !std::ranges::equal(section_of(view, kSite), asked_->site)) {
    throw CorruptStream(spec_ + ": a frame of another site or step");
  }
  const Page found = take_apart(view, page);
  const auto rung = at(found.rung);
  const std::size_t vectors = std::min(page_vectors(), view.count - page * page_vectors());
  std::array<std::byte, 4> length;
  read(*rung->codec, frame_of(found, *rung, vectors, length));
}

void BudgetPages::read_page(const FrameView& view, std::size_t page, Rows<float> out) const {
  with_page(view, page,
            [&](const Codec& codec, const FrameView& alone) { codec.read_page(alone, 0, out); });
}

void BudgetPages::recall_page(const FrameView& view, std::size_t page, Rows<float> out) const {
  with_page(view, page,
            [&](const Codec& codec, const FrameView& alone) { codec.recall_page(alone, 0, out); });
}

void BudgetPages::decode(std::span<const std::byte> in, Rows<float> out) const {
  const FrameView view = open_frame(*this, in, out);
  for (std::size_t page = 0; page < pages(view.count); ++page) {
    const std::size_t first = page * page_vectors();
    read_page(view, page, out.slice(first, std::min(page_vectors(), view.count - first)));
  }
}

std::size_t BudgetPages::encoded_bound(std::size_t count) const {
  return frame_overhead(spec_.size(), sections_.size()) + asked_->site.size() +
         pages(count) * budget_;
}

void BudgetPages::check_frame(const FrameInfo& info) const {
  if (sections_.size() > 1) require_items(info, kSite, asked_->site.size(), 1);
  require_items(info, kPool, pages(info.count), budget_);
}

int BudgetPages::rung_of(const FrameView& view, std::size_t page) const {
  return take_apart(view, page).rung;
}

const Codec& BudgetPages::asked() const { return *asked_->codec; }

std::span<const std::byte> BudgetPages::site() const { return asked_->site; }

std::size_t BudgetPages::profile_bytes() const { return asked_->codec->profile_bytes(); }

std::size_t BudgetPages::symbols_per_vector() const { return asked_->codec->symbols_per_vector(); }

FrameInfo BudgetPages::contents(const FrameView& view) const {
  FrameInfo info = summary_of(view);
  std::vector<std::size_t> bytes(in_pages_.size());
  std::size_t padding = 0;
  for (std::size_t page = 0; page < pages(view.count); ++page) {
    const Page found = take_apart(view, page);
    padding += found.padding;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] += found.parts[i].size();
  }
  std::size_t inside = padding;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    info.sections.emplace_back(in_pages_[i], bytes[i]);
    inside += bytes[i];
  }
  info.sections.emplace_back(kPadding, padding);
  for (auto& [name, size] : info.sections) {
    if (name == kPool) size -= inside;
  }
  return info;
}

std::uint64_t BudgetPages::padding_bits(const FrameInfo& info) const {
  FrameInfo page;
  page.dim = info.dim;
  page.count = page_vectors();
  const std::uint64_t whole = asked_->codec->padding_bits(page), full = info.count / page.count;
  page.count = info.count % page.count;
  return full * whole + asked_->codec->padding_bits(page);
}

std::size_t BudgetPages::beyond_profile(const FrameInfo& info) const {
  return asked_->codec->beyond_profile(info);
}

std::optional<double> BudgetPages::index_entropy_bits(Rows<const float> x) const {
  double bits = 0;
  for (std::size_t first = 0; first < x.count; first += page_vectors()) {
    const auto rows = x.slice(first, std::min(page_vectors(), x.count - first));
    const auto rung = at(finest(rows, first).rung);
    const auto a_value = rung->codec->index_entropy_bits_per_value(rows);
    if (!a_value) return std::nullopt;
    bits += *a_value * static_cast<double>(rows.values());
  }
  return bits;
}

// The frame whose sections a page has.
std::vector<std::byte> BudgetPages::bytes_of(const FrameView& alone) const {
  std::vector<std::string_view> names;
  std::size_t bytes = 0;
  for (const FrameSection& section : alone.sections) {
    names.push_back(section.name);
    bytes += section.bytes.size();
  }
  const std::size_t padding = padding_bytes(alone.count, dim_, bytes);
  std::vector<std::byte> frame(frame_overhead(alone.spec.size(), names.size()) + bytes + padding);
  FrameWriter writer(frame, alone.spec, dim_, alone.count, names);
  for (const FrameSection& section : alone.sections) {
    const bool pads = section.name == kPadding;
    const auto to = writer.section(pads ? padding : section.bytes.size());
    if (!pads) std::copy(section.bytes.begin(), section.bytes.end(), to.begin());
  }
  frame.resize(writer.finish());
  return frame;
}

std::optional<double> BudgetPages::index_entropy_of_frame(std::span<const std::byte> frame) const {
  const FrameView view = open_frame(*this, frame);
  if (view.count == 0) return std::nullopt;
  double bits = 0;
  for (std::size_t page = 0; page < pages(view.count); ++page) {
    const Page found = take_apart(view, page);
    const auto rung = at(found.rung);
    const std::size_t vectors = std::min(page_vectors(), view.count - page * page_vectors());
    std::array<std::byte, 4> length;
    const auto a_value = kakeya::index_entropy_of_frame(
        *rung->codec, bytes_of(frame_of(found, *rung, vectors, length)));
    if (!a_value) return std::nullopt;
    bits += *a_value * static_cast<double>(vectors * dim_);
  }
  return bits / static_cast<double>(view.count * dim_);
}

std::unique_ptr<Codec> with_budget(std::string spec, std::size_t dim, std::size_t budget,
                                   BudgetPages::Make make) {
  if (budget == 0) return make(0);
  return std::make_unique<BudgetPages>(std::move(spec), dim, budget, std::move(make));
}

}  // namespace kakeya
