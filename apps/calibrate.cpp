// SPDX-License-Identifier: Apache-2.0
// kakeya-calibrate: what the transform codec has to know of a model, to one file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "calibrate_plan.h"
#include "cut_option.h"
#include "kakeya/calibrate/calibration.h"
#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "kakeya/store/profile_files.h"
#include "profile_conversion.h"
#include "program.h"
#include "progress.h"

namespace {

using namespace kakeya;

struct Flags {
  CalibrationOptions options;
  KltCalibration klt;
  std::string codec = "klt", scope = "layer", matrices = "fp16",
              steps = std::string(layer_steps_name(Tier::cold));
  std::optional<std::string> tap, cut;
  std::optional<int> rank;
  bool json = false;
};

// Refuses flags that would change nothing, and says what the others mean.
void check(const CLI::App& app, Flags& flags) {
  const bool bias = flags.codec == "bias", kvtc = flags.codec == "kvtc",
             hot = flags.steps == layer_steps_name(Tier::hot);
  for (const char* flag : {"--scope", "--predict", "--layer-group", "--steps", "--from",
                           "--sensitivity-passages", "--ablations", "--matrices"}) {
    if (kvtc && app.count(flag) > 0) {
      throw SpecError(std::string(flag) + ": not for --codec kvtc, only for klt");
    }
  }
  for (const CLI::Option* option : app.get_options()) {
    static constexpr std::string_view kOfBias[] = {"--model", "--out", "--codec", "--json",
                                                   "--help"};
    const std::string name = option->get_single_name();
    const bool takes = std::ranges::find(kOfBias, "--" + name) != std::end(kOfBias);
    if (bias && option->count() > 0 && !takes) {
      throw SpecError("--" + name +
                      ": not for --codec bias, which reads the model's weights alone");
    }
  }
  for (const char* flag : {"--predict", "--layer-group", "--steps"}) {
    if (flags.scope == "head" && app.count(flag) > 0) {
      throw SpecError(std::string(flag) + ": not for --scope head, only for layer");
    }
  }
  if (hot && flags.klt.layer_group > 1) {
    throw SpecError(
        "--layer-group: not for --steps inforward: inside a forward, later layers are not there");
  }
  CalibrationOptions& options = flags.options;
  if (flags.cut && !options.dump.empty()) {
    throw SpecError("--cut: not for --dump, whose passages are cut already");
  }
  if (!kvtc && flags.rank) throw SpecError("--rank: not for --codec klt, only for kvtc");
  if (options.context && options.sinks >= *options.context) {
    throw SpecError("--sinks: expected fewer than --ctx");
  }
  if (hot && app.count("--predict") == 0) flags.klt.predict = 0;
  flags.klt.layers = flags.scope == "layer";
  flags.klt.steps = hot ? Tier::hot : Tier::cold;
  flags.klt.matrices = flags.matrices == "int8" ? MatrixFormat::int8 : MatrixFormat::fp16;
  if (flags.tap) options.tap = parse_tap(*flags.tap);
}

void define(CLI::App& app, Flags& flags) {
  CalibrationOptions& options = flags.options;
  KltCalibration& klt = flags.klt;
  app.add_option("--model", options.model,
                 "Hugging Face folder, .gguf file, short name, or transformers:NAME, run by Python")
      ->required();
  app.add_option("--text", options.texts,
                 "Text files, or folders of .txt files; passages are taken from each alike");
  app.add_option("--dump", options.dump,
                 "K, V and Q of kakeya-capture --queries, in place of --text: nothing is prefilled")
      ->excludes("--text");
  add_cut_option(app, flags.cut);
  app.add_option(
         "--out", options.out,
         "The profile to write; appears when it is whole. P.h5 has P.kkp beside it, the same "
         "as a flat file, which needs no HDF5; P.kkp is a flat file alone")
      ->required();
  app.add_option("--codec", flags.codec,
                 "Whom it is for: klt; kvtc, the published transform codec; or bias, the biases of "
                 "the model's keys for codecs with center=bias (from its weights: no text, P.kkp)")
      ->check(CLI::IsMember({"klt", "kvtc", "bias"}))
      ->capture_default_str();
  app.add_option(
         "--passages", options.passages,
         "How many passages, of all texts together [9, or all if there are fewer; all of a dump]")
      ->check(whole_number(1, 100000));
  app.add_option("--ctx", options.context, "Tokens of each passage [2048; those of a dump]")
      ->check(whole_number(64, 1 << 24));
  app.add_option("--sinks", options.sinks, "First tokens of each passage, left out")
      ->check(whole_number(0, 1024))
      ->capture_default_str();
  app.add_option("--tap", flags.tap,
                 "K before or after the rotary embedding [pre-rope; that of a dump]")
      ->check(CLI::IsMember({"pre-rope", "post-rope"}));
  app.add_option("--sensitivity-passages", klt.sensitivity_passages,
                 "Passages on which every layer's K and V are coded alone [3, or all]; 0: profile "
                 "for scope=head,alloc=none only")
      ->check(whole_number(0, 1000));
  app.add_option("--scope", flags.scope,
                 "head: for klt:scope=head only; layer: transforms of whole layers too, which make "
                 "the file larger")
      ->check(CLI::IsMember({"head", "layer"}))
      ->capture_default_str();
  app.add_option("--from", klt.from,
                 "A profile of the same model, texts and settings: its transforms of heads and its "
                 "sensitivities are taken over, those of layers are made anew. A stopped run goes "
                 "on where --from is the same");
  app.add_option("--layer-group", klt.layer_group,
                 "Of scope layer: how many consecutive layers are transformed together, a divisor "
                 "of the model's layers")
      ->check(whole_number(1, 1024))
      ->capture_default_str();
  app.add_option(
         "--steps", flags.steps,
         "Of scope layer: whose sensitivities its steps follow. prefix: of caches coded once; "
         "inforward: of caches coded as they are made, for klt:scope=layer,restart=1 in mode "
         "inforward (--predict 0 unless it is given)")
      ->check(CLI::IsMember({"prefix", "inforward"}))
      ->capture_default_str();
  app.add_option("--predict", klt.predict,
                 "Of scope layer: for codecs that predict a layer (or group) from up to as many "
                 "before it")
      ->check(whole_number(0, kMostOrder))
      ->capture_default_str();
  app.add_flag("--ablations", klt.ablations,
               "Make the transforms of weight=none and center=none too");
  app.add_option("--matrices", flags.matrices,
                 "How the profile stores them: fp16; int8: a byte a value, half the file")
      ->check(CLI::IsMember({"fp16", "int8"}))
      ->capture_default_str();
  app.add_option("--rank", flags.rank,
                 "Of --codec kvtc: principal components of keys and of values [all, at most 4096]")
      ->check(whole_number(1, 65536));
  app.add_option("--device", options.device,
                 "cpu, cuda or cuda:N; cuda:0,cuda:1: a run of the layers on each")
      ->capture_default_str();
  app.add_option(
      "--codec-device", options.codec_device,
      "Where moments are summed: cpu, or cuda, beside the model [the model's; cpu where its "
      "layers are on several devices]");
  app.add_option("--dtype", options.dtype, "Of weights and activations")
      ->check(CLI::IsMember({"fp32", "bf16"}))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "0: as many as the machine has")
      ->check(whole_number(0, 4096))
      ->capture_default_str();
  app.add_flag("--json", flags.json, "One JSON document on stdout");
  app.callback([&] { check(app, flags); });
  app.footer(
      R"(The profile of klt holds, for every layer, part and KV head: mean, Karhunen-Loeve transform weighted
by what attention sees, and a class a coordinate; the sensitivity of every layer's K and V; and,
with --scope layer, transforms of all keys and values of a layer, or of --layer-group layers
together, and predictors from those before. That of kvtc holds means and principal components of all
layers together, and what coding them in groups costs; it takes 8 * width^2 bytes of memory, width the
scalars of the keys of a token, and time that grows with rank * width^2. Text of several kinds serves
best, and never the text that codecs are compared on (kakeya-sweep warns where text or tokens are the same).
The same command again finds a finished profile there, and goes on with a stopped run for klt after the
last step that it finished (the transforms of heads, then each sensitivity); for kvtc it begins anew. A
finished profile of other settings is never written over. kakeya-calibrate convert FROM TO makes flat files
of others, and back (--help says more). kakeya-calibrate --plan shares out the bits of any codec among layers, keys
and values, as a plan.json (kakeya-calibrate --plan --help).

Example, four of the shipped texts to calibrate on and the others to measure on:
  mkdir -p out/seen out/unseen && cp data/text/0[1-4]* out/seen && cp data/text/0[5-8]* out/unseen
  kakeya-calibrate --model nano --text out/seen --passages 4 --ctx 1024 --out nano.profile.h5
  kakeya-sweep --model nano --text out/unseen --passages 4 --ctx 1024 --sinks 4 --profile nano.profile.h5 \
    --codec 'klt:bits={2,3,4}' 'e8:q={10,38}' --out out/klt
  kakeya-calibrate --model nano --text out/seen --passages 4 --ctx 1024 --from nano.profile.h5 \
    --layer-group 2 --predict 1 --out nano.group2.h5
  kakeya-calibrate --model nano --text out/seen --passages 4 --ctx 1024 --from nano.profile.h5 \
    --steps inforward --out nano.hot.h5
  kakeya-sweep --model nano --text out/unseen --passages 4 --ctx 1024 --sinks 4 --profile nano.hot.h5 \
    --codec 'klt:bits={1.5,2,3},scope=layer,restart=1,page=512' 'klt:bits={2,3}' --out out/hot
  kakeya-calibrate --codec kvtc --model nano --text out/seen --passages 4 --ctx 1024 \
    --out nano.kvtc.h5
  kakeya-sweep --model nano --text out/unseen --passages 4 --ctx 1024 --sinks 4 --mode prefix \
    --skip-edge-layers 0 --profile nano.kvtc.h5 --codec 'kvtc:bits={1,2,4}' --out out/kvtc
  kakeya-calibrate --codec bias --model nano-bias --out nano-bias.kkp)");
}

