// SPDX-License-Identifier: Apache-2.0
#include "calibration_source.h"

#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <tuple>
#include <utility>

#include "cut_option.h"
#include "kakeya/core/error.h"
#include "kakeya/store/digest.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

constexpr int kPassages = 9, kContext = 2048;

// Shows a passage of the dump as a prefill would.
void show_dump(const DumpReader& dump, int passage, KvTap& tap) {
  const DumpFacts& facts = dump.facts();
  const std::tuple<Part, char, int> parts[] = {{Part::query, 'q', facts.query_heads},
                                               {Part::key, 'k', facts.kv_heads},
                                               {Part::value, 'v', facts.kv_heads}};
  for (int layer = 0; layer < facts.layers; ++layer) {
    for (const auto& [part, letter, heads] : parts) {
      if (!tap.wants({layer, part})) continue;
      std::vector<float> values = dump.part(passage, layer, letter);
      tap.visit({layer, part}, {.data = values.data(),
                                .tokens = static_cast<std::size_t>(facts.tokens),
                                .heads = static_cast<std::size_t>(heads),
                                .dim = static_cast<std::size_t>(facts.head_dim)});
    }
  }
}

}  // namespace

CalibrationSource source_of_texts(const CalibrationOptions& options,
                                  const std::string& model_path) {
  if (options.texts.empty()) throw SpecError("expected --text, or --dump");
  refuse_useless_cut(options.cut, options.texts);
  const auto tokenizer = load_tokenizer(model_path);
  const auto count = static_cast<std::size_t>(options.passages.value_or(kPassages)),
             texts = options.texts.size();
  if (count < texts) {
    throw SpecError(
        fmt::format("--passages {}: expected at least one for each of {} texts", count, texts));
  }
  CalibrationSource source;
  source.context = options.context.value_or(kContext);
  source.tap = options.tap.value_or("pre-rope");
  std::string digests;
  std::vector<std::vector<Passage>> of_each;
  for (std::size_t t = 0; t < texts; ++t) {
    const std::size_t share = count / texts + (t < count % texts ? 1 : 0);
    of_each.push_back(
        read_passages(options.texts[t], *tokenizer,
                      {static_cast<std::size_t>(source.context), share, parse_cut(options.cut),
                       fmt::format("--ctx {}", source.context)}));
    source.name += (t == 0 ? "" : " + ") +
                   fs::absolute(options.texts[t] + "/").parent_path().filename().string();
    digests += sha256_path(options.texts[t]) + "\n";
  }
  for (std::size_t round = 0; source.passages.size() < count; ++round) {
    for (std::vector<Passage>& passages : of_each) {
      if (round < passages.size()) source.passages.push_back(std::move(passages[round]));
    }
  }
  source.sha256 = texts == 1 ? sha256_path(options.texts[0])
                             : sha256(std::as_bytes(std::span(digests.data(), digests.size())));
  return source;
}

CalibrationSource source_of_dump(const CalibrationOptions& options,
                                 const std::string& model_sha256) {
  CalibrationSource source;
  source.dump = std::make_unique<DumpReader>(options.dump);
  const DumpFacts& facts = source.dump->facts();
  const auto refuse = [&](const std::string& what) {
    throw InputError(options.dump + ": " + what);
  };
  if (!facts.queries) refuse("no queries: expected a dump of kakeya-capture --queries");
  if (facts.model_sha256 != model_sha256) {
    refuse(fmt::format("of {} (sha256 {}), expected one of the model with sha256 {}",
                       facts.model_name, facts.model_sha256.substr(0, 12),
                       model_sha256.substr(0, 12)));
  }
  if (options.tap && *options.tap != facts.tap)
    refuse("tapped " + facts.tap + ", not " + *options.tap);
  if (options.context && *options.context != facts.tokens) {
    refuse(fmt::format("passages of {} tokens, expected {}", facts.tokens, *options.context));
  }
  if (options.sinks >= facts.tokens) {
    refuse(fmt::format("passages of {} tokens, expected more than the {} sinks", facts.tokens,
                       options.sinks));
  }
  const int count = options.passages.value_or(facts.passages);
  if (count > facts.passages) {
    refuse(fmt::format("{} passages, expected at least {}", facts.passages, count));
  }
  source.context = facts.tokens;
  source.tap = facts.tap;
  source.name = facts.text_name;
  source.sha256 = facts.text_sha256;
  for (int p = 0; p < count; ++p) {
    Passage passage;
    passage.tokens = source.dump->tokens(p);
    passage.origin = source.dump->origin(p);
    source.passages.push_back(std::move(passage));
  }
  return source;
}

