// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/kv_store.h"

#include <unistd.h>

#include <bit>
#include <functional>

#include "store/small_dump.h"

namespace kakeya::testing {
namespace {

class Storage : public KvStore, public ::testing::WithParamInterface<const char*> {};

TEST_P(Storage, RoundTrip) {
  const ScratchFolder folder;
  const std::string storage = GetParam();
  for (const bool queries : {false, true}) {
    const DumpHead dump = facts(storage, queries);
    write_dump(folder / "d.h5", dump);
    const DumpReader reader(folder / "d.h5");
    const DumpHead& back = reader.head();
    EXPECT_EQ(back.origin.model.name, dump.origin.model.name);
    EXPECT_EQ(back.origin.model.sha256, dump.origin.model.sha256);
    EXPECT_EQ(back.origin.architecture, dump.origin.architecture);
    EXPECT_EQ(back.origin.tokenizer.name, dump.origin.tokenizer.name);
    EXPECT_EQ(back.origin.tokenizer.sha256, dump.origin.tokenizer.sha256);
    EXPECT_EQ(back.origin.text.name, dump.origin.text.name);
    EXPECT_EQ(back.origin.text.sha256, dump.origin.text.sha256);
    EXPECT_EQ(back.tap, dump.tap);
    EXPECT_EQ(back.storage, storage);
    EXPECT_EQ(back.shape.query_heads, dump.shape.query_heads);
    EXPECT_EQ(back.rope_base, dump.rope_base);
    EXPECT_EQ(back.rope_layout, dump.rope_layout);
    EXPECT_EQ(back.seed, dump.seed);
    EXPECT_EQ(back.queries, queries);
    EXPECT_EQ(back.attention, dump.attention);
    EXPECT_EQ(to_json(back.provenance), to_json(dump.provenance));
    for (int passage = 0; passage < dump.passages; ++passage) {
      EXPECT_EQ(reader.tokens(passage), tokens(dump, passage));
      EXPECT_EQ(reader.origin(passage), "lines " + std::to_string(passage));
      for (int layer = 0; layer < dump.shape.layers; ++layer) {
        for (const Part part : parts_of(queries)) {
          const std::vector<float> wrote = values(dump, passage, {layer, part});
          const std::vector<float> read = reader.part(passage, {layer, part});
          ASSERT_EQ(read.size(), wrote.size());
          for (std::size_t i = 0; i < read.size(); ++i) {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(read[i]),
                      std::bit_cast<std::uint32_t>(rounded(wrote[i], storage)));
          }
        }
      }
    }
    if (!queries) {
      EXPECT_THROW(reader.part(0, {0, Part::query}), InputError);
    }
    EXPECT_THROW(reader.part(2, {0, Part::key}), InputError);
    EXPECT_THROW(reader.part(0, {3, Part::key}), InputError);
    EXPECT_THROW(reader.part(0, {-1, Part::key}), InputError);
    EXPECT_THROW(reader.tokens(-1), InputError);
  }
}

INSTANTIATE_TEST_SUITE_P(Storages, Storage, ::testing::Values("fp16", "bf16", "fp32"));

TEST_F(KvStore, TheSameDataGiveTheSameBytes) {
  const ScratchFolder folder;
  const DumpHead dump = facts("bf16", true);
  write_dump(folder / "a.h5", dump);
  ::sleep(1);  // a file that keeps the time it was made differs now
  write_dump(folder / "b.h5", dump);
  EXPECT_TRUE(read_text(folder / "a.h5") == read_text(folder / "b.h5"));
}

TEST_F(KvStore, ManyChunks) {
  const ScratchFolder folder;
  DumpHead dump = facts("bf16", false);
  dump.passages = dump.shape.layers = 1;
  dump.tokens = 10007;  // of 96 bytes of K each: not a whole number of chunks
  dump.shape.kv_heads = 3;
  dump.shape.head_dim = 16;
  dump.shape.query_heads = 3;
  write_dump(folder / "d.h5", dump);
  const std::vector<float> wrote = values(dump, 0, {0, Part::value}),
                           read = DumpReader(folder / "d.h5").part(0, {0, Part::value});
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
  for (const std::function<void(DumpHead&)>& spoil : std::vector<std::function<void(DumpHead&)>>{
           [](DumpHead& f) { f.storage = "fp8"; }, [](DumpHead& f) { f.shape.layers = 0; },
           [](DumpHead& f) { f.tokens = -1; }, [](DumpHead& f) { f.rope_base = HUGE_VAL; },
           [](DumpHead& f) { f.attention.scale = HUGE_VAL; },
           [](DumpHead& f) { f.attention.windows.layers = {1}; },
           [](DumpHead& f) { f.attention.windows = {.tokens = 4, .layers = {3}}; }}) {
    DumpHead bad = facts("bf16", false);
    spoil(bad);
    EXPECT_THROW(DumpWriter(folder / "d.h5", bad), InputError);
  }
  EXPECT_THROW(DumpWriter(folder / "none/d.h5", facts("bf16", false)), IoError);
  const DumpHead dump = facts("fp16", false);
  DumpWriter writer(folder / "d.h5", dump);
  std::vector<float> data = values(dump, 0, {0, Part::key});
  EXPECT_THROW(writer.write_part(0, {0, Part::key}, data.data(), 10, 2, 8), InputError);
  EXPECT_THROW(writer.write_part(0, {0, Part::key}, data.data(), 11, 4, 8), InputError);
  EXPECT_THROW(writer.write_part(0, {0, Part::query}, data.data(), 11, 4, 8), InputError);
  EXPECT_THROW(writer.write_part(2, {0, Part::key}, data.data(), 11, 2, 8), InputError);
  EXPECT_THROW(writer.write_tokens(0, {1, 2, 3}, ""), InputError);
  data[5] = 65520;  // rounds to infinity in fp16
  EXPECT_NE(message_of<InputError>([&] {
              writer.write_part(0, {0, Part::key}, data.data(), 11, 2, 8);
            }).find("65520"),
            std::string::npos);
  data[5] = std::nanf("");
  EXPECT_THROW(writer.write_part(0, {0, Part::key}, data.data(), 11, 2, 8), InputError);
  data[5] = 65504;
  writer.write_part(0, {0, Part::key}, data.data(), 11, 2, 8);
  EXPECT_THROW(writer.write_part(0, {0, Part::key}, data.data(), 11, 2, 8), InputError);
}

}  // namespace
}  // namespace kakeya::testing
