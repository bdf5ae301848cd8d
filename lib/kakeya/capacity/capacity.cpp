// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/capacity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "kakeya/capacity/sizes.h"
#include "kakeya/core/error.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

CodecCapacity codec_capacity(const std::string& spec, const Decoder& decoder,
                             const CapacityQuestion& question, const CachePolicy& policy) {
  const CodecOfCache codec(spec, decoder);
  CodecCapacity found{codec.spec(), codec.nominal(), {}, {}, {}, {}};
  found.room = {question.card, question.weights.of(decoder), question.reserve,
                codec.profile_bytes(decoder, policy)};
  if (profile_unknown(spec)) {
    if (!question.profile_bytes) {
      throw SpecError(fmt::format(
          "{}: a config does not tell how large its profile is: expected --profile-bytes "
          "(kakeya-calibrate says them)",
          found.codec));
    }
    found.room.profile = *question.profile_bytes;
  }
  const OpenPage open = question.storage.open_page;
  for (const std::size_t tokens : question.storage.tokens) {
    found.user_bytes.push_back(codec.bytes(decoder, tokens, policy, open).total());
    found.users.push_back(users_that_fit(found.room, found.user_bytes.back()));
  }
  for (const std::uint64_t users : question.users) {
    found.tokens.push_back(tokens_that_fit(found.room, users, codec, decoder, policy, open));
  }
  return found;
}

/// The plain cache, which every column is compared with.
const CodecCapacity* plain_of(const ModelCapacity& model) {
  const auto at = std::find_if(model.codecs.begin(), model.codecs.end(),
                               [](const auto& each) { return each.codec == "identity"; });
  return at == model.codecs.end() ? nullptr : &*at;
}

}  // namespace

ModelCapacity capacity_of(Decoder decoder, const CapacityQuestion& question) {
  ModelCapacity model{std::move(decoder), {}, {}};
  const CachePolicy policy = policy_for(model.decoder, question.storage.policy);
  const double weights = question.weights.of(model.decoder);
  if (weights + question.reserve >= question.card) {
    throw InputError(fmt::format(
        "{}: {} of weights ({}) and {} in reserve leave nothing of {} for caches: expected a larger "
        "--hbm, smaller --weights or --reserve",
        model.decoder.name, bytes_text(weights), question.weights.name,
        bytes_text(question.reserve), bytes_text(question.card)));
  }
  for (const std::string& spec : question.storage.codecs) {
    try {
      model.codecs.push_back(codec_capacity(spec, model.decoder, question, policy));
    } catch (const Error& error) {
      if (question.storage.every_codec) throw;
      model.left_out.push_back(fmt::format("{}: {}", spec, error.what()));
    }
  }
  return model;
}

