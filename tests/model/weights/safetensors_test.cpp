// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/model/weights/weight_source.h"
#include "support/gguf_writer.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"

namespace kakeya {
namespace {

using nlohmann::json;
using testing::GgufWriter;
using testing::message_of;
using testing::ScratchFolder;
using testing::TinyModel;
using testing::write_text;

std::string file_of(const json& header, const std::string& data) {
  const std::string text = header.dump();
  return GgufWriter::bytes(std::uint64_t{text.size()}) + text + data;
}
json entry(const char* dtype, const std::vector<std::size_t>& shape, std::size_t begin,
           std::size_t end) {
  return {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {begin, end}}};
}
std::vector<float> read(const WeightSource& source, const std::string& name) {
  std::vector<float> out(source.find(name)->values());
  source.read(name, out);
  return out;
}

class Safetensors : public ::testing::Test {
 protected:
  std::string refusal(const std::string& bytes) {
    write_text(scratch_ / "model.safetensors", bytes);
    return message_of<CorruptStream>([&] { open_safetensors(scratch_.path().string()); });
  }
  ScratchFolder scratch_;
};

TEST_F(Safetensors, ReadsThreeTypes) {
  std::string data;
  const float values[] = {1.5f, -2.25f, 1e-3f};
  for (const float value : values) data += GgufWriter::bytes(value);
  for (const float value : values) data += GgufWriter::bytes(float_to_half(value));
  for (const float value : values) data += GgufWriter::bytes(float_to_bfloat16(value));
  data += std::string(8, '\1');
  write_text(scratch_ / "model.safetensors", file_of({{"a", entry("F32", {3}, 0, 12)},
                                                      {"b", entry("F16", {3, 1}, 12, 18)},
                                                      {"c", entry("BF16", {1, 3}, 18, 24)},
                                                      {"d", entry("I64", {}, 24, 32)},
                                                      {"e", entry("F32", {0, 7}, 5, 5)},
                                                      {"__metadata__", {{"format", "pt"}}}},
                                                     data));
  const auto source = open_safetensors(scratch_.path().string());
  ASSERT_EQ(source->tensors().size(), 5u);
  EXPECT_EQ(shape_text(source->find("c")->shape), "[1, 3]");
  EXPECT_EQ(source->find("f"), nullptr);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read(*source, "a")[i], values[i]);
    EXPECT_EQ(read(*source, "b")[i], half_to_float(float_to_half(values[i])));
    EXPECT_EQ(read(*source, "c")[i], bfloat16_to_float(float_to_bfloat16(values[i])));
  }
  EXPECT_NE(message_of<InputError>([&] { read(*source, "d"); }).find("tensor d: dtype I64"),
            std::string::npos);
  std::vector<float> two(2);
  EXPECT_NE(message_of<InputError>([&] { source->read("a", two); }).find("tensor a"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([&] { source->read("f", two); }).find("f is missing"),
            std::string::npos);
}

TEST_F(Safetensors, RefusesEveryTruncation) {
  TinyModel tiny;
  tiny.layers = tiny.query_heads = tiny.kv_heads = 1;
  tiny.hidden = tiny.ffn = tiny.head_dim = 2;
  tiny.vocab = 3;
  const std::string whole = tiny.fill().safetensors();
  EXPECT_EQ(refusal(whole), "");
  for (std::size_t length = 0; length < whole.size();
       length += length < 64 || whole.size() - length < 64 ? 1 : 11) {
    ASSERT_NE(refusal(whole.substr(0, length)), "") << length << " of " << whole.size();
  }
  EXPECT_NE(refusal(whole.substr(0, whole.size() - 1)).find("tensor "), std::string::npos);
  EXPECT_NE(refusal(whole + "x").find("1 bytes after"), std::string::npos);
}

