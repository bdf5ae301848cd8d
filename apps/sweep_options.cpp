// SPDX-License-Identifier: Apache-2.0
#include "sweep_options.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <limits>
#include <sstream>

#include "cut_option.h"
#include "kakeya/core/error.h"
#include "kakeya/model/device_name.h"
#include "kakeya/store/provenance.h"
#include "plugin_option.h"
#include "policy_options.h"
#include "program.h"

namespace kakeya {
namespace {

constexpr const char* kHelpEnd = R"(
Codecs: `kakeya-codec list` shows them. One --codec stands for keys and values together; --codec-k and --codec-v give
every pair of the two (one of them alone leaves the other part bf16). Patterns make grids (quote them):
  --codec 'e8:q={4,10,22,38}' 'tq:b=2..8' fp8     lists and ranges; 'e8:q=4..152..4' goes in steps of 4
Codecs of one's own, with bytes: --plugin (a function without bytes: --replace with --claim-bits).
A codec and a mode that exclude each other are refused before anything is measured, by --dry-run too.
`identity` (bf16 stored) is measured first on every passage and must change nothing; if it does, the sweep stops.

Which layers: --skip-edge-layers N, --layers 0,5,10-20 or --skip-layers 0,29, one of them, for every --codec. A plan
says for itself; layers that it skips are bf16 and counted as skipped edge layers are. lib/kakeya/codec/plans.md has the
file's keys. Samples name it, as plan:bits=3.5,name=mine,digest=0123456789ab; provenance.json has its text.

Modes: inforward   the codec inside the forward, in every coded layer
       snapshot    K and V of a clean pass, coded offline, replace those of a second pass
       prefix      only the context's cache is coded; the scored tokens keep their own K and V exact
       decode      as an engine runs: the context in chunks of 512 tokens, each scored token in a step of its own, over a
                   cache that lives packed on the host: full pages as bytes, sinks, residual window and open page bf16.
                   Codecs without pages seal 128 tokens at a time. With --device cuda the model alone is on the GPU

Configuration: a JSON object whose keys are flags (ctx, eval, codec, codec_k, residual_window ...); an unknown key is an error. Flags
given beside --config replace what it says, codecs and modes as a whole. Files in it are relative to its own folder.

--noise-floor: KL divergence of other forwards of the same model and passages with nothing coded, in DIR/controls.jsonl:
`bf16` (or `fp32`) arithmetic, `fused` attention, `decode` (token by token). kakeya-report shows them under the codecs, and which
settings do not differ from them.

Results: DIR/samples.jsonl (one line a cell; its ledger_k and ledger_v say what K and V cost by every counting),
DIR/failures.jsonl, DIR/provenance.json. rel_mse_k and rel_mse_v are taken of decoded values before they are rounded to
bf16 for the model: taken of a decoded dump (kakeya-codec unpack), which is rounded, they come out a little different.
Run the same command again to go on where a stopped run was. Then: kakeya-report DIR --out REPORT

Shards: --shard I/N measures the I-th of N parts of the cells, beside the others in the same DIR (samples.I-of-N.jsonl, ...), on
machines that share it. N may change from run to run: what is in any file is finished. The reference pass of a passage is
computed once and lies in DIR/references until no cell is missing. --shard slurm: that of the task of a Slurm array.
A lock of a process that is gone, or silent for --lease seconds, is taken over. `kakeya-sweep status DIR`: how far all are.
SIGTERM, SIGUSR1 and SIGUSR2 let the cell in flight finish and end with code 75: nothing is lost, the same command goes on.

Devices: --devices 0,1,... measures the cells on several GPUs of this machine, a process each, as shards of one folder (0,0: two on
one GPU, which a small model does not fill). --devices 0,1 --split layers has one process, and a run of the layers on each of them: weights,
K and V, which are coded where they are. No number changes by either.

Clusters: --submit slurm:tasks=8,time=4:00:00,... writes DIR/slurm/sweep.sbatch, an array of so many tasks with --shard slurm, and
DIR/slurm/report.sbatch, which runs kakeya-report when all tasks have ended, and gives both to sbatch; with --dry-run it only writes them.
Keys: tasks (8), time, partition, account, qos, constraint, gpus, cpus, mem (a task each, as sbatch takes them), at_once (tasks at a
time), grace (seconds before the time limit at which a task is told to finish its cell and go back into the queue; longer than a
cell [60]). Files are found from the folder that it is run in, which every node has to see, as DIR.

Examples:
  kakeya-sweep --model nano --text data/text --codec 'e8:q={10,38}' fp8 --ctx 1024 \
    --skip-edge-layers 1 --out out/nano
  kakeya-sweep --config configs/smollm2-135m.json --text wiki.test.raw --out out/smollm2
  kakeya-sweep --model nano --text data/text --codec e8:q=10 'ece8:bits=3,page=128' --ctx 512 \
    --mode inforward,decode --noise-floor --out out/decode     (decoding token by token beside the forward at once)
  kakeya-sweep --model nano --text data/text --codec e8:q=4 --ctx 192 --skip-edge-layers 0 --layer-study --out out/layers
  kakeya-sweep --model nano --text data/text --codec 'e8:q={4,10}' --plan plan.json --ctx 192 --out out/plan
  kakeya-sweep --dump kv.h5 --codec 'd4:q=4..40..4' --out out/distortion
  kakeya-sweep --config configs/smollm2-135m.json --text wiki.test.raw --out out/smollm2 --shard 2/8
  kakeya-sweep --config configs/smollm2-135m.json --text wiki.test.raw --device cuda --out out/smollm2 \
    --submit slurm:tasks=8,gpus=1,time=4:00:00,partition=gpu
  kakeya-sweep --config configs/smollm2-135m.json --text wiki.test.raw --devices 0,1 --out out/smollm2
  kakeya-sweep --model nano --text data/text --ctx 192 --eval 64 --mode prefix --replace mine.h5 --claim-bits 4.5 \
    --codec q4_0 --out out/mine                                (kakeya-capture --ctx 256 gives the dump to change))";

/// Of "0,1", "cuda:0,cuda:1" or "cpu,cpu": "cuda:N" of a number, anything else as it is; of "", nothing.
std::vector<std::string> parse_device_list(const std::string& text) {
  std::vector<std::string> devices;
  if (text.empty()) return devices;
  std::istringstream names(text + ",");
  for (std::string name; std::getline(names, name, ',');) {
    if (name.empty())
      throw SpecError("--devices " + text + ": expected devices with commas between, as 0,1");
    const bool number = name.find_first_not_of("0123456789") == std::string::npos;
    devices.push_back(number ? "cuda:" + name : name);
    gpu_number(devices.back());  // refuses what is no device
  }
  return devices;
}

}  // namespace

