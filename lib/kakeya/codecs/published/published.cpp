// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/published/published.h"

// rule=published of d4 and e8: norm, Hadamard rotation, maximum, then the nearest lattice point of
// each block of 4 or 8 coordinates, in the published order of operations (published_wrapper.h),
// and of d4 the codecs of its ablation.
//
//   t = y / s, s = fp16(max |y|) / q
//   z = nearest point of t, each coordinate then clamped to [-q, q]
//   decoded y = z s
//
// Clamping leaves the lattice for some blocks.
// The stored index names the point before clamping: half-integer points may reach q + 1/2 (so E8's
// book is larger than its nominal bits assume), integer points outside the box are escapes.
// Where one maximum serves all vectors, clamping is no exception: the book then holds what it
// gives, and there are no escapes.
//
// Sections: "scales" 4 bytes a vector, of an ablation what its wrapper stores; "indices" one field
// of fixed width a block, in order, with no padding between vectors; "windows" see scaled.h;
// "escapes" a record each, ascending: block number u64, then the clamped coordinates doubled as i16
// (the index of that block is 0).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kakeya/bitstream/bits.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codecs/published/published_wrapper.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/lattice/e8.h"
#include "kakeya/lattice/enumerate.h"

namespace kakeya {
namespace {

constexpr std::string_view kSections[] = {"scales", "indices", "windows", "escapes"};

struct D4 {
  using Book = D4Book;
  static constexpr std::size_t kBlock = 4;
  static constexpr Lattice kLattice = Lattice::d4;
  static Book book(int q) { return Book(q); }
  static void nearest(const float* y, float* z) { nearest_dn<4>(y, z); }
};

struct ClampedD4 : D4 {
  using Book = ClampedD4Book;
  static Book book(int q) { return Book(q); }
};

struct Z4 {
  using Book = Z4Book;
  static constexpr std::size_t kBlock = 4;
  static constexpr Lattice kLattice = Lattice::z;
  static Book book(int q) { return Book(q); }
  static void nearest(const float* y, float* z) {
    for (std::size_t i = 0; i < kBlock; ++i) z[i] = round_half_even(y[i]);
  }
};

struct E8 {
  using Book = E8Book;
  static constexpr std::size_t kBlock = 8;
  static constexpr Lattice kLattice = Lattice::e8;
  static Book book(int q) { return Book(q, q + 1); }
  static void nearest(const float* y, float* z) { nearest_e8(y, z); }
};

template <typename Kind>
class Published final : public NamedCodec {
 public:
  Published(std::string spec, std::size_t dim, int q, const PublishedWrapper& wrapper)
      : NamedCodec(std::move(spec), dim),
        q_(q),
        wrapper_(wrapper),
        book_(Kind::book(q)),
        index_bits_(index_bits(book_.count())) {}

  Rates rates() const override {
    // Every codec of the ablation has the nominal bits of the whole one, as published.
    const Lattice whole = kBlock == 4 ? Lattice::d4 : Lattice::e8;
    const double count = static_cast<double>(blocks());
    return {count * published_block_bits(whole, q_) + 32.0,
            count * std::log2(static_cast<double>(book_.count())) +
                8.0 * static_cast<double>(wrapper_.scale_bytes())};
  }

  std::size_t encoded_bound(std::size_t count) const override {
    return frame_overhead(spec_.size(), std::size(kSections)) + count * wrapper_.scale_bytes() +
           index_bytes(count) + count + count * blocks() * kEscapeBytes;
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    require_encodable(*this, x, out);
    FrameWriter writer(out, spec_, dim_, x.count, kSections);
    const auto scales = writer.section(x.count * wrapper_.scale_bytes());
    BitWriter indices(writer.section(index_bytes(x.count)));
    WindowList windows(x.count);
    std::vector<std::byte> escapes;
    std::vector<float> points(dim_);
    for (std::size_t row = 0; row < x.count; ++row) {
      windows.set(row, quantise(x[row], row, points, scales));
      for (std::size_t block = 0; block < blocks(); ++block) {
        const float* point = points.data() + block * kBlock;
        if (book_.contains(point)) {
          indices.put_wide(book_.index(point), index_bits_);
        } else {
          indices.put_wide(0, index_bits_);
          append_escape(escapes, row * blocks() + block, point);
        }
      }
    }
    indices.finish();
    windows.copy_to(writer.section(windows.byte_count()));
    const auto section = writer.section(escapes.size());
    std::copy(escapes.begin(), escapes.end(), section.begin());
    return writer.finish();
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    const FrameView view = open_frame(*this, in, out);
    const auto scales = view.section(0, kSections[0]), windows = view.section(2, kSections[2]);
    BitReader indices(view.section(1, kSections[1]));
    Escapes escapes(view.section(3, kSections[3]), out.count * blocks());
    const float top = static_cast<float>(q_);
    for (std::size_t row = 0; row < out.count; ++row) {
      float* values = out[row].data();
      for (std::size_t block = 0; block < blocks(); ++block, values += kBlock) {
        const PointIndex index = indices.get_wide(index_bits_);
        if (index >= book_.count()) {
          throw CorruptStream(spec_ + ": vector " + std::to_string(row) + ", block " +
                              std::to_string(block) + ": no such lattice point");
        }
        book_.point(index, values);
        for (std::size_t i = 0; i < kBlock; ++i) values[i] = std::clamp(values[i], -top, top);
        escapes.take(row * blocks() + block, top, values);
      }
      wrapper_.backward(scales, windows, row, out[row]);
    }
    indices.finish();
  }

  void check_frame(const FrameInfo& info) const override {
    require_items(info, kSections[0], info.count, wrapper_.scale_bytes());
    require_fields(info, kSections[1], info.count,
                   blocks() * static_cast<std::size_t>(index_bits_));
    require_items_or_none(info, kSections[2], info.count, 1);
  }

