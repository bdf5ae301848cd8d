// SPDX-License-Identifier: Apache-2.0
// kakeya-calibrate: what the transform codec has to know of a model, to one file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kakeya/calibrate/build_profile.h"
#include "kakeya/calibrate/sensitivity.h"
#include "kakeya/core/error.h"
#include "kakeya/eval/policy.h"
#include "kakeya/io/digest.h"
#include "kakeya/io/profile_store.h"
#include "kakeya/text/passages.h"
#include "program.h"
#include "progress.h"

namespace {

using namespace kakeya;
namespace fs = std::filesystem;

constexpr std::size_t kSamples = 1536;  // vectors a head, for the classes

struct Options {
  std::string model, out, tap = "pre-rope", device = "cpu", dtype = "fp32";
  std::vector<std::string> texts;
  int passages = 9, context = 2048, sinks = 4, threads = 0, sensitivity_passages = 3;
  bool ablations = false, json = false;
};

void define(CLI::App& app, Options& options) {
  app.add_option("--model", options.model, "Hugging Face folder, .gguf file or short name")
      ->required();
  app.add_option("--text", options.texts,
                 "Text files, or folders of .txt files; passages are taken from each alike")
      ->required();
  app.add_option("--out", options.out, "The profile to write; appears when it is whole")
      ->required();
  app.add_option("--passages", options.passages, "How many passages, of all texts together")
      ->check(whole_number(1, 100000))
      ->capture_default_str();
  app.add_option("--ctx", options.context, "Tokens of each passage")
      ->check(whole_number(64, 1 << 24))
      ->capture_default_str();
  app.add_option("--sinks", options.sinks, "First tokens of each passage, left out")
      ->check(whole_number(0, 1024))
      ->capture_default_str();
  app.add_option("--tap", options.tap, "K before or after the rotary embedding")
      ->check(CLI::IsMember({"pre-rope", "post-rope"}))
      ->capture_default_str();
  app.add_option("--sensitivity-passages", options.sensitivity_passages,
                 "Passages on which every layer's K and V are coded alone; 0: profile for "
                 "alloc=none only")
      ->check(whole_number(0, 1000))
      ->capture_default_str();
  app.add_flag("--ablations", options.ablations,
               "Make the transforms of weight=none and center=none too");
  app.add_option("--device", options.device, "cpu, cuda or cuda:N")->capture_default_str();
  app.add_option("--dtype", options.dtype, "Of weights and activations")
      ->check(CLI::IsMember({"fp32", "bf16"}))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "0: as many as the machine has")
      ->check(whole_number(0, 4096))
      ->capture_default_str();
  app.add_flag("--json", options.json, "One JSON document on stdout");
  app.footer(
      "The profile holds, for every layer, part and KV head: mean, Karhunen-Loeve transform "
      "weighted\n"
      "by what attention sees, and a class a coordinate; and the sensitivity of every layer's K "
      "and\n"
      "V. Text of several kinds serves best, and never the text that codecs are compared on. A\n"
      "stopped run goes on where it was: run the same command again.\n"
      "\n"
      "Example:\n"
      "  kakeya-calibrate --model nano --text data/text --passages 4 --ctx 1024 --out "
      "nano.profile.h5\n"
      "  kakeya-sweep --model nano --text data/text --ctx 1024 --sinks 4 --profile nano.profile.h5 "
      "\\\n"
      "    --codec 'klt:bits={2,3,4}' 'e8:q={10,38}' --out out/klt");
}

struct Texts {
  std::vector<Passage> passages;  // the first of each text, then the second of each, ...
  std::string name, sha256;
};

Texts read_texts(const Options& options, const Tokenizer& tokenizer) {
  const auto count = static_cast<std::size_t>(options.passages), texts = options.texts.size();
  if (count < texts) {
    throw SpecError(
        fmt::format("--passages {}: expected at least one for each of {} texts", count, texts));
  }
  Texts read;
  std::string digests;
  std::vector<std::vector<Passage>> of_each;
  for (std::size_t t = 0; t < texts; ++t) {
    const std::size_t share = count / texts + (t < count % texts ? 1 : 0);
    of_each.push_back(read_passages(options.texts[t], tokenizer,
                                    static_cast<std::size_t>(options.context), share));
    read.name += (t == 0 ? "" : " + ") +
                 fs::absolute(options.texts[t] + "/").parent_path().filename().string();
    digests += sha256_path(options.texts[t]) + "\n";
  }
  for (std::size_t round = 0; read.passages.size() < count; ++round) {
    for (std::vector<Passage>& passages : of_each) {
      if (round < passages.size()) read.passages.push_back(std::move(passages[round]));
    }
  }
  read.sha256 = texts == 1 ? sha256_path(options.texts[0])
                           : sha256(std::as_bytes(std::span(digests.data(), digests.size())));
  return read;
}

std::vector<TransformVariant> variants_of(const Options& options) {
  std::vector<TransformVariant> variants{{true, true}};
  if (options.ablations)
    variants.insert(variants.end(), {{false, true}, {true, false}, {false, false}});
  return variants;
}

