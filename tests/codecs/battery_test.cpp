// SPDX-License-Identifier: Apache-2.0
// One battery over every codec: no codec can be added without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "support/sanitized.h"

namespace kakeya {
namespace {

using namespace test;

struct Data {
  std::string name;
  std::vector<float> values;
};

std::vector<Data> all_data(std::size_t dim, std::size_t count) {
  const std::size_t n = dim * count;
  const float largest = std::numeric_limits<float>::max(),
              smallest = std::numeric_limits<float>::denorm_min();
  std::vector<Data> all;
  all.push_back({"normal", normals(n, 1)});
  auto x = normals(n, 2);
  for (float& v : x) v = v * v * v * v * v;
  all.push_back({"heavy tails", x});
  x = normals(n, 3, 0.1);
  for (std::size_t i = dim / 3; i < n; i += dim) x[i] = 50.0f;
  all.push_back({"outlier channel", x});
  all.push_back({"constant", std::vector<float>(n, -1.7f)});
  all.push_back({"zeros", std::vector<float>(n, 0.0f)});
  x = normals(n, 4);
  for (std::size_t i = 0; i < n; ++i) x[i] = i % 3 == 0 ? -0.0f : (i % 3 == 1 ? 0.0f : x[i]);
  all.push_back({"signed zeros", x});
  all.push_back({"subnormal", normals(n, 5, 1e-41)});
  all.push_back({"smallest", std::vector<float>(n, smallest)});
  all.push_back({"tiny", normals(n, 6, 1e-9)});
  all.push_back({"huge norm", normals(n, 7, 1e5)});
  all.push_back({"near the end", normals(n, 8, 1e37)});
  all.push_back({"largest", std::vector<float>(n, largest)});
  x = normals(n, 9);
  for (std::size_t i = 0; i < n; ++i) x[i] = x[i] < 0 ? -largest : largest;
  all.push_back({"both ends", x});
  x = normals(n, 10);
  for (std::size_t row = 0; row < count; ++row) {
    const float scale = std::ldexp(1.0f, static_cast<int>(row * 37 % 250) - 125);
    for (std::size_t i = 0; i < dim; ++i) x[row * dim + i] *= scale;
  }
  all.push_back({"every magnitude", x});
  return all;
}

class Battery : public testing::TestWithParam<std::string> {};

std::vector<float> rounded(std::vector<float> values) {
  for (float& value : values) value = bfloat16_to_float(float_to_finite_bfloat16(value));
  return values;
}

// What a cache reads, whatever the number of vectors.
TEST_P(Battery, RecallsWhatItDecodesAsBf16) {
  constexpr std::size_t kDim = 64;
  const auto codec = make(GetParam(), kDim);
  for (const std::size_t vectors : {1u, 16u, 50u}) {
    const std::size_t count = with_a_group(GetParam(), vectors);
    for (const Data& data : all_data(kDim, count)) {
      SCOPED_TRACE(data.name);
      auto frame = encode(*codec, dense_rows<const float>(data.values.data(), count, kDim));
      std::vector<float> y(count * kDim, 0.5f), expected(y.size());
      if (codec->page_vectors() == 0) {
        codec->recall(frame, dense_rows(y.data(), count, kDim));
        ASSERT_EQ(y, rounded(decode(*codec, frame, count)));
        continue;
      }
      const FrameView view = parse_frame(frame);
      const std::size_t page = codec->page_vectors();
      for (std::size_t first = 0; first < count; first += page) {
        const std::size_t rows = std::min(page, count - first);
        codec->recall_page(view, first / page, dense_rows(&y[first * kDim], rows, kDim));
        codec->read_page(view, first / page, dense_rows(&expected[first * kDim], rows, kDim));
      }
      ASSERT_EQ(y, rounded(expected));
    }
  }
}

TEST(Recall, LeavesTheChecksumOfAFrameAloneButNotItsLengths) {
  for (const std::string spec : {"e8:q=10", "identity"}) {
    const auto codec = make(spec, 64);
    const auto x = normals(64 * 16, 3);
    auto frame = encode(*codec, dense_rows<const float>(x.data(), 16, 64));
    std::vector<float> y(x.size());
    const auto rows = dense_rows(y.data(), 16, 64);
    frame.back() ^= std::byte{1};
    EXPECT_THROW(codec->decode(frame, rows), CorruptStream);
    codec->recall(frame, rows);
    frame.pop_back();
    EXPECT_THROW(codec->recall(frame, rows), CorruptStream);
  }
}

// With sanitizers long vectors take minutes: there each number of them has a few of the data, so that all are met; the longest, whose tables take seconds,
// have a third of these, other ones for every number.
bool is_left_out(std::size_t dim, std::size_t count_index, std::size_t data_index) {
  constexpr std::size_t kCountsWithVectors = 5;
  if (!test::kSanitized || dim < 64) return false;
  if (dim == 1024 && data_index / kCountsWithVectors % 3 != count_index % 3) return true;
  return count_index == 0 ? data_index > 0 : data_index % kCountsWithVectors != count_index - 1;
}

TEST_P(Battery, DecodesWithinItsBoundWhateverTheData) {
  const bool neighbours = depends_on_neighbours(GetParam());
  const Spec spec = Spec::parse(without_part(GetParam()));
  const CodecDescriptor* known = find_descriptor(spec);
  ASSERT_NE(known, nullptr);
  for (const std::size_t dim : {32u, 64u, 128u, 1024u}) {
    if (dim == 1024 && is_calibrated(without_part(GetParam())))
      continue;  // megabytes of matrices, again and again
    if (dim < least_dim(GetParam())) continue;
    const auto codec = make(GetParam(), dim);
    const CodecInput input = input_for(GetParam(), dim);
    const std::string same_spec = codec->spec() + std::string(part_of(GetParam()));
    constexpr std::size_t kCounts[] = {0, 1, 2, 7, 8, 9};
    for (std::size_t count_index = 0; count_index < std::size(kCounts); ++count_index) {
      const std::size_t count = kCounts[count_index];
      decltype(make(same_spec, dim)) same;
      std::vector<Data> each = all_data(dim, count);
      if (GetParam().starts_with("klt")) {
        each.push_back({"of the profile", coded_by_klt(GetParam(), dim, count, 11)});
      }
      for (std::size_t data_index = 0; data_index < each.size(); ++data_index) {
        if (is_left_out(dim, count_index, data_index)) continue;
        const Data& data = each[data_index];
        const auto x = dense_rows(data.values.data(), count, dim);
        std::vector<std::byte> buffer(codec->encoded_bound(count), std::byte{0xaa});
        const std::size_t bytes = codec->encode(x, buffer);
        ASSERT_LE(bytes, codec->encoded_bound(count));
        buffer.resize(bytes);
        ASSERT_EQ(encode(*codec, x), buffer) << "twice the same vectors, not the same bytes";
        if (same == nullptr || dim < 1024) same = make(same_spec, dim);  // tables of 1024 take long
        ASSERT_EQ(encode(*same, x), buffer) << same_spec;

        const FrameInfo info = frame_info(buffer, profiles(GetParam(), dim));
        ASSERT_EQ(info.spec, codec->spec());
        ASSERT_EQ(info.dim, dim);
        ASSERT_EQ(info.count, count);
        std::size_t total = 0;
        for (const auto& [name, length] : info.sections) total += length;
        ASSERT_EQ(total, bytes);
        ASSERT_LE(count * dim * sizeof(float), 128 * bytes);

        const auto y = decode(*codec_of_frame(buffer, profiles(GetParam(), dim)), buffer, count);
        ASSERT_EQ(decode(*codec, buffer, count), y);
        const double bias = bias_norm(GetParam(), dim);
        double reach = 0.0;  // means are no longer than the longest vector
        for (std::size_t row = 0; row < count; ++row)
          reach = std::max(reach, 2 * (norm_of(x[row]) + bias));
        const auto again = reconstruct(*codec, x);
        ASSERT_TRUE(!again || *again == y) << data.name;
        for (std::size_t row = 0; row < count; ++row) {
          const double bound = known->error_bound.of(
              spec, x[row], neighbours ? reach : norm_of(x[row]) + bias, input);
          double error = 0.0, worst = 0.0;
          for (std::size_t i = 0; i < dim; ++i) {
            ASSERT_TRUE(std::isfinite(y[row * dim + i])) << data.name << " " << dim;
            const double e = std::fabs(double{y[row * dim + i]} - x[row][i]);
            error += e * e;
            worst = std::max(worst, e);
          }
          ASSERT_LE(known->error_bound.per_value ? worst : std::sqrt(error), bound)
              << data.name << ", dim " << dim << ", row " << row;
        }
      }
    }
  }
}

TEST_P(Battery, AVectorDoesNotDependOnItsNeighbours) {
  if (depends_on_neighbours(GetParam())) GTEST_SKIP() << "it does: that is what this codec is for";
  const std::size_t dim = 64, count = 9;
  const auto codec = make(GetParam(), dim);
  const auto all = all_data(dim, count).back().values;
  const auto together = roundtrip(*codec, all);
  for (std::size_t row = 0; row < count; ++row) {
    const std::vector<float> one(all.begin() + static_cast<std::ptrdiff_t>(row * dim),
                                 all.begin() + static_cast<std::ptrdiff_t>((row + 1) * dim));
    const auto alone = roundtrip(*codec, one);
    ASSERT_TRUE(std::equal(alone.begin(), alone.end(),
                           together.begin() + static_cast<std::ptrdiff_t>(row * dim)));
  }
}

TEST_P(Battery, ZeroVectorsComeBackAsZeros) {
  if (is_calibrated(without_part(GetParam())))
    GTEST_SKIP() << "zero is far from the mean, and coded like any";
  const auto y = roundtrip(*make(GetParam(), 64), std::vector<float>(3 * 64, 0.0f));
  for (const float value : y) EXPECT_EQ(value, 0.0f);
}

TEST_P(Battery, StridedRowsGiveTheSameBytes) {
  const std::size_t dim = 64, count = 5, stride = 100;
  const auto codec = make(GetParam(), dim);
  const auto wide = normals(count * stride, 20);
  std::vector<float> dense;
  for (std::size_t row = 0; row < count; ++row) {
    dense.insert(dense.end(), wide.begin() + static_cast<std::ptrdiff_t>(row * stride),
                 wide.begin() + static_cast<std::ptrdiff_t>(row * stride + dim));
  }
  const auto frame = encode(*codec, {wide.data(), count, dim, stride});
  EXPECT_EQ(frame, encode(*codec, dense_rows(dense.data(), count, dim)));
  std::vector<float> out(count * stride, -7.0f);
  codec->decode(frame, {out.data(), count, dim, stride});
  const auto y = decode(*codec, frame, count);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t row = i / stride, column = i % stride;
    EXPECT_EQ(out[i], column < dim ? y[row * dim + column] : -7.0f);
  }
}

TEST_P(Battery, NanInfinityAndWrongShapesAreRefused) {
  const std::size_t dim = 64;
  const auto codec = make(GetParam(), dim);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    auto x = normals(3 * dim, 21);
    x[2 * dim + 17] = bad;
    try {
      encode(*codec, dense_rows<const float>(x.data(), 3, dim));
      FAIL() << "accepted " << bad;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("vector 2, coordinate 17"), std::string::npos)
          << error.what();
    }
  }
  const auto x = normals(2 * dim, 22);
  const auto rows = dense_rows(x.data(), 2, dim);
  EXPECT_THROW(encode(*codec, dense_rows(x.data(), 4, dim / 2)), InputError);
  std::vector<std::byte> small(codec->encoded_bound(2) - 1);
  EXPECT_THROW(codec->encode(rows, small), InputError);
  const auto frame = encode(*codec, rows);
  std::vector<float> out(4 * dim);
  EXPECT_THROW(codec->decode(frame, dense_rows(out.data(), 3, dim)), InputError);
  EXPECT_THROW(codec->decode(frame, dense_rows(out.data(), 4, dim / 2)), InputError);
}

