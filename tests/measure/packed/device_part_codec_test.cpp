// SPDX-License-Identifier: Apache-2.0
// A cache that a GPU packs is the file that the host packs, and what it unpacks are the host's
// values, to the last bit. Without a GPU these tests are skipped; measure_packed_emulated_test runs
// them over the kernels' text on the host.
#include "kakeya/measure/packed/device_part_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "device/device_case.h"
#include "kakeya/bitstream/crc32c.h"
#include "kakeya/cache/cache_reader.h"
#include "kakeya/cache/pack_cache.h"
#include "kakeya/core/error.h"
#include "support/made_cache.h"

namespace kakeya {
namespace {

using namespace testing;

constexpr int kLayers = 4, kHeads = 2, kDim = 64;
constexpr std::size_t kTokens = 77;

const test::OneProfile& source() {
  static const test::OneProfile made(test::made_profile(kDim, kLayers, kHeads));
  return made;
}

// One layer at either end left out, 3 sinks, a residual window of 4.
CacheFacts facts() {
  CacheFacts facts;
  facts.origin.model.name = "made";
  facts.extent = {source().profile().shape, kTokens, {kLayers, 1, 3, 4}};
  return facts;
}

std::vector<std::int32_t> ids() { return std::vector<std::int32_t>(kTokens, 7); }

const KvCache& cache() {
  static const KvCache made = made_cache(source().profile(), kTokens, 1);
  return made;
}

std::vector<std::byte> packed(const CodecPair& specs, const KvCache& from, PartCodec* coder) {
  WorkerPool pool(2);
  const CacheCodecs codecs = make_cache_codecs(specs, input_of(source(), 1));
  return pack_cache(facts(), ids(), from, codecs, pool, coder);
}

void expect_equal(const KvCache& a, const KvCache& b, const std::string& what) {
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const KvSite site : {KvSite{layer, Part::key}, KvSite{layer, Part::value}}) {
      const auto one = a.patterns(site), other = b.patterns(site);
      EXPECT_TRUE(std::equal(one.begin(), one.end(), other.begin(), other.end()))
          << what << ", " << site_name(site);
    }
  }
}

const std::vector<CodecPair> kSpecs = {
    {"identity", "identity"},
    {"e8:q=10", "tq:b=4"},
    {"d4:q=38", "fp8:scale=fp16"},
    {"q4_0:rotate=64", "q4_0:rotate=32"},
    {"q5_0", "q8_0:rotate=64"},
    {"kivi:b=2,group=8", "kivi:b=4"},
    {"klt:bits=3", "klt:bits=2.5,lattice=tcq"},
};

class DevicePacking : public test::DeviceCase<> {};

TEST_F(DevicePacking, WritesTheFileOfTheHostAndReadsItsValues) {
  KvCache largest = cache();
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const KvSite site : {KvSite{layer, Part::key}, KvSite{layer, Part::value}}) {
      const auto values = largest.writable_patterns(site);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % 7 == 3 ? 0x3f80 : i % 3 == 0 ? 0xff7f : 0x7f7f;
      }
    }
  }
  WorkerPool pool(2);
  for (const CodecPair& specs : kSpecs) {
    DevicePartCodec coder(specs, input_of(source(), 1));
    for (const KvCache* from : {&cache(), static_cast<const KvCache*>(&largest)}) {
      const std::string what =
          specs.keys + ", " + specs.values + (from == &largest ? " of the largest" : "");
      const auto file = packed(specs, *from, nullptr);
      EXPECT_TRUE(packed(specs, *from, &coder) == file) << what;
      const CacheReader reader(file);
      expect_equal(reader.restore_all(coder, pool),
                   reader.restore_all(reader.codecs(&source()), pool), what);
    }
  }
}

