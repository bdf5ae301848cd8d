// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "entropy/points_for_test.h"
#include "kakeya/device/device_pages.h"
#include "kakeya/entropy/shared_model.h"

// Pages of points of some heads, on the host and on the device, for tests.

namespace kakeya::test {

// How points stand to the classes they are coded with.
enum class Points {
  alike,    // drawn from the classes
  tight,    // all near 0: states stay small
  wide,     // 16 times as wide: escapes
  extreme,  // up to the largest coordinates
  rare      // all as far out as few are, most of them not escaped: many words a step
};
inline constexpr Points kAllPoints[] = {Points::alike, Points::tight, Points::wide,
                                        Points::extreme};

// Classes have deviations from 0.05 to 160 steps: those of 10 and more have raw bits.
inline constexpr double kNominal = 12;

struct LayerShape {
  Lattice lattice = Lattice::z;
  std::size_t heads = 1, pages = 1, page = 64, dim = 128, path = 0;
  std::uint64_t seed = 1;
};

// Classes of a head, as calibration gives them: falling deviations, mixed shapes. `first` is the
// widest.
inline std::vector<std::uint8_t> drawn_classes(const LayerShape& shape, std::size_t head, int first,
                                               int last) {
  const Random random(shape.seed + head, 3);
  const auto length = static_cast<std::size_t>(block_length(shape.lattice));
  std::vector<std::uint8_t> classes;
  for (std::size_t i = 0; i < shape.dim; ++i) {
    const std::size_t place = i / length * length;
    const int k = first - static_cast<int>(place * static_cast<std::size_t>(first - last) /
                                           std::max<std::size_t>(shape.dim - 1, 1));
    const auto other = static_cast<std::size_t>(random.bits(place) >> 8) % 8;
    classes.push_back(
        static_cast<std::uint8_t>((other < 4 ? 0 : other - 4) * 48 + static_cast<std::size_t>(k)));
  }
  return classes;
}

// Twice a vector's point; y is what it is near to.
inline std::vector<std::int32_t> point_near(const LayerShape& shape, std::vector<float> y) {
  constexpr float kMost = kLargestCoordinate - 2;
  for (float& value : y) value = std::clamp(value, -kMost, kMost);
  std::vector<std::int32_t> twice(y.size());
  const auto length = static_cast<std::size_t>(block_length(shape.lattice));
  if (shape.lattice != Lattice::trellis) {
    for (std::size_t i = 0; i < y.size(); i += length)
      nearest_twice(shape.lattice, &y[i], &twice[i]);
    return twice;
  }
  const std::size_t path = shape.path == 0 ? y.size() : shape.path;
  std::uint32_t state = 0;
  for (std::size_t i = y.size(); i-- > 0;) {
    if (i % path == path - 1) state = 0;
    const auto parity = static_cast<std::int32_t>(trellis_parity(state));
    twice[i] =
        2 * static_cast<std::int32_t>(std::lround(y[i] - 0.5f * static_cast<float>(parity))) +
        parity;
    state = next_trellis_state(state, twice[i]);
  }
  return twice;
}

struct HostPage {
  std::size_t vectors = 0;
  std::vector<std::int32_t> twice;  // of lane_values(page, dim)
  std::vector<std::byte> bytes;
};

// A layer as the CPU codes it.
class HostLayer {
 public:
  HostLayer(const LayerShape& shape, int widest, int narrowest)
      : shape_(shape), model_(shared_point_model(shape.lattice, kNominal)) {
    for (std::size_t head = 0; head < shape.heads; ++head) {
      classes_.push_back(drawn_classes(shape, head, widest, narrowest));
      coders_.emplace_back(model_, classes_.back(), shape.path);
    }
    pages_.resize(shape.heads * shape.pages);
  }

