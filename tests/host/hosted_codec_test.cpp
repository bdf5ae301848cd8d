// SPDX-License-Identifier: Apache-2.0
#include "kakeya/host/hosted_codec.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kakeya/codec/foreign_codec.h"
#include "kakeya/model/hosted_model.h"
#include "measure/fake_sweep.h"
#include "support/made_foreign.h"
#include "support/scratch_folder.h"
#include "support/served_host.h"

namespace kakeya {
namespace {

using Json = nlohmann::json;
using testing::message_of;
using testing::ServedHost;

std::vector<float> drawn(std::size_t count, std::size_t dim) {
  std::vector<float> x;
  for (std::size_t i = 0; i < count * dim; ++i) x.push_back(testing::hashed(3, i, 1));
  return x;
}

std::vector<std::byte> frame_of(const Codec& codec, const std::vector<float>& x) {
  const std::size_t count = x.size() / codec.dim();
  std::vector<std::byte> frame(codec.encoded_bound(count));
  frame.resize(codec.encode(dense_rows(x.data(), count, codec.dim()), frame));
  return frame;
}

TEST(HostedCodec, WritesTheBytesOfItsCoder) {
  testing::FakeModel fake;
  ServedHost served(&fake);
  const auto host = served.start();
  EXPECT_EQ(register_hosted_codecs(*host, "/plugins/there.py"), std::vector<std::string>{"there"});
  register_codec(test::made_descriptor("here"));
  const auto hosted = make_codec("there:levels=7", {.dim = 16}),
             own = make_codec("here:levels=7", {.dim = 16});
  EXPECT_EQ(hosted->spec(), "there:levels=7");
  const std::vector<float> x = drawn(21, 16);
  const auto frame = frame_of(*hosted, x), other = frame_of(*own, x);
  EXPECT_EQ(frame.size(), other.size() + 1);  // of its name
  const auto decode = [&](const std::vector<std::byte>& bytes) {
    std::vector<float> y(x.size());
    codec_of_frame(bytes)->decode(bytes, dense_rows(y.data(), 21, 16));
    return y;
  };
  EXPECT_EQ(decode(frame), decode(other));
  EXPECT_EQ(served.requests[1]["file"], "/plugins/there.py");
}

// The codec and the model are of one host: it is asked to code while it waits in its forward.
TEST(HostedCodec, CodesInsideTheForwardOfItsHost) {
  testing::FakeModel fake, plain;
  ServedHost served(&fake);
  const auto host = served.start();
  register_hosted_codecs(*host, "/plugins/inside.py");
  register_codec(test::made_descriptor("outside"));
  HostedModel model(*host, "m", {});
  WorkerPool pool(4);
  const testing::ScratchFolder folder;
  const auto sweep = [&](Model& of, const std::string& codec, std::vector<EvalMode> modes,
                         std::size_t context) {
    auto how = testing::settings(std::move(modes));
    how.context = context;
    const auto passages = testing::fake_passages(2, context + testing::kScored);
    ModelSubject subject(of, passages, how, pool);
    const std::string to = folder / (codec + std::to_string(context));
    ResultStore store(to, testing::fake_plan(), make_provenance({"test"}, 2));
    EXPECT_TRUE(
        run_sweep(subject, testing::grid_of({codec + ":levels=3"}), store, {}).failed.empty());
    return read_results(to);
  };
  for (const std::size_t context : {std::size_t{24}, std::size_t{140}}) {  // decode needs a page
    const auto modes = context == 24 ? testing::kAllModes : std::vector<EvalMode>{EvalMode::decode};
    const StoredResults inside = sweep(model, "inside", modes, context),
                        outside = sweep(plain, "outside", modes, context);
    ASSERT_EQ(inside.samples.size(), 4 * modes.size());
    ASSERT_EQ(outside.samples.size(), 4 * modes.size());
    for (std::size_t i = 0; i < inside.samples.size(); ++i) {
      const Sample &a = inside.samples[i], &b = outside.samples[i];
      EXPECT_EQ(a.key.mode, b.key.mode);
      EXPECT_EQ(a.nll_tokens, b.nll_tokens) << a.key.mode;
      EXPECT_EQ(a.kld_tokens, b.kld_tokens) << a.key.mode;
      EXPECT_EQ(a.rel_mse_k, b.rel_mse_k);
      if (a.key.codec_k != "identity") {
        EXPECT_GT(*a.kld_mean, 0);
      }
    }
  }
}

TEST(HostedCodec, RefusesWhatMakesNoSense) {
  testing::FakeModel fake;
  ServedHost served(&fake);
  Json codecs, reply = {{"handle", 1}, {"bound_vector", 4}, {"bound_frame", 0}};
  std::size_t bytes = 0;
  served.odd = [&](const Json& request, Json& made) {
    if (request["do"] == "plugin") {
      made = {{"codecs", codecs}};
    } else if (request["do"] == "codec") {
      made = reply;
    } else if (request["do"] == "codec_encode") {
      made = {{"at", served.put(std::vector<std::byte>(bytes))}};
    } else if (request["do"] == "codec_decode") {
      made = {{"at", served.put(std::vector<float>(3))}};
    } else {
      return false;
    }
    return true;
  };
  const auto host = served.start();
  const auto said = [&](Json given) {
    codecs = std::move(given);
    return message_of<Error>([&] { register_hosted_codecs(*host, "f.py"); });
  };
  EXPECT_EQ(said(Json::array()),
            "f.py: no codec, expected a file of Python that registers at least one");
  EXPECT_EQ(said({1}), "a test: codecs: [1], expected a list of objects");
  EXPECT_EQ(said({{{"name", "e8"}, {"keys", Json::array()}}}).substr(0, 6), "f.py: ");
  EXPECT_NE(said({{{"name", "odd"}, {"keys", Json::array()}, {"scope", "layer"}}})
                .find("expected any or head"),
            std::string::npos);
  EXPECT_EQ(said({{{"name", "odd"}, {"keys", Json::array()}}}), "");
  reply["bound_vector"] = -1;
  EXPECT_THROW(make_codec("odd", {.dim = 8}), Error);
  reply["bound_vector"] = 4;
  const auto codec = make_codec("odd", {.dim = 8});
  const std::vector<float> x = drawn(2, 8);
  bytes = 8;
  const auto frame = frame_of(*codec, x);
  std::vector<float> y(16);
  EXPECT_NE(message_of<Error>([&] {
              codec->decode(frame, dense_rows(y.data(), 2, 8));
            }).find("expected 16 float32"),
            std::string::npos);
  bytes = 9;
  EXPECT_NE(message_of<Error>([&] { frame_of(*codec, x); }).find("at most 8 bytes"),
            std::string::npos);
}

}  // namespace
}  // namespace kakeya
