// SPDX-License-Identifier: Apache-2.0
// The bytes of format version 1, kept. This program is the only thing that writes them:
//   KAKEYA_WRITE_GOLDEN=1 build/release/bin/codec_test --gtest_filter='Golden.*'
// A changed golden file needs a line in CHANGELOG.md and, from release 0.1.0 on, a new format
// version.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr std::size_t kDim = 64, kVectors = 6;

// Vectors by arithmetic that is exact everywhere: no library function whose last bit
// differs between systems. Heavy-tailed; row 3 is zero, row 4 beyond binary16, row 5 below it. Of
// klt rows 0 to 3 are such as its profile expects, the others are kept beside the code.
std::vector<float> golden_input(std::string_view spec, std::size_t count) {
  const Random random(61);
  std::vector<float> x(kDim * count);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto draw = static_cast<std::int32_t>(random.bits(i) >> 32) >> 8;
    const float u = static_cast<float>(draw) * 0x1p-23f;
    const std::size_t row = i / kDim;
    x[i] =
        row == 3 ? 0.0f : (row == 4 ? u * 0x1p20f : (row == 5 ? u * 0x1p-30f : u * u * u * 8.0f));
  }
  if (spec.starts_with("klt")) {
    const auto coded = coded_by_klt(spec, kDim, 4, 61);
    std::copy(coded.begin(), coded.end(), x.begin());
  }
  return x;
}

std::vector<std::byte> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::byte> bytes(fs::exists(path) ? fs::file_size(path) : 0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

void write(const fs::path& path, std::span<const std::byte> bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(file.good()) << path;
}

TEST(Golden, BytesOfThisFormatVersion) {
  const bool writing = std::getenv("KAKEYA_WRITE_GOLDEN") != nullptr;
  for (const std::string& spec : specs_of_build()) {
    std::string name = spec;
    for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    const fs::path base = fs::path(KAKEYA_SOURCE_DIR) / "tests" / "golden" /
                          ("frame_v" + std::to_string(kFrameVersion)) / name;
    const std::size_t count = with_a_group(spec, kVectors);
    const auto x = golden_input(spec, count);
    const auto codec = make(spec, kDim);
    const auto frame = encode(*codec, dense_rows<const float>(x.data(), count, kDim));
    if (spec.starts_with("klt")) {
      EXPECT_EQ(codec->account().beyond_profile(codec->account().contents(parse_frame(frame))),
                is_calibrated(spec) ? 2u : 1u)
          << spec;
    }
    if (writing) {
      const auto y = decode(*codec, frame, count);
      write(base.string() + ".kky", frame);
      write(base.string() + ".f32", std::as_bytes(std::span(y)));
    }
    const auto golden = bytes_of(base.string() + ".kky"), values = bytes_of(base.string() + ".f32");
    EXPECT_EQ(frame, golden) << spec << ": encodes to other bytes than format version "
                             << kFrameVersion << " did";
    ASSERT_FALSE(golden.empty()) << base;
    const auto y = decode(*codec_of_frame(golden, profiles(spec, kDim)), golden, count);
    const auto decoded = std::as_bytes(std::span(y));
    EXPECT_TRUE(std::equal(decoded.begin(), decoded.end(), values.begin(), values.end()))
        << spec << ": decodes to other values than it did";
  }
}

// Every instruction set that this machine has writes the same bytes and reads the same values.
TEST(Golden, TheSameFromEveryInstructionSet) {
  const std::size_t dim = 128, count = 77;
  auto x = normals(dim * count, 62);
  for (std::size_t i = 0; i < dim; ++i) x[40 * dim + i] *= 1e6f;
  const std::string best = simd_target();
  for (const std::string& spec : specs_of_build()) {
    auto mixed = spec.starts_with("klt") ? coded_by_klt(spec, dim, count, 62) : x;
    std::copy_n(x.begin() + 40 * dim, 2 * dim, mixed.begin() + 40 * dim);
    const auto rows = dense_rows<const float>(mixed.data(), count, dim);
    const auto codec = make(spec, dim);
    const auto frame = encode(*codec, rows);
    const auto values = decode(*codec, frame, count);
    for (const std::string& target : simd_targets()) {
      use_simd_target(target);
      EXPECT_EQ(encode(*codec, rows), frame) << spec << " with " << target;
      EXPECT_EQ(decode(*codec, frame, count), values) << spec << " with " << target;
      use_simd_target(best);
    }
  }
}

}  // namespace
}  // namespace kakeya
