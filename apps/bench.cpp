// SPDX-License-Identifier: Apache-2.0
// kakeya-bench: how fast the codecs are, beside memcpy and the published algorithm.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench_attention.h"
#include "bench_generate.h"
#include "bench_gpu.h"
#include "bench_report.h"
#include "bench_updates.h"
#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/spec_pattern.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/plugins/load_plugins.h"
#include "kakeya/measure/speed/time_codec.h"
#include "kakeya/model/torch_library.h"
#include "kakeya/simd/tile.h"
#include "kakeya/store/profile_files.h"
#include "plugin_option.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

constexpr const char* kHelpEnd =
    R"(Every combination of --codec, --dim and --threads is a row. In each round all operations of a row take their turn, so
that a slow moment of the machine hits all of them; medians over the rounds are shown, --json has least and most too.

round trip         quantise and reconstruct in one pass, without bytes: what the published code does
encode, decode     vectors to a frame of real bytes with its checksum, and back
memcpy             the same vectors, copied
--reference        the published round trip of the same q or b as its authors composed it of LibTorch operations (dense
                   Hadamard product, round, argmax, scatter, where), on as many threads; for e8, d4 and tq
products           of klt: the two D x D products that its transform is, alone; beside them ece8:bits=4 is timed on
                   vectors of its own, and the time of klt is given as a multiple of both together
--memory kept      the process keeps the memory it frees. Operations with large temporaries, the published round trip
                   above all, then pay for no fresh pages: the harder comparison (by default, glibc decides)
--simd TARGET      the codecs alone, with their packing of bits and their checksums; memcpy and LibTorch choose their own

`kakeya-bench gpu` times the kernels where the vectors are: encode and decode write and read the sections of a frame a
head, in device memory. Buffers take turns, so that the L2 cache does not serve them. Entropy-coded pages are timed alone,
4194304 vectors of 128 whose deviations fall from 15.5 to 0.27 steps: --pages, --page. klt is timed on vectors that its
profile expects: of the keys' heads of --profile, layer after layer, or of a profile made for the purpose; with
scope=layer on as many values in whole tokens of the first layers that the profile transforms together.

`kakeya-bench attention` times attention that reads packed pages on a GPU; `kakeya-bench generate` times a model that
decodes over packed caches, and counts their bytes; `kakeya-bench updates` times what codecs that learn compute at an
update. Their --help says how.

Threads: vectors are cut into equal parts, a frame and a thread each. Vectors: normal, with varying norms, every sixteenth
heavy-tailed; the same in every run. klt, which needs --profile, is timed on vectors that its profile expects (layer 0,
keys, head 0), with scope=layer, whose --dim is 2 x layers x KV heads x head_dim of the layers that the profile transforms
together, on the first such group; kivi as it codes keys, kvtc, with the --dim of all layers, on whole tokens of its profile.
Codec specs: `kakeya-codec list` shows them; patterns as in kakeya-sweep make several.

Examples:
  kakeya-bench codec
  kakeya-bench codec --codec e8:q=38 d4:q=38 tq:b=4 --reference
  kakeya-bench codec --codec 'e8:q={10,38}' --dim 64,128,256 --threads 1,2,4 --seconds 5
  kakeya-bench codec --codec e8:q=38 --vectors 2048 --reference --memory kept --json
  kakeya-bench gpu --codec e8:q=10 tq:b=4 --dim 64,128 --type bf16,fp32
  kakeya-bench generate --model smollm2-135m --text wiki.txt --threads 1 --ctx 512,2048 --codec fp8 e8:q=10)";

struct Flags {
  std::vector<std::string> codecs, profiles, plugins;
  std::vector<std::size_t> dims, threads;
  std::size_t vectors = 16384;
  BenchEffort effort{9, 0.0};
  std::string simd, memory = "system";
  bool reference = false, json = false;
  DeviceBenchPlan gpu;
  std::vector<std::string> pages{"z", "e8", "trellis", "prefix"};
  std::size_t page = 64;
  bool normal = false;
};

