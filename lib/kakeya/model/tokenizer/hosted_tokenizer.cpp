// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/hosted_tokenizer.h"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

HostArray text_array(std::string_view text) {
  return {"at", std::as_bytes(std::span(text.data(), text.size()))};
}

}  // namespace

HostedTokenizer::HostedTokenizer(Host& host, std::string name)
    : host_(host), name_(std::move(name)) {
  host_.ask({{"do", "tokenizer"}, {"model", name_}}, {}, [this](const HostMessage& reply) {
    constexpr int kMostTokens = 1 << 24;
    vocab_ = static_cast<std::size_t>(reply.whole("vocab", 1, kMostTokens));
    described_ = reply.text("describe");
    sha256_ = reply.digest("sha256");
    std::set<std::int32_t> ends;
    for (const std::int64_t id : reply.wholes("ends", {}, 0, kMostTokens)) {
      ends.insert(static_cast<std::int32_t>(id));
    }
    ends_.assign(ends.begin(), ends.end());
  });
}

std::vector<std::int32_t> HostedTokenizer::encode(
    std::string_view text, bool add_special,
    const std::function<void(std::size_t)>& progress) const {
  std::vector<std::int32_t> ids;
  const HostArray arrays[] = {text_array(text)};
  host_.ask({{"do", "encode"}, {"model", name_}, {"special", add_special}}, arrays,
            [&](const HostMessage& reply) {
              const auto made = reply.ids("at");
              ids.assign(made.begin(), made.end());
              for (const std::int32_t id : ids) {
                if (id >= 0 && static_cast<std::size_t>(id) < vocab_) continue;
                reply.refuse("token " + std::to_string(id) + " of a text, expected 0 to " +
                             std::to_string(vocab_ - 1));
              }
            });
  if (progress) progress(text.size());
  return ids;
}

std::string HostedTokenizer::decode(const std::vector<std::int32_t>& ids) const {
  for (const std::int32_t id : ids) {
    if (id >= 0 && static_cast<std::size_t>(id) < vocab_) continue;
    throw InputError("token " + std::to_string(id) + ", expected 0 to " +
                     std::to_string(vocab_ - 1));
  }
  std::string text;
  const HostArray arrays[] = {{"at", std::as_bytes(std::span(ids))}};
  host_.ask({{"do", "decode"}, {"model", name_}}, arrays, [&](const HostMessage& reply) {
    const auto made = reply.bytes("at");
    text.assign(reinterpret_cast<const char*>(made.data()), made.size());
  });
  return text;
}

std::optional<std::string> HostedTokenizer::special_in(std::string_view text) const {
  std::optional<std::string> found;
  const HostArray arrays[] = {text_array(text)};
  host_.ask({{"do", "special_in"}, {"model", name_}}, arrays, [&](const HostMessage& reply) {
    if (reply.has("found")) found = reply.text("found");
  });
  return found;
}

}  // namespace kakeya
