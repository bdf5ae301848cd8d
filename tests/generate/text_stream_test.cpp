// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/text_stream.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/model/tokenizer/end_tokens.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

const std::string kNano = std::string(KAKEYA_SOURCE_DIR) + "/data/models/nano";

// Whether no character is cut: no byte of one without the others.
bool whole(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    if (byte >= 0x80 && byte < 0xC0) return false;
    if (i + length > text.size()) return false;
    i += length;
  }
  return true;
}

TEST(TextStream, GivesTheTextOfTheTokensInWholeCharacters) {
  const auto tokenizer = load_tokenizer(kNano);
  std::string text;
  for (int i = 0; i < 30; ++i) text += "Größe 漢字 🌊 the tide, naïvely; ";
  const std::vector<std::int32_t> ids = tokenizer->encode(text, false);
  ASSERT_GT(ids.size(), 200u);
  TextStream stream(*tokenizer);
  std::string given;
  std::size_t held_back = 0;
  for (const std::int32_t id : ids) {
    const std::string more = stream.add(id);
    EXPECT_TRUE(whole(more)) << more;
    held_back += more.empty();
    given += more;
  }
  given += stream.finish();
  EXPECT_EQ(given, tokenizer->decode(ids));
  EXPECT_GT(held_back, 0u);
}

TEST(TextStream, GivesAtTheEndWhatIsNoWholeCharacter) {
  const auto tokenizer = load_tokenizer(kNano);
  std::vector<std::int32_t> ids = tokenizer->encode("🌊", false);
  ASSERT_GT(ids.size(), 1u);
  ids.pop_back();
  TextStream stream(*tokenizer);
  std::string given;
  for (const std::int32_t id : ids) given += stream.add(id);
  EXPECT_EQ(given, "");
  EXPECT_EQ(stream.finish(), tokenizer->decode(ids));
}

class EndTokens : public ::testing::Test {
 protected:
  void write(const char* name, const std::string& text) { write_file(folder_ / name, text); }
  std::vector<std::int32_t> read() { return end_tokens_of(folder_ / "."); }
  std::string refusal() {
    try {
      read();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  testing::ScratchFolder folder_;
};

TEST_F(EndTokens, AreThoseOfTheModelsOwnFiles) {
  EXPECT_EQ(end_tokens_of(kNano), std::vector<std::int32_t>{0});
  EXPECT_TRUE(read().empty());
  write("config.json", R"({"eos_token_id": 7})");
  EXPECT_EQ(read(), std::vector<std::int32_t>{7});
  write("generation_config.json", R"({"eos_token_id": [106, 1]})");
  EXPECT_EQ(read(), (std::vector<std::int32_t>{1, 106}));
  write("generation_config.json", R"({"eos_token_id": null})");
  EXPECT_EQ(read(), std::vector<std::int32_t>{7});
}

TEST_F(EndTokens, RefusesWhatIsNone) {
  for (const char* id : {"-1", "\"seven\"", "1.5", "[3, {}]"}) {
    write("config.json", std::string(R"({"eos_token_id": )") + id + "}");
    EXPECT_NE(refusal().find("eos_token_id"), std::string::npos) << id << ": " << refusal();
  }
  EXPECT_THROW(end_tokens_of(folder_ / "none.gguf"), IoError);
}

}  // namespace
}  // namespace kakeya
