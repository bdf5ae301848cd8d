// SPDX-License-Identifier: Apache-2.0
#include "kakeya/io/kv_store.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/io/h5.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::read_text;
using testing::ScratchFolder;
using testing::write_text;

DumpFacts facts(const std::string& storage, bool queries) {
  DumpFacts made;
  made.model_name = "small";
  made.model_sha256 = std::string(64, 'a');
  made.architecture = "llama";
  made.tokenizer = "bytes, 256 tokens";
  made.tokenizer_sha256 = std::string(64, 'b');
  made.text_name = "tëxt.txt";
  made.text_sha256 = std::string(64, 'c');
  made.tap = "pre-rope";
  made.storage = storage;
  made.layers = 3;
  made.kv_heads = 2;
  made.query_heads = 4;
  made.head_dim = 8;
  made.passages = 2;
  made.tokens = 11;
  made.rope_base = 10000.5;
  made.rope_layout = "";
  made.seed = std::numeric_limits<std::uint64_t>::max();
  made.queries = queries;
  made.provenance = make_provenance({"kakeya-capture", "--out", "x"}, 2);
  return made;
}

std::size_t heads_of(const DumpFacts& dump, char part) {
  return static_cast<std::size_t>(part == 'q' ? dump.query_heads : dump.kv_heads);
}

/// Heavy-tailed numbers that all storages hold exactly in part: powers of two with few mantissa
/// bits, both zeros, subnormals.
std::vector<float> values(const DumpFacts& dump, int passage, int layer, char part) {
  std::mt19937 random(static_cast<unsigned>(passage * 1000 + layer * 10 + part));
  std::vector<float> made(static_cast<std::size_t>(dump.tokens) * heads_of(dump, part) *
                          static_cast<std::size_t>(dump.head_dim));
  std::normal_distribution<float> normal(0, 3);
  for (float& value : made) value = normal(random);
  made[0] = -0.0F;
  made[1] = 0x1p-20F;
  made[2] = -60000;
  return made;
}

float rounded(float value, const std::string& storage) {
  if (storage == "fp16") return half_to_float(float_to_half(value));
  if (storage == "bf16") return bfloat16_to_float(float_to_bfloat16(value));
  return value;
}

std::vector<std::int32_t> tokens(const DumpFacts& dump, int passage) {
  std::vector<std::int32_t> made;
  for (int i = 0; i < dump.tokens; ++i) made.push_back(passage * 100000 + i);
  return made;
}

void write_dump(const std::string& path, const DumpFacts& dump) {
  DumpWriter writer(path, dump);
  for (int passage = 0; passage < dump.passages; ++passage) {
    writer.write_tokens(passage, tokens(dump, passage), "lines " + std::to_string(passage));
    for (int layer = 0; layer < dump.layers; ++layer) {
      for (const char part : std::string(dump.queries ? "kvq" : "kv")) {
        const std::vector<float> data = values(dump, passage, layer, part);
        writer.write_part(passage, layer, part, data.data(), static_cast<std::size_t>(dump.tokens),
                          heads_of(dump, part), static_cast<std::size_t>(dump.head_dim));
      }
    }
  }
  writer.commit();
}

/// Reads everything there is in a dump; the sum keeps it from being skipped.
double read_all(const std::string& path) {
  const DumpReader reader(path);
  double sum = 0;
  for (int passage = 0; passage < reader.facts().passages; ++passage) {
    for (const std::int32_t token : reader.tokens(passage)) sum += token;
    sum += static_cast<double>(reader.origin(passage).size());
    for (int layer = 0; layer < reader.facts().layers; ++layer) {
      for (const char part : std::string(reader.facts().queries ? "kvq" : "kv")) {
        for (const float value : reader.part(passage, layer, part)) sum += std::fabs(value);
      }
    }
  }
  return sum;
}

class KvStore : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string why = message_of<Error>([] { DumpReader("none.h5"); });
    if (why.find("no HDF5") != std::string::npos) GTEST_SKIP() << why;
  }
};

