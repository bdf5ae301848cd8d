// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/hosted_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/core/error.h"
#include "kakeya/model/check_tokens.h"
#include "kakeya/model/hosted_step.h"
#include "kakeya/model/hosted_tap.h"

namespace kakeya {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLogitRows = 64;  // at once: at 150,000 tokens of vocabulary 38 MB
constexpr int kLargest = 1 << 30;

HostArray tokens_array(std::span<const std::int32_t> tokens) {
  return {"tokens", std::as_bytes(tokens)};
}

void check_ids(std::span<const std::int32_t> tokens, int vocab) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] >= 0 && tokens[i] < vocab) continue;
    throw InputError("token " + std::to_string(i) + " is " + std::to_string(tokens[i]) +
                     ", expected 0 to " + std::to_string(vocab - 1));
  }
}

LayerWindows windows_of(const HostMessage& reply, int layers) {
  LayerWindows windows;
  const auto each = reply.wholes("windows", static_cast<std::size_t>(layers), 0, kLargest);
  for (int layer = 0; layer < layers; ++layer) {
    const int tokens = static_cast<int>(each[static_cast<std::size_t>(layer)]);
    if (tokens == 0) continue;
    if (windows.tokens != 0 && tokens != windows.tokens) {
      throw InputError("windows of " + std::to_string(windows.tokens) + " and of " +
                       std::to_string(tokens) +
                       " tokens, expected one of all layers that have any");
    }
    windows.tokens = tokens;
    windows.layers.push_back(layer);
  }
  return windows;
}

// -log softmax(row)[target] in double.
double loss_of(std::span<const float> row, std::size_t target) {
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (const float logit : row) sum += std::exp(static_cast<double>(logit) - largest);
  return largest + std::log(sum) - static_cast<double>(row[target]);
}

}  // namespace

HostedModel::HostedModel(Host& host, const std::string& name, const ModelOptions& options)
    : host_(host), pool_(options.threads) {
  if (options.device.find(',') != std::string::npos) {
    throw SpecError("device " + options.device + ": " + name +
                    " runs in a host, which has one device: expected cpu, cuda or cuda:N");
  }
  if (options.batch_invariant) {
    throw SpecError(
        "batch-invariant: " + name +
        " runs in a host, which sums in an order of its own: expected a model that runs here");
  }
  const Json request = {{"do", "open"},
                        {"model", name},
                        {"device", options.device},
                        {"dtype", options.dtype},
                        {"threads", pool_.threads()},
                        {"attention", options.attention}};
  host_.ask(request, {}, [this](const HostMessage& reply) { read_facts(reply); });
}

HostedModel::~HostedModel() {
  try {
    host_.ask({{"do", "close"}, {"handle", handle_}}, {}, {});
  } catch (const std::exception&) {  // it has ended, and the model with it
  }
}

void HostedModel::read_facts(const HostMessage& reply) {
  constexpr int kMostLayers = 1 << 12, kMostHeads = 1 << 12, kLargestDim = 1 << 16;
  handle_ = reply.whole("handle", 0, kLargest);
  facts_.name = reply.text("name");
  facts_.architecture = reply.text("architecture") + " (transformers)";  // results of ours differ
  KvShape& shape = facts_.shape;
  shape.layers = reply.number("layers", 1, kMostLayers);
  shape.kv_heads = reply.number("kv_heads", 1, kMostHeads);
  shape.query_heads = reply.number("query_heads", shape.kv_heads, kMostHeads);
  shape.head_dim = reply.number("head_dim", 1, kLargestDim);
  if (shape.query_heads % shape.kv_heads != 0) {
    reply.refuse("query_heads", "a multiple of kv_heads, " + std::to_string(shape.kv_heads));
  }
  facts_.hidden = reply.number("hidden", 1, 1 << 20);
  facts_.vocab = reply.number("vocab", 1, 1 << 24);
  facts_.context = reply.number("context", 1, kLargest);
  facts_.rope_base = reply.real("rope_base", 0);
  facts_.rope_layout = reply.text("rope_layout");
  facts_.weight_types = reply.text("weight_types");
  facts_.windows = windows_of(reply, shape.layers);
  facts_.sha256 = reply.digest("sha256");
  if (facts_.name.empty()) reply.refuse("name", "a name");
  facts_.host = host_.description();
}

