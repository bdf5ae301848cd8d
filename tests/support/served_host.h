// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/host/host.h"
#include "kakeya/host/host_process.h"
#include "kakeya/model/model.h"
#include "support/made_foreign.h"

namespace kakeya::testing {

/// Both ends of a line, in one process.
inline std::pair<std::unique_ptr<Channel>, std::unique_ptr<Channel>> channel_pair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) throw IoError("no sockets");
  const int memory = memfd_create("test", MFD_ALLOW_SEALING | MFD_CLOEXEC);
  auto ours = std::make_unique<Channel>(ends[0], dup(memory));
  return {std::move(ours), std::make_unique<Channel>(ends[1], memory)};
}

/// The host's end of the line: what the protocol asks of a host, in a thread, over a model of this
/// process. `odd` may answer in its place.
class ServedHost {
 public:
  using Json = nlohmann::json;

  explicit ServedHost(Model* model) : model_(model) {}
  ~ServedHost() {
    if (thread_.joinable()) thread_.join();
  }

  /// Begins to serve. The host ends before this does.
  std::unique_ptr<Host> start() {
    auto [ours, theirs] = channel_pair();
    channel_ = std::move(theirs);
    thread_ = std::thread([this] { serve(); });
    return std::make_unique<Host>("a test", std::move(ours), nullptr);
  }

  Channel& channel() { return *channel_; }
  std::vector<Json> requests;                         ///< all that came, nested ones too
  std::function<bool(const Json&, Json& reply)> odd;  ///< whether it made the reply
  bool slices = true;                                 ///< sends logits in slices, where it may

  /// Puts an array behind what is in use, and says where.
  Json put(const void* data, std::size_t bytes) {
    const SharedPlace place{used_, bytes};
    const std::span<std::byte> room = channel_->memory().room(place);
    if (bytes > 0) std::memcpy(room.data(), data, bytes);
    used_ = place.end();
    return {place.offset, place.bytes};
  }
  template <typename T>
  Json put(const std::vector<T>& values) {
    return put(values.data(), values.size() * sizeof(T));
  }

  /// A call of a forward: what the program answers, its requests served meanwhile.
  Json call(const Json& message) {
    channel_->send(message);
    for (;;) {
      Json answer = channel_->receive();
      if (answer.contains("do")) {
        channel_->send(reply_to(answer));
      } else if (answer.contains("stop")) {
        throw Stopped();
      } else {
        return answer;
      }
    }
  }

 private:
  struct Stopped {};

  /// Shows the program what a model shows its tap.
  class Tap final : public KvTap {
   public:
    Tap(ServedHost& host, const Json& tap, std::size_t base)
        : host_(host),
          pre_rope_(tap["point"] == "pre-rope"),
          sites_(tap["sites"]),
          pairs_(tap["pairs"]),
          window_(tap["window"]),
          base_(base) {}

    bool wants(KvSite site) const override { return wish(site) != '0'; }
    bool writes(KvSite site) const override { return wish(site) == '2'; }
    bool wants_pairs() const override { return pairs_; }
    std::size_t exact_window() const override { return window_; }
    TapPoint tap_point() const override {
      return pre_rope_ ? TapPoint::pre_rope : TapPoint::post_rope;
    }
    void visit(KvSite site, KvView view) override {
      constexpr const char* kNames[] = {"key", "value", "query"};
      Json message = {{"visit", {site.layer, kNames[static_cast<int>(site.part)]}}};
      show(message, {{site, view, "at", "exact"}});
    }
    void visit_pair(int layer, KvView keys, KvView values) override {
      Json message = {{"visit_pair", layer}};
      show(message, {{{layer, Part::key}, keys, "keys", "exact_keys"},
                     {{layer, Part::value}, values, "values", "exact_values"}});
    }

