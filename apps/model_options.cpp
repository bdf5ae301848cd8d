// SPDX-License-Identifier: Apache-2.0
#include "model_options.h"

#include "kakeya/core/error.h"
#include "program.h"

namespace kakeya {

void add_model_option(CLI::App& app, std::string& model) {
  app.add_option(
         "--model", model,
         "Hugging Face folder, .gguf file, short name (nano, nano-bias, smollm2-135m, gemma3-270m), or "
         "transformers:NAME, run by Python")
      ->type_name("M")
      ->required();
}

void add_model_options(CLI::App& app, ModelOptions& options, const std::string& device_note) {
  app.add_option(
         "--device", options.device,
         "cpu, cuda or cuda:N; cuda:0,cuda:1: a run of the layers on each" + device_note + " [cpu]")
      ->type_name("DEVICE");
  app.add_option("--dtype", options.dtype, "fp32 or bf16: weights and activations [fp32]")
      ->type_name("TYPE");
  app.add_option("--threads", options.threads, "0: as many as the machine has [0]")
      ->check(whole_number(0, 4096))
      ->type_name("N");
}

void add_packed_sums_option(CLI::App& app, bool& packed_sums) {
  app.add_flag("--packed-sums", packed_sums,
               "On a CPU, attention adds values up as they are packed, and transforms sums");
}

void add_cache_device_option(CLI::App& app, bool& on_gpu) {
  app.add_option_function<std::string>(
         "--cache-device",
         [&on_gpu](const std::string& text) {
           if (text != "cpu" && text != "cuda") {
             throw SpecError("--cache-device " + text + ": expected cpu or cuda");
           }
           on_gpu = text == "cuda";
         },
         "cpu, or cuda: the cache lives on the model's GPU, whose attention reads it packed [cpu]")
      ->type_name("DEVICE");
}

}  // namespace kakeya