  std::uint64_t padding_bits(const FrameInfo& info) const override {
    return 8 * index_bytes(info.count) -
           info.count * blocks() * static_cast<std::size_t>(index_bits_);
  }

  std::optional<double> index_entropy_bits(Rows<const float> x) const override {
    PointEntropy entropy(Kind::kLattice);
    std::vector<std::byte> scales(x.count * wrapper_.scale_bytes());
    std::vector<std::int32_t> twice(lane_values(kLanes, dim_));
    std::vector<float> points(dim_);
    for (std::size_t row = 0; row < x.count; ++row) {
      quantise(x[row], row, points, scales);
      for (std::size_t i = 0; i < dim_; ++i) {
        twice[i * kLanes + row % kLanes] = static_cast<std::int32_t>(2.0f * points[i]);
      }
      const std::size_t held = row % kLanes + 1;
      if (held == kLanes || row + 1 == x.count) entropy.add(twice, held, dim_);
    }
    return entropy.total_bits();
  }

 private:
  static constexpr std::size_t kBlock = Kind::kBlock;
  static constexpr std::size_t kEscapeBytes = 8 + 2 * kBlock;

  // Reads escape records in step with the blocks.
  class Escapes {
   public:
    Escapes(std::span<const std::byte> section, std::size_t blocks) : section_(section) {
      if (section.size() % kEscapeBytes != 0) throw CorruptStream("escapes: not whole records");
      std::uint64_t least = 0;
      for (std::size_t at = 0; at < section.size(); at += kEscapeBytes) {
        const std::uint64_t block = block_at(at);
        if (block < least || block >= blocks) throw CorruptStream("escapes: out of order");
        least = block + 1;
      }
    }
    void take(std::size_t block, float top, float* values) {
      if (next_ == section_.size() || block_at(next_) != block) return;
      for (std::size_t i = 0; i < kBlock; ++i) {
        std::int16_t doubled;
        std::memcpy(&doubled, section_.data() + next_ + 8 + 2 * i, 2);
        values[i] = 0.5f * static_cast<float>(doubled);
        if (values[i] < -top || values[i] > top) throw CorruptStream("escapes: outside the box");
      }
      next_ += kEscapeBytes;
    }

   private:
    std::uint64_t block_at(std::size_t at) const {
      std::uint64_t block;
      std::memcpy(&block, section_.data() + at, 8);
      return block;
    }
    std::span<const std::byte> section_;
    std::size_t next_ = 0;
  };

  std::size_t blocks() const { return dim_ / kBlock; }
  std::size_t index_bytes(std::size_t count) const {
    return (count * blocks() * static_cast<std::size_t>(index_bits_) + 7) / 8;
  }
  void append_escape(std::vector<std::byte>& escapes, std::uint64_t block,
                     const float* point) const {
    std::byte record[kEscapeBytes];
    std::memcpy(record, &block, 8);
    for (std::size_t i = 0; i < kBlock; ++i) {
      const float top = static_cast<float>(q_);
      const auto doubled = static_cast<std::int16_t>(2.0f * std::clamp(point[i], -top, top));
      std::memcpy(record + 8 + 2 * i, &doubled, 2);
    }
    escapes.insert(escapes.end(), record, record + kEscapeBytes);
  }

  // The lattice points of a vector, before clamping; its scales go to `scales`. Returns its window.
  int quantise(std::span<const float> x, std::size_t row, std::span<float> points,
               std::span<std::byte> scales) const {
    const int window = wrapper_.forward(x, row, points, scales);
    for (std::size_t i = 0; i < dim_; i += kBlock) {
      float point[kBlock];
      Kind::nearest(points.data() + i, point);
      std::copy_n(point, kBlock, points.data() + i);
    }
    return window;
  }

  int q_;
  PublishedWrapper wrapper_;
  typename Kind::Book book_;
  int index_bits_;
};

}  // namespace

double published_block_bits(Lattice lattice, int q) {
  const double levels = std::log2(2.0 * q + 1.0);
  return lattice == Lattice::d4 ? std::ceil(4.0 * levels - 1.0) : std::ceil(8.0 * levels);
}

std::unique_ptr<Codec> make_published_d4(SpecArgs& args, const CodecInput& input, int q) {
  require_rotatable_dim(args.name(), input.dim);
  const auto ablation = static_cast<Ablation>(args.choice("ablate"));
  double maximum = 0.0;
  if (ablation == Ablation::no_per_vec_qmax) {
    maximum = args.real("max");
    if (maximum == 0.0) {
      throw SpecError(args.name() + ": no max given: expected ablate=no-per-vec-qmax,max=M, M in " +
                      "[0.01, 1] the one maximum of all rotated unit vectors");
    }
  }
  const PublishedWrapper wrapper(ablation, input.dim, q, maximum);
  const std::string spec = args.canonical();
  if (ablation == Ablation::scalar_quantise) {
    return std::make_unique<Published<Z4>>(spec, input.dim, q, wrapper);
  }
  if (ablation == Ablation::no_per_vec_qmax) {
    return std::make_unique<Published<ClampedD4>>(spec, input.dim, q, wrapper);
  }
  return std::make_unique<Published<D4>>(spec, input.dim, q, wrapper);
}

std::unique_ptr<Codec> make_published_e8(SpecArgs& args, const CodecInput& input, int q) {
  require_rotatable_dim(args.name(), input.dim);
  const PublishedWrapper wrapper(Ablation::none, input.dim, q, 0.0);
  return std::make_unique<Published<E8>>(args.canonical(), input.dim, q, wrapper);
}

}  // namespace kakeya