TEST_F(Safetensors, RefusesHeadersThatLie) {
  const std::string data(16, '\0');
  const auto one = [&](const json& value) { return refusal(file_of({{"w", value}}, data)); };
  EXPECT_EQ(one(entry("F32", {4}, 0, 16)), "");
  EXPECT_NE(one(entry("F32", {5}, 0, 20)).find("tensor w: ends at byte 20"), std::string::npos);
  EXPECT_NE(one(entry("F32", {4}, 0, 12)).find("takes 16 bytes"), std::string::npos);
  EXPECT_NE(one(entry("F32", {4}, 16, 0)).find("tensor w"), std::string::npos);
  EXPECT_NE(one(entry("F31", {4}, 0, 16)).find("dtype F31"), std::string::npos);
  EXPECT_NE(one(entry("F32", {std::size_t{1} << 62, 4}, 0, 16)).find("overflows"),
            std::string::npos);
  EXPECT_NE(
      one({{"dtype", "F32"}, {"shape", {-4}}, {"data_offsets", {0, 16}}}).find("whole numbers"),
      std::string::npos);
  EXPECT_NE(
      one({{"dtype", "F32"}, {"shape", {4}}, {"data_offsets", {0.0, 16.5}}}).find("whole numbers"),
      std::string::npos);
  EXPECT_NE(one({{"dtype", "F32"}, {"shape", {4}}}).find("tensor w"), std::string::npos);
  EXPECT_NE(one(7).find("tensor w"), std::string::npos);
  const auto two = [&](const json& a, const json& b) {
    return refusal(file_of({{"a", a}, {"b", b}}, data));
  };
  EXPECT_EQ(two(entry("F32", {2}, 0, 8), entry("F32", {2}, 8, 16)), "");
  EXPECT_NE(two(entry("F32", {3}, 0, 12), entry("F32", {2}, 8, 16)).find("overlaps"),
            std::string::npos);
  EXPECT_NE(two(entry("F32", {1}, 0, 4), entry("F32", {2}, 8, 16)).find("gap"), std::string::npos);
  EXPECT_NE(refusal(GgufWriter::bytes(~std::uint64_t{0}) + "{}").find("header of"),
            std::string::npos);
  EXPECT_NE(refusal(file_of({1, 2}, "")).find("not a JSON object"), std::string::npos);
}

TEST_F(Safetensors, ReadsShardsAndChecksTheirIndex) {
  const TinyModel tiny = TinyModel().fill();
  const auto first = [](const std::string& name) { return name < "model.layers.1"; };
  write_text(scratch_ / "one.safetensors", tiny.safetensors(first));
  write_text(scratch_ / "two.safetensors",
             tiny.safetensors([&](const std::string& name) { return !first(name); }));
  json map;
  for (const auto& [name, tensor] : tiny.tensors)
    map[name] = first(name) ? "one.safetensors" : "two.safetensors";
  const auto open = [&](const json& with) {
    write_text(scratch_ / "model.safetensors.index.json", json{{"weight_map", with}}.dump());
    return open_safetensors(scratch_.path().string());
  };
  const auto source = open(map);
  ASSERT_EQ(source->tensors().size(), tiny.tensors.size());
  for (const auto& [name, tensor] : tiny.tensors)
    EXPECT_EQ(read(*source, name), tensor.values) << name;

  json changed = map;
  changed["model.norm.weight"] = "one.safetensors";
  EXPECT_NE(message_of<InputError>([&] { open(changed); }).find("model.norm.weight"),
            std::string::npos);
  changed = map;
  changed["extra"] = "two.safetensors";
  EXPECT_NE(message_of<InputError>([&] { open(changed); }).find("extra is missing from two"),
            std::string::npos);
  changed = map;
  changed["extra"] = "three.safetensors";
  EXPECT_NE(message_of<IoError>([&] { open(changed); }).find("three.safetensors"),
            std::string::npos);
  changed["extra"] = "../two.safetensors";
  EXPECT_NE(message_of<CorruptStream>([&] { open(changed); }).find("this folder"),
            std::string::npos);
  changed["extra"] = 7;
  EXPECT_NE(message_of<CorruptStream>([&] { open(changed); }).find("extra"), std::string::npos);
  write_text(scratch_ / "model.safetensors.index.json", "{\"weight_map\": ");
  EXPECT_NE(message_of<CorruptStream>([&] {
              open_safetensors(scratch_.path().string());
            }).find("index.json"),
            std::string::npos);
}

TEST_F(Safetensors, RefusesDeepNesting) {
  const std::string deep(100'000, '['), closed = deep + std::string(100'000, ']');
  for (const std::string& header : {deep, closed, "{\"w\":" + closed + "}"}) {
    EXPECT_NE(refusal(GgufWriter::bytes(std::uint64_t{header.size()}) + header)
                  .find("model.safetensors: the header: not JSON at byte "),
              std::string::npos);
  }
  std::filesystem::remove(scratch_ / "model.safetensors");
  for (const std::string& index : {deep, "{\"weight_map\":" + closed + "}"}) {
    write_text(scratch_ / "model.safetensors.index.json", index);
    EXPECT_NE(message_of<CorruptStream>([&] {
                open_safetensors(scratch_.path().string());
              }).find("index.json: not JSON at byte "),
              std::string::npos);
  }
}

TEST_F(Safetensors, NamesWhatIsNotThere) {
  EXPECT_NE(message_of<IoError>([&] {
              open_safetensors(scratch_.path().string());
            }).find("neither model.safetensors"),
            std::string::npos);
}

}  // namespace
}  // namespace kakeya
