// SPDX-License-Identifier: Apache-2.0
#include "calibrate_plan.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cut_option.h"
#include "kakeya/calibrate/plan_calibration.h"
#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "plugin_option.h"
#include "policy_options.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

constexpr const char* kHelpEnd = R"(
Each slot (the keys or the values of a layer, or of --layer-group layers in a row; a whole layer where the codec is of
whole tokens) is coded alone at each rate of --codec, inside the forward, on the texts given. A curve exp(a - c b) is
fitted to its KL divergence over measured bits b, and the bits are shared out so that the sum of the curves is least:
by water-filling where the rate is any number (bits of ece8, klt), by a greedy exchange among the rates given where it is
whole (q of e8, b of kivi). Then the plan is measured on the same texts: bits that it reaches, and what it does to the
predictions beside the sum of the curves. A continuous plan that misses the bits by more than 0.005 is made again.

Never on the texts that plans are compared on. Cells are kept in FILE.measured, or --measured: the same command goes on
where it was stopped, and other --bits with that folder measure little more than the new plan.

JSON: file, name, digest, codec, rates (measured in each slot), slots, bits (asked), bits_reached, bits_reached_whole_cache, kkt_residual (null unless
continuous), exchanges (null where it is), predicted_kld, measured_kld, predicted_kld_uniform, misfit (root mean square over
slots, in log KL), cells, seconds, table (a line a slot).

Example, four of the shipped texts to calibrate on and the others to compare on:
  kakeya-calibrate --plan --model nano --text out/seen --passages 4 --ctx 192 --skip-edge-layers 0 \
    --codec 'e8:q={4,10,22,38}' --bits 4 --out plan.json
  kakeya-sweep --model nano --text out/unseen --passages 4 --ctx 192 --skip-edge-layers 0 \
    --codec 'e8:q={4,6,8,10}' --plan plan.json --out out/plan)";

struct PlanFlags {
  PlanRequest request;
  bool plan = false, json = false;
};

void define_plan(CLI::App& app, PlanFlags& flags) {
  PlanRequest& request = flags.request;
  SweepConfig& sweep = request.sweep;
  sweep.context = 512;
  sweep.passages = 4;
  app.add_flag("--plan", flags.plan, "Make a plan.json rather than a profile");
  app.add_option("--model", sweep.model,
                 "Hugging Face folder, .gguf file, short name, or transformers:NAME, run by Python")
      ->required()
      ->type_name("M");
  app.add_option("--text", sweep.text,
                 "A text file, cut into passages, or a folder with a .txt file each")
      ->required()
      ->type_name("PATH");
  add_cut_option(app, sweep.cut);
  app.add_option(
         "--codec", request.codec,
         "One codec at several rates, as 'e8:q={4,10,22,38}', or a family, as e8 or ece8:center=mean, "
         "at rates of its own")
      ->required()
      ->type_name("PATTERN");
  app.add_option("--bits", request.bits, "Measured bits a coded value that the plan may take")
      ->required()
      ->type_name("B");
  app.add_option("--out", request.out, "The plan to write")->required()->type_name("FILE");
  app.add_option("--measured", request.measured,
                 "Folder that keeps what was measured; plans of several --bits may share it "
                 "[FILE.measured]")
      ->type_name("DIR");
  app.add_option("--name", request.name, "Of the plan, in samples and tables [the codec's]")
      ->type_name("WORD");
  app.add_option("--layer-group", request.layer_group,
                 "So many coded layers in a row share their codecs")
      ->check(whole_number(1, 65536))
      ->capture_default_str();
  app.add_option("--passages", sweep.passages, "How many passages")
      ->check(whole_number(1))
      ->capture_default_str();
  app.add_option("--first-passage", sweep.first_passage, "The number of the first [0]")
      ->check(whole_number(0));
  app.add_option("--ctx", sweep.context, "Tokens before the scored ones")
      ->check(whole_number(1))
      ->capture_default_str();
  app.add_option("--eval", sweep.scored, "Tokens scored in each passage [64]")
      ->check(whole_number(1));
  add_policy_options(app, sweep.policy);
  add_layer_options(app, sweep.layers);
  app.add_option("--mode", sweep.modes, "Where the codec acts, as kakeya-sweep's [inforward]")
      ->type_name("MODE");
  app.add_option("--tap", sweep.tap, "Keys coded pre-rope or post-rope [pre-rope]")
      ->type_name("POINT");
  app.add_option("--profile", sweep.profiles, "Profiles for klt")->type_name("FILE");
  add_plugin_option(app, sweep.plugins);
  app.add_option("--device", sweep.device,
                 "cpu, cuda or cuda:N; cuda:0,cuda:1: a run of the layers on each [cpu]");
  app.add_option("--codec-device", sweep.codec_device,
                 "Where codecs work: cpu, cuda or auto, as kakeya-sweep's [the model's]");
  app.add_option("--dtype", sweep.dtype, "fp32 or bf16: weights and activations [fp32]");
  app.add_option("--threads", sweep.threads, "0: as many as the machine has [0]")
      ->check(whole_number(0, 4096));
  app.add_flag("--json", flags.json, "One JSON document on stdout");
  app.footer(kHelpEnd);
}

