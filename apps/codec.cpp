// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec_cache.h"
#include "codec_options.h"
#include "codec_print.h"
#include "kakeya/cache/cache_file.h"
#include "kakeya/cache/sequence_file.h"
#include "kakeya/codec/codec_list.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/codec/spec.h"
#include "kakeya/codec/token_codecs.h"
#include "kakeya/core/error.h"
#include "kakeya/lattice/e8.h"
#include "kakeya/measure/plugins/load_plugins.h"
#include "kakeya/stats/distortion.h"
#include "kakeya/stats/rate_distortion.h"
#include "kakeya/store/arrays.h"
#include "kakeya/store/profile_files.h"
#include "plugin_option.h"
#include "policy_options.h"
#include "program.h"

namespace kakeya {
namespace {

// "3:key:0": layer, part, KV head.
std::optional<KvSite> parse_site(const std::string& text) {
  if (text.empty()) return std::nullopt;
  int layer = 0, head = 0, used = 0;
  char part[8] = {};
  const int read = std::sscanf(text.c_str(), "%5d:%6[a-z]:%5d%n", &layer, part, &head, &used);
  const std::string name = part;
  if (read != 3 || static_cast<std::size_t>(used) != text.size() || layer < 0 || head < 0 ||
      (name != "key" && name != "value")) {
    throw SpecError("--site " + text + ": expected layer:key:head or layer:value:head, as 3:key:0");
  }
  return KvSite{layer, name == "key" ? Part::key : Part::value, head};
}

// A shelf reads further profiles that a spec names, so it has to stay.
std::unique_ptr<Codec> codec_for(const CodecOptions& options, const ProfileShelf& shelf,
                                 std::size_t dim) {
  const auto site = parse_site(options.site);
  if (!site && scope_of(options.codec) == VectorScope::head) {
    const bool lacks_profile = is_calibrated(options.codec) && shelf.entries().empty();
    throw InputError(fmt::format(
        "{}: expected {}--site LAYER:PART:HEAD, where the vectors come from, as 3:key:0",
        options.codec, lacks_profile ? "--profile FILE and " : ""));
  }
  CodecInput input{dim, &shelf, site};
  if (scope_of(options.codec) == VectorScope::token && is_calibrated(options.codec)) {
    input.layers = all_layers(options.codec, shelf);
  }
  return make_codec(options.codec, input);
}

std::vector<std::byte> encode_all(const Codec& codec, Rows<const float> rows) {
  std::vector<std::byte> frame(codec.encoded_bound(rows.count));
  frame.resize(codec.encode(rows, frame));
  return frame;
}

// Memory for the decoded vectors is asked for after codec_of_frame has compared the header with the
// bytes that are there.
std::vector<float> decode_all(std::span<const std::byte> frame, const ProfileShelf& shelf) {
  const auto codec = codec_of_frame(frame, &shelf);
  const FrameInfo info = frame_info(frame, &shelf);
  std::vector<float> values(info.count * info.dim);
  codec->decode(frame, dense_rows(values.data(), info.count, info.dim));
  return values;
}

// All codecs, or those of these names: `klt` is three.
Json described_codecs(const std::vector<std::string>& names) {
  const Json all = Json::parse(codec_list_json());
  Json chosen = Json::array();
  for (const std::string& name : names) {
    const std::size_t before = chosen.size();
    for (const Json& codec : all) {
      if (Spec::parse(codec["name"].get<std::string>()).name() == name) chosen.push_back(codec);
    }
    if (chosen.size() > before) continue;
    std::string known, last;
    for (const Json& codec : all) {
      const std::string other = Spec::parse(codec["name"].get<std::string>()).name();
      if (other != last) known += (known.empty() ? "" : ", ") + other;
      last = other;
    }
    throw SpecError(fmt::format("list {}: no such codec, expected one of {}", name, known));
  }
  return names.empty() ? all : chosen;
}

void list(const CodecOptions& options) {
  const Json document = described_codecs(options.names);
  if (options.json) {
    fmt::print("{}\n", document.dump(1));
    return;
  }
  const auto text = [](const Json& of, const char* key) { return of[key].get<std::string>(); };
  for (const Json& codec : document) {
    fmt::print("{:<9} {}\n", text(codec, "name"), text(codec, "summary"));
    for (const char* more : {"example", "source", "differs"}) {
      const std::string said = text(codec, more);
      if (!said.empty()) fmt::print("          {}: {}\n", more, said);
    }
    for (const Json& key : codec["keys"]) {
      const std::string standard = text(key, "default");
      fmt::print("          {}{}: {}\n", text(key, "name"),
                 standard.empty() ? "" : fmt::format(" (default {})", standard), text(key, "help"));
    }
  }
}

void roundtrip(const CodecOptions& options) {
  const Array input = read_array(options.in, options.dim);
  const ProfileShelf shelf = shelf_of(options.profiles);
  const auto codec = codec_for(options, shelf, input.dim);
  const auto frame = of_file(options.in, [&] { return encode_all(*codec, input.rows()); });
  const std::vector<float> decoded = decode_all(frame, shelf);
  const auto rows = dense_rows(decoded.data(), input.count, input.dim);

  Distortion distortion;
  distortion.add(input.rows(), rows);
  RateLedger ledger = ledger_of(*codec, input.rows(), frame);
  ledger.table_bits += 8 * codec->account().side_bytes();
  const bool some = input.count > 0;  // without vectors nothing differs, and most is undefined
  std::optional<double> sqnr_db, cosine, bits_per_value, entropy, shannon_gap_db;
  const double rel_mse = some ? distortion.rel_mse() : 0;
  if (some) {
    const auto values = static_cast<double>(ledger.values);
    sqnr_db = distortion.sqnr_db();
    cosine = distortion.mean_cosine();
    bits_per_value = static_cast<double>(ledger.written_bits()) / values;
    if (ledger.entropy_bits) entropy = *ledger.entropy_bits / values;
    shannon_gap_db = kakeya::shannon_gap_db(rel_mse, *bits_per_value);
  }
  Json document;
  document["codec"] = codec->spec();
  document["dim"] = input.dim;
  document["vectors"] = input.count;
  document["rel_mse"] = number_or_null(rel_mse);
  document["sqnr_db"] = number_or_null(sqnr_db);
  document["cosine"] = number_or_null(cosine);
  document["max_abs_error"] = some ? distortion.max_abs_error() : 0.0;
  document["bytes_written"] = ledger.written_bits() / 8;
  put(document, "measured_bits_per_value", number_or_null(bits_per_value), "bits_per_value");
  put_rates(document, codec->account().rates());
  document["entropy_bits_per_value"] = number_or_null(entropy);
  document["shannon_gap_db"] = number_or_null(shannon_gap_db);
  tell_beyond_profile(document, codec->spec(), ledger);
  document["ledger"] = ledger_json(ledger);
  if (!options.out.empty()) write_array(options.out, rows);
  print(options.json, document);
}

void encode(const CodecOptions& options) {
  const Array input = read_array(options.in, options.dim);
  const ProfileShelf shelf = shelf_of(options.profiles);
  const auto codec = codec_for(options, shelf, input.dim);
  const auto frame = of_file(options.in, [&] { return encode_all(*codec, input.rows()); });
  write_file(options.out, frame.data(), frame.size());
  Json document = {{"codec", codec->spec()},
                   {"dim", input.dim},
                   {"vectors", input.count},
                   {"bytes", frame.size()}};
  tell_beyond_profile(document, codec->spec(), ledger_of(*codec, input.rows(), frame, false));
  print(options.json, document);
}

void decode(const CodecOptions& options) {
  const auto frame = read_file(options.in);
  if (is_sequence_file(frame) || is_cache_file(frame)) {
    throw InputError(fmt::format("{}: this is {}, expected a frame of encode", options.in,
                                 is_cache_file(frame)
                                     ? "a packed cache, which unpack reads"
                                     : "a sequence of a live cache, which such a cache restores"));
  }
  const ProfileShelf shelf = shelf_of(options.profiles);
  const std::vector<float> values = of_file(options.in, [&] { return decode_all(frame, shelf); });
  const FrameInfo info = frame_info(frame, &shelf);
  write_array(options.out, dense_rows(values.data(), info.count, info.dim));
  print(options.json, {{"codec", info.spec}, {"dim", info.dim}, {"vectors", info.count}});
}

void info(const CodecOptions& options) {
  const auto frame = read_file(options.in);
  if (is_cache_file(frame)) return print_cache_info(options, frame);
  if (is_sequence_file(frame)) return print_sequence_info(options, frame);
  const ProfileShelf shelf = shelf_of(options.profiles);
  const FrameInfo info = of_file(options.in, [&] { return frame_info(frame, &shelf); });
  const auto codec = codec_of_frame(frame, &shelf);
  // The entropy of the indices takes the vectors, which are not decoded here.
  const Rows<const float> vectors{nullptr, info.count, info.dim, info.dim};
  const RateLedger ledger = ledger_of(*codec, vectors, frame, false);
  Json sections;
  for (const auto& [name, bytes] : info.sections) sections[name] = bytes;
  Json document;
  document["codec"] = info.spec;
  document["dim"] = info.dim;
  document["vectors"] = info.count;
  document["bytes"] = frame.size();
  document["format_version"] = info.format_version;
  put(document, "measured_bits_per_vector",
      info.count == 0
          ? Json(nullptr)
          : Json(8.0 * static_cast<double>(frame.size()) / static_cast<double>(info.count)),
      "real_bits_per_vector");
  put_rates(document, codec->account().rates());
  document["sections"] = sections;
  tell_beyond_profile(document, info.spec, ledger);
  document["ledger"] = ledger_json(ledger);
  print(options.json, document);
}

void nearest(const CodecOptions& options) {
  const std::size_t dim = options.lattice == "d4" ? 4 : 8;
  const Array input = read_array(options.in, dim);
  std::vector<float> points(input.values.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(std::fabs(input.values[i]) <= kLargestCoordinate)) {
      throw InputError(
          fmt::format("{}: block {}, coordinate {} is {}: expected a magnitude up to {}",
                      options.in, i / dim, i % dim, input.values[i], kLargestCoordinate));
    }
  }
  for (std::size_t i = 0; i < points.size(); i += dim) {
    if (dim == 4) {
      nearest_dn<4>(input.values.data() + i, points.data() + i);
    } else {
      nearest_e8(input.values.data() + i, points.data() + i);
    }
  }
  write_array(options.out, dense_rows(points.data(), input.count, dim));
  print(options.json, {{"lattice", options.lattice}, {"blocks", input.count}});
}

}  // namespace
}  // namespace kakeya

