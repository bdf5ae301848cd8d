// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/time_pages.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/device/device_pages.h"
#include "kakeya/device/device_prefix.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/entropy/shared_model.h"
#include "kakeya/lattice/dn.h"
#include "kakeya/lattice/e8.h"
#include "kakeya/lattice/trellis.h"

namespace kakeya {
namespace {

constexpr double kNominalDeviation = 2.5;  // so that the classes reach from 0.01 to 33 steps
constexpr std::size_t kMostDrawn = 16384;  // vectors

std::size_t drawn_pages(const PageBenchPlan& plan, std::size_t pages) {
  return std::min(pages, std::max<std::size_t>(kMostDrawn / plan.page, 1));
}

// Twice the lattice point at or near y, in place; the trellis takes the next that its state allows.
void make_point(Lattice lattice, std::vector<float>& y) {
  float point[8] = {};
  std::uint32_t state = 0;
  for (std::size_t i = y.size(); i-- > 0 && lattice == Lattice::trellis;) {
    const float offset = trellis_parity(state) == 0 ? 0.0f : 0.5f;
    y[i] = 2 * (round_half_even(y[i] - offset) + offset);
    state = next_trellis_state(state, static_cast<std::int32_t>(y[i]));
  }
  if (lattice == Lattice::trellis) return;
  const auto length = static_cast<std::size_t>(block_length(lattice));
  for (std::size_t i = 0; i < y.size(); i += length) {
    if (lattice == Lattice::z) point[0] = round_half_even(y[i]);
    if (lattice == Lattice::d4) nearest_dn<4>(&y[i], point);
    if (lattice == Lattice::e8) nearest_e8(&y[i], point);
    for (std::size_t k = 0; k < length; ++k) y[i + k] = 2 * point[k];
  }
}

std::vector<std::int32_t> drawn_points(const PageBenchPlan& plan, Lattice lattice,
                                       std::size_t vectors) {
  const Random random(20261123, static_cast<std::uint64_t>(lattice));
  std::vector<std::int32_t> twice(lane_values(vectors, plan.dim));
  std::vector<float> y(plan.dim);
  std::uint64_t number = 0;
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    const double gain = plan.normal ? 1.0 : std::exp(0.2 * random.normal(number++));
    for (std::size_t i = 0; i < plan.dim; ++i) {
      const double place =
          static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(plan.dim - 1, 1));
      const double deviation = plan.widest * std::pow(plan.narrowest / plan.widest, place);
      double drawn = random.normal(number++), squares = 0;
      for (int k = 0; k < 5 && !plan.normal; ++k) {
        const double one = random.normal(number++);
        squares += one * one;
      }
      // A t of 5 degrees of freedom has variance 5 / 3.
      if (!plan.normal) drawn = drawn / std::sqrt(squares / 5) / std::sqrt(5.0 / 3);
      y[i] = static_cast<float>(std::clamp(gain * deviation * drawn, -1e5, 1e5));
    }
    make_point(lattice, y);
    for (std::size_t i = 0; i < plan.dim; ++i) {
      twice[lane_value(vector, i, plan.dim)] = static_cast<std::int32_t>(y[i]);
    }
  }
  return twice;
}

template <typename T>
struct Array {
  explicit Array(std::size_t values) : buffer(values * sizeof(T)), count(values) {}
  T* data() const { return static_cast<T*>(buffer.data()); }
  std::vector<T> get() const {
    std::vector<T> values(count);
    buffer.copy_out(values.data(), count * sizeof(T));
    return values;
  }
  DeviceBuffer buffer;
  std::size_t count;
};

// Fills device memory with `part` again and again.
void repeat(DeviceBuffer& to, const void* part, std::size_t bytes, std::size_t times) {
  to.copy_in(part, bytes);
  for (std::size_t done = 1; done < times;) {
    const std::size_t more = std::min(done, times - done);
    device_copy(static_cast<std::byte*>(to.data()) + done * bytes, to.data(), more * bytes,
                nullptr);
    done += more;
  }
  device_wait(nullptr);
}

// A kind of pages: on the host, and of as many heads on the device.
class PageKind {
 public:
  virtual ~PageKind() = default;
  virtual const char* name() const = 0;
  virtual std::vector<std::byte> encode(std::span<const std::int32_t> twice,
                                        std::size_t vectors) const = 0;
  // Of pages of up to `slot` bytes.
  virtual std::size_t workspace(const DevicePoints& points, std::size_t slot) const = 0;
  virtual void encode(const DevicePoints& points, const DevicePageSections& out, void* work,
                      std::size_t slot, std::uint32_t* flags) const = 0;
  virtual void decode(const DevicePageSections& in, const DevicePoints& points, void* work,
                      std::uint32_t* flags) const = 0;
  virtual void sums(const DevicePageSections& in, const DevicePoints& points, std::int32_t* sums,
                    void* work, std::uint32_t* flags) const = 0;
};

using Classes = std::vector<std::uint8_t>;

