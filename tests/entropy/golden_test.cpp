// SPDX-License-Identifier: Apache-2.0
// The bytes of pages, kept, and checksums of all frequencies of the classes of a frame: the same on
// every machine. This program is the only thing that writes them:
//   KAKEYA_WRITE_GOLDEN=1 build/release/bin/entropy_test --gtest_filter='GoldenPage.*'
// A changed golden file needs a new format version and a line in CHANGELOG.md.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "entropy/points_for_test.h"
#include "kakeya/bitstream/crc32c.h"
#include "kakeya/entropy/field_coder.h"
#include "kakeya/entropy/prefix_coder.h"
#include "kakeya/entropy/tile_coder.h"

namespace kakeya {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr std::size_t kVectors = 40, kDim = 16;
constexpr const char* kNames[] = {"z", "d4", "e8", "trellis"};

fs::path golden(const std::string& name) {
  return fs::path(KAKEYA_SOURCE_DIR) / "tests" / "golden" / "page_v1" / name;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_golden(const fs::path& path, const std::string& bytes) {
  if (std::getenv("KAKEYA_WRITE_GOLDEN") != nullptr) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  EXPECT_TRUE(fs::exists(path)) << path;
  EXPECT_EQ(bytes, read(path)) << path;
}

std::shared_ptr<const PointModel> golden_model(Lattice lattice) {
  return std::make_shared<PointModel>(lattice, class_grid(2.75));
}

// Sums of three uniform numbers, exact everywhere; some large enough to be escaped.
std::vector<std::int32_t> golden_points(Lattice lattice) {
  const Random random(71);
  const auto length = static_cast<std::size_t>(block_length(lattice));
  std::vector<std::int32_t> twice(lane_values(kVectors, kDim));
  std::uint64_t index = 0;
  const auto number = [&] {
    std::int64_t sum = 0;
    for (int term = 0; term < 3; ++term) sum += static_cast<std::int32_t>(random.bits(index++));
    return static_cast<float>(sum >> 20) * 0x1p-10f * (index % 97 == 0 ? 1000.0f : 1.0f);
  };
  for (std::size_t vector = 0; vector < kVectors; ++vector) {
    if (lattice == Lattice::trellis) {
      std::vector<float> y(kDim);
      for (float& coordinate : y) coordinate = number();
      const auto path = nearest_path_twice(y);
      for (std::size_t i = 0; i < kDim; ++i) twice[lane_value(vector, i, kDim)] = path[i];
      continue;
    }
    for (std::size_t block = 0; block < kDim; block += length) {
      float y[8];
      std::int32_t point[8];
      for (std::size_t i = 0; i < length; ++i) y[i] = number();
      nearest_twice(lattice, y, point);
      for (std::size_t i = 0; i < length; ++i)
        twice[lane_value(vector, block + i, kDim)] = point[i];
    }
  }
  return twice;
}

TEST(GoldenPage, Bytes) {
  for (const Lattice lattice : kLattices) {
    std::vector<std::uint8_t> classes;
    for (std::size_t i = 0; i < kDim; ++i)
      classes.push_back(static_cast<std::uint8_t>(26 + 11 * i));
    const PointCoder coder(golden_model(lattice), classes);
    const auto twice = golden_points(lattice);
    const auto page = encode_page(coder, twice, kVectors);
    std::string bytes(page.size(), '\0');
    std::memcpy(bytes.data(), page.data(), page.size());
    const auto path = golden(std::string(kNames[static_cast<int>(lattice)]) + ".page");
    expect_golden(path, bytes);
    const std::string kept = read(path);
    EXPECT_EQ(decode_page(coder, std::as_bytes(std::span(kept)), kVectors), twice) << path;
  }
}

TEST(GoldenPage, BytesOfFields) {
  for (const Lattice lattice : {Lattice::z, Lattice::e8, Lattice::trellis}) {
    for (const FieldOrder order : {FieldOrder::keys, FieldOrder::values}) {
      const FieldCoder coder(lattice, order, std::vector<double>(kDim, 2.75));
      const auto twice = golden_points(lattice);
      const auto page = coder.encode(twice, kVectors);
      std::string bytes(page.size(), '\0');
      std::memcpy(bytes.data(), page.data(), page.size());
      const auto path = golden(std::string("fields_") + kNames[static_cast<int>(lattice)] +
                               (order == FieldOrder::keys ? "_keys" : "_values") + ".page");
      expect_golden(path, bytes);
      const std::string kept = read(path);
      std::vector<std::int32_t> again(twice.size());
      coder.decode(std::as_bytes(std::span(kept)), kVectors, again);
      EXPECT_EQ(again, twice) << path;
    }
  }
}

TEST(GoldenPage, BytesOfTiles) {
  for (const FieldOrder order : {FieldOrder::keys, FieldOrder::values}) {
    const TileCoder coder(order, std::vector<double>(kDim, 2.75));
    const auto twice = golden_points(Lattice::z);
    const auto page = coder.encode(twice, kVectors);
    std::string bytes(page.size(), '\0');
    std::memcpy(bytes.data(), page.data(), page.size());
    const auto path =
        golden(std::string("tiles") + (order == FieldOrder::keys ? "_keys" : "_values") + ".page");
    expect_golden(path, bytes);
    const std::string kept = read(path);
    std::vector<std::int32_t> again(twice.size());
    coder.decode(std::as_bytes(std::span(kept)), kVectors, again);
    EXPECT_EQ(again, twice) << path;
  }
}

TEST(GoldenPage, BytesOfPrefixCodes) {
  std::vector<CoordinateShape> shapes(8, {2.75, 0.5, 0});
  shapes.resize(kDim, {0.4, 0, 0.7});
  const PrefixCoder coder(shapes);
  const auto twice = golden_points(Lattice::z);
  const auto page = coder.encode(twice, kVectors);
  std::string bytes(page.size(), '\0');
  std::memcpy(bytes.data(), page.data(), page.size());
  expect_golden(golden("prefix.page"), bytes);
  const std::string kept = read(golden("prefix.page"));
  std::vector<std::int32_t> again(twice.size());
  coder.decode(std::as_bytes(std::span(kept)), kVectors, again);
  EXPECT_EQ(again, twice);
}

TEST(GoldenPage, FrequenciesOfEveryClass) {
  std::ostringstream text;
  for (const Lattice lattice : kLattices) {
    const auto model = golden_model(lattice);
    for (std::size_t index = 0; index < model->class_count(); ++index) {
      std::vector<std::uint32_t> numbers;
      const auto add = [&](const ValueModel& values) {
        numbers.push_back(static_cast<std::uint32_t>(values.raw_bits()));
        for (std::int32_t high = -300; high < 300; ++high) numbers.push_back(values.symbol(high));
        for (std::uint32_t symbol = 0; symbol <= values.escape(); ++symbol) {
          numbers.push_back(values.frequencies().start(symbol));
          numbers.push_back(values.frequencies().frequency(symbol));
        }
      };
      const ClassModels& models = model->models(index);
      for (const auto& values : models.free) add(values);
      for (const auto& values : models.last) add(values);
      if (lattice == Lattice::e8) {
        const std::vector<const ClassModels*> block(8, &models);
        numbers.push_back(make_coset_table(block).integers);
      }
      text << kNames[static_cast<int>(lattice)] << " " << index << " " << std::hex
           << crc32c(std::as_bytes(std::span(numbers))) << std::dec << "\n";
    }
  }
  expect_golden(golden("frequencies.txt"), text.str());
}

}  // namespace
}  // namespace kakeya