// What to say where tokens are too few for the covariances of a transform; empty: nothing.
std::string few_tokens(const ProfileHead& profile, std::size_t dimensions, std::size_t least) {
  const auto tokens = static_cast<std::size_t>(profile.passages) *
                      static_cast<std::size_t>(profile.context - profile.sinks);
  if (tokens >= least) return "";
  return fmt::format(
      "{} tokens for transforms of {} dimensions, expected at least {}: rates and losses will be "
      "worse than they could be",
      tokens, dimensions, least);
}

void warn(const std::string& text) {
  if (!text.empty()) fmt::print(stderr, "kakeya-calibrate: warning: {}\n", text);
}

// What both kinds of profile say of themselves, `rest` in the middle.
nlohmann::ordered_json to_json(const std::string& out, const ProfileHead& profile,
                               const nlohmann::ordered_json& rest, const std::string& warning,
                               double seconds) {
  nlohmann::ordered_json json;
  json["file"] = out;
  if (!names_flat_profile(out)) json["flat_file"] = flat_name_beside(out);
  json["layers"] = profile.shape.layers;
  json["heads"] = profile.shape.kv_heads;
  json["dim"] = profile.shape.head_dim;
  json["bytes"] = std::filesystem::file_size(out);
  json.update(rest);
  json["digest"] = profile.digest;
  json["passages"] = profile.passages;
  json["seconds"] = seconds;
  json["warning"] = warning.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(warning);
  return json;
}