class Storage : public KvStore, public ::testing::WithParamInterface<const char*> {};

TEST_P(Storage, RoundTrip) {
  const ScratchFolder folder;
  const std::string storage = GetParam();
  for (const bool queries : {false, true}) {
    const DumpFacts dump = facts(storage, queries);
    write_dump(folder / "d.h5", dump);
    const DumpReader reader(folder / "d.h5");
    const DumpFacts& back = reader.facts();
    EXPECT_EQ(back.model_name, dump.model_name);
    EXPECT_EQ(back.model_sha256, dump.model_sha256);
    EXPECT_EQ(back.architecture, dump.architecture);
    EXPECT_EQ(back.tokenizer, dump.tokenizer);
    EXPECT_EQ(back.tokenizer_sha256, dump.tokenizer_sha256);
    EXPECT_EQ(back.text_name, dump.text_name);
    EXPECT_EQ(back.text_sha256, dump.text_sha256);
    EXPECT_EQ(back.tap, dump.tap);
    EXPECT_EQ(back.storage, storage);
    EXPECT_EQ(back.query_heads, dump.query_heads);
    EXPECT_EQ(back.rope_base, dump.rope_base);
    EXPECT_EQ(back.rope_layout, dump.rope_layout);
    EXPECT_EQ(back.seed, dump.seed);
    EXPECT_EQ(back.queries, queries);
    EXPECT_EQ(to_json(back.provenance), to_json(dump.provenance));
    for (int passage = 0; passage < dump.passages; ++passage) {
      EXPECT_EQ(reader.tokens(passage), tokens(dump, passage));
      EXPECT_EQ(reader.origin(passage), "lines " + std::to_string(passage));
      for (int layer = 0; layer < dump.layers; ++layer) {
        for (const char part : std::string(queries ? "kvq" : "kv")) {
          const std::vector<float> wrote = values(dump, passage, layer, part);
          const std::vector<float> read = reader.part(passage, layer, part);
          ASSERT_EQ(read.size(), wrote.size());
          for (std::size_t i = 0; i < read.size(); ++i) {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(read[i]),
                      std::bit_cast<std::uint32_t>(rounded(wrote[i], storage)));
          }
        }
      }
    }
    if (!queries) {
      EXPECT_THROW(reader.part(0, 0, 'q'), InputError);
    }
    EXPECT_THROW(reader.part(2, 0, 'k'), InputError);
    EXPECT_THROW(reader.part(0, 3, 'k'), InputError);
    EXPECT_THROW(reader.part(0, -1, 'k'), InputError);
    EXPECT_THROW(reader.part(0, 0, 'x'), InputError);
    EXPECT_THROW(reader.tokens(-1), InputError);
  }
}

INSTANTIATE_TEST_SUITE_P(Storages, Storage, ::testing::Values("fp16", "bf16", "fp32"));

TEST_F(KvStore, TheSameDataGiveTheSameBytes) {
  const ScratchFolder folder;
  const DumpFacts dump = facts("bf16", true);
  write_dump(folder / "a.h5", dump);
  write_dump(folder / "b.h5", dump);
  EXPECT_EQ(read_text(folder / "a.h5"), read_text(folder / "b.h5"));
}

TEST_F(KvStore, ManyChunks) {
  const ScratchFolder folder;
  DumpFacts dump = facts("bf16", false);
  dump.passages = dump.layers = 1;
  dump.tokens = 10007;  // of 96 bytes of K each: not a whole number of chunks
  dump.kv_heads = 3;
  dump.head_dim = 16;
  dump.query_heads = 3;
  write_dump(folder / "d.h5", dump);
  const std::vector<float> wrote = values(dump, 0, 0, 'v'),
                           read = DumpReader(folder / "d.h5").part(0, 0, 'v');
  ASSERT_EQ(read.size(), wrote.size());
  for (std::size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], rounded(wrote[i], "bf16"));
}