void define_gpu(CLI::App& app, Flags& flags) {
  DeviceBenchPlan& plan = flags.gpu;
  CLI::App* gpu = app.add_subcommand("gpu", "Time CUDA kernels beside a copy in device memory");
  gpu->fallthrough();
  gpu->add_option("--codec", plan.codecs,
                  "Codec specs; kivi:b=4@keys codes keys [one of each codec with kernels]")
      ->type_name("SPEC");
  gpu->add_option("--dim", plan.dims, "64, 128, 256 or 512; several with commas [128]")
      ->delimiter(',')
      ->type_name("D");
  gpu->add_option("--vectors", plan.vectors, "How many; several with commas [1048576]")
      ->delimiter(',')
      ->check(whole_number(1))
      ->type_name("N");
  gpu->add_option("--type", plan.types, "bf16, fp16 or fp32; several with commas [bf16]")
      ->delimiter(',')
      ->check(CLI::IsMember({"bf16", "fp16", "fp32"}))
      ->type_name("TYPE");
  gpu->add_option("--heads", plan.heads, "Heads a token, a frame each [8]")
      ->check(whole_number(1))
      ->type_name("H");
  gpu->add_option(
         "--pages", flags.pages,
         "Pages timed alone: rANS of z, d4, e8 and trellis, and prefix codes of Z, prefix, with "
         "commas; or none [z,e8,trellis,prefix]")
      ->delimiter(',')
      ->type_name("PAGES");
  gpu->add_option("--page", flags.page, "Vectors of a page of --pages, a multiple of 32 [64]")
      ->check(whole_number(32, 4096))
      ->type_name("N");
  gpu->add_flag("--normal", flags.normal,
                "Of --pages: normal coordinates, whose deviations fall from 6 steps; hardly any "
                "escapes or raw bits");
  gpu->add_option("--repeat", plan.rounds, "Launches timed [50]")
      ->check(whole_number(1))
      ->type_name("R");
  gpu->add_option("--profile", flags.profiles,
                  "Of kakeya-calibrate, for klt [one made for the purpose]")
      ->type_name("FILE");
  gpu->footer("kakeya-bench --help says what is timed and shows examples.");
}

void define(CLI::App& app, Flags& flags) {
  app.require_subcommand(1);
  app.add_flag("--json", flags.json, "Print one JSON document");
  CLI::App* codec = app.add_subcommand("codec", "Time codecs on vectors made for the purpose");
  codec->fallthrough();
  codec
      ->add_option("--codec", flags.codecs,
                   "Codec specs [the example of every codec; of klt with --profile]")
      ->type_name("SPEC");
  codec->add_option("--dim", flags.dims, "Scalars a vector; several with commas [128]")
      ->delimiter(',')
      ->check(whole_number(1))
      ->type_name("D");
  codec->add_option("--vectors", flags.vectors, "How many [16384]")
      ->check(whole_number(1))
      ->type_name("N");
  codec->add_option("--threads", flags.threads, "Several with commas [1]")
      ->delimiter(',')
      ->check(whole_number(1, 4096))
      ->type_name("T");
  codec->add_flag("--reference", flags.reference, "Time the published round trip beside them");
  codec->add_option("--repeat", flags.effort.rounds, "Rounds, at least [9]")
      ->check(whole_number(1))
      ->type_name("R");
  codec->add_option("--seconds", flags.effort.seconds, "Seconds for each row, at least [0]")
      ->type_name("S");
  codec->add_option("--profile", flags.profiles, "Of kakeya-calibrate, for klt and kvtc")
      ->type_name("FILE");
  add_plugin_option(*codec, flags.plugins);
  codec->add_option("--simd", flags.simd, "Instruction set [the best that the machine has]")
      ->type_name("TARGET");
  codec->add_option("--memory", flags.memory, "system or kept [system]")
      ->check(CLI::IsMember({"system", "kept"}))
      ->type_name("WHOSE");
  codec->footer("kakeya-bench --help says what is timed and shows examples.");
  define_gpu(app, flags);
  app.footer(kHelpEnd);
}

// From now on nothing that is freed goes back to the operating system.
void keep_freed_memory() {
  if (mallopt(M_MMAP_MAX, 0) != 1 ||
      mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max()) != 1) {
    throw Error("--memory kept: the C library refused");
  }
}

// All rows, every codec built once: a mistake in the last shows before the first is measured.
std::vector<BenchCase> plan(const Flags& flags, const ProfileShelf& shelf) {
  std::vector<std::string> specs = expand_specs(flags.codecs);
  if (flags.codecs.empty()) {
    const auto& entries = shelf.entries();
    const bool klt = std::any_of(entries.begin(), entries.end(),
                                 [](const auto& entry) { return entry.kind == Profile::kKind; });
    for (const CodecDescriptor* codec : known_codecs()) {
      // Vectors of whole tokens have a --dim of their own.
      if (codec->scope == VectorScope::token || (codec->calibrated() && !klt)) continue;
      specs.emplace_back(codec->example);
    }
  }
  const auto dims = flags.dims.empty() ? std::vector<std::size_t>{128} : flags.dims;
  const auto threads = flags.threads.empty() ? std::vector<std::size_t>{1} : flags.threads;
  const std::size_t most = *std::max_element(threads.begin(), threads.end());
  if (most > flags.vectors) {
    throw SpecError(fmt::format("--threads {}: expected at most one for each of {} vectors", most,
                                flags.vectors));
  }
  std::vector<BenchCase> cases;
  for (const std::string& spec : specs) {
    for (const std::size_t dim : dims) {
      make_bench_codec(spec, dim, &shelf);
      for (const std::size_t count : threads) {
        cases.push_back({spec, dim, flags.vectors, count, &shelf});
      }
    }
  }
  return cases;
}

