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
  ::sleep(1);  // a file that keeps the time it was made differs now
  write_dump(folder / "b.h5", dump);
  EXPECT_TRUE(read_text(folder / "a.h5") == read_text(folder / "b.h5"));
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

}  // namespace
}  // namespace kakeya::testing