void define_sweep(CLI::App& app, SweepFlags& flags) {
  SweepConfig& sweep = flags.sweep;
  app.add_option("--config", flags.config, "Read the sweep from a JSON file (configs/*.json)")
      ->type_name("FILE");
  app.add_option(
         "--model", sweep.model,
         "Hugging Face folder, .gguf file, short name (nano, nano-bias, smollm2-135m, gemma3-270m), or "
         "transformers:NAME, run by Python")
      ->type_name("M");
  app.add_option("--text", sweep.text,
                 "A text file, cut into passages, or a folder with a .txt file each")
      ->type_name("PATH");
  add_cut_option(app, sweep.cut);
  app.add_option("--tokenizer", sweep.tokenizer, "Where the model's own is not wanted")
      ->type_name("PATH");
  app.add_option("--dump", sweep.dump,
                 "Captured K and V, in place of --model and --text: distortion only")
      ->type_name("FILE");
  app.add_option(
         "--replace", sweep.replace,
         "Also judge K and V of this dump of the same passages, which another program coded "
         "and decoded: modes snapshot and prefix")
      ->type_name("FILE");
  app.add_option(
         "--claim-bits", sweep.claim_bits,
         "Beside --replace: the bits a value that its author claims; nothing checks them, and "
         "names begin with claimed:")
      ->type_name("B");
  add_plugin_option(app, sweep.plugins);
  app.add_option("--codec", sweep.grid.both, "Codecs of keys and values together")
      ->type_name("SPEC");
  app.add_option("--codec-k", sweep.grid.keys, "Codecs of the keys")->type_name("SPEC");
  app.add_option("--codec-v", sweep.grid.values, "Codecs of the values")->type_name("SPEC");
  app.add_option("--plan", sweep.plans,
                 "plan.json: a codec for each layer, keys and values, head; a cell a file, beside "
                 "those of --codec")
      ->type_name("FILE");
  app.add_flag("--layer-study", flags.layer_study,
               "Also code each layer alone, and 1, 2, 4, ... layers: kakeya-report layers DIR");
  app.add_option("--mode", sweep.modes,
                 "inforward, snapshot, prefix, decode, or several with commas [inforward]")
      ->type_name("MODE");
  app.add_option("--passages", sweep.passages,
                 "How many; 0: all there are [8, or all if there are fewer; all of a dump]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--first-passage", sweep.first_passage,
                 "The number of the first, counted from 0 over those that are long enough: "
                 "--first-passage 32 --passages 37 are 32 to 68 [0]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option(
         "--split", flags.splits,
         "What these passages are: development (choices are made on them) or held-out; "
         "recorded, and a folder holds one [not said]. layers: of the model, beside --devices")
      ->delimiter(',')
      ->type_name("NAME");
  app.add_option(
         "--splits", sweep.splits,
         "Which lines of the text are of which split (configs/splits/*.json): passages outside "
         "those of --split, which stands beside it, are refused. none: not what --config names")
      ->type_name("FILE");
  app.add_option("--ctx", sweep.context, "Tokens before the scored ones [2048]")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option("--eval", sweep.scored, "Tokens scored in each passage [64]")
      ->check(whole_number(1))
      ->type_name("N");
  add_policy_options(app, sweep.policy);
  add_layer_options(app, sweep.layers);
  app.add_option("--tap", sweep.tap, "Keys coded pre-rope or post-rope [pre-rope]")
      ->type_name("POINT");
  app.add_option("--profile", sweep.profiles,
                 "Profiles of kakeya-calibrate for klt and kvtc, which take the first of theirs "
                 "unless they name one")
      ->type_name("FILE");
  app.add_option("--device", sweep.device,
                 "cpu, cuda or cuda:N; cuda:0,cuda:1: a run of the layers on each [cpu]");
  app.add_option("--devices", flags.devices,
                 "GPUs of this machine, as 0,1: the cells are spread over them, or, with --split "
                 "layers, the layers of a model that is larger than one")
      ->type_name("N,N,...");
  app.add_option("--codec-device", sweep.codec_device,
                 "Where codecs work: cpu; cuda, beside the model; auto, there, and on the "
                 "host those without a kernel [the model's]");
  app.add_option("--dtype", sweep.dtype, "fp32 or bf16: weights and activations [fp32]");
  app.add_flag(
      "--batch-invariant", flags.batch_invariant,
      "Predict every token by itself, in the order of sums of a step of one token, so that "
      "decode and inforward agree to the last bit where they code the same tokens; on cpu, "
      "as slow as decoding");
  app.add_option("--threads", sweep.threads, "0: as many as the machine has [0]")
      ->check(whole_number(0, 4096))
      ->type_name("N");
  app.add_option("--seed", sweep.seed, "Recorded; nothing here is random yet [0]")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  app.add_flag("--noise-floor", flags.noise_floor,
               "Also measure, with nothing coded, the other arithmetic (bf16 or fp32), another "
               "attention and decoding token by token: what a KL divergence has to exceed");
  app.add_option("--out", flags.out, "Folder of the results")->type_name("DIR");
  app.add_option("--shard", flags.shard,
                 "Measure part I of N of the cells, beside the others in one folder; slurm: that "
                 "of the task of a Slurm array [all]")
      ->type_name("I/N");
  app.add_option("--lease", flags.lease,
                 "Seconds without a sign of life after which this process's lock may be taken over "
                 "by one on another machine [30]")
      ->check(CLI::Range(0.5, 3600.0))
      ->type_name("S");
  app.add_option("--submit", flags.submit,
                 "Write scripts for a cluster and submit them, as slurm:tasks=8,time=4:00:00")
      ->type_name("WHERE");
  app.add_flag(
      "--dry-run", flags.dry_run,
      "Show what would be measured, and stop; beside --submit: write its scripts, and stop");
  app.add_flag("--json", flags.json, "Print one JSON document");
  define_status(app, flags.status);
  app.footer(kHelpEnd);
}