TEST_P(Battery, RatesAndEntropyAreConsistent) {
  const std::size_t dim = 128, count = 400;
  const auto codec = make(GetParam(), dim);
  const auto x = GetParam().starts_with("klt") ? coded_by_klt(GetParam(), dim, count, 23)
                                               : normals(count * dim, 23);
  const auto rows = dense_rows(x.data(), count, dim);
  const std::vector<std::byte> frame = encode(*codec, rows);
  const double measured = 8.0 * static_cast<double>(frame.size()) / static_cast<double>(count);
  const Rates rates = codec->account().rates();
  const auto entropy = codec->account().index_entropy_bits_per_value(rows);
  EXPECT_TRUE(!entropy || *entropy > 0.0);
  if (dynamic_cast<const FrameEntropy*>(codec.get()) != nullptr) {
    EXPECT_EQ(index_entropy_of_frame(*codec, frame), entropy);
    EXPECT_THROW(index_entropy_of_frame(*codec, std::span(frame).first(40)), CorruptStream);
  } else {
    EXPECT_THROW(index_entropy_of_frame(*codec, frame), InputError);
  }
  if (codec->account().symbols_per_vector() != 0) {
    ASSERT_TRUE(entropy);
    if (is_calibrated(without_part(GetParam())))
      return;  // tables of coordinates, the entropy of all together
    EXPECT_LT(*entropy * static_cast<double>(dim), measured);
    EXPECT_GT((*entropy + 0.6) * static_cast<double>(dim), measured);
    return;
  }
  ASSERT_TRUE(rates.codebook_bits_per_vector);
  EXPECT_LT(*rates.codebook_bits_per_vector, measured);
  EXPECT_GT(*rates.codebook_bits_per_vector, 0.8 * measured);  // tq:b=2 stores 2 bits for log2 3
  EXPECT_LE(entropy.value_or(0.0) * static_cast<double>(dim), *rates.codebook_bits_per_vector);
}

INSTANTIATE_TEST_SUITE_P(Codecs, Battery, testing::ValuesIn(specs_of_build()),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name)
                             c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace kakeya