int main(int argc, char** argv) {
  using namespace kakeya;
  CodecOptions options;
  void (*command)(const CodecOptions&) = nullptr;
  const auto define = [&](CLI::App& app) {
    options.arguments.assign(argv, argv + argc);
    app.footer(
        R"(Codec specs are name:key=value,...; `list` shows every codec and its keys. Files are .npy (float16,
float32 or float64, last axis = dim) or .f32 (raw little-endian float32, needs --dim).

rel_mse and sqnr_db compare decoded values with the input before any rounding, as do rel_mse_k and rel_mse_v
of `pack` and of a sweep. What `unpack` writes, as what a model attends to, is rounded to bf16: measured on it,
they come out a little different. shannon_gap_db is the distance to the bound of a white
Gaussian source of the same power: a codec that knows means or variances of coordinates can go below it.

Examples:
  kakeya-codec list e8 klt
  kakeya-codec roundtrip --codec e8:q=10 --in keys.f32 --dim 64
  kakeya-codec roundtrip --codec d4:q=38,rule=published --in keys.npy --out decoded.npy --json
  kakeya-codec encode --codec tq:b=4 --in keys.npy --out keys.kky
  kakeya-codec info --in keys.kky
  kakeya-codec decode --in keys.kky --out decoded.npy
  kakeya-codec roundtrip --plugin ./mine.so --codec mine:group=64 --in keys.npy
  kakeya-codec roundtrip --codec kivi:b=4 --site 0:key:0 --in keys.npy
  kakeya-codec roundtrip --codec klt:bits=3 --profile nano.profile.h5 --site 0:key:0 --in keys.npy
  kakeya-codec pack --dump kv.h5 --codec e8:q=10 --skip-edge-layers 1 --out cache.kkv
  kakeya-codec unpack --in cache.kkv --out decoded.h5)");
    app.add_flag("--json", options.json, "Print one JSON document");
    add_plugin_option(app, options.plugins);
    app.require_subcommand(1);
    const auto add = [&](const char* name, const char* help, void (*what)(const CodecOptions&)) {
      CLI::App* sub = app.add_subcommand(name, help);
      sub->fallthrough();
      sub->callback([&command, what] { command = what; });
      return sub;
    };
    const auto codec = [&](CLI::App* sub) {
      sub->add_option("--codec", options.codec, "Codec spec, as e8:q=10; see list")
          ->required()
          ->type_name("SPEC");
    };
    const auto profile = [&](CLI::App* sub) {
      sub->add_option("--profile", options.profiles, "Of kakeya-calibrate, for klt and kvtc")
          ->type_name("FILE");
    };
    const auto site = [&](CLI::App* sub) {
      profile(sub);
      sub->add_option("--site", options.site,
                      "Where the vectors come from, for klt and kivi: 3:key:0")
          ->type_name("LAYER:PART:HEAD");
    };
    const auto in = [&](CLI::App* sub, const char* help) {
      sub->add_option("--in", options.in, help)->required()->type_name("FILE");
    };
    const auto out = [&](CLI::App* sub, const char* help) {
      return sub->add_option("--out", options.out, help)->type_name("FILE");
    };
    const auto codec_device = [&](CLI::App* sub) {
      sub->add_option("--codec-device", options.codec_device,
                      "Where frames are coded: cpu, or cuda, a GPU; the bytes are the same")
          ->check(CLI::IsMember({"cpu", "cuda"}))
          ->type_name("WHERE")
          ->capture_default_str();
    };
    const auto dim = [&](CLI::App* sub) {
      sub->add_option("--dim", options.dim, "Scalars a vector; needed for .f32")
          ->check(whole_number(1))
          ->type_name("D");
    };
    CLI::App* sub = add("list", "Show every codec with its keys, or those named", list);
    sub->add_option("names", options.names, "Codecs by name, as e8 klt")->type_name("NAME ...");
    sub = add("roundtrip", "Encode to bytes, decode those bytes, compare", roundtrip);
    sub->footer(
        R"(shannon_gap_db is the distance, at the measured bits, to the rate-distortion function 2^(-2 R) of a
white Gaussian source of the vectors' mean square. Vectors whose coordinates differ in size or depend on one
another can be coded better than that: the number is then negative (kakeya-report rd has the bounds of such).

beyond_profile_share, of klt and kvtc, is the share of the values that are so far from the profile that they are
kept beside the code (klt: bf16, at most 16 bits a value and 32 a vector); above 1 % a warning on stderr says so.)");
    codec(sub), site(sub), in(sub, "Vectors: .npy or .f32"), dim(sub),
        out(sub, "Where the decoded vectors go");
    sub = add("encode", "Write vectors as one frame", encode);
    codec(sub), site(sub), in(sub, "Vectors: .npy or .f32"), dim(sub),
        out(sub, "Where the frame goes")->required();
    sub = add("decode", "Read a frame back into vectors", decode);
    profile(sub), in(sub, "A frame that encode wrote"),
        out(sub, "Where the vectors go: .npy or raw float32")->required();
    sub = add("info", "Say what a frame or a packed cache holds, without decoding it", info);
    profile(sub), in(sub, "A frame that encode wrote, or a cache that pack wrote");
    sub = add("pack", "Write a captured cache as one file: coded, read back, compared", pack);
    sub->add_option("--dump", options.dump, "K and V of kakeya-capture")
        ->required()
        ->type_name("FILE");
    const auto number = [&](const char* name, int& value, const char* help) {
      sub->add_option(name, value, help)
          ->check(whole_number(0))
          ->type_name("N")
          ->capture_default_str();
    };
    number("--passage", options.passage, "Which of its passages");
    sub->add_option("--codec", options.codec, "Of keys and values together")->type_name("SPEC");
    sub->add_option("--codec-k", options.codec_k,
                    "Of the keys; of one part alone, the other stays bf16")
        ->type_name("SPEC");
    sub->add_option("--codec-v", options.codec_v, "Of the values")->type_name("SPEC");
    profile(sub);
    add_plan_option(*sub, options.plan);
    sub->add_option("--skip-edge-layers,--boundary", options.skipped_layers,
                    "First and last layers left bf16 [2]")
        ->check(whole_number(0))
        ->type_name("N");
    add_layer_options(*sub, options.layers);
    number("--sinks", options.sinks, "First tokens left bf16");
    number("--residual-window,--recent", options.residual_window, "Last tokens left bf16");
    number("--threads", options.threads, "0: as many as the machine has");
    codec_device(sub);
    out(sub, "The packed cache, .kkv")->required();
    sub = add("unpack", "Read a packed cache back into a dump, bf16", unpack);
    profile(sub), in(sub, "A cache that pack wrote"), out(sub, "The dump, .h5")->required();
    number("--threads", options.threads, "0: as many as the machine has");
    codec_device(sub);
    sub = add("nearest", "Nearest lattice point of each block of 4 (d4) or 8 (e8)", nearest);
    sub->add_option("--lattice", options.lattice, "d4 or e8")
        ->required()
        ->check(CLI::IsMember({"d4", "e8"}));
    in(sub, "Blocks: .npy or .f32"), out(sub, "Where the points go")->required();
  };
  return run_program(argc, argv, "codec",
                     "Encode vectors with a KV-cache codec and measure what comes back", define,
                     [&] {
                       load_plugins(options.plugins);
                       command(options);
                     });
}
