// SPDX-License-Identifier: Apache-2.0
#include "fuzz/sequence_target.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include "fuzz/accepting.h"
#include "kakeya/bitstream/crc32c.h"
#include "kakeya/cache/sequence_file.h"
#include "kakeya/core/random.h"
#include "support/saved_sequence.h"

namespace kakeya::fuzz {
namespace {

constexpr std::size_t kDim = 8, kHeads = 1, kWidth = kDim * kHeads;
constexpr int kLayers = 1;

// Kept inputs choose by place: what is new goes to the end.
struct Live {
  CodecPair specs;
  std::size_t page;  ///< tokens, of the longer ones
  std::vector<std::size_t> windows;
  std::size_t tokens;  ///< of the seed
};
const Live kLives[] = {
    {{"ece8:bits=3,page=32", "e8:q=10"}, 128, {}, 90},
    {{"kivi:b=4,group=8", "kivi:b=4,group=8"}, 8, {}, 25},
    {{"ecz:bits=3,page=32,per=head-page", "ece8:bits=2,page=32"}, 32, {20}, 90},
    {{"identity", "fp8"}, 128, {}, 3},
    {{"tq:b=2,pack=rans,page=32", "ecd4:bits=2,center=mean,page=32"}, 32, {}, 50}};

PackedCache cache_of(const Live& live) {
  const KvShape shape{kLayers, static_cast<int>(kHeads), 0, static_cast<int>(kDim)};
  return {
      shape, {kLayers, 0, 2, 8}, make_cache_codecs(live.specs, {shape, 0, nullptr}), live.windows};
}

// What sequence_file.h says.
std::size_t limit(std::size_t file_bytes, const Live& live) {
  return 128 * file_bytes + 2 * kLayers * kHeads * (64 * live.page * kDim + 4096) + 65536;
}

std::vector<float> drawn(std::size_t tokens, std::uint64_t seed) {
  std::vector<float> values(tokens * kWidth);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(Random(seed).normal(i));
  }
  return values;
}

void append(PackedCache& cache, int sequence, std::size_t tokens, std::uint64_t seed) {
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::vector<float> values = drawn(tokens, seed + static_cast<std::uint64_t>(layer));
    const auto rows = dense_rows<const float>(values.data(), tokens, kWidth);
    cache.append(sequence, layer, rows, rows);
  }
}

template <typename T>
void put(std::vector<std::byte>& file, std::size_t at, T value) {
  std::memcpy(file.data() + at, &value, sizeof value);
}

// As much as there is: what does not fit stays as it is, and is refused.
void mend(std::vector<std::byte>& file) {
  constexpr std::size_t kPrefix = 24, kQueryHeads = 52, kEntry = testing::kLaneEntryBytes;
  if (file.size() < kPrefix + kQueryHeads) return;
  std::memcpy(file.data(), "KKVS", 4);
  put(file, 4, kSequenceFileVersion);
  put(file, 16, static_cast<std::uint64_t>(file.size()));
  put(file, kQueryHeads, std::uint32_t{0});  // saved as the cache has them, which holds none
  const std::size_t begin = testing::lanes_begin(file);
  const std::size_t lanes = testing::field_of<std::uint32_t>(file, 12);
  if (begin > file.size() || begin < kPrefix + 4 || lanes > (begin - kPrefix - 4) / kEntry) return;
  const std::size_t table = testing::lane_table_begin(file);
  std::size_t left = file.size() - begin;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t at = table + kEntry * lane + 16;
    const auto bytes = testing::field_of<std::uint64_t>(file, at);
    if (lane + 1 == lanes) put(file, at, static_cast<std::uint64_t>(left));
    if (bytes > left) break;
    left -= static_cast<std::size_t>(bytes);
  }
  testing::seal_sequence(file);
}

void require_finite(const PackedCache& cache, int sequence) {
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::size_t first = cache.first_token(sequence, layer),
                      count = cache.tokens(sequence, layer) - first;
    std::vector<float> values(count * kWidth);
    for (const Part part : {Part::key, Part::value}) {
      cache.read(sequence, {layer, part}, {first, count}, dense_rows(values.data(), count, kWidth));
      require(std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); }),
              "a restored value is not finite");
    }
  }
}

// A sequence that was restored lives on.
void use(PackedCache& cache, int sequence) {
  const int branch = cache.branch(sequence);
  append(cache, branch, 40, 9);  // seals pages
  require_finite(cache, branch);
  cache.drop(sequence);
  const std::size_t tokens = cache.tokens(branch, 0);
  try {
    cache.truncate(branch, tokens - 20);
  } catch (const InputError&) {  // a window needs what was dropped
  }
  require_finite(cache, branch);
  cache.drop(branch);
  require(cache.live_bytes().pages == 0, "dropped sequences leave pages");
}

}  // namespace

bool run_sequence(Input input) {
  if (input.empty()) return false;
  const Live& live = kLives[input[0] % std::size(kLives)];
  const auto bytes = std::as_bytes(input.subspan(1));
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  mend(file);
  PackedCache cache = cache_of(live);
  int sequence = -1;
  const bool restored = accepts(
      [&] {
        try {
          sequence = restore_sequence(cache, file, {});
        } catch (const InputError& other) {  // of another cache
          throw CorruptStream(other.what());
        }
      },
      limit(file.size(), live));
  if (!restored) {
    require(cache.sequences().empty(), "what was refused left a sequence");
    return false;
  }
  const SequenceHead head = read_sequence_head(file);
  require(save_sequence(cache, sequence, head.facts, head.token_ids, head.next) == file,
          "a sequence that was restored is saved as other bytes");
  require_finite(cache, sequence);
  for (const int other : cache.sequences()) {  // accepts() may have read twice
    if (other != sequence) cache.drop(other);
  }
  use(cache, sequence);
  return true;
}

Inputs sequence_seeds() {
  Inputs seeds;
  for (std::size_t i = 0; i < std::size(kLives); ++i) {
    const Live& live = kLives[i];
    PackedCache cache = cache_of(live);
    const int sequence = cache.add_sequence();
    for (const bool cut : {false, true}) {
      append(cache, sequence, live.tokens, 3);
      if (cut && live.windows.empty()) cache.truncate(sequence, live.tokens + live.tokens / 2);
      const std::size_t tokens = cache.tokens(sequence, 0);
      const auto file = save_sequence(cache, sequence, {}, std::vector<std::int32_t>(tokens, 5));
      auto& seed = seeds.emplace_back(1, static_cast<std::uint8_t>(i));
      const auto* first = reinterpret_cast<const std::uint8_t*>(file.data());
      seed.insert(seed.end(), first, first + file.size());
    }
  }
  return seeds;
}

}  // namespace kakeya::fuzz