// What an unfinished file must agree in, so that its transforms can be kept.
bool same_origin(const Profile& a, const Profile& b) {
  return a.model_sha256 == b.model_sha256 && a.text_sha256 == b.text_sha256 && a.tap == b.tap &&
         a.passages == b.passages && a.context == b.context && a.sinks == b.sinks &&
         a.variants == b.variants;
}

Profile make_transforms(Model& model, const Options& options, const Texts& texts, TapPoint tap,
                        WorkerPool& pool) {
  const auto sinks = static_cast<std::size_t>(options.sinks);
  const std::size_t tokens = static_cast<std::size_t>(options.context) - sinks;
  CacheMoments moments(model.facts(), texts.passages.size() * tokens, kSamples);
  {
    Progress progress("calibrate: prefills", texts.passages.size());
    MomentsTap moments_tap(moments, tap, sinks);
    for (std::size_t p = 0; p < texts.passages.size(); ++p) {
      progress.update(p, texts.passages[p].origin);
      model.prefill(texts.passages[p].tokens, moments_tap);
    }
    progress.update(texts.passages.size());
  }
  const auto layers = static_cast<std::size_t>(model.facts().layers);
  Progress progress("calibrate: transforms", layers);
  return build_profile(model, moments, tap, variants_of(options), pool, [&](int layer) {
    progress.update(static_cast<std::size_t>(layer) + 1, "layer " + std::to_string(layer));
  });
}

void calibrate(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  if (options.sinks >= options.context) throw SpecError("--sinks: expected fewer than --ctx");
  const std::string path = resolve_model(options.model);
  const auto tokenizer = load_tokenizer(path);
  const Texts texts = read_texts(options, *tokenizer);
  WorkerPool pool(options.threads);
  const auto model = load_model(path, {options.device, options.dtype, pool.threads()});
  if (options.context > model->facts().context) {
    throw InputError(fmt::format("--ctx {}: {} takes at most {} tokens", options.context,
                                 model->facts().name, model->facts().context));
  }
  const TapPoint tap = parse_tap(options.tap);
  const std::string unfinished = options.out + ".unfinished";
  const auto describe = [&](Profile& profile) {
    profile.model_name = model->facts().name;
    profile.model_sha256 = sha256_path(path);
    profile.text_name = texts.name;
    profile.text_sha256 = texts.sha256;
    profile.tap = options.tap;
    profile.passages = options.passages;
    profile.context = options.context;
    profile.sinks = options.sinks;
  };
  Profile profile;
  describe(profile);
  profile.variants = variants_of(options);
  bool resumed = false;
  if (fs::exists(unfinished)) {
    Profile found = read_profile(unfinished);
    resumed = same_origin(found, profile);
    if (resumed) profile = std::move(found);
  }
  if (!resumed) {
    profile = make_transforms(*model, options, texts, tap, pool);
    describe(profile);
    write_profile(unfinished, profile);
  }
  if (options.sensitivity_passages > 0) {
    SensitivitySettings settings;
    settings.tap = tap;
    settings.sinks = static_cast<std::size_t>(options.sinks);
    settings.context = std::min(settings.context, static_cast<std::size_t>(options.context));
    settings.scored = std::min(settings.scored, settings.context / 2);
    std::vector<std::span<const std::int32_t>> passages;
    for (const Passage& passage : texts.passages) {
      if (passages.size() < static_cast<std::size_t>(options.sensitivity_passages)) {
        passages.emplace_back(passage.tokens);
      }
    }
    Progress progress("calibrate: sensitivities", profile.parts.size());
    measure_sensitivities(*model, passages, settings, profile, pool, [&](std::size_t part) {
      write_profile(unfinished, profile);
      progress.update(part + 1, fmt::format("layer {}", part / 2));
    });
  }
  write_profile(options.out, profile);
  fs::remove(unfinished);
  const std::uint64_t bytes = fs::file_size(options.out);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Profile stored = read_profile(options.out);
  if (options.json) {
    nlohmann::ordered_json json;
    json["file"] = options.out;
    json["layers"] = profile.layers;
    json["heads"] = profile.kv_heads;
    json["dim"] = profile.head_dim;
    json["bytes"] = bytes;
    json["reader_bytes"] = profile.reader_bytes();
    json["digest"] = stored.digest;
    json["passages"] = profile.passages;
    json["seconds"] = seconds;
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}: {}, {} layers, {} KV heads of {}, {} passages of {}\n", options.out,
               profile.model_name, profile.layers, profile.kv_heads, profile.head_dim,
               profile.passages, profile.text_name);
    fmt::print("profile {}, {} bytes ({} for a reader of one variant); {:.1f} s\n",
               stored.short_digest(), bytes, profile.reader_bytes(), seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return run_program(
      argc, argv, "calibrate",
      "What the transform codec klt has to know of a model, to one HDF5 file",
      [&](CLI::App& app) { define(app, options); }, [&] { calibrate(options); });
}