class RansPages final : public PageKind {
 public:
  RansPages(const std::shared_ptr<const PointModel>& model, const Classes& classes,
            std::size_t heads)
      : coder_(model, classes),
        plans_(shared_device_tables(model, classes), std::vector<Classes>(heads, classes)) {}

  const char* name() const override { return "rans"; }
  std::vector<std::byte> encode(std::span<const std::int32_t> twice,
                                std::size_t vectors) const override {
    std::vector<std::byte> page(coder_.page_bound(vectors));
    page.resize(coder_.encode(twice, vectors, page));
    return page;
  }
  std::size_t workspace(const DevicePoints& points, std::size_t slot) const override {
    return std::max(plans_.encode_workspace(points, slot), plans_.decode_workspace(points));
  }
  void encode(const DevicePoints& points, const DevicePageSections& out, void* work,
              std::size_t slot, std::uint32_t* flags) const override {
    plans_.encode(points, out, work, slot, flags, nullptr);
  }
  void decode(const DevicePageSections& in, const DevicePoints& points, void* work,
              std::uint32_t* flags) const override {
    plans_.decode(in, points, work, flags, nullptr);
  }
  void sums(const DevicePageSections& in, const DevicePoints& points, std::int32_t* sums,
            void* work, std::uint32_t* flags) const override {
    plans_.sums(in, points, sums, work, flags, nullptr);
  }

 private:
  PointCoder coder_;
  DevicePagePlans plans_;
};

class PrefixPages final : public PageKind {
 public:
  PrefixPages(const PointModel& model, const Classes& classes, std::size_t heads)
      : coder_(shapes_of(model, classes)),
        plans_(std::vector<const PrefixCoder*>(heads, &coder_)) {}

  const char* name() const override { return "prefix"; }
  std::vector<std::byte> encode(std::span<const std::int32_t> twice,
                                std::size_t vectors) const override {
    return coder_.encode(twice, vectors);
  }
  std::size_t workspace(const DevicePoints& points, std::size_t) const override {
    return std::max(plans_.encode_workspace(points), plans_.decode_workspace(points));
  }
  void encode(const DevicePoints& points, const DevicePageSections& out, void* work, std::size_t,
              std::uint32_t* flags) const override {
    plans_.encode(points, tokens(points), out, work, flags, nullptr);
  }
  void decode(const DevicePageSections& in, const DevicePoints& points, void* work,
              std::uint32_t* flags) const override {
    plans_.decode(in, points, tokens(points), work, flags, nullptr);
  }
  void sums(const DevicePageSections& in, const DevicePoints& points, std::int32_t* sums,
            void* work, std::uint32_t* flags) const override {
    plans_.sums(in, points, tokens(points), sums, work, flags, nullptr);
  }

 private:
  static std::vector<CoordinateShape> shapes_of(const PointModel& model, const Classes& classes) {
    std::vector<CoordinateShape> shapes;
    for (const std::uint8_t which : classes) shapes.push_back(model.shape(which));
    return shapes;
  }
  static std::size_t tokens(const DevicePoints& points) { return points.pages * points.page; }

  PrefixCoder coder_;
  DevicePrefixPlans plans_;
};

class PageBench {
 public:
  PageBench(const PageBenchPlan& plan, Lattice lattice, bool prefix)
      : plan_(plan),
        lattice_(lattice),
        pages_(plan.pages / plan.heads),
        drawn_(drawn_pages(plan, pages_)),
        values_(lane_values(plan.page, plan.dim)),
        points_(drawn_points(plan, lattice, drawn_ * plan.page)),
        kind_(make_kind(prefix)),
        room_((pages_ * drawn_bytes() / drawn_ + longest_) / 16 * 16 + 4096),
        twice_(plan.heads * pages_ * values_),
        vectors_(plan.heads * pages_),
        streams_(plan.heads * room_),
        sizes_(plan.heads * pages_),
        stream_bytes_(plan.heads),
        flags_(plan.heads),
        sums_(plan.heads * pages_ * plan.page) {
    const std::vector<std::uint32_t> all(vectors_.count, static_cast<std::uint32_t>(plan.page));
    vectors_.buffer.copy_in(all.data(), 4 * all.size());
    flags_.buffer.fill(0, nullptr);
  }

  void run(std::vector<PageBenchRow>& rows) {
    constexpr const char* kNames[] = {"z", "d4", "e8", "trellis"};
    repeat(twice_.buffer, points_.data(), 4 * points_.size(), plan_.heads * (pages_ / drawn_));
    const std::size_t slot = (longest_ + 15) / 16 * 16;
    const DeviceBuffer work(kind_->workspace(points(), slot));
    const double copy = copy_gb_per_second();
    const auto add = [&](const char* operation, const auto& written, const auto& launch) {
      const LaunchTimes us = time_launches(plan_.rounds, [&](std::size_t) { launch(); });
      std::size_t bytes = 0;
      for (const std::uint64_t each : stream_bytes_.get()) bytes += each;
      rows.push_back({kNames[static_cast<int>(lattice_)], kind_->name(), operation,
                      plan_.heads * pages_ * plan_.page * plan_.dim, bytes,
                      bytes + 4 * written.count, us, copy});
    };
    add("encode", twice_,
        [&] { kind_->encode(points(), sections(), work.data(), slot, flags_.data()); });
    require_pages();
    twice_.buffer.fill(0x5a, nullptr);
    add("decode", twice_, [&] { kind_->decode(sections(), points(), work.data(), flags_.data()); });
    add("sum", sums_,
        [&] { kind_->sums(sections(), points(), sums_.data(), work.data(), flags_.data()); });
    require_points();
  }