ProfileOrigin origin_of(const CalibrationOptions& options, const CalibrationSource& source,
                        const std::string& path, const Model& model) {
  ProfileOrigin origin;
  origin.model_name = model.facts().name;
  origin.model_sha256 = sha256_path(path);
  origin.text_name = source.name;
  origin.text_sha256 = source.sha256;
  std::vector<std::int32_t> tokens;
  for (const Passage& passage : source.passages) {
    tokens.insert(tokens.end(), passage.tokens.begin(), passage.tokens.end());
  }
  origin.tokens_sha256 = sha256(std::as_bytes(std::span(tokens)));
  origin.tap = source.tap;
  origin.dtype = options.dtype;
  origin.layers = model.facts().layers;
  origin.kv_heads = model.facts().kv_heads;
  origin.head_dim = model.facts().head_dim;
  origin.passages = static_cast<int>(source.passages.size());
  origin.context = source.context;
  origin.sinks = options.sinks;
  return origin;
}

std::optional<ProfileShelf::Entry> profile_there(const CalibrationOptions& options) {
  if (!fs::exists(options.out)) return std::nullopt;
  ProfileShelf shelf;
  try {
    shelf.add(options.out);
  } catch (const CorruptStream&) {
    return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
  const ProfileShelf::Entry& there = shelf.entries().front();
  require_same(options, difference_of("codec", std::string(there.kind), options.codec));
  return there;
}

std::string difference_of(const ProfileOrigin& there, const ProfileOrigin& asked) {
  std::string found;
  const auto compare = [&](const char* what, const auto& a, const auto& b) {
    if (found.empty()) found = difference_of(what, a, b);
  };
  compare("model", there.model_name, asked.model_name);
  compare("sha256 of the model", there.model_sha256, asked.model_sha256);
  compare("text", there.text_name, asked.text_name);
  compare("sha256 of the text", there.text_sha256, asked.text_sha256);
  compare("passages", there.passages, asked.passages);
  compare("ctx", there.context, asked.context);
  compare("sha256 of the passages' tokens", there.tokens_sha256, asked.tokens_sha256);
  compare("sinks", there.sinks, asked.sinks);
  compare("tap", there.tap, asked.tap);
  compare("dtype", there.dtype, asked.dtype);
  return found;
}

void require_same(const CalibrationOptions& options, const std::string& difference) {
  if (difference.empty()) return;
  throw InputError(options.out + ": holds a profile of other settings (" + difference +
                   "): expected the same ones, or another --out");
}

void require_context(const CalibrationSource& source, const Model& model) {
  if (source.context > model.facts().context) {
    throw InputError(fmt::format("{} tokens a passage: {} takes at most {}", source.context,
                                 model.facts().name, model.facts().context));
  }
}

void show_passages(const char* what, Model& model, const CalibrationSource& source, KvTap& tap) {
  Progress progress(what, source.passages.size());
  for (std::size_t p = 0; p < source.passages.size(); ++p) {
    progress.update(p, source.passages[p].origin);
    if (source.dump) {
      show_dump(*source.dump, static_cast<int>(p), tap);
    } else {
      model.prefill(source.passages[p].tokens, tap);
    }
  }
  progress.update(source.passages.size());
}

}  // namespace kakeya