void run_gpu(const Flags& flags, const std::vector<std::string>& arguments) {
  DeviceBenchPlan plan = flags.gpu;
  PageBenchPlan pages = page_bench_plan(flags.pages, flags.page);
  pages.normal = flags.normal;
  if (flags.normal) pages.widest = 6;
  if (plan.codecs.empty()) {
    plan.codecs = {"d4:q=38",
                   "e8:q=10",
                   "tq:b=4",
                   "fp8",
                   "kivi:b=4@keys",
                   "kivi:b=4",
                   "q4_0",
                   "q5_0",
                   "q8_0",
                   "q4_0:rotate=64",
                   "q5_0:rotate=64",
                   "q8_0:rotate=64",
                   "klt:bits=3",
                   "klt:bits=3,lattice=z",
                   "klt:bits=3,lattice=tcq",
                   "klt:bits=3,lattice=z,pages=fixed",
                   "klt:bits=3,lattice=z,pages=prefix",
                   "ece8:bits=4",
                   "ece8:bits=4,center=mean",
                   "ecd4:bits=4",
                   "ecz:bits=4"};
  }
  const ProfileShelf shelf = shelf_of(flags.profiles);
  if (!flags.profiles.empty()) plan.profiles = &shelf;
  if (plan.dims.empty()) plan.dims = {128};
  if (plan.vectors.empty()) plan.vectors = {std::size_t{1} << 20};
  if (plan.types.empty()) plan.types = {"bf16"};
  Provenance provenance = make_provenance(arguments, 1);
  provenance.device = describe_device("cuda:0");
  run_gpu_bench(plan, pages, provenance, flags.json);
}

void run_bench_codec(const Flags& flags, const std::vector<std::string>& arguments) {
  if (!(flags.effort.seconds >= 0) || !std::isfinite(flags.effort.seconds)) {
    throw SpecError(fmt::format("--seconds {}: expected a number from 0 on", flags.effort.seconds));
  }
  const std::string library = flags.reference ? torch_library("--reference").name() : "";
  std::vector<PluginRecord> plugins = load_plugins(flags.plugins);
  const ProfileShelf shelf = shelf_of(flags.profiles);
  const std::vector<BenchCase> cases = plan(flags, shelf);
  if (!flags.simd.empty()) use_simd_target(flags.simd);
  if (flags.memory == "kept") keep_freed_memory();

  BenchSetting setting;
  setting.simd_target = simd_target();
  setting.memory = flags.memory;
  setting.reference_library = library;
  const auto more = [](const BenchCase& a, const BenchCase& b) { return a.threads < b.threads; };
  setting.provenance = make_provenance(
      arguments, static_cast<int>(std::max_element(cases.begin(), cases.end(), more)->threads));
  setting.provenance.device = "cpu";
  setting.provenance.plugins = std::move(plugins);

  std::vector<BenchResult> results;
  {
    Progress progress("bench", cases.size());
    for (const BenchCase& next : cases) {
      const auto told = [&](std::size_t rounds) {
        progress.update(results.size(),
                        fmt::format("{} dim {}, {} {}, round {}", next.spec, next.dim, next.threads,
                                    next.threads == 1 ? "thread" : "threads", rounds));
      };
      told(0);
      results.push_back(time_codec(next, flags.effort, flags.reference, told));
    }
  }
  flags.json ? print_bench_json(setting, results) : print_bench_table(setting, results);
}

}  // namespace
}  // namespace kakeya

int main(int argc, char** argv) {
  kakeya::Flags flags;
  kakeya::BenchAttentionOptions attention, step;
  kakeya::BenchGenerateOptions generate;
  kakeya::BenchUpdatesOptions updates;
  bool gpu = false;
  return kakeya::run_program(
      argc, argv, "bench",
      "Times the codecs on this machine, beside memcpy and the published algorithm.",
      [&](CLI::App& app) {
        kakeya::define(app, flags);
        kakeya::define_bench_attention(app, attention);
        kakeya::define_bench_step(app, step);
        kakeya::define_bench_generate(app, generate);
        kakeya::define_bench_updates(app, updates);
        app.get_subcommand("gpu")->callback([&] { gpu = true; });
      },
      [&] {
        const std::vector<std::string> arguments(argv, argv + argc);
        if (gpu) return kakeya::run_gpu(flags, arguments);
        if (attention.chosen) return kakeya::run_bench_attention(attention, arguments, flags.json);
        if (step.chosen) return kakeya::run_bench_attention(step, arguments, flags.json);
        if (generate.chosen) return kakeya::run_bench_generate(generate, arguments, flags.json);
        if (updates.chosen) return kakeya::run_bench_updates(updates, arguments, flags.json);
        kakeya::run_bench_codec(flags, arguments);
      });
}