bool take_splits(const SweepFlags& flags, SweepConfig& sweep) {
  bool layers = false;
  for (const std::string& name : flags.splits) {
    if (name == "layers") {
      layers = true;
    } else if (sweep.split && *sweep.split != name) {
      throw SpecError("--split " + *sweep.split + ", " + name + ": passages are of one split");
    } else {
      sweep.split = name;
    }
  }
  return layers;
}

std::vector<std::string> take_devices(const SweepFlags& flags, bool split_layers,
                                      SweepConfig& sweep) {
  if (flags.devices.empty() && !split_layers) return {};
  const std::vector<std::string> devices = parse_device_list(flags.devices);
  const auto refuse = [&](const std::string& what) {
    throw SpecError("--devices " + flags.devices + ": " + what);
  };
  if (split_layers && devices.size() < 2)
    throw SpecError("--split layers: expected several --devices beside it, as 0,1");
  if (flags.sweep.device) refuse("expected no --device beside it");
  if (sweep.dump) refuse("not for a sweep over a dump");
  for (const std::string& device : devices) {
    if (device_kind(device) != device_kind(devices.front()))
      refuse("expected devices of one kind, as 0,1");
  }
  if (sweep.device) {
    fmt::print(stderr, "kakeya-sweep: --devices {} in place of device {} of {}\n", flags.devices,
               *sweep.device, flags.config);
  }
  sweep.device = split_layers ? fmt::format("{}", fmt::join(devices, ",")) : devices.front();
  return split_layers || devices.size() == 1 ? std::vector<std::string>() : devices;
}

}  // namespace kakeya