std::string slot_name(const PlanSlot& slot) {
  const std::string part = slot.part ? " " + std::string(part_name(*slot.part)) : std::string();
  return "layers " + slot.layers.text() + part;
}

double mean_misfit(const PlanResult& result) {
  double sum = 0;
  for (const PlanSlot& slot : result.slots) sum += slot.misfit * slot.misfit;
  return std::sqrt(sum / static_cast<double>(result.slots.size()));
}

void print_json(const PlanFlags& flags, const PlanResult& result, double seconds) {
  using Json = nlohmann::ordered_json;
  Json table = Json::array();
  for (std::size_t i = 0; i < result.slots.size(); ++i) {
    const PlanSlot& slot = result.slots[i];
    Json points = Json::array();
    for (const CurvePoint& point : slot.points) points.push_back({point.bits, point.loss});
    table.push_back({{"layers", slot.layers.text()},
                     {"part", slot.part ? Json(std::string(1, part_letter(*slot.part))) : Json()},
                     {"rate", result.rates[i]},
                     {"level", slot.curve.level},
                     {"slope", slot.curve.slope},
                     {"misfit", slot.misfit},
                     {"points", points}});
  }
  const bool continuous = result.continuous;
  const Json document = {{"file", flags.request.out},
                         {"name", result.plan.name},
                         {"digest", result.digest},
                         {"codec", flags.request.codec},
                         {"rates", result.slots.front().rates},
                         {"slots", result.slots.size()},
                         {"bits", flags.request.bits},
                         {"bits_reached", result.reached_bits},
                         {"bits_reached_whole_cache", result.reached_bits_whole_cache},
                         {"kkt_residual", continuous ? Json(result.kkt_residual) : Json()},
                         {"exchanges", continuous ? Json() : Json(result.exchanges)},
                         {"predicted_kld", result.predicted_kld},
                         {"measured_kld", result.measured_kld},
                         {"predicted_kld_uniform", result.predicted_uniform_kld},
                         {"misfit", mean_misfit(result)},
                         {"cells", result.outcome.total},
                         {"seconds", seconds},
                         {"table", table}};
  fmt::print("{}\n", document.dump(2));
}

void print_text(const PlanFlags& flags, const PlanResult& result, double seconds) {
  for (std::size_t i = 0; i < result.slots.size(); ++i) {
    const PlanSlot& slot = result.slots[i];
    fmt::print("{:<24} rate {:<6g} KL {:.2e} to {:.2e} at {:.2f} to {:.2f} bits\n", slot_name(slot),
               result.rates[i], slot.points.front().loss, slot.points.back().loss,
               slot.points.front().bits, slot.points.back().bits);
  }
  fmt::print("{}: plan {}, digest {}; {:.1f} s\n", flags.request.out, result.plan.name,
             result.digest.substr(0, 12), seconds);
  fmt::print("bits        {:.3f} a coded value of {:.3f} asked, {:.3f} over the whole cache\n",
             result.reached_bits, flags.request.bits, result.reached_bits_whole_cache);
  fmt::print(
      "KL          {:.3e} predicted (all slots alike: {:.3e}), {:.3e} measured on these texts\n",
      result.predicted_kld, result.predicted_uniform_kld, result.measured_kld);
  if (result.continuous) {
    fmt::print("optimum     KKT residual {:.1e}; the curves miss log KL by {:.2f}\n",
               result.kkt_residual, mean_misfit(result));
  } else {
    fmt::print("optimum     {} exchanges; the curves miss log KL by {:.2f}\n", result.exchanges,
               mean_misfit(result));
  }
}

void run_plan(PlanFlags& flags, const std::vector<std::string>& arguments) {
  const auto begin = Clock::now();
  SweepConfig& sweep = flags.request.sweep;
  refuse_useless_cut(sweep.cut, {&*sweep.text, 1});
  sweep.model = resolve_model(*sweep.model);
  hint_on_interrupt("calibrate", "run the same command to go on");
  std::optional<Progress> progress;
  std::size_t total = 0;
  const PlanResult result = calibrate_plan(flags.request, arguments, [&](const SweepEvent& event) {
    if (!progress || event.total != total) {
      progress.emplace("calibrate: cells", event.total);
      progress->skip(event.already);
      total = event.total;
    }
    progress->update(event.done, event.now);
  });
  progress.reset();
  const double seconds = seconds_since(begin);
  const double off = result.reached_bits - flags.request.bits;
  if (off > kPlanBitsOff || (result.continuous && off < -kPlanBitsOff)) {
    fmt::print(stderr,
               "kakeya-calibrate: warning: {}: the plan takes {:.3f} bits a coded value on these "
               "texts, {:.3f} were asked for\n",
               flags.request.out, result.reached_bits, flags.request.bits);
  }
  flags.json ? print_json(flags, result, seconds) : print_text(flags, result, seconds);
}

}  // namespace

int calibrate_plan_program(int argc, char** argv) {
  PlanFlags flags;
  const std::vector<std::string> arguments(argv, argv + argc);
  return run_program(
      argc, argv, "calibrate", "Shares out bits among layers, keys and values: makes a plan.json",
      [&](CLI::App& app) { define_plan(app, flags); }, [&] { run_plan(flags, arguments); });
}

}  // namespace kakeya