void print_origin(const std::string& out, const ProfileHead& profile, bool already) {
  fmt::print("{}: {}{}, {} layers, {} KV heads of {}, {} passages of {}\n", out,
             already ? "already there: " : "", profile.origin.model.name, profile.shape.layers,
             profile.shape.kv_heads, profile.shape.head_dim, profile.passages,
             profile.origin.text.name);
  fmt::print("profile {}, {} bytes", profile.short_digest(), std::filesystem::file_size(out));
  if (!names_flat_profile(out)) fmt::print(" (and {}, which needs no HDF5)", flat_name_beside(out));
}

void print(const Flags& flags, const Calibrated<Profile>& made, double seconds) {
  const Profile& profile = *made.profile;
  const int order = flags.klt.predict;
  const bool layers = !profile.layer_transforms.empty();
  const std::size_t width = layers ? profile.group_width() : profile.shape.dim();
  const std::string warning = few_tokens(profile, width, 2 * width);
  if (flags.json) {
    nlohmann::ordered_json rest;
    rest["reader_bytes"] = profile.reader_bytes();
    rest["layer_reader_bytes"] = layers ? profile.layer_reader_bytes(order) : 0;
    if (layers) rest["layer_group"] = profile.layer_group;
    if (layers) rest["steps"] = layer_steps_name(profile.layer_steps);
    fmt::print("{}\n", to_json(flags.options.out, profile, rest, warning, seconds).dump(2));
    return;
  }
  print_origin(flags.options.out, profile, made.already);
  fmt::print("; {:.1f} s\nuncompressed: {} bytes for single heads", seconds,
             profile.reader_bytes());
  if (layers) {
    fmt::print(", and {} more for whole layers ({} together, predict up to {}, steps for {})",
               profile.layer_reader_bytes(order), profile.layer_group, order,
               layer_steps_name(profile.layer_steps));
  }
  fmt::print("\n");
  warn(warning);
}

