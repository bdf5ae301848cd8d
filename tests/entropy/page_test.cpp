// SPDX-License-Identifier: Apache-2.0
// Pages come back as they were, and take what the tables charge and little more.
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "entropy/points_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/core/extension.h"
#include "support/sanitized.h"

namespace kakeya {
namespace {

using namespace test;

constexpr double kNominal = 4.0;  // deviation of the model's nominal class

std::shared_ptr<const PointModel> model_of(Lattice lattice) {
  return std::make_shared<PointModel>(lattice, class_grid(kNominal));
}

// Per lane: a state costs 3.5 bits, a lifted lane up to 16; and the list of lifted lanes.
double most_overhead(std::size_t vectors) {
  return 16.0 + 21.0 * static_cast<double>(std::min(vectors, kLanes));
}

void expect_round_trip(const PointCoder& coder, std::span<const std::int32_t> twice,
                       std::size_t vectors, const std::string& what) {
  const auto page = encode_page(coder, twice, vectors);
  const auto back = decode_page(coder, page, vectors);
  ASSERT_TRUE(std::equal(back.begin(), back.end(), twice.begin(), twice.end())) << what;
  const double symbols = 9.0 / 8 * static_cast<double>(vectors * coder.dim());
  const double over = bits_of(page) - coder.model_bits(twice, vectors);
  ASSERT_LE(over, most_overhead(vectors) + 0.001 * symbols) << what;
  ASSERT_GE(over, -3.0 * kLanes - 0.001 * symbols) << what;
}

// Data that suit the class, in one shape or another.
TEST(Page, EveryClassOfEveryLattice) {
  for (const Lattice lattice : kLattices) {
    const auto model = model_of(lattice);
    const auto unit = std::vector<double>(16, 1.0);
    for (std::size_t index = 0; index < model->class_count(); ++index) {
      const PointCoder coder(model,
                             std::vector<std::uint8_t>(16, static_cast<std::uint8_t>(index)));
      const auto twice = normal_points(
          lattice, 320, std::vector<double>(16, model->shape(index).deviation), index);
      expect_round_trip(
          coder, twice, 320,
          "lattice " + std::to_string(block_length(lattice)) + " class " + std::to_string(index));
    }
  }
}

TEST(Page, EveryCountAndDim) {
  for (const Lattice lattice : kLattices) {
    const auto model = model_of(lattice);
    for (const std::size_t dim : {8, 64, 128}) {
      std::vector<std::uint8_t> classes;
      std::vector<double> deviations;
      for (std::size_t i = 0; i < dim; ++i) {
        classes.push_back(static_cast<std::uint8_t>(20 + i % 24));
        deviations.push_back(model->shape(classes.back()).deviation);
      }
      const PointCoder coder(model, classes);
      for (const std::size_t vectors : {1, 2, 31, 32, 33, 100, 1024}) {
        expect_round_trip(coder, normal_points(lattice, vectors, deviations, dim + vectors),
                          vectors, std::to_string(vectors) + " x " + std::to_string(dim));
      }
    }
  }
}

// Classes with raw bits, up to the largest deviation there may be.
TEST(Page, WideClasses) {
  for (const Lattice lattice : kLattices) {
    for (const double deviation : {30.0, 300.0, 5000.0, 16384.0}) {
      const auto model = std::make_shared<PointModel>(
          lattice, std::vector<CoordinateShape>{{deviation, 0, 0}, {deviation, 0.85, 0}});
      EXPECT_GT(model->models(0).free[0].raw_bits(), 0);
      for (const std::uint8_t index : {std::uint8_t{0}, std::uint8_t{1}}) {
        const PointCoder coder(model, std::vector<std::uint8_t>(16, index));
        expect_round_trip(coder, normal_points(lattice, 200, std::vector<double>(16, deviation), 7),
                          200, std::to_string(deviation));
      }
    }
  }
}

// All that is not the tables' cost, in a page of 1024 vectors of 128.
TEST(Page, OverheadOfALargePage) {
  for (const Lattice lattice : kLattices) {
    for (const double nominal_bits : {0.5, 2.0, 4.0}) {
      const std::uint64_t pages = test::kSanitized ? 1 : 3;
      const double deviation = nominal_deviation(lattice, nominal_bits);
      const auto model = std::make_shared<PointModel>(lattice, class_grid(deviation));
      const PointCoder coder(model, std::vector<std::uint8_t>(128, kNominalClass));
      double over = 0.0;
      for (std::uint64_t seed = 0; seed < pages; ++seed) {
        const auto twice =
            normal_points(lattice, 1024, std::vector<double>(128, deviation), 50 + seed);
        over += bits_of(encode_page(coder, twice, 1024)) - coder.model_bits(twice, 1024);
      }
      const double per_value = over / static_cast<double>(pages) / (1024 * 128);
      EXPECT_LE(per_value, 0.0022) << nominal_bits;
      EXPECT_GE(per_value, 0.0002) << nominal_bits;
    }
  }
}

// All lanes at once, where the processor can, and one by one: narrow, wide and escaped coordinates,
// last groups that are not full.
TEST(Page, IsReadTheSameByEveryExtension) {
  for (const Lattice lattice : kLattices) {
    const auto model = std::make_shared<PointModel>(
        lattice,
        std::vector<CoordinateShape>{{0.3, 0, 0}, {3.0, 0, 0}, {300.0, 0, 0}, {16384.0, 0.85, 0}});
    std::vector<std::uint8_t> classes;
    std::vector<double> deviations;
    for (std::size_t i = 0; i < 64; ++i) {
      classes.push_back(static_cast<std::uint8_t>(i * 5 % 7 % 4));
      const double model_deviation = model->shape(classes.back()).deviation;
      deviations.push_back(i % 16 == 3 ? 60 * model_deviation : model_deviation);
    }
    const PointCoder coder(model, classes);
    for (const std::size_t vectors : {32, 224, 1000}) {
      std::vector<double> capped = deviations;
      for (double& deviation : capped) deviation = std::min(deviation, 20000.0);
      const auto page = encode_page(coder, normal_points(lattice, vectors, capped, 3), vectors);
      limit_extensions(Extension::none);
      const auto apart = decode_page(coder, page, vectors);
      limit_extensions(kLastExtension);
      EXPECT_EQ(decode_page(coder, page, vectors), apart) << vectors;
      EXPECT_EQ(encode_page(coder, apart, vectors), page) << vectors;
    }
  }
}

TEST(Page, ZerosCostNearlyNothing) {
  for (const Lattice lattice : kLattices) {
    const auto model = model_of(lattice);
    const PointCoder coder(model, std::vector<std::uint8_t>(128, 0));
    const std::vector<std::int32_t> twice(lane_values(1024, 128));
    const auto page = encode_page(coder, twice, 1024);
    EXPECT_EQ(decode_page(coder, page, 1024), twice);
    EXPECT_LT(bits_of(page) / (1024 * 128), 0.007);
  }
}

// Escapes in every step of every lane, next to ordinary values.
TEST(Page, LargestCoordinates) {
  constexpr auto kLargest = static_cast<std::int32_t>(kLargestCoordinate);
  for (const Lattice lattice : kLattices) {
    const auto model = model_of(lattice);
    for (const std::uint8_t index : std::vector<std::uint8_t>{0, 32, 47}) {
      const PointCoder coder(model, std::vector<std::uint8_t>(16, index));
      std::vector<std::int32_t> twice(lane_values(100, 16));
      for (std::size_t i = 0; i < twice.size(); ++i) {
        if ((i / kLanes / 16) * kLanes + i % kLanes >= 100) continue;
        twice[i] = i % 3 == 0 ? 2 * kLargest : (i % 3 == 1 ? -2 * kLargest : 1000);
      }
      expect_round_trip(coder, twice, 100, "integers");
      if (lattice != Lattice::e8) continue;
      for (std::size_t i = 0; i < twice.size(); ++i) {
        if (twice[i] != 0) twice[i] = i / kLanes % 2 == 0 ? 2 * kLargest - 1 : 1 - 2 * kLargest;
      }
      expect_round_trip(coder, twice, 100, "half-integers");
    }
  }
}

// Lane 0 carries nearly all the information: the others are short of 2^16 when it writes its first
// word. And with lanes alike, of enough bits a step, nobody is.
TEST(Page, LanesThatLagAreLifted) {
  for (const Lattice lattice : kLattices) {
    const auto model = model_of(lattice);
    const PointCoder coder(model, std::vector<std::uint8_t>(64, 10));
    for (const std::size_t vectors : {2, 32, 70}) {
      std::vector<std::int32_t> twice(lane_values(vectors, 64));
      for (std::size_t i = 0; i < 64; ++i) twice[i * kLanes] = i % 2 == 0 ? 4 : -8;
      const auto page = encode_page(coder, twice, vectors);
      EXPECT_EQ(page[0], std::byte{1});
      expect_round_trip(coder, twice, vectors, "one lane ahead");
    }
    const auto even = std::make_shared<PointModel>(lattice, std::vector<CoordinateShape>{{60}});
    const PointCoder even_coder(even, std::vector<std::uint8_t>(64, 0));
    std::vector<std::int32_t> same(lane_values(64, 64));
    const auto one = normal_points(lattice, 1, std::vector<double>(64, 60.0), 9);
    for (std::size_t i = 0; i < same.size(); ++i) {
      same[i] = one[i / kLanes % 64 * kLanes];
    }
    EXPECT_EQ(encode_page(even_coder, same, 64)[0], std::byte{0});
    expect_round_trip(even_coder, same, 64, "lanes alike");
  }
}

TEST(Page, RefusesWhatIsNoPage) {
  const auto model = model_of(Lattice::e8);
  EXPECT_THROW(PointCoder(model, {}), InputError);
  EXPECT_THROW(PointCoder(model, std::vector<std::uint8_t>(9, 0)), InputError);
  EXPECT_THROW(PointCoder(model, std::vector<std::uint8_t>(8, 192)), InputError);
  const PointCoder coder(model, std::vector<std::uint8_t>(8, 32));
  std::vector<std::int32_t> twice(lane_values(3, 8));
  std::vector<std::byte> out(coder.page_bound(3));
  EXPECT_NO_THROW(coder.encode(twice, 3, out));
  EXPECT_THROW(coder.encode(twice, 0, out), InputError);
  EXPECT_THROW(coder.encode(twice, 33, out), InputError);
  EXPECT_THROW(coder.encode(std::span(twice).first(twice.size() - 1), 3, out), InputError);
  EXPECT_THROW(coder.encode(twice, 3, std::span(out).first(out.size() - 1)), InputError);
  const auto refused = [&](std::int32_t value, std::int32_t neighbour) {
    auto wrong = twice;
    wrong[2] = value;
    wrong[2 + kLanes] = neighbour;
    EXPECT_THROW(coder.encode(wrong, 3, out), InputError) << value << " " << neighbour;
    EXPECT_THROW(coder.model_bits(wrong, 3), InputError) << value << " " << neighbour;
  };
  refused(1, 0);               // a half-integer among integers
  refused(2, 0);               // an odd sum
  refused((1 << 22) + 2, 2);   // too large
  refused(-(1 << 22) - 2, 2);  // too small
  refused(INT32_MIN, 0);       // far too small
  twice[3] = 1;                // a lane without a vector
  EXPECT_NO_THROW(coder.encode(twice, 3, out));
}

TEST(PointModel, RefusesShapesThatAreNone) {
  const auto make = [](CoordinateShape shape) { PointModel(Lattice::z, {shape}); };
  EXPECT_NO_THROW(make({0.0, 0.0, 0.0}));
  EXPECT_THROW(make({-1.0, 0.0, 0.0}), InputError);
  EXPECT_THROW(make({16385.0, 0.0, 0.0}), InputError);
  EXPECT_THROW(make({std::nan(""), 0.0, 0.0}), InputError);
  EXPECT_THROW(make({1.0, 1.0, 0.0}), InputError);
  EXPECT_THROW(make({1.0, 0.0, -0.1}), InputError);
  EXPECT_THROW(make({1.0, 0.5, 0.5}), InputError);
  EXPECT_THROW(PointModel(Lattice::z, {}), InputError);
  EXPECT_THROW(PointModel(Lattice::z, std::vector<CoordinateShape>(257)), InputError);
}

TEST(PointModel, BuildsEachClassOnceForAllThreads) {
  const PointModel model(Lattice::e8, class_grid(2.0));
  std::array<std::vector<const ClassTables*>, 4> seen;
  std::vector<std::thread> threads;
  for (auto& list : seen) {
    threads.emplace_back([&] {
      for (std::size_t index = 0; index < 48; ++index) list.push_back(&model.tables(index));
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& list : seen) EXPECT_EQ(list, seen[0]);
  for (const ClassTables* tables : seen[0]) {
    EXPECT_EQ(tables->free.size(), 2u);
    EXPECT_EQ(tables->last.size(), 4u);
  }
}

TEST(ClassGrid, FourShapesOf48Deviations) {
  const auto classes = class_grid(3.0);
  ASSERT_EQ(classes.size(), 192u);
  EXPECT_EQ(classes[kNominalClass].deviation, 3.0);
  EXPECT_EQ(classes[kNominalClass].spread, 0.0);
  EXPECT_EQ(classes[kNominalClass].separation, 0.0);
  for (std::size_t index = 0; index < classes.size(); ++index) {
    const double power = (static_cast<double>(index % 48) - 32) / 4;
    EXPECT_NEAR(classes[index].deviation, 3.0 * std::exp2(power), 1e-12);
    EXPECT_EQ(classes[index].spread, index / 48 == 1 ? 0.5 : (index / 48 == 2 ? 0.85 : 0.0));
    EXPECT_EQ(classes[index].separation, index / 48 == 3 ? 0.7 : 0.0);
  }
}

// What a page takes is never above the sum of what its vectors take at most, that never above the
// line over it, and not far from what the tables charge: of data that suit their class, are far too
// small for it, or escape.
TEST(Page, BoundsOfWhatVectorsCost) {
  constexpr std::size_t kDim = 16;
  for (const Lattice lattice : kLattices) {
    const auto model = std::make_shared<PointModel>(lattice, class_grid(64.0));
    for (std::size_t index = 0; index < model->class_count(); index += 5) {
      const PointCoder coder(model,
                             std::vector<std::uint8_t>(kDim, static_cast<std::uint8_t>(index)));
      float base = 0;
      for (std::size_t i = 0; i < kDim; ++i) base += coder.cost_line(i).base;
      for (const double scale : {1e-3, 1.0, 3.0, 10.0, 300.0}) {
        for (const std::size_t vectors : {1, 40}) {
          const double deviation = std::min(model->shape(index).deviation * scale, 1e5);
          const auto twice =
              normal_points(lattice, vectors, std::vector<double>(kDim, deviation), index);
          double most = 0;
          for (std::size_t vector = 0; vector < vectors; ++vector) {
            const double cost = static_cast<double>(coder.most_cost(twice, vector)) / kCostsABit;
            most += cost;
            double line = base;
            for (std::size_t i = 0; i < kDim; ++i) {
              const double points = std::abs(twice[lane_value(vector, i, kDim)]) / 2.0;
              line += double{coder.cost_line(i).slope} * points;
            }
            ASSERT_LE(cost, line * (1 + 1e-5)) << index << " " << scale;
          }
          const std::string what = std::to_string(index) + " " + std::to_string(scale);
          ASSERT_LE(bits_of(encode_page(coder, twice, vectors)),
                    most + 8.0 * static_cast<double>(most_page_overhead(vectors)))
              << what;
          const double charged = coder.model_bits(twice, vectors);
          ASSERT_GE(most, charged) << what;
          ASSERT_LE(most, charged + 0.6 * static_cast<double>(vectors * kDim)) << what;
        }
      }
    }
  }
}

// Several paths a vector: each begins in state 0.
TEST(Page, PathsOfThePartsOfAVector) {
  constexpr std::size_t kDim = 48, kPath = 16, kVectors = 70;
  const auto model = model_of(Lattice::trellis);
  const std::vector<std::uint8_t> classes(kDim, kNominalClass);
  std::vector<std::int32_t> twice(lane_values(kVectors, kDim));
  for (std::size_t part = 0; part < kDim; part += kPath) {
    const auto points =
        normal_points(Lattice::trellis, kVectors, std::vector<double>(kPath, kNominal), part);
    for (std::size_t vector = 0; vector < kVectors; ++vector) {
      for (std::size_t i = 0; i < kPath; ++i) {
        twice[lane_value(vector, part + i, kDim)] = points[lane_value(vector, i, kPath)];
      }
    }
  }
  const PointCoder parts(model, classes, kPath), whole(model, classes);
  expect_round_trip(parts, twice, kVectors, "parts");
  std::vector<std::byte> out(whole.page_bound(kVectors));
  EXPECT_THROW(whole.encode(twice, kVectors, out), InputError);
  EXPECT_THROW(PointCoder(model, classes, 20), InputError);
}

}  // namespace
}  // namespace kakeya
