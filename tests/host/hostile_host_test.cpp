// SPDX-License-Identifier: Apache-2.0
// Hosts that say what they should not: an error of one line, never a crash, and nothing after it.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "kakeya/model/hosted_model.h"
#include "kakeya/model/tokenizer/hosted_tokenizer.h"
#include "measure/fake_model.h"
#include "support/plain_step_cache.h"
#include "support/scratch_folder.h"
#include "support/served_host.h"

namespace kakeya {
namespace {

using Json = nlohmann::json;
using testing::FakeModel;
using testing::message_of;
using testing::ServedHost;

const std::vector<std::int32_t> kTokens = {1, 2, 3};

/// A host whose reply to one kind of request is another, and what asking for it throws.
std::string said_to(const std::string& what, const std::function<Json(ServedHost&)>& reply,
                    const std::function<void(Host&)>& ask) {
  FakeModel fake(2);
  ServedHost served(&fake);
  served.odd = [&](const Json& request, Json& made) {
    if (request["do"] != what) return false;
    made = reply(served);
    return true;
  };
  const std::unique_ptr<Host> host = served.start();
  return message_of<CorruptStream>([&] { ask(*host); });
}

Json facts_with(const char* key, const Json& value) {
  Json facts = {{"handle", 1},        {"name", "m"},       {"architecture", "a"},
                {"layers", 2},        {"kv_heads", 2},     {"query_heads", 4},
                {"head_dim", 8},      {"hidden", 16},      {"vocab", 10},
                {"context", 64},      {"rope_base", 1e4},  {"rope_layout", "rotate-half"},
                {"weight_types", ""}, {"windows", {0, 0}}, {"sha256", std::string(64, '0')}};
  if (value.is_discarded()) {
    facts.erase(key);
  } else {
    facts[key] = value;
  }
  return facts;
}

TEST(HostileHost, FactsAreChecked) {
  const auto open = [](Host& host) { HostedModel(host, "m", {}); };
  const auto said = [&](const char* key, const Json& value) {
    return said_to(
        "open", [&](ServedHost&) { return facts_with(key, value); }, open);
  };
  EXPECT_EQ(said("layers", 0), "a test: layers: 0, expected a whole number from 1 to 4096");
  EXPECT_EQ(said("layers", Json(Json::value_t::discarded)),
            "a test: layers: nothing, expected a whole number");
  EXPECT_EQ(said("query_heads", 3), "a test: query_heads: 3, expected a multiple of kv_heads, 2");
  EXPECT_EQ(said("windows", {0}), "a test: windows: [0], expected a list of 2 whole numbers");
  EXPECT_NE(said("vocab", -1).find("vocab: -1"), std::string::npos);
  EXPECT_NE(said("vocab", std::numeric_limits<std::uint64_t>::max()).find("vocab: 1844"),
            std::string::npos);
  EXPECT_NE(said("context", 1e3).find("context: 1000.0"), std::string::npos);
  EXPECT_NE(said("rope_base", "x").find("rope_base"), std::string::npos);
  EXPECT_NE(said("name", std::string(5000, 'x')).find("at most 4096 bytes"), std::string::npos);
  EXPECT_NE(said("sha256", "none").find("SHA-256"), std::string::npos);
  EXPECT_EQ(said("layers", 2), "");
}

TEST(HostileHost, PlacesOfArraysAreChecked) {
  const auto said = [](const Json& place) {
    return said_to(
        "attention_output",
        [&](ServedHost& served) {
          served.put(std::vector<float>(2048));
          return Json{{"at", place}};
        },
        [](Host& host) { HostedModel(host, "m", {}).attention_output(0); });
  };
  const std::string bytes = std::to_string(4 * 32 * 32);
  EXPECT_EQ(said({0, 4096}), "");
  EXPECT_NE(said({0, 4092}).find("expected 1024 float32"), std::string::npos);
  EXPECT_NE(said({0, 4097}).find("expected 1024 float32"), std::string::npos);
  EXPECT_NE(said({4, 4096}).find("expected a multiple of 64"), std::string::npos);
  EXPECT_NE(said({std::size_t{4} << 20, 4096}).find("which has 4194304"), std::string::npos);
  EXPECT_NE(said({(std::size_t{4} << 20) - 64, 4096}).find("which has"), std::string::npos);
  for (const Json& odd : {Json{0}, Json{0, 1, 2}, Json("x"), Json(nullptr), Json{-64, 4096},
                          Json{std::numeric_limits<std::uint64_t>::max() - 63, 4096},
                          Json{64, std::numeric_limits<std::int64_t>::max()}, Json{0.0, 4096}}) {
    EXPECT_NE(said(odd).find("a test: at: "), std::string::npos) << odd;
  }
}

TEST(HostileHost, VisitsAreWhatComesNextOrRefused) {
  struct Tap : KvTap {
    int visits = 0;
    void visit(KvSite, KvView) override { ++visits; }
  };
  const auto said = [](const std::function<Json(ServedHost&)>& make) {
    Tap tap;
    return said_to(
        "prefill",
        [&](ServedHost& served) {
          served.call(make(served));
          return Json::object();
        },
        [&](Host& host) { HostedModel(host, "m", {}).prefill(kTokens, tap); });
  };
  const auto visit = [](Json site, std::size_t tokens, std::size_t floats) {
    return [=](ServedHost& served) {
      return Json{{"visit", site},
                  {"tokens", tokens},
                  {"first_token", 0},
                  {"at", served.put(std::vector<float>(floats))},
                  {"exact", nullptr}};
    };
  };
  EXPECT_EQ(said(visit({0, "key"}, 3, 96)),
            "a test: the forward ended before layer 0 values were shown");
  EXPECT_EQ(said(visit({0, "value"}, 3, 96)), "a test: visit: [0,\"value\"], expected [0,\"key\"]");
  EXPECT_NE(said(visit({1, "key"}, 3, 96)).find("expected [0,\"key\"]"), std::string::npos);
  EXPECT_NE(said(visit("x", 3, 96)).find("visit: \"x\""), std::string::npos);
  EXPECT_NE(said(visit({0, "key"}, 4, 128)).find("tokens: 4"), std::string::npos);
  EXPECT_NE(said(visit({0, "key"}, 3, 95)).find("expected 96 float32"), std::string::npos);
  EXPECT_NE(said([](ServedHost&) {
              return Json{{"visit_pair", 0}};
            }).find("tokens: nothing"),
            std::string::npos);
  EXPECT_NE(said([](ServedHost&) {
              return Json{{"append", {0, 0}}, {"tokens", 3}, {"first_token", 0}};
            }).find("visit: nothing"),
            std::string::npos);
  EXPECT_NE(said([](ServedHost&) {
              return Json{{"rows", 1}, {"at", {0, 0}}};
            }).find("rows: 1"),
            std::string::npos);
  EXPECT_NE(said([&](ServedHost& served) {
              Json made = visit({0, "key"}, 3, 96)(served);
              made["exact"] = made["at"];
              return made;
            }).find("no exact window"),
            std::string::npos);
}

TEST(HostileHost, AppendsAreWhatComesNextOrRefused) {
  const auto said = [](const Json& place, std::size_t tokens, std::size_t floats) {
    testing::PlainStepCache cache({2, 2, 2, 16}, TapPoint::pre_rope);
    return said_to(
        "step",
        [&](ServedHost& served) {
          const Json keys = served.put(std::vector<float>(floats)),
                     values = served.put(std::vector<float>(floats));
          served.call({{"append", place}, {"tokens", tokens}, {"keys", keys}, {"values", values}});
          return Json::object();
        },
        [&](Host& host) {
          HostedModel(host, "m", {}).step(std::vector<StepInput>{{4, kTokens}}, cache);
        });
  };
  EXPECT_EQ(said({0, 0}, 3, 96), "a test: the step ended before layer 1 of input 0 was appended");
  EXPECT_NE(said({0, 1}, 3, 96).find("expected layer 0 of 2 next"), std::string::npos);
  EXPECT_NE(said({1, 0}, 3, 96).find("one of 1 inputs"), std::string::npos);
  EXPECT_NE(said({0}, 3, 96).find("a list of 2"), std::string::npos);
  EXPECT_NE(said({0, 0}, 2, 64).find("tokens: 2"), std::string::npos);
  EXPECT_NE(said({0, 0}, 3, 97).find("expected 96 float32"), std::string::npos);
}

TEST(HostileHost, TokensOfTextsAreChecked) {
  const auto said = [](std::vector<std::int32_t> ids) {
    FakeModel fake(2);
    ServedHost served(&fake);
    served.odd = [&](const Json& request, Json& made) {
      if (request["do"] == "tokenizer") {
        made = {
            {"vocab", 10}, {"describe", "t"}, {"sha256", std::string(64, '1')}, {"ends", {3, 1}}};
      } else if (request["do"] == "encode") {
        made = {{"at", served.put(ids)}};
      } else {
        return false;
      }
      return true;
    };
    const std::unique_ptr<Host> host = served.start();
    const HostedTokenizer tokenizer(*host, "m");
    EXPECT_EQ(tokenizer.ends(), (std::vector<std::int32_t>{1, 3}));
    EXPECT_EQ(tokenizer_source(tokenizer, "p", "p", ""), (Source{"t", std::string(64, '1')}));
    return message_of<CorruptStream>([&] { EXPECT_EQ(tokenizer.encode("x"), ids); });
  };
  EXPECT_EQ(said({0, 9}), "");
  EXPECT_EQ(said({0, 10}), "a test: token 10 of a text, expected 0 to 9");
  EXPECT_NE(said({-1}), "");
}

/// What a host of raw bytes makes a program say at hello, and at the next request.
struct Said {
  std::string first, then;
};
Said said_by(const std::string& bytes, bool prefix_hello = true) {
  int ends[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const auto framed = [](const std::string& text) {
    const auto length = static_cast<std::uint32_t>(text.size());
    return std::string(reinterpret_cast<const char*>(&length), 4) + text;
  };
  const std::string all = (prefix_hello ? framed(R"({"protocol":1,"host":"raw"})") : "") + bytes;
  EXPECT_EQ(write(ends[1], all.data(), all.size()), static_cast<ssize_t>(all.size()));
  shutdown(ends[1], SHUT_WR);
  auto channel = std::make_unique<Channel>(ends[0], memfd_create("raw", MFD_ALLOW_SEALING));
  Said said;
  try {
    Host host("raw", std::move(channel), nullptr);
    said.first = message_of<Error>([&] { host.ask({{"do", "x"}}, {}, {}); });
    said.then = message_of<IoError>([&] { host.ask({{"do", "x"}}, {}, {}); });
  } catch (const Error& error) {
    said.first = error.what();
  }
  close(ends[1]);
  return said;
}

std::string framed(const std::string& text) {
  const auto length = static_cast<std::uint32_t>(text.size());
  return std::string(reinterpret_cast<const char*>(&length), 4) + text;
}

TEST(HostileHost, WhatIsNoMessageEndsTheLine) {
  const std::string huge("\xff\xff\xff\xff", 4);
  for (const auto& [bytes, expected] : std::vector<std::pair<std::string, std::string>>{
           {"", "raw: the host has ended"},
           {std::string("\1\0", 2), "raw: the host has ended"},
           {framed("{\"a\": 1}").substr(0, 7), "raw: the host has ended"},
           {huge, "raw: a message of 4294967295 bytes, expected at most 1048576"},
           {framed("garbage"),
            "raw: a message: not JSON at byte 1: expected a JSON token: invalid "
            "literal"},
           {framed("[1]"), "raw: a message that is no JSON object"},
           {framed(""), ""},
           {framed(std::string(5000, '[')), ""},
           {framed("{\"visit\": [0, \"key\"]}"),
            "raw: a call outside a forward, expected a reply"}}) {
    const Said said = said_by(bytes);
    EXPECT_FALSE(said.first.empty());
    if (!expected.empty()) {
      EXPECT_EQ(said.first, expected);
    }
    EXPECT_FALSE(said.then.empty()) << said.first;
  }
  EXPECT_EQ(said_by(framed("{}")).first, "");
  EXPECT_NE(said_by("", false).first.find("before it said what it is: expected a Python"),
            std::string::npos);
  EXPECT_EQ(said_by(framed(R"({"protocol":2,"host":"x"})"), false).first,
            "raw: protocol: 2, expected a whole number from 1 to 1");
  EXPECT_EQ(said_by(framed(R"({"error":"InputError","text":"no"})"), false).first, "no");
}

TEST(HostileHost, AHostThatEndsWithinAForwardIsAnErrorAndTheTapsOwnComesFirst) {
  struct Tap : KvTap {
    ServedHost* served = nullptr;
    bool throws = false;
    void visit(KvSite, KvView) override {
      served->channel().close();
      if (throws) throw std::runtime_error("mine");
    }
  };
  for (const bool throws : {false, true}) {
    FakeModel fake(2);
    ServedHost served(&fake);
    const std::unique_ptr<Host> host = served.start();
    Tap tap;
    tap.served = &served;
    tap.throws = throws;
    HostedModel model(*host, "m", {});
    const auto forward = [&] { model.prefill(kTokens, tap); };
    if (throws) {
      EXPECT_EQ(message_of<std::runtime_error>(forward), "mine");
    } else {
      EXPECT_EQ(message_of<IoError>(forward), "a test: the host has ended");
    }
    EXPECT_EQ(message_of<IoError>([&] { model.attention_output(0); }),
              "a test: the host has ended");
  }
}

TEST(HostileHost, MemoryThatCouldShrinkIsRefused) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  EXPECT_NE(message_of<IoError>([&] {
              Channel(ends[0], memfd_create("x", 0));
            }).find("MFD_ALLOW_SEALING"),
            std::string::npos);
  const int memory = memfd_create("x", MFD_ALLOW_SEALING);
  const SharedMemory shared(dup(memory));
  ASSERT_EQ(ftruncate(memory, 4096), 0);
  EXPECT_NE(ftruncate(memory, 0), 0);
  close(memory);
  close(ends[1]);
}

}  // namespace
}  // namespace kakeya