void print(const Flags& flags, const Calibrated<KvtcProfile>& made, double seconds) {
  const KvtcProfile& profile = *made.profile;
  const std::string warning = few_tokens(profile, profile.rank, profile.rank);
  if (flags.json) {
    nlohmann::ordered_json rest;
    rest["rank"] = profile.rank;
    fmt::print("{}\n", to_json(flags.options.out, profile, rest, warning, seconds).dump(2));
    return;
  }
  print_origin(flags.options.out, profile, made.already);
  fmt::print("; {:.1f} s\n{} of {} components of keys and of values\n", seconds, profile.rank,
             profile.width());
  warn(warning);
}

void print(const Flags& flags, const Calibrated<KeyBias>& made, double seconds) {
  const KeyBias& profile = *made.profile;
  const auto largest =
      std::ranges::max_element(profile.biases, {}, [](float bias) { return std::fabs(bias); });
  if (flags.json) {
    nlohmann::ordered_json rest;
    rest["largest_bias"] = std::fabs(*largest);
    fmt::print("{}\n", to_json(flags.options.out, profile, rest, "", seconds).dump(2));
    return;
  }
  fmt::print("{}: {}{}, {} layers, {} KV heads of {}\nprofile {}, {} bytes; largest bias {:.4g}\n",
             flags.options.out, made.already ? "already there: " : "", profile.origin.model.name,
             profile.shape.layers, profile.shape.kv_heads, profile.shape.head_dim,
             profile.short_digest(), std::filesystem::file_size(flags.options.out),
             std::fabs(*largest));
}

// A bar a step. From the first on, Ctrl-C says what it leaves.
class Bars {
 public:
  explicit Bars(std::string hint) : hint_(std::move(hint)) {}

  void operator()(const CalibrationEvent& event) {
    if (!bar_) hint_on_interrupt("calibrate", hint_);
    if (event.step != step_) {
      step_ = event.step;
      bar_.emplace("calibrate: " + step_, event.total);
    }
    bar_->update(event.done, event.now);
  }

 private:
  std::string hint_, step_;
  std::optional<Progress> bar_;
};

// One GPU would sum where the model computes.
void tell_sums_on_host(const CalibrationOptions& options) {
  const bool several = options.device.find(',') != std::string::npos;
  if (!several || !options.device.starts_with("cuda") || options.codec_device) return;
  if (options.dump.empty())
    fmt::print(stderr,
               "kakeya-calibrate: layers on several GPUs: moments are summed on the host\n");
}

void run(Flags& flags) {
  const auto begin = Clock::now();
  CalibrationOptions& options = flags.options;
  refuse_useless_cut(flags.cut, options.texts);
  options.cut = parse_cut(flags.cut);
  options.model = resolve_model(options.model);
  if (flags.codec == "bias") {
    return print(flags, calibrate_key_bias(options), seconds_since(begin));
  }
  tell_sums_on_host(options);
  const bool kvtc = flags.codec == "kvtc";
  std::optional<Bars> bars(kvtc ? "nothing of it is kept" : "run the same command to go on");
  const auto finish = [&](const auto& made) {
    bars.reset();
    print(flags, made, seconds_since(begin));
  };
  if (kvtc) {
    finish(calibrate_kvtc(options, flags.rank, std::ref(*bars)));
  } else {
    finish(calibrate_klt(options, flags.klt, std::ref(*bars)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "convert") {
    return convert_profile_program(argc - 1, argv + 1);
  }
  if (std::find(argv, argv + argc, std::string_view("--plan")) != argv + argc) {
    return calibrate_plan_program(argc, argv);
  }
  Flags flags;
  return run_program(
      argc, argv, "calibrate",
      "Measures what klt and kvtc need to know of a model, and writes it to a profile file",
      [&](CLI::App& app) { define(app, flags); }, [&] { run(flags); });
}