// A forward over `tokens`, whose `count` rows of logits are given to `take`, some at a time.
void HostedModel::run(Json& request, std::span<const std::int32_t> tokens, KvTap* tap,
                      std::size_t count, const Rows& take) const {
  check_ids(tokens, facts_.vocab);
  std::optional<HostedTap> shown;
  if (tap != nullptr) shown.emplace(*tap, facts_.shape, tokens.size());
  request["handle"] = handle_;
  request["tap"] = shown ? shown->request() : Json(nullptr);
  const auto vocab = static_cast<std::size_t>(facts_.vocab);
  std::size_t left = count;
  const HostArray arrays[] = {tokens_array(tokens)};
  host_.forward(
      request, arrays,
      [&](const HostMessage& call, HostAnswer&) {
        if (call.has("rows")) {
          const auto rows =
              static_cast<std::size_t>(call.whole("rows", 1, static_cast<std::int64_t>(left)));
          take(call.floats("at", rows * vocab));
          left -= rows;
        } else if (shown) {
          shown->show(call);
        } else {
          call.refuse("a visit, expected none: there is no tap");
        }
      },
      [&](const HostMessage& reply) {
        if (shown) shown->finish(reply);
        if (left > 0) take(reply.floats("at", left * vocab));
      });
}

void HostedModel::forward_rows(std::span<const std::int32_t> tokens, std::size_t first,
                               std::size_t count, std::size_t slice, KvTap* tap,
                               const Rows& take) const {
  check_forward(tokens, first, count, facts_);
  Json request = {{"do", "logits"}, {"first", first}, {"count", count}};
  if (slice > 0) request["slice"] = slice;
  run(request, tokens, tap, count, take);
}

std::vector<float> HostedModel::logits(std::span<const std::int32_t> tokens, std::size_t first,
                                       std::size_t count, KvTap* tap) {
  std::vector<float> all;
  forward_rows(tokens, first, count, 0, tap, [&](std::span<const float> rows) {
    all.insert(all.end(), rows.begin(), rows.end());
  });
  return all;
}

std::vector<double> HostedModel::nll(std::span<const std::int32_t> tokens, std::size_t first_scored,
                                     KvTap* tap) {
  check_scoring(tokens, first_scored);
  const auto vocab = static_cast<std::size_t>(facts_.vocab);
  std::vector<double> all;
  const auto take = [&](std::span<const float> rows) {
    const std::size_t done = all.size(), count = rows.size() / vocab;
    all.resize(done + count);
    pool_.run(count, [&](std::size_t row, std::size_t) {
      const auto target = static_cast<std::size_t>(tokens[first_scored + done + row]);
      all[done + row] = loss_of(rows.subspan(row * vocab, vocab), target);
    });
  };
  forward_rows(tokens, first_scored - 1, tokens.size() - first_scored, kLogitRows, tap, take);
  return all;
}

void HostedModel::prefill(std::span<const std::int32_t> tokens, KvTap& tap) {
  check_forward(tokens, 0, 0, facts_);
  Json request = {{"do", "prefill"}};
  run(request, tokens, &tap, 0, {});
}

std::vector<float> HostedModel::step(std::span<const StepInput> batch, StepCache& cache) {
  HostedStep step(batch, cache, facts_);
  const Json request = {{"do", "step"},
                        {"handle", handle_},
                        {"tap", tap_name(cache.tap_point())},
                        {"batch", step.batch()}};
  const std::size_t values = step.scored() * static_cast<std::size_t>(facts_.vocab);
  std::vector<float> logits;
  const HostArray arrays[] = {tokens_array(step.tokens())};
  host_.forward(
      request, arrays,
      [&](const HostMessage& call, HostAnswer& answer) { step.append(call, answer); },
      [&](const HostMessage& reply) {
        step.finish(reply);
        const std::span<const float> made = reply.floats("at", values);
        logits.assign(made.begin(), made.end());
      });
  return logits;
}

std::vector<double> HostedModel::rope_frequencies(int layer) const {
  std::vector<double> frequencies;
  host_.ask({{"do", "rope_frequencies"}, {"handle", handle_}, {"layer", layer}}, {},
            [&](const HostMessage& reply) {
              frequencies = reply.reals("frequencies", facts_.shape.dim() / 2);
            });
  return frequencies;
}

std::vector<float> HostedModel::attention_output(int layer) const {
  const std::size_t width = facts_.shape.heads(Part::query) * facts_.shape.dim();
  std::vector<float> matrix;
  host_.ask({{"do", "attention_output"}, {"handle", handle_}, {"layer", layer}}, {},
            [&](const HostMessage& reply) {
              const auto all = reply.floats("at", static_cast<std::size_t>(facts_.hidden) * width);
              matrix.assign(all.begin(), all.end());
            });
  return matrix;
}

}  // namespace kakeya