  // Page `page` of `head`, of `vectors` vectors.
  void draw(std::size_t head, std::size_t page, std::size_t vectors, Points kind) {
    HostPage& drawn = this->page(head, page);
    drawn.vectors = vectors;
    drawn.twice.assign(lane_values(shape_.page, shape_.dim), 0);
    const Random random(shape_.seed * 977 + head * 31 + page, 5);
    for (std::size_t t = 0; t < vectors; ++t) {
      std::vector<float> y;
      for (std::size_t i = 0; i < shape_.dim; ++i) {
        const double deviation = model_->shape(classes_[head][i]).deviation;
        const std::size_t number = t * shape_.dim + i;
        double value = random.normal(number) * deviation;
        if (kind == Points::tight) value = 0.01 * random.normal(number);
        if (kind == Points::rare) value = (random.normal(number) < 0 ? -3.2 : 3.2) * deviation;
        if (kind == Points::wide) value *= number % 7 == 0 ? 16 : 1;
        if (kind == Points::extreme && number % 5 == 0) {
          value = (random.uniform(number) - 0.5) * 2.5 * kLargestCoordinate;
        }
        y.push_back(static_cast<float>(value));
      }
      const std::vector<std::int32_t> twice = point_near(shape_, std::move(y));
      for (std::size_t i = 0; i < shape_.dim; ++i) {
        drawn.twice[lane_value(t, i, shape_.dim)] = twice[i];
      }
    }
    drawn.bytes.clear();
    if (vectors != 0) drawn.bytes = encode_page(coders_[head], drawn.twice, vectors);
  }

  const LayerShape& shape() const { return shape_; }
  const std::shared_ptr<const PointModel>& model() const { return model_; }
  const std::vector<std::vector<std::uint8_t>>& classes() const { return classes_; }
  const PointCoder& coder(std::size_t head) const { return coders_[head]; }
  HostPage& page(std::size_t head, std::size_t page) { return pages_[head * shape_.pages + page]; }
  std::size_t stream_bytes(std::size_t head) const {
    std::size_t sum = 0;
    for (std::size_t p = 0; p < shape_.pages; ++p) {
      sum += pages_[head * shape_.pages + p].bytes.size();
    }
    return sum;
  }

 private:
  LayerShape shape_;
  std::shared_ptr<const PointModel> model_;
  std::vector<std::vector<std::uint8_t>> classes_;
  std::vector<PointCoder> coders_;
  std::vector<HostPage> pages_;
};

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : buffer_(count * sizeof(T)), count_(count) {
    buffer_.fill(0x5a, nullptr);
  }
  T* data() const { return static_cast<T*>(buffer_.data()); }
  void put(const std::vector<T>& values) {
    buffer_.copy_in(values.data(), values.size() * sizeof(T));
  }
  std::vector<T> get() const {
    device_wait(nullptr);
    std::vector<T> values(count_);
    buffer_.copy_out(values.data(), count_ * sizeof(T));
    return values;
  }
  void fill(int byte) { buffer_.fill(byte, nullptr); }

 private:
  DeviceBuffer buffer_;
  std::size_t count_;
};

// The same in device memory. The streams of the last head end where their memory ends.
class DeviceLayer {
 public:
  explicit DeviceLayer(HostLayer& host)
      : host_(host),
        shape_(host.shape()),
        plans_(tables_of(host), host.classes(), shape_.path),
        room_(room_of(host)),
        points_(shape_.heads * page_count() * page_values()),
        vectors_(shape_.heads * page_count()),
        streams_(shape_.heads * room_),
        sizes_(shape_.heads * page_count()),
        stream_bytes_(shape_.heads),
        flags_(shape_.heads),
        sums_(vectors_all()),
        costs_(vectors_all()) {
    flags_.fill(0);
    std::vector<std::uint32_t> vectors;
    for (std::size_t h = 0; h < shape_.heads; ++h) {
      for (std::size_t p = 0; p < shape_.pages; ++p) {
        vectors.push_back(static_cast<std::uint32_t>(host.page(h, p).vectors));
      }
    }
    vectors_.put(vectors);
  }

  const DevicePagePlans& plans() const { return plans_; }
  DevicePoints points() const {
    return {points_.data(), page_count() * page_values(), vectors_.data(), shape_.pages,
            shape_.page};
  }
  DevicePageSections sections() const {
    return {streams_.data(), room_, room_, sizes_.data(), page_count(), stream_bytes_.data()};
  }