Table capacity_table(const ModelCapacity& model, const CapacityQuestion& question) {
  const Decoder& decoder = model.decoder;
  Table table = named_table("capacity", fmt::format("{}: what fits", decoder.name));
  table.source = decoder.name;
  table.columns = {{"codec", "codec", false},
                   {"rate", "rate", false},
                   {"profile", "profile_bytes"},
                   {"free for caches", "free_bytes"}};
  const CodecCapacity* plain = plain_of(model);
  for (const std::size_t tokens : question.storage.tokens) {
    const std::string at = tokens_text(tokens);
    table.columns.push_back(
        {fmt::format("a user of {}", at), fmt::format("user_bytes_{}", tokens)});
    table.columns.push_back({fmt::format("users of {}", at), fmt::format("users_{}", tokens)});
    if (plain) table.columns.push_back({"of bf16's", fmt::format("user_ratio_{}", tokens)});
  }
  for (const std::uint64_t users : question.users) {
    table.columns.push_back({fmt::format("tokens of each of {}", grouped(users)),
                             fmt::format("tokens_of_{}_users", users)});
  }
  for (const CodecCapacity& each : model.codecs) {
    std::vector<Cell> row = {text_cell(each.codec),
                             text_cell(each.nominal ? "nominal" : "counted")};
    row.push_back(number_cell(each.room.profile,
                              each.room.profile > 0 ? bytes_text(each.room.profile) : "0"));
    row.push_back(number_cell(each.room.free(),
                              each.room.free() > 0 ? bytes_text(each.room.free()) : "none"));
    for (std::size_t i = 0; i < question.storage.tokens.size(); ++i) {
      row.push_back(number_cell(each.user_bytes[i], bytes_text(each.user_bytes[i])));
      row.push_back(number_cell(static_cast<double>(each.users[i]), grouped(each.users[i])));
      if (!plain) continue;
      const double ratio = plain->users[i] > 0 ? static_cast<double>(each.users[i]) /
                                                     static_cast<double>(plain->users[i])
                                               : 0;
      row.push_back(ratio > 0 ? fixed_cell(ratio, 2) : text_cell("-"));
    }
    for (const std::size_t tokens : each.tokens) {
      row.push_back(number_cell(static_cast<double>(tokens),
                                tokens == kMostTokens ? "any length" : grouped(tokens)));
    }
    table.rows.push_back(std::move(row));
  }
  std::vector<std::string> blocks;
  for (const ParameterCount& block : decoder.parameters) {
    blocks.push_back(fmt::format("{} {}", block.block, grouped(block.count)));
  }
  table.note = fmt::format(
      "{} of memory less {} of weights ({} parameters as {}: {}) and {} in reserve for activations "
      "and the rest; a profile is there once a card. Users: whole sequences of that length at once.",
      bytes_text(question.card), bytes_text(question.weights.of(decoder)),
      grouped(decoder.parameter_count()), question.weights.name, fmt::join(blocks, ", "),
      bytes_text(question.reserve));
  for (const std::string& note : decoder.notes) table.note += " " + note;
  if (decoder.quantised) {
    table.note += fmt::format(
        " The config has quantization_config: the file's weights are quantised; here they are charged "
        "as --weights {} says.",
        question.weights.name);
  }
  table.note += beyond_context(decoder, question.storage.tokens);
  if (!model.left_out.empty()) {
    table.note += fmt::format(" Left out: {}.", fmt::join(model.left_out, "; "));
  }
  return table;
}

namespace {

/// A line a model at one length, in the middle of those asked for: users by codec.
Table users_table(std::span<const ModelCapacity> models, const CapacityQuestion& question) {
  const std::vector<std::size_t>& lengths = question.storage.tokens;
  const std::size_t middle = lengths.size() / 2;
  Table table =
      named_table("users", fmt::format("Users of {} tokens", tokens_text(lengths[middle])));
  table.columns = {{"model", "model", false}};
  std::vector<std::string> codecs;
  for (const ModelCapacity& model : models) {
    for (const CodecCapacity& each : model.codecs) {
      if (std::ranges::count(codecs, each.codec) > 0) continue;
      codecs.push_back(each.codec);
      table.columns.push_back({each.codec == "identity" ? "bf16" : each.codec, each.codec});
    }
  }
  std::set<std::string> nominal;
  for (const ModelCapacity& model : models) {
    std::vector<Cell> row = {text_cell(model.decoder.name)};
    row.resize(1 + codecs.size(), text_cell("-"));
    for (const CodecCapacity& each : model.codecs) {
      if (each.nominal) nominal.insert(each.codec);
      const auto at = std::ranges::find(codecs, each.codec) - codecs.begin();
      row[1 + static_cast<std::size_t>(at)] =
          number_cell(static_cast<double>(each.users[middle]), grouped(each.users[middle]));
    }
    table.rows.push_back(std::move(row));
  }
  table.note = fmt::format(
      "Whole sequences of that length at once, weights as {} and {} in reserve taken off.{}",
      question.weights.name, bytes_text(question.reserve),
      nominal.empty() ? "" : fmt::format(" Rates of {} are nominal.", fmt::join(nominal, ", ")));
  return table;
}

}  // namespace

Document make_capacity_report(std::span<const ModelCapacity> models,
                              const CapacityQuestion& question,
                              const std::vector<std::string>& without_room,
                              const std::vector<Table>& more) {
  Document report;
  std::vector<std::string> head = {
      fmt::format("# How many users fit on {}", bytes_text(question.card)),
      "Arithmetic from `config.json`: parameters are counted, not loaded. It says what memory allows, "
      "not how fast anything runs, nor what a codec does to a model (`kakeya-sweep` measures that). "
      "Counted: bytes of frames that were written; nominal: what the codec's key `bits` promises."};
  for (const std::string& text : without_room) head.push_back("> " + text);
  for (const std::string& text : head) report.paragraph(text);
  for (const Table& table : more) report.table(table, "##");
  for (const ModelCapacity& model : models) report.table(capacity_table(model, question), "##");
  report.put_behind({head, "", {}, users_table(models, question), ""});
  return report;
}

}  // namespace kakeya