// The frames of a part in another order, and a part whose heads are cut at different tokens.
TEST_F(DevicePacking, ReadsFramesInAnyOrderAndRefusesOnesOfDifferentTokens) {
  const CodecPair specs{"e8:q=10", "q4_0:rotate=64"};
  WorkerPool pool(1);
  DevicePartCodec coder(specs, input_of(source(), 1));
  const auto file = packed(specs, cache(), nullptr);
  const CacheReader reader(file);
  CacheHead head = read_cache_head(file);
  const auto with_blocks = [&](const std::vector<std::vector<std::byte>>& bytes) {
    std::vector<std::byte> made = write_cache_head(head);
    for (const auto& block : bytes) made.insert(made.end(), block.begin(), block.end());
    return made;
  };
  std::vector<std::vector<std::byte>> bytes;
  std::reverse(head.blocks.begin(), head.blocks.end());
  for (const CacheBlock& block : head.blocks) {
    const auto stored = reader.bytes_of(block);
    bytes.emplace_back(stored.begin(), stored.end());
  }
  const auto turned = with_blocks(bytes);
  expect_equal(CacheReader(turned).restore_all(coder, pool),
               reader.restore_all(reader.codecs(nullptr), pool), "reversed");

  // The last frame of the file, here the first, becomes two.
  const auto codec = make_codec(specs.values, {kDim});
  std::vector<CacheBlock> halves(2, head.blocks[0]);
  ASSERT_TRUE(halves[0].place.site);
  const TokenRange all = halves[0].place.tokens;
  halves[0].place.tokens = {all.first, 10};
  halves[1].place.tokens = {all.first + 10, all.count - 10};
  std::vector<std::vector<std::byte>> frames;
  for (CacheBlock& half : halves) {
    std::vector<float> values(half.place.tokens.count * kDim);
    const Rows<float> rows = dense_rows(values.data(), half.place.tokens.count, kDim);
    load_vectors(cache(), half.place, rows);
    frames.emplace_back(codec->encoded_bound(rows.count));
    frames.back().resize(codec->encode(rows, frames.back()));
    half.bytes = frames.back().size();
  }
  head.blocks.erase(head.blocks.begin());
  head.blocks.insert(head.blocks.begin(), halves.begin(), halves.end());
  bytes.erase(bytes.begin());
  bytes.insert(bytes.begin(), frames.begin(), frames.end());
  const auto cut = with_blocks(bytes);
  const CacheReader cut_reader(cut);
  EXPECT_NO_THROW(cut_reader.restore_all(cut_reader.codecs(nullptr), pool));
  EXPECT_THROW(cut_reader.restore_all(coder, pool), CorruptStream);
}

TEST_F(DevicePacking, NamesThePlaceOfWhatIsWrong) {
  const CodecPair specs{"e8:q=10", "q8_0"};
  WorkerPool pool(1);
  DevicePartCodec coder(specs, input_of(source(), 1));
  KvCache holed = cache();
  holed.writable_patterns({2, Part::value})[(9 * kHeads + 1) * kDim + 3] = 0x7f80;
  try {
    packed(specs, holed, &coder);
    ADD_FAILURE() << "expected an error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("layer 2 values, head 1: "), std::string::npos)
        << error.what();
  }
  auto file = packed(specs, cache(), nullptr);
  const CacheReader reader(file);
  const CacheBlock last = reader.blocks().back();  // layer 2, values of head 1
  const auto expect_refusal = [&](const char* what) {
    try {
      CacheReader(file).restore_all(coder, pool);
      ADD_FAILURE() << "expected an error: " << what;
    } catch (const CorruptStream& error) {
      EXPECT_NE(std::string(error.what()).find("layer 2 values, head 1: "), std::string::npos)
          << error.what();
    }
  };
  file[last.offset + last.bytes / 2] ^= std::byte{1};
  expect_refusal("a byte of a frame");
  file[last.offset + last.bytes / 2] ^= std::byte{1};
  // An infinite scale under a checksum that fits: "codes" are behind "scales".
  const std::size_t vectors = last.place.tokens.count;
  const std::size_t scales =
      last.offset + last.bytes - 4 - vectors * kDim - vectors * kDim / 32 * 2;
  file[scales] = std::byte{0x00};
  file[scales + 1] = std::byte{0x7c};
  const std::uint32_t sum = crc32c(std::span(file).subspan(last.offset, last.bytes - 4));
  std::memcpy(file.data() + last.offset + last.bytes - 4, &sum, 4);
  expect_refusal("a scale");
}

TEST_F(DevicePacking, RefusesCodecsWithoutAKernel) {
  for (const std::string spec : {"nvfp4", "q4_1", "klt:bits=2,scope=layer"}) {
    try {
      DevicePartCodec coder({spec, spec}, input_of(source(), 1));
      ADD_FAILURE() << spec << ": expected an error";
    } catch (const SpecError& error) {
      EXPECT_NE(std::string(error.what()).find("--codec-device cpu"), std::string::npos)
          << error.what();
    }
  }
}

// Also where there is no GPU.
TEST(DevicePackingWithout, NeedsAGpu) {
  if (device_count() != 0) GTEST_SKIP() << "there is one";
  EXPECT_THROW(DevicePartCodec({"fp8", "fp8"}, input_of(source(), 1)), InputError);
}

}  // namespace
}  // namespace kakeya
