// SPDX-License-Identifier: Apache-2.0
#include "calibration_source.h"

#include <fmt/format.h>

#include <filesystem>
#include <span>
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
  const DumpHead& head = dump.head();
  for (int layer = 0; layer < head.shape.layers; ++layer) {
    for (const Part part : {Part::query, Part::key, Part::value}) {
      const KvSite site{layer, part};
      if (!tap.wants(site)) continue;
      std::vector<float> values = dump.part(passage, site);
      tap.visit(site, {.data = values.data(),
                       .tokens = static_cast<std::size_t>(head.tokens),
                       .heads = head.shape.heads(part),
                       .dim = head.shape.dim()});
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
  source.tap = parse_tap(options.tap.value_or("pre-rope"));
  std::string digests;
  std::vector<std::vector<Passage>> of_each;
  for (std::size_t t = 0; t < texts; ++t) {
    const std::size_t share = count / texts + (t < count % texts ? 1 : 0);
    of_each.push_back(
        read_passages(options.texts[t], *tokenizer,
                      {static_cast<std::size_t>(source.context), share, parse_cut(options.cut),
                       fmt::format("--ctx {}", source.context)}));
    source.text.name += (t == 0 ? "" : " + ") +
                        fs::absolute(options.texts[t] + "/").parent_path().filename().string();
    digests += sha256_path(options.texts[t]) + "\n";
  }
  for (std::size_t round = 0; source.passages.size() < count; ++round) {
    for (std::vector<Passage>& passages : of_each) {
      if (round < passages.size()) source.passages.push_back(std::move(passages[round]));
    }
  }
  source.text.sha256 = texts == 1
                           ? sha256_path(options.texts[0])
                           : sha256(std::as_bytes(std::span(digests.data(), digests.size())));
  return source;
}

CalibrationSource source_of_dump(const CalibrationOptions& options,
                                 const std::string& model_sha256) {
  CalibrationSource source;
  source.dump = std::make_unique<DumpReader>(options.dump);
  const DumpHead& head = source.dump->head();
  const auto refuse = [&](const std::string& what) {
    throw InputError(options.dump + ": " + what);
  };
  if (!head.queries) refuse("no queries: expected a dump of kakeya-capture --queries");
  if (head.origin.model.sha256 != model_sha256) {
    refuse(fmt::format("of {} (sha256 {}), expected one of the model with sha256 {}",
                       head.origin.model.name, head.origin.model.sha256.substr(0, 12),
                       model_sha256.substr(0, 12)));
  }
  if (options.tap && *options.tap != tap_name(head.tap)) {
    refuse(fmt::format("tapped {}, not {}", tap_name(head.tap), *options.tap));
  }
  if (options.context && *options.context != head.tokens) {
    refuse(fmt::format("passages of {} tokens, expected {}", head.tokens, *options.context));
  }
  if (options.sinks >= head.tokens) {
    refuse(fmt::format("passages of {} tokens, expected more than the {} sinks", head.tokens,
                       options.sinks));
  }
  const int count = options.passages.value_or(head.passages);
  if (count > head.passages) {
    refuse(fmt::format("{} passages, expected at least {}", head.passages, count));
  }
  source.context = head.tokens;
  source.tap = head.tap;
  source.text = head.origin.text;
  for (int p = 0; p < count; ++p) {
    Passage passage;
    passage.tokens = source.dump->tokens(p);
    passage.origin = source.dump->origin(p);
    source.passages.push_back(std::move(passage));
  }
  return source;
}

ProfileHead head_of(const CalibrationOptions& options, const CalibrationSource& source,
                    const std::string& path, const Model& model) {
  ProfileHead head;
  head.origin.model = {model.facts().name, sha256_path(path)};
  head.origin.text = source.text;
  head.shape = model.facts().shape;
  head.tap = source.tap;
  std::vector<std::int32_t> tokens;
  for (const Passage& passage : source.passages) {
    tokens.insert(tokens.end(), passage.tokens.begin(), passage.tokens.end());
  }
  head.tokens_sha256 = sha256(std::as_bytes(std::span(tokens)));
  head.dtype = options.dtype;
  head.passages = static_cast<int>(source.passages.size());
  head.context = source.context;
  head.sinks = options.sinks;
  return head;
}

std::optional<ProfileShelf::Entry> profile_there(const CalibrationOptions& options) {
  if (!fs::exists(options.out)) return std::nullopt;
  ProfileShelf shelf(read_profile_file);
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

std::string difference_of(const ProfileHead& there, const ProfileHead& asked) {
  std::string found;
  const auto compare = [&](const char* what, const auto& a, const auto& b) {
    if (found.empty()) found = difference_of(what, a, b);
  };
  compare("model", there.origin.model.name, asked.origin.model.name);
  compare("sha256 of the model", there.origin.model.sha256, asked.origin.model.sha256);
  compare("text", there.origin.text.name, asked.origin.text.name);
  compare("sha256 of the text", there.origin.text.sha256, asked.origin.text.sha256);
  compare("passages", there.passages, asked.passages);
  compare("ctx", there.context, asked.context);
  compare("sha256 of the passages' tokens", there.tokens_sha256, asked.tokens_sha256);
  compare("sinks", there.sinks, asked.sinks);
  compare("tap", std::string(tap_name(there.tap)), std::string(tap_name(asked.tap)));
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