TEST_F(KvStore, NothingUnderItsNameBeforeCommitAndNothingLeftWithout) {
  const ScratchFolder folder;
  {
    DumpWriter writer(folder / "d.h5", facts("bf16", false));
    EXPECT_TRUE(std::filesystem::exists(folder / "d.h5.part"));
    EXPECT_FALSE(std::filesystem::exists(folder / "d.h5"));
    const std::string why = message_of<InputError>([&] { writer.commit(); });
    EXPECT_NE(why.find("/passages/0/tokens was never written"), std::string::npos) << why;
    EXPECT_NE(message_of<IoError>([&] {
                DumpWriter(folder / "d.h5", facts("bf16", false));
              }).find("another process"),
              std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  write_dump(folder / "d.h5", facts("bf16", false));
  EXPECT_FALSE(std::filesystem::exists(folder / "d.h5.part"));
}

TEST_F(KvStore, WrongUseOfTheWriterIsRefused) {
  const ScratchFolder folder;
  for (const std::function<void(DumpFacts&)>& spoil : std::vector<std::function<void(DumpFacts&)>>{
           [](DumpFacts& f) { f.storage = "fp8"; }, [](DumpFacts& f) { f.tap = "rope"; },
           [](DumpFacts& f) { f.layers = 0; }, [](DumpFacts& f) { f.tokens = -1; },
           [](DumpFacts& f) { f.rope_base = HUGE_VAL; }}) {
    DumpFacts bad = facts("bf16", false);
    spoil(bad);
    EXPECT_THROW(DumpWriter(folder / "d.h5", bad), InputError);
  }
  EXPECT_THROW(DumpWriter(folder / "none/d.h5", facts("bf16", false)), IoError);
  const DumpFacts dump = facts("fp16", false);
  DumpWriter writer(folder / "d.h5", dump);
  std::vector<float> data = values(dump, 0, 0, 'k');
  EXPECT_THROW(writer.write_part(0, 0, 'k', data.data(), 10, 2, 8), InputError);
  EXPECT_THROW(writer.write_part(0, 0, 'k', data.data(), 11, 4, 8), InputError);
  EXPECT_THROW(writer.write_part(0, 0, 'q', data.data(), 11, 4, 8), InputError);
  EXPECT_THROW(writer.write_part(2, 0, 'k', data.data(), 11, 2, 8), InputError);
  EXPECT_THROW(writer.write_tokens(0, {1, 2, 3}, ""), InputError);
  data[5] = 65520;  // rounds to infinity in fp16
  EXPECT_NE(message_of<InputError>([&] {
              writer.write_part(0, 0, 'k', data.data(), 11, 2, 8);
            }).find("65520"),
            std::string::npos);
  data[5] = std::nanf("");
  EXPECT_THROW(writer.write_part(0, 0, 'k', data.data(), 11, 2, 8), InputError);
  data[5] = 65504;
  writer.write_part(0, 0, 'k', data.data(), 11, 2, 8);
  EXPECT_THROW(writer.write_part(0, 0, 'k', data.data(), 11, 2, 8), InputError);
}

TEST_F(KvStore, NotADump) {
  const ScratchFolder folder;
  write_text(folder / "empty.h5", "");
  write_text(folder / "text.h5", std::string(5000, 'x'));
  EXPECT_THROW(DumpReader(folder / "empty.h5"), CorruptStream);
  EXPECT_NE(message_of<CorruptStream>([&] { DumpReader(folder / "text.h5"); }).find("text.h5"),
            std::string::npos);
  EXPECT_THROW(DumpReader(folder / "none.h5"), IoError);
  EXPECT_THROW(DumpReader(folder.path().string()), IoError);
}

TEST_F(KvStore, EveryTruncationIsRefused) {
  const ScratchFolder folder;
  DumpFacts dump = facts("bf16", false);
  dump.passages = 1;
  dump.layers = 2;
  write_dump(folder / "d.h5", dump);
  EXPECT_GT(read_all(folder / "d.h5"), 0);
  const std::string whole = read_text(folder / "d.h5");
  const std::size_t step = whole.size() / 400 + 1;
  for (std::size_t length = 0; length < whole.size();
       length += length < 64 || length + 64 > whole.size() ? 1 : step) {
    write_text(folder / "cut.h5", whole.substr(0, length));
    const std::string why = message_of<CorruptStream>([&] { read_all(folder / "cut.h5"); });
    EXPECT_NE(why.find("cut.h5"), std::string::npos) << length;
    EXPECT_EQ(why.find('\n'), std::string::npos) << why;
  }
}

/// A file with everything a dump of one passage and one layer needs but what `spoil` leaves out or
/// changes; `name` is the attribute or dataset about to be written, and `spoil` returns false to
/// leave it out.
void write_by_hand(const std::string& path,
                   const std::function<bool(h5::File&, const std::string&)>& keep) {
  h5::File file = h5::File::create(path);
  const auto text = [&](const char* name, const std::string& value) {
    if (keep(file, name)) file.set_text("/", name, value);
  };
  const auto integer = [&](const char* name, std::int64_t value) {
    if (keep(file, name)) file.set_integer("/", name, value);
  };
  for (const char* name : {"model_name", "model_sha256", "architecture", "tokenizer",
                           "tokenizer_sha256", "text_name", "text_sha256", "rope_layout"}) {
    text(name, name);
  }
  text("format", "kakeya-kv-dump");
  text("tap", "pre-rope");
  text("storage", "fp32");
  text("provenance", to_json(make_provenance({"x"}, 1)));
  for (const char* name : {"schema", "layers", "kv_heads", "query_heads", "passages"})
    integer(name, 1);
  integer("head_dim", 8);
  integer("tokens", 4);
  integer("seed", 0);
  integer("queries", 0);
  if (keep(file, "rope_base")) file.set_real("/", "rope_base", 1e4);
  const std::uint64_t tokens_shape[] = {4}, part_shape[] = {4, 1, 8};
  const std::vector<float> data(32, 1.5F);
  const std::vector<std::int32_t> ids(4, 7);
  if (keep(file, "/passages/0/tokens"))
    file.write("/passages/0/tokens", h5::Scalar::int32, tokens_shape, ids.data());
  for (const char* name : {"/passages/0/layers/0/k", "/passages/0/layers/0/v"}) {
    if (keep(file, name)) file.write(name, h5::Scalar::fp32, part_shape, data.data());
  }
  if (keep(file, "origin")) file.set_text("/passages/0", "origin", "x");
  file.close();
}

TEST_F(KvStore, WhatIsMissingIsNamed) {
  const ScratchFolder folder;
  std::vector<std::string> names;
  write_by_hand(folder / "d.h5", [&](h5::File&, const std::string& name) {
    names.push_back(name);
    return true;
  });
  EXPECT_GT(read_all(folder / "d.h5"), 0);
  EXPECT_EQ(names.size(), 26U);
  for (const std::string& missing : names) {
    if (missing == "/passages/0/tokens") continue;  // its group would be missing too
    write_by_hand(folder / "d.h5",
                  [&](h5::File&, const std::string& name) { return name != missing; });
    const std::string why = message_of<CorruptStream>([&] { read_all(folder / "d.h5"); });
    EXPECT_NE(why.find(missing), std::string::npos) << missing << ": " << why;
  }
}

TEST_F(KvStore, WhatIsWrongIsNamed) {
  const ScratchFolder folder;
  using Spoil = std::function<void(h5::File&)>;
  const std::vector<float> data(64, 1.5F);
  const std::uint64_t flat[] = {32}, wide[] = {4, 2, 8}, right[] = {4, 1, 8};
  const std::string k = "/passages/0/layers/0/k";
  const std::vector<std::pair<std::string, Spoil>> spoils = {
      {"format", [](h5::File& f) { f.set_text("/", "format", "other"); }},
      {"schema", [](h5::File& f) { f.set_integer("/", "schema", 2); }},
      {"schema", [](h5::File& f) { f.set_text("/", "schema", "1"); }},
      {"tap", [](h5::File& f) { f.set_text("/", "tap", "rope"); }},
      {"storage", [](h5::File& f) { f.set_text("/", "storage", "fp64"); }},
      {"layers", [](h5::File& f) { f.set_integer("/", "layers", 0); }},
      {"layers", [](h5::File& f) { f.set_integer("/", "layers", -1); }},
      {"layers", [](h5::File& f) { f.set_integer("/", "layers", std::int64_t{1} << 40); }},
      {"layers", [](h5::File& f) { f.set_real("/", "layers", 1); }},
      {"head_dim", [](h5::File& f) { f.set_integer("/", "head_dim", 16); }},
      {"tokens", [](h5::File& f) { f.set_integer("/", "tokens", 1 << 24); }},
      {"seed", [](h5::File& f) { f.set_integer("/", "seed", -1); }},
      {"queries", [](h5::File& f) { f.set_integer("/", "queries", 2); }},
      {"queries", [](h5::File& f) { f.set_integer("/", "queries", 1); }},
      {"rope_base", [](h5::File& f) { f.set_real("/", "rope_base", HUGE_VAL); }},
      {"rope_base", [](h5::File& f) { f.set_text("/", "rope_base", "1e4"); }},
      {"provenance", [](h5::File& f) { f.set_text("/", "provenance", "{}"); }},
      {k, [&](h5::File& f) { f.write(k, h5::Scalar::fp32, flat, data.data()); }},
      {k, [&](h5::File& f) { f.write(k, h5::Scalar::fp32, wide, data.data()); }},
      {k, [&](h5::File& f) { f.write(k, h5::Scalar::int32, right, data.data()); }},
      {k, [&](h5::File& f) { f.write(k, h5::Scalar::bf16, right, data.data()); }},
      {k, [&](h5::File& f) { f.write(k + "/deeper", h5::Scalar::fp32, right, data.data()); }},
  };
  for (std::size_t i = 0; i < spoils.size(); ++i) {
    const auto& [spoiled, spoil] = spoils[i];
    write_by_hand(folder / "d.h5", [&](h5::File& file, const std::string& name) {
      if (name == spoiled) spoil(file);
      return name != spoiled;
    });
    const std::string why = message_of<CorruptStream>([&] { read_all(folder / "d.h5"); });
    EXPECT_FALSE(why.empty()) << "spoil " << i << " of " << spoiled;
    EXPECT_EQ(why.find('\n'), std::string::npos) << why;
  }
}

// All metadata and all chunks lie under checksums: a flipped bit is either found, or in bytes that
// nothing reads.
TEST_F(KvStore, FlippedBitsAreFoundOrHarmless) {
  const ScratchFolder folder;
  DumpFacts dump = facts("bf16", false);
  dump.passages = 1;
  dump.layers = 2;
  dump.tokens = 64;
  write_dump(folder / "d.h5", dump);
  const std::string whole = read_text(folder / "d.h5");
  const double sum = read_all(folder / "d.h5");
  std::mt19937_64 random(3);
  int found = 0;
  constexpr int kFlips = 500;
  for (int flip = 0; flip < kFlips; ++flip) {
    std::string changed = whole;
    for (std::uint64_t bits = 1 + random() % 3; bits > 0; --bits) {
      char& byte = changed[random() % changed.size()];
      byte = static_cast<char>(byte ^ (1 << random() % 8));
    }
    write_text(folder / "flipped.h5", changed);
    try {
      ASSERT_EQ(read_all(folder / "flipped.h5"), sum) << "flip " << flip;
    } catch (const CorruptStream&) {
      ++found;
    }
  }
  EXPECT_GT(found, kFlips / 4);
}

}  // namespace
}  // namespace kakeya