   private:
    struct Shown {
      KvSite site;
      KvView view;
      const char *data, *exact;
    };
    char wish(KvSite site) const {
      return sites_[3 * static_cast<std::size_t>(site.layer) + static_cast<std::size_t>(site.part)];
    }
    void show(Json& message, const std::vector<Shown>& parts) {
      message["tokens"] = parts[0].view.tokens;
      message["first_token"] = 0;
      host_.used_ = base_;
      for (const Shown& part : parts) {
        const std::size_t bytes = 4 * part.view.tokens * part.view.heads * part.view.dim;
        message[part.data] = host_.put(part.view.data, bytes);
        message[part.exact] =
            part.view.exact != nullptr ? host_.put(part.view.exact, bytes) : Json(nullptr);
      }
      host_.call(message);
      for (const Shown& part : parts) {
        if (!writes(part.site)) continue;
        host_.take(message[part.data], part.view.data);
        if (part.view.exact != nullptr) host_.take(message[part.exact], part.view.exact);
      }
    }

    ServedHost& host_;
    bool pre_rope_;
    std::string sites_;
    bool pairs_;
    std::size_t window_, base_;
  };

  /// The program's cache.
  class Cache final : public StepCache {
   public:
    Cache(ServedHost& host, const Json& request) : host_(host), request_(request) {}
    TapPoint tap_point() const override {
      return request_["tap"] == "pre-rope" ? TapPoint::pre_rope : TapPoint::post_rope;
    }
    std::size_t tokens(int input) const override {
      return request_["batch"][static_cast<std::size_t>(input)]["past"];
    }
    std::size_t first_token(int, int) const override { return first_; }
    void append(int input, int layer, Rows<const float> keys, Rows<const float> values) override {
      host_.used_ = 0;
      const std::size_t bytes = 4 * keys.count * keys.dim;
      const Json answer = host_.call({{"append", {input, layer}},
                                      {"tokens", keys.count},
                                      {"keys", host_.put(keys[0].data(), bytes)},
                                      {"values", host_.put(values[0].data(), bytes)}});
      first_ = answer["first"];
      for (const auto& [part, key] : {std::pair(0, "keys"), std::pair(1, "values")}) {
        seen_[part].resize(static_cast<std::size_t>(answer["tokens"]) * keys.dim);
        host_.take(answer[key], seen_[part].data());
      }
    }
    void read(int, KvSite site, TokenRange tokens, Rows<float> out) const override {
      const std::vector<float>& seen = seen_[site.part == Part::key ? 0 : 1];
      for (std::size_t row = 0; row < tokens.count; ++row) {
        if (tokens.first + row < first_) continue;  // of no query's window
        std::memcpy(out[row].data(), &seen.at((tokens.first + row - first_) * out.dim),
                    4 * out.dim);
      }
    }

   private:
    ServedHost& host_;
    const Json& request_;
    std::size_t first_ = 0;
    std::vector<float> seen_[2];
  };

  void serve() {
    try {
      for (;;) channel_->send(reply_to(channel_->receive()));
    } catch (const Error&) {  // the program has ended
      channel_->close();
    }
  }

  template <typename T>
  std::vector<T> array(const Json& place) const {
    std::vector<T> values(place[1].get<std::size_t>() / sizeof(T));
    take(place, values.data());
    return values;
  }
  void take(const Json& place, void* to) const {
    const auto at = channel_->memory().at({place[0], place[1]});
    if (!at.empty()) std::memcpy(to, at.data(), at.size());
  }

  Json reply_to(const Json& request) {
    requests.push_back(request);
    used_ = request.value("free", std::size_t{0});
    try {
      Json reply;
      if (odd && odd(request, reply)) return reply;
      return usual(request);
    } catch (const Stopped&) {
      return {{"stopped", true}};
    } catch (const SpecError& error) {
      return {{"error", "SpecError"}, {"text", error.what()}};
    } catch (const InputError& error) {
      return {{"error", "InputError"}, {"text", error.what()}};
    } catch (const std::exception& error) {
      return {{"error", "Error"}, {"text", error.what()}};
    }
  }

  Json usual(const Json& request) {
    const std::string what = request["do"];
    if (what == "hello") return {{"protocol", 1}, {"host", "a test 1"}};
    if (what == "open") return facts();
    if (what == "close" || what == "codec_close") return Json::object();
    if (what == "logits" || what == "prefill") return forward(request);
    if (what == "step") return step(request);
    if (what == "rope_frequencies") {
      return {{"frequencies", model_->rope_frequencies(request["layer"])}};
    }
    if (what == "attention_output") {
      return {{"at", put(model_->attention_output(request["layer"]))}};
    }
    if (what == "plugin") {
      return {{"codecs",
               {{{"name", name_of(request["file"])},
                 {"keys", {{{"name", "levels"}, {"default", "127"}, {"rate", true}}}}}}}};
    }
    return codec(what, request);
  }

