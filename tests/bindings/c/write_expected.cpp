// SPDX-License-Identifier: Apache-2.0
// What the C++ library makes of the cases (cases.h), to be compared with what the C interface makes.
//   write_expected FOLDER
#include <cstdio>
#include <filesystem>
#include <string>

#include "bindings/c/cases.h"
#include "kakeya/kakeya.h"
#include "support/made_profile.h"

using namespace kakeya;

namespace {

constexpr KvSite kSite{2, Part::value, 1};
constexpr std::size_t kDim = KAKEYA_CASE_DIM, kTokens = KAKEYA_CASE_TOKENS;

std::filesystem::path folder;

template <typename T>
void write(const std::string& name, const std::vector<T>& values) {
  write_file((folder / name).string(), values.data(), values.size() * sizeof(T));
}

void write_frames(const Profile& profile, const ProfileSource& source) {
  const auto rows = test::vectors_near(profile, kSite, 300, 1);
  const auto tokens = test::vectors_near(profile, std::nullopt, 40, 2);
  write("rows.f32", rows);
  write("token.f32", tokens);
  for (const kakeya_case& each : kakeya_cases) {
    const std::size_t dim =
        each.scope == 2 ? profile.layer_width() * KAKEYA_CASE_LAYERS : std::size_t{kDim};
    CodecInput input{.dim = dim, .profiles = &source};
    if (each.scope == 1) input.site = kSite;
    if (each.scope == 2) input.layers = {0, KAKEYA_CASE_LAYERS};
    const auto codec = make_codec(each.spec, input);
    const auto& from = each.scope == 2 ? tokens : rows;
    std::vector<std::byte> frame(codec->encoded_bound(each.count));
    frame.resize(codec->encode(dense_rows(from.data(), each.count, dim), frame));
    std::vector<float> decoded(each.count * dim);
    codec->decode(frame, dense_rows(decoded.data(), each.count, dim));
    write(std::string(each.name) + ".kky", frame);
    write(std::string(each.name) + ".f32", decoded);
  }
}

// Keys or values of a layer that follow the profile: [tokens, heads, dim].
std::vector<float> part_rows(const Profile& profile, KvSite site) {
  std::vector<float> values(kTokens * profile.shape.part_width());
  for (int head = 0; head < KAKEYA_CASE_HEADS; ++head) {
    const auto seed = 100 * site.index() + static_cast<std::uint64_t>(head);
    const auto own =
        test::vectors_near(profile, KvSite{site.layer, site.part, head}, kTokens, seed);
    for (std::size_t token = 0; token < kTokens; ++token) {
      const auto from = own.begin() + static_cast<std::ptrdiff_t>(token * kDim);
      std::copy(
          from, from + kDim,
          values.begin() + static_cast<std::ptrdiff_t>((token * KAKEYA_CASE_HEADS + head) * kDim));
    }
  }
  return values;
}

void write_caches(const Profile& profile, const ProfileSource& source) {
  const CachePolicy policy{KAKEYA_CASE_LAYERS, 1, KAKEYA_CASE_SINKS, KAKEYA_CASE_WINDOW};
  const CacheCodecs codecs = make_cache_codecs({KAKEYA_CASE_KEYS, KAKEYA_CASE_VALUES},
                                               {profile.shape, policy.skipped_layers, &source});
  PackedCache live(profile.shape, policy, codecs);
  KvCache whole(profile.shape, kTokens);
  const int sequence = live.add_sequence();
  std::vector<float> all, read;
  for (int layer = 0; layer < KAKEYA_CASE_LAYERS; ++layer) {
    const auto keys = part_rows(profile, {layer, Part::key});
    const auto values = part_rows(profile, {layer, Part::value});
    all.insert(all.end(), keys.begin(), keys.end());
    all.insert(all.end(), values.begin(), values.end());
    whole.store({layer, Part::key}, keys);
    whole.store({layer, Part::value}, values);
    const std::size_t width = profile.shape.part_width();
    live.append(sequence, layer, dense_rows(keys.data(), kTokens, width),
                dense_rows(values.data(), kTokens, width));
    for (const Part part : {Part::key, Part::value}) {
      std::vector<float> rows(kTokens * width);
      live.read(sequence, {layer, part}, {0, kTokens}, dense_rows(rows.data(), kTokens, width));
      read.insert(read.end(), rows.begin(), rows.end());
    }
  }
  write("cache.f32", all);
  write("read.f32", read);
  const LiveBytes bytes = live.live_bytes();
  write("live_bytes.u64",
        std::vector<std::uint64_t>{bytes.pages, bytes.sinks, bytes.open, bytes.skipped,
                                   bytes.tables, bytes.total(), bytes.bf16});
  CacheFacts facts;
  facts.origin = {{"made", std::string(64, 'a')}, {"text", ""}, {"letters", ""}, "llama"};
  facts.passage = "from 0";
  facts.rope_layout = "rotate-half";
  facts.rope_base = 10000;
  facts.seed = 7;
  facts.tap = TapPoint::pre_rope;
  std::vector<std::int32_t> ids(kTokens);
  for (std::size_t i = 0; i < kTokens; ++i) ids[i] = static_cast<std::int32_t>(i * i % 977);
  write("sequence.kkv", save_sequence(live, sequence, facts, ids, 5));
  facts.extent = {profile.shape, kTokens, policy};
  WorkerPool pool(1);
  write("packed.kkv", pack_cache(facts, ids, whole, codecs, pool));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "usage: write_expected FOLDER\n"), 2;
  folder = argv[1];
  std::filesystem::create_directories(folder);
  const Profile profile = test::made_profile(kDim, KAKEYA_CASE_LAYERS, KAKEYA_CASE_HEADS);
  save_profile((folder / "profile.kkp").string(), profile);
  ProfileShelf source;
  source.add((folder / "profile.kkp").string());
  write_frames(profile, source);
  write_caches(profile, source);
  const std::string list = codec_list_json();
  write_file((folder / "list.json").string(), list);
} catch (const Error& error) {
  std::fprintf(stderr, "write_expected: %s\n", error.what());
  return 1;
}