  void encode(std::size_t slot_bytes) {
    std::vector<std::int32_t> values;
    for (std::size_t h = 0; h < shape_.heads; ++h) {
      for (std::size_t p = 0; p < shape_.pages; ++p) {
        const auto& twice = host_.page(h, p).twice;
        values.insert(values.end(), twice.begin(), twice.end());
      }
    }
    points_.put(values);
    const DeviceArray<std::byte> work(plans_.encode_workspace(points(), slot_bytes));
    plans_.encode(points(), sections(), work.data(), slot_bytes, flags_.data(), nullptr);
    plans_.most_costs(points(), costs_.data(), nullptr);
    device_wait(nullptr);
  }

  // Of what the host's pages hold.
  void decode() {
    std::vector<std::uint8_t> streams(shape_.heads * room_, 0xc3);
    std::vector<std::uint32_t> sizes;
    std::vector<std::uint64_t> all;
    for (std::size_t h = 0; h < shape_.heads; ++h) {
      std::size_t at = h * room_;
      for (std::size_t p = 0; p < shape_.pages; ++p) {
        const auto& bytes = host_.page(h, p).bytes;
        std::memcpy(streams.data() + at, bytes.data(), bytes.size());
        at += bytes.size();
        sizes.push_back(static_cast<std::uint32_t>(bytes.size()));
      }
      all.push_back(host_.stream_bytes(h));
    }
    streams_.put(streams);
    sizes_.put(sizes);
    stream_bytes_.put(all);
    decode_as_it_is();
  }
  void decode_as_it_is() {
    points_.fill(0x5a);
    const DeviceArray<std::byte> work(plans_.decode_workspace(points()));
    plans_.decode(sections(), points(), work.data(), flags_.data(), nullptr);
    plans_.sums(sections(), points(), sums_.data(), work.data(), flags_.data(), nullptr);
    device_wait(nullptr);
  }

  std::size_t room() const { return room_; }
  std::size_t page_values() const { return lane_values(shape_.page, shape_.dim); }
  DeviceArray<std::int32_t>& values() { return points_; }
  DeviceArray<std::uint8_t>& streams() { return streams_; }
  DeviceArray<std::uint32_t>& sizes() { return sizes_; }
  DeviceArray<std::uint64_t>& stream_bytes() { return stream_bytes_; }
  DeviceArray<std::uint32_t>& flags() { return flags_; }
  DeviceArray<std::int32_t>& sums() { return sums_; }
  DeviceArray<std::uint32_t>& costs() { return costs_; }
  std::uint32_t any_flag() const {
    std::uint32_t any = 0;
    for (const std::uint32_t flag : flags_.get()) any |= flag;
    return any;
  }

 private:
  std::size_t page_count() const { return shape_.pages; }
  std::size_t vectors_all() const { return shape_.heads * shape_.pages * shape_.page; }
  static std::shared_ptr<const DeviceTables> tables_of(const HostLayer& host) {
    std::vector<std::uint8_t> all;
    for (const auto& classes : host.classes()) {
      all.insert(all.end(), classes.begin(), classes.end());
    }
    return shared_device_tables(host.model(), all);
  }
  static std::size_t room_of(const HostLayer& host) {
    std::size_t most = 1;
    for (std::size_t h = 0; h < host.shape().heads; ++h) {
      most = std::max(most, host.stream_bytes(h));
    }
    return (most + 15) / 16 * 16;
  }

  HostLayer& host_;
  LayerShape shape_;
  DevicePagePlans plans_;
  std::size_t room_;
  DeviceArray<std::int32_t> points_;
  DeviceArray<std::uint32_t> vectors_;
  DeviceArray<std::uint8_t> streams_;
  DeviceArray<std::uint32_t> sizes_;
  DeviceArray<std::uint64_t> stream_bytes_;
  DeviceArray<std::uint32_t> flags_;
  DeviceArray<std::int32_t> sums_;
  DeviceArray<std::uint32_t> costs_;
};

}  // namespace kakeya::test