  static std::string name_of(const std::string& file) {
    const std::string name = file.substr(file.rfind('/') + 1);
    return name.substr(0, name.find('.'));
  }

  Json facts() const {
    const ModelFacts& facts = model_->facts();
    std::vector<int> windows;
    for (int layer = 0; layer < facts.shape.layers; ++layer) {
      windows.push_back(facts.windows.covers(layer) ? facts.windows.tokens : 0);
    }
    return {{"handle", 7},
            {"name", facts.name},
            {"architecture", facts.architecture},
            {"layers", facts.shape.layers},
            {"kv_heads", facts.shape.kv_heads},
            {"query_heads", facts.shape.query_heads},
            {"head_dim", facts.shape.head_dim},
            {"hidden", facts.hidden},
            {"vocab", facts.vocab},
            {"context", facts.context},
            {"rope_base", facts.rope_base},
            {"rope_layout", facts.rope_layout},
            {"weight_types", facts.weight_types},
            {"windows", windows},
            {"sha256", std::string(64, 'a')}};
  }

  Json forward(const Json& request) {
    const auto tokens = array<std::int32_t>(request["tokens"]);
    std::unique_ptr<Tap> tap;
    if (!request["tap"].is_null()) tap = std::make_unique<Tap>(*this, request["tap"], used_);
    if (request["do"] == "prefill") {
      model_->prefill(tokens, *tap);
      return Json::object();
    }
    const std::size_t count = request["count"];
    const std::vector<float> all = model_->logits(tokens, request["first"], count, tap.get());
    const std::size_t vocab = all.size() / std::max<std::size_t>(1, count),
                      slice = request.value("slice", std::size_t{0});
    std::size_t sent = 0;
    while (slices && slice > 0 && count - sent >= slice) {
      used_ = 0;
      const Json place = put(all.data() + sent * vocab, 4 * slice * vocab);
      call({{"rows", slice}, {"at", place}});
      sent += slice;
    }
    used_ = 0;
    return {{"at", put(all.data() + sent * vocab, 4 * (count - sent) * vocab)}};
  }

  Json step(const Json& request) {
    const auto tokens = array<std::int32_t>(request["tokens"]);
    std::vector<StepInput> batch;
    std::size_t at = 0;
    for (const Json& input : request["batch"]) {
      const std::size_t count = input["tokens"];
      batch.push_back(
          {static_cast<int>(batch.size()), std::span(tokens).subspan(at, count), input["scored"]});
      at += count;
    }
    Cache cache(*this, request);
    const std::vector<float> all = model_->step(batch, cache);
    used_ = 0;
    return {{"at", put(all)}};
  }

  Json codec(const std::string& what, const Json& request) {
    if (what == "codec") {
      const Spec spec = Spec::parse(request["spec"].get<std::string>());
      const int levels = test::whole(*spec.find("levels"));
      codecs_.emplace_back(std::make_unique<test::MadeCoder>(request["dim"], levels),
                           request["dim"]);
      const std::size_t one = codecs_.back().first->bound(1);
      return {{"handle", codecs_.size() - 1},
              {"spec", request["spec"]},
              {"bound_vector", one},
              {"bound_frame", 0},
              {"nominal", nullptr}};
    }
    if (what != "codec_encode" && what != "codec_decode") throw InputError(what + ": not known");
    const auto& [coder, dim] = codecs_.at(request["handle"]);
    const std::size_t count = request["count"];
    if (what == "codec_encode") {
      const auto x = array<float>(request["at"]);
      std::vector<std::byte> bytes(coder->bound(count));
      bytes.resize(coder->encode(dense_rows(x.data(), count, dim), bytes));
      return {{"at", put(bytes)}};
    }
    std::vector<float> x(count * dim);
    coder->decode(array<std::byte>(request["at"]), dense_rows(x.data(), count, dim));
    return {{"at", put(x)}};
  }

  Model* model_;
  std::unique_ptr<Channel> channel_;
  std::thread thread_;
  std::size_t used_ = 0;
  std::vector<std::pair<std::unique_ptr<ForeignCoder>, std::size_t>> codecs_;
};

}  // namespace kakeya::testing
