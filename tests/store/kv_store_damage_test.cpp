// SPDX-License-Identifier: Apache-2.0
// Files that are not whole dumps: an error that names the file and the object, never a crash, never
// other numbers.
#include <functional>
#include <utility>

#include "kakeya/store/h5.h"
#include "kakeya/store/kv_store.h"
#include "store/small_dump.h"

// The HDF5 library (1.10.8 at least) forgets the object header that it was reading when a checksum
// fails.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace kakeya::testing {
namespace {

class KvStoreDamage : public KvStore {};

TEST_F(KvStoreDamage, NotADump) {
  const ScratchFolder folder;
  write_text(folder / "empty.h5", "");
  write_text(folder / "text.h5", std::string(5000, 'x'));
  EXPECT_THROW(DumpReader(folder / "empty.h5"), CorruptStream);
  EXPECT_NE(message_of<CorruptStream>([&] { DumpReader(folder / "text.h5"); }).find("text.h5"),
            std::string::npos);
  EXPECT_THROW(DumpReader(folder / "none.h5"), IoError);
  EXPECT_THROW(DumpReader(folder.path().string()), IoError);
}

TEST_F(KvStoreDamage, EveryTruncationIsRefused) {
  const ScratchFolder folder;
  DumpHead dump = facts("bf16", false);
  dump.passages = 1;
  dump.shape.layers = 2;
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

TEST_F(KvStoreDamage, WhatIsMissingIsNamed) {
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
    const bool shape = missing == "layers" || missing == "kv_heads" || missing == "head_dim" ||
                       missing == "passages" || missing == "tokens" || missing.starts_with("/");
    if (!shape) continue;
    write_by_hand(folder / "d.h5",
                  [&](h5::File&, const std::string& name) { return name != missing; });
    const std::string why = message_of<CorruptStream>([&] { read_all(folder / "d.h5"); });
    EXPECT_NE(why.find(missing), std::string::npos) << missing << ": " << why;
  }
}

TEST_F(KvStoreDamage, AllButTheShapeMayBeMissing) {
  const ScratchFolder folder;
  for (const auto& [scalar, storage] : std::vector<std::pair<h5::Scalar, std::string>>{
           {h5::Scalar::fp32, "fp32"}, {h5::Scalar::fp16, "fp16"}, {h5::Scalar::bf16, "bf16"}}) {
    h5::File file = h5::File::create(folder / "d.h5");
    for (const char* name : {"layers", "kv_heads", "passages"}) file.set_integer("/", name, 1);
    file.set_integer("/", "head_dim", 8);
    file.set_integer("/", "tokens", 4);
    const std::uint64_t tokens_shape[] = {4}, part_shape[] = {4, 1, 8};
    const std::vector<float> data(32, 0.0F);
    const std::vector<std::int32_t> ids(4, 7);
    file.write("/passages/0/tokens", h5::Scalar::int32, tokens_shape, ids.data());
    for (const char* name : {"/passages/0/layers/0/k", "/passages/0/layers/0/v"})
      file.write(name, scalar, part_shape, data.data());
    file.close();
    const DumpReader reader(folder / "d.h5");
    const DumpHead& head = reader.head();
    EXPECT_EQ(head.storage, storage);
    EXPECT_EQ(head.tap, TapPoint::pre_rope);
    EXPECT_EQ(head.shape.query_heads, 1);
    EXPECT_EQ(head.origin.model.name, "unknown");
    EXPECT_EQ(head.origin.model.sha256, "");
    EXPECT_FALSE(head.queries);
    EXPECT_EQ(reader.origin(0), "passage 0");
    EXPECT_EQ(reader.part(0, {0, Part::value}), data);
  }
}

TEST_F(KvStoreDamage, WhatIsWrongIsNamed) {
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
TEST_F(KvStoreDamage, FlippedBitsAreFoundOrHarmless) {
  const ScratchFolder folder;
  DumpHead dump = facts("bf16", false);
  dump.passages = 1;
  dump.shape.layers = 2;
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
}  // namespace kakeya::testing
