// SPDX-License-Identifier: Apache-2.0
// kakeya-calibrate: what the transform codec has to know of a model, to one file.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "calibration.h"
#include "program.h"

namespace {

using namespace kakeya;

void define(CLI::App& app, CalibrationOptions& options) {
  app.add_option("--model", options.model, "Hugging Face folder, .gguf file or short name")
      ->required();
  app.add_option("--text", options.texts,
                 "Text files, or folders of .txt files; passages are taken from each alike");
  app.add_option("--dump", options.dump,
                 "K, V and Q of kakeya-capture --queries, in place of --text: nothing is prefilled")
      ->excludes("--text");
  app.add_option("--out", options.out, "The profile to write; appears when it is whole")
      ->required();
  app.add_option("--passages", options.passages,
                 "How many passages, of all texts together [9; all of a dump]")
      ->check(whole_number(1, 100000));
  app.add_option("--ctx", options.context, "Tokens of each passage [2048; those of a dump]")
      ->check(whole_number(64, 1 << 24));
  app.add_option("--sinks", options.sinks, "First tokens of each passage, left out")
      ->check(whole_number(0, 1024))
      ->capture_default_str();
  app.add_option("--tap", options.tap,
                 "K before or after the rotary embedding [pre-rope; that of a dump]")
      ->check(CLI::IsMember({"pre-rope", "post-rope"}));
  app.add_option("--sensitivity-passages", options.sensitivity_passages,
                 "Passages on which every layer's K and V are coded alone [3, or all]; 0: profile "
                 "for scope=head,alloc=none only")
      ->check(whole_number(0, 1000));
  app.add_option("--scope", options.scope,
                 "head: for klt:scope=head only; layer: transforms of whole layers too, which make "
                 "the file larger")
      ->check(CLI::IsMember({"head", "layer"}))
      ->capture_default_str();
  app.add_option("--predict", options.predict,
                 "Of scope layer: for codecs that predict a layer from up to as many before it")
      ->check(whole_number(0, kMostOrder))
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
      R"(The profile holds, for every layer, part and KV head: mean, Karhunen-Loeve transform weighted
by what attention sees, and a class a coordinate; the sensitivity of every layer's K and V; and,
with --scope layer, transforms of all keys and values of a layer and predictors from the layers
before. Text of several kinds serves best, and never the text that codecs are compared on. A
stopped run goes on where it was: run the same command again.

Example:
  kakeya-calibrate --model nano --text data/text --passages 4 --ctx 1024 --out nano.profile.h5
  kakeya-sweep --model nano --text data/text --ctx 1024 --sinks 4 --profile nano.profile.h5 \
    --codec 'klt:bits={2,3,4}' 'e8:q={10,38}' --out out/klt)");
}

void print(const CalibrationOptions& options, const Profile& profile, double seconds) {
  const std::uint64_t bytes = std::filesystem::file_size(options.out);
  const bool layers = !profile.layer_transforms.empty();
  if (options.json) {
    nlohmann::ordered_json json;
    json["file"] = options.out;
    json["layers"] = profile.layers;
    json["heads"] = profile.kv_heads;
    json["dim"] = profile.head_dim;
    json["bytes"] = bytes;
    json["reader_bytes"] = profile.reader_bytes();
    json["layer_reader_bytes"] = layers ? profile.layer_reader_bytes(options.predict) : 0;
    json["digest"] = profile.digest;
    json["passages"] = profile.passages;
    json["seconds"] = seconds;
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("{}: {}, {} layers, {} KV heads of {}, {} passages of {}\n", options.out,
             profile.model_name, profile.layers, profile.kv_heads, profile.head_dim,
             profile.passages, profile.text_name);
  fmt::print("profile {}, {} bytes; a reader of single heads needs {}", profile.short_digest(),
             bytes, profile.reader_bytes());
  if (layers) {
    fmt::print(", of whole layers predicted from {} before {} more", options.predict,
               profile.layer_reader_bytes(options.predict));
  }
  fmt::print("; {:.1f} s\n", seconds);
}

}  // namespace

int main(int argc, char** argv) {
  CalibrationOptions options;
  return run_program(
      argc, argv, "calibrate",
      "What the transform codec klt has to know of a model, to one HDF5 file",
      [&](CLI::App& app) { define(app, options); },
      [&] {
        const auto begin = std::chrono::steady_clock::now();
        const Profile profile = calibrate(options);
        print(options, profile,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      });
}
