// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/capacity.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "made_config.h"

namespace kakeya {
namespace {

using testing::decoder_of;
using testing::shipped_decoder;
using testing::small_config;

TEST(Card, WeightsAndReserve) {
  const Decoder llama = shipped_decoder("llama-3.1-8b");
  EXPECT_EQ(parse_weights("bf16").of(llama), 2.0 * 8'030'261'248);
  EXPECT_EQ(parse_weights("fp8").of(llama), 8'030'261'248.0);
  EXPECT_EQ(parse_weights("9GB").of(llama), 9e9);
  EXPECT_EQ(parse_reserve("10%", 80e9), 8e9);
  EXPECT_EQ(parse_reserve("0", 80e9), 0);
  EXPECT_EQ(parse_reserve("0%", 80e9), 0);
  EXPECT_EQ(parse_reserve("4GB", 80e9), 4e9);
  for (const char* wrong : {"int3", "", "bf8"}) EXPECT_THROW(parse_weights(wrong), SpecError);
  for (const char* wrong : {"100%", "-1%", "%", "x%", "much"})
    EXPECT_THROW(parse_reserve(wrong, 80e9), SpecError) << wrong;
  try {
    parse_reserve("much", 80e9);
    FAIL();
  } catch (const SpecError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("--reserve much: ")) << error.what();
  }
}

TEST(Card, UsersByHand) {
  const CardRoom room{.card = 1000, .weights = 300, .reserve = 100, .profile = 50};
  EXPECT_EQ(room.free(), 550);
  EXPECT_EQ(users_that_fit(room, 100), 5u);
  EXPECT_EQ(users_that_fit(room, 550), 1u);
  EXPECT_EQ(users_that_fit(room, 551), 0u);
  EXPECT_EQ(users_that_fit({.card = 100, .weights = 300}, 1), 0u);
}

CapacityQuestion question_of(double card, std::vector<std::string> codecs) {
  CapacityQuestion question;
  question.storage.codecs = std::move(codecs);
  question.storage.tokens = {1000};
  question.card = card;
  question.weights = parse_weights("bf16");
  return question;
}

TEST(Capacity, OfASmallModelByHand) {
  // A token is 4 x 2 x 2 x 64 x 2 = 2048 bytes in bf16.
  CapacityQuestion question = question_of(1e8, {"identity", "q4_0"});
  question.reserve = 1e6;
  question.users = {1, 7};
  const ModelCapacity model = capacity_of(decoder_of(small_config()), question);
  const double free = 1e8 - 1e6 - 2.0 * static_cast<double>(model.decoder.parameter_count());
  ASSERT_EQ(model.codecs.size(), 2);
  const CodecCapacity& plain = model.codecs[0];
  EXPECT_EQ(plain.room.free(), free);
  // `identity` is a frame with a header; 16 of them, one a layer, part and head.
  const double headers = 16 * codec_cost("identity", 64, Part::key).frame_bytes;
  EXPECT_EQ(plain.user_bytes[0], 2048e3 + headers);
  EXPECT_EQ(plain.users[0], static_cast<std::uint64_t>(free / (2048e3 + headers)));
  EXPECT_EQ(plain.tokens[0], static_cast<std::size_t>((free - headers) / 2048));
  EXPECT_EQ(plain.tokens[1], static_cast<std::size_t>((free / 7 - headers) / 2048));
  // 4.5 of 16 bits: a little less than 3.56 times as many, as headers count for more.
  const double gain =
      static_cast<double>(model.codecs[1].users[0]) / static_cast<double>(plain.users[0]);
  EXPECT_NEAR(gain, 16 / 4.5, 0.1);
  EXPECT_LT(model.codecs[1].user_bytes[0] / plain.user_bytes[0], 0.29);
}

TEST(Capacity, AProfileIsThereOnceACard) {
  CapacityQuestion question = question_of(1e8, {"klt:bits=3"});
  const ModelCapacity model = capacity_of(decoder_of(small_config()), question);
  const double head = codec_cost("klt:bits=3", 64, Part::key).profile_bytes;
  EXPECT_EQ(model.codecs[0].room.profile, 16 * head);
  EXPECT_TRUE(model.codecs[0].nominal);
  // One that a config does not tell has to be given.
  question.storage.codecs = {"klt:bits=3,scope=layer"};
  question.storage.every_codec = true;
  EXPECT_THROW(capacity_of(decoder_of(small_config()), question), SpecError);
  question.profile_bytes = 12345;
  EXPECT_EQ(capacity_of(decoder_of(small_config()), question).codecs[0].room.profile, 12345);
}

TEST(Capacity, WindowsLetSequencesGrow) {
  // Half of gpt-oss's layers keep 128 tokens: a user of 128k takes about half of all layers'.
  CapacityQuestion question = question_of(80e9, {"identity"});
  question.storage.tokens = {131072};
  const ModelCapacity model = capacity_of(shipped_decoder("gpt-oss-20b"), question);
  EXPECT_NEAR(model.codecs[0].user_bytes[0], 12.0 * 2 * 8 * 64 * 2 * (131072 + 128), 1e6);
}

TEST(Capacity, SaysWhatItCannotKnow) {
  // A window alone: beyond it a sequence takes no more, however long.
  CapacityQuestion question = question_of(1e9, {"identity"});
  question.storage.tokens = {4096, 8192};
  question.users = {1, 1000000};
  const std::string windowed = R"(, "layer_types": ["sliding_attention"], "sliding_window": 64)";
  const ModelCapacity model = capacity_of(decoder_of(small_config(1, windowed)), question);
  EXPECT_EQ(model.codecs[0].tokens[0], kMostTokens);
  const Table table = capacity_table(model, question);
  ASSERT_GE(table.rows[0].size(), 2u);
  EXPECT_EQ(table.rows[0][table.rows[0].size() - 2].text, "any length");
  EXPECT_NE(table.rows[0].back().text, "any length");
  EXPECT_NE(table.note.find("made for 4,096 tokens: 8k is arithmetic"), std::string::npos)
      << table.note;
  EXPECT_EQ(table.note.find("quantization_config"), std::string::npos);
  const ModelCapacity quantised =
      capacity_of(decoder_of(small_config(1, R"(, "quantization_config": {"bits": 4})")), question);
  EXPECT_NE(capacity_table(quantised, question)
                .note.find("quantization_config: the file's weights are quantised; here they are "
                           "charged as --weights bf16 says"),
            std::string::npos);
}

TEST(Capacity, TokensAreFoundBehindTheFirstPage) {
  // 1023 tokens all wait, 1024 need less: room for those, but not for 1000, is room for more.
  const Decoder decoder = decoder_of(small_config(1));
  const CodecOfCache codec("klt:bits=3,page=1024", decoder);
  const CachePolicy policy{.layers = 1};
  const auto bytes = [&](std::size_t tokens) {
    return codec.bytes(decoder, tokens, policy, OpenPage::mean).total();
  };
  ASSERT_LT(bytes(1024), bytes(900));
  const CardRoom room{.card = bytes(900)};
  const std::size_t found = tokens_that_fit(room, 1, codec, decoder, policy, OpenPage::mean);
  EXPECT_GT(found, 1024u);
  EXPECT_LE(bytes(found), room.card);
  EXPECT_GT(bytes(found + 1), room.card);
}

TEST(Capacity, ACardThatIsFullIsRefused) {
  try {
    capacity_of(shipped_decoder("llama-3.1-8b"), question_of(16e9, {"identity"}));
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("llama-3.1-8b: 14.96 GiB of weights (bf16)"), std::string::npos) << text;
  }
}

TEST(Capacity, TablesHaveTheirNumbers) {
  CapacityQuestion question = question_of(1e8, {"identity", "q8_0", "e8:q=10"});
  question.users = {4};
  const ModelCapacity model = capacity_of(decoder_of(small_config()), question);
  const Table table = capacity_table(model, question);
  ASSERT_EQ(table.rows.size(), 3);
  EXPECT_EQ(table.rows[0][6].text, "1.00");
  EXPECT_EQ(table.rows[1][5].value, static_cast<double>(model.codecs[1].users[0]));
  EXPECT_NE(table.note.find("parameters as bf16: embedding 128,000"), std::string::npos)
      << table.note;
  const Document report = make_capacity_report(std::vector{model}, question, {"big: no room."}, {});
  EXPECT_NE(report.markdown.find("> big: no room."), std::string::npos);
}

}  // namespace
}  // namespace kakeya