 private:
  DevicePoints points() const {
    return {twice_.data(), pages_ * values_, vectors_.data(), pages_, plan_.page};
  }
  DevicePageSections sections() const {
    return {streams_.data(), room_, room_, sizes_.data(), pages_, stream_bytes_.data()};
  }
  std::unique_ptr<const PageKind> make_kind(bool prefix) const {
    const auto model = shared_point_model(lattice_, kNominalDeviation);
    const Classes classes =
        cheapest_classes(*model, points_, drawn_ * plan_.page, plan_.dim, false);
    if (prefix) return std::make_unique<const PrefixPages>(*model, classes, plan_.heads);
    return std::make_unique<const RansPages>(model, classes, plan_.heads);
  }
  // The drawn pages as the CPU codes them.
  std::size_t drawn_bytes() {
    for (std::size_t p = 0; p < drawn_; ++p) {
      drawn_pages_.push_back(
          kind_->encode(std::span(points_).subspan(p * values_, values_), plan_.page));
      longest_ = std::max(longest_, drawn_pages_.back().size());
      bytes_ += drawn_pages_.back().size();
    }
    return bytes_;
  }
  // Of the first half of the points to the second.
  double copy_gb_per_second() const {
    const std::size_t half = 2 * twice_.count;
    const LaunchTimes us = time_launches(plan_.rounds, [&](std::size_t) {
      device_copy(reinterpret_cast<std::byte*>(twice_.data()) + half, twice_.data(), half, nullptr);
    });
    return 2e-3 * static_cast<double>(half) / us.median;
  }
  void require_pages() const {
    require_good_pages(flags_.get());
    const auto sizes = sizes_.get();
    const auto streams = streams_.get();
    for (std::size_t h = 0; h < plan_.heads; ++h) {
      std::size_t at = h * room_;
      for (std::size_t p = 0; p < pages_; ++p) {
        const auto& page = drawn_pages_[p % drawn_];
        if (sizes[h * pages_ + p] != page.size() ||
            std::memcmp(&streams[at], page.data(), page.size()) != 0) {
          throw Error("bench: page " + std::to_string(p) + " of head " + std::to_string(h) +
                      " is not that of the CPU");
        }
        at += page.size();
      }
    }
  }
  void require_points() const {
    require_good_pages(flags_.get());
    const auto twice = twice_.get();
    const auto sums = sums_.get();
    std::vector<std::int32_t> expected(drawn_ * plan_.page);
    for (std::size_t t = 0; t < expected.size(); ++t) {
      for (std::size_t i = 0; i < plan_.dim; ++i)
        expected[t] += points_[lane_value(t, i, plan_.dim)];
    }
    bool good = true;
    for (std::size_t at = 0; at < twice.size(); at += points_.size()) {
      good = good && std::memcmp(&twice[at], points_.data(), 4 * points_.size()) == 0;
    }
    for (std::size_t t = 0; t < sums.size(); ++t)
      good = good && sums[t] == expected[t % expected.size()];
    if (!good) throw Error("bench: a page does not decode to its points");
  }

  const PageBenchPlan& plan_;
  Lattice lattice_;
  std::size_t pages_, drawn_, values_;
  std::vector<std::int32_t> points_;
  std::unique_ptr<const PageKind> kind_;
  std::vector<std::vector<std::byte>> drawn_pages_;
  std::size_t longest_ = 0, bytes_ = 0;
  std::size_t room_;
  Array<std::int32_t> twice_;
  Array<std::uint32_t> vectors_;
  Array<std::uint8_t> streams_;
  Array<std::uint32_t> sizes_;
  Array<std::uint64_t> stream_bytes_;
  Array<std::uint32_t> flags_;
  Array<std::int32_t> sums_;
};

}  // namespace

std::vector<PageBenchRow> time_pages(const PageBenchPlan& plan) {
  if (device_count() == 0) {
    throw InputError("no GPU here, or a build without CUDA (see the configure output)");
  }
  const std::size_t pages = plan.heads == 0 ? 0 : plan.pages / plan.heads;
  if (pages == 0 || pages % drawn_pages(plan, pages) != 0) {
    throw InputError("bench: " + std::to_string(plan.pages) + " pages of " +
                     std::to_string(plan.heads) +
                     " heads, expected at least one for each, and up to " +
                     std::to_string(drawn_pages(plan, pages)) + " or a multiple of so many");
  }
  std::vector<PageBenchRow> rows;
  for (const Lattice lattice : plan.lattices) PageBench(plan, lattice, false).run(rows);
  if (plan.prefix) PageBench(plan, Lattice::z, true).run(rows);
  return rows;
}

}  // namespace kakeya
