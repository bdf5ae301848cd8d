// SPDX-License-Identifier: Apache-2.0
#include "report_capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/capacity/capacity.h"
#include "kakeya/capacity/sizes.h"
#include "kakeya/core/error.h"
#include "kakeya/studies/published/users_claim.h"
#include "program.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kCapacityFooter[] = R"(
How many users fit on a card, and how long their sequences may be, from config.json alone. Memory is --hbm less the
weights, less --reserve for activations and the rest, less a codec's profile once a card. A user's bytes are those of
kakeya-report storage: every layer by its kind, headers, open pages, sinks and residual window counted in.

Parameters are counted from the config: embedding, attention, feed-forward, experts, norms. --weights bf16 takes 2 bytes
of each, fp8 one (scales not counted); or give the bytes of all weights. Of MoE models every expert is on the card.
One card, or several as one (--hbm 1128GB): what is copied to each of them is not counted.

The profile of klt's single heads is counted for these shapes. Those of klt:scope=layer and kvtc depend on how they
were calibrated: --profile-bytes. bf16 (identity) is always beside the codecs asked for.

Examples:
  kakeya-report capacity --hbm 141GB --config data/configs/qwen3-4b.json
  kakeya-report capacity --hbm 80GB --weights fp8 --reserve 8GB --config data/configs/llama-3.1-8b.json --tokens 32k --users 1,64
  kakeya-report capacity --hbm 1128GB --weights fp8 --config data/configs/deepseek-v4-flash.json --published
  kakeya-report capacity --hbm 141GB --config data/configs/*.json --out capacity --json)";

std::vector<std::uint64_t> parse_users(const std::string& text) {
  std::vector<std::uint64_t> users;
  try {
    for (const std::size_t each : parse_token_list(text)) users.push_back(each);
  } catch (const SpecError&) {
    throw SpecError(
        fmt::format("--users {}: expected whole numbers above 0 with commas, such as 1,64", text));
  }
  return users;
}

Json capacity_json(const CodecCapacity& each, const std::string& model,
                   const CapacityQuestion& question) {
  Json lengths = Json::array(), longest = Json::array();
  for (std::size_t i = 0; i < question.storage.tokens.size(); ++i) {
    lengths.push_back({{"tokens", question.storage.tokens[i]},
                       {"user_bytes", each.user_bytes[i]},
                       {"users", each.users[i]}});
  }
  for (std::size_t i = 0; i < question.users.size(); ++i) {
    const bool any = each.tokens[i] == kMostTokens;
    longest.push_back(
        {{"users", question.users[i]}, {"tokens", any ? Json() : Json(each.tokens[i])}});
  }
  return {{"model", model},
          {"codec", each.codec},
          {"rate", each.nominal ? "nominal" : "counted"},
          {"weight_bytes", each.room.weights},
          {"profile_bytes", each.room.profile},
          {"free_bytes", each.room.free()},
          {"lengths", lengths},
          {"longest", longest}};
}

Json capacity_json(const Table& claims) {
  Json list = Json::array();
  for (const std::vector<Cell>& row : claims.rows) {
    list.push_back({{"what", row[0].text},
                    {"published", row[1].text},
                    {"ours", *row[2].value},
                    {"verdict", row[3].text}});
  }
  return list;
}

CapacityQuestion question_of(const ReportCapacityOptions& options) {
  CapacityQuestion question;
  question.storage = options.asked.question();
  std::vector<std::string>& codecs = question.storage.codecs;
  if (std::find(codecs.begin(), codecs.end(), "identity") == codecs.end()) {
    codecs.insert(codecs.begin(), "identity");
  }
  question.card = parse_bytes_of("--hbm", options.card);
  question.weights = parse_weights(options.weights);
  question.reserve = parse_reserve(options.reserve, question.card);
  question.users = parse_users(options.users);
  if (!options.profile_bytes.empty()) {
    question.profile_bytes = parse_bytes_of("--profile-bytes", options.profile_bytes);
  }
  return question;
}

}  // namespace

CLI::App* define_report_capacity(CLI::App& app, ReportCapacityOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "capacity", "How many users and tokens fit on a card, from config.json alone");
  sub->add_option("--hbm", options.card, "Memory of the card: 141GB (10^9), 80GiB (2^30), bytes")
      ->required()
      ->type_name("BYTES");
  add_cache_question(*sub, options.asked, "8k,32k,128k");
  sub->add_option("--weights", options.weights, "bf16, fp8, or the bytes of all weights")
      ->capture_default_str()
      ->type_name("FORMAT");
  sub->add_option("--reserve", options.reserve,
                  "Memory for activations and all else: a share of --hbm, or bytes; 0 is none")
      ->capture_default_str()
      ->type_name("BYTES");
  sub->add_option("--users", options.users,
                  "Also how many tokens each of so many users may have, several with commas")
      ->capture_default_str()
      ->type_name("LIST");
  sub->add_option("--profile-bytes", options.profile_bytes,
                  "Of codecs whose profile a config does not tell (klt:scope=layer, kvtc)")
      ->type_name("BYTES");
  sub->add_flag("--published", options.published,
                "Also the published 22 % more users of DeepSeek-V4, with arithmetic and verdicts");
  sub->add_option("--out", options.out, "Folder for the report, made if missing")->type_name("R");
  sub->add_flag("--no-charts", options.no_charts, "Nothing: there are no charts")->group("");
  sub->add_flag("--json", options.json,
                "Print one JSON document: out, files, capacity (model, codec, rate, weight_bytes, "
                "profile_bytes, free_bytes, lengths, longest), without_room, left_out, published");
  sub->footer(kCapacityFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_capacity(const ReportCapacityOptions& options) {
  const CapacityQuestion question = question_of(options);
  const std::vector<Decoder> decoders = options.asked.decoders();
  std::vector<Table> claims;
  if (options.published) {
    const std::string data = shipped_folder("data/published");
    claims.push_back(users_claim_table(read_published_tables(data + "/tables"),
                                       read_published_record(data), decoders));
  }
  std::vector<ModelCapacity> models;
  std::vector<std::string> without_room;
  for (const Decoder& decoder : decoders) {
    if (question.weights.of(decoder) + question.reserve >= question.card && decoders.size() > 1) {
      without_room.push_back(fmt::format("{}: {} of weights leave no room for caches.",
                                         decoder.name, bytes_text(question.weights.of(decoder))));
      continue;
    }
    models.push_back(capacity_of(decoder, question));
  }
  if (models.empty()) {
    throw InputError(fmt::format("--hbm {}: {} expected a larger card or smaller weights",
                                 options.card, without_room.front()));
  }
  std::vector<std::string> files;
  if (!options.out.empty()) {
    files = write_document(make_capacity_report(models, question, without_room, claims),
                           options.out, false);
  }
  if (options.json) {
    Json list = Json::array(), left_out = Json::array();
    for (const ModelCapacity& model : models) {
      for (const CodecCapacity& each : model.codecs) {
        list.push_back(capacity_json(each, model.decoder.name, question));
      }
      for (const std::string& text : model.left_out) {
        left_out.push_back({{"model", model.decoder.name}, {"reason", text}});
      }
    }
    const Json document = {
        {"out", options.out},
        {"files", files},
        {"capacity", list},
        {"without_room", without_room},
        {"left_out", left_out},
        {"published", claims.empty() ? Json::array() : capacity_json(claims.front())}};
    fmt::print("{}\n", document.dump(1));
  } else if (!options.out.empty()) {
    fmt::print("{} models: {}/report.md\n", models.size(), options.out);
  } else {
    fmt::print("{}", make_capacity_report(models, question, without_room, claims).details);
  }
}

}  // namespace kakeya
