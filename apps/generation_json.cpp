// SPDX-License-Identifier: Apache-2.0
#include "generation_json.h"

#include <optional>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

std::string label_of(const Json& row) {
  const auto keys = row.at("codec_k").get<std::string>(),
             values = row.at("codec_v").get<std::string>();
  return keys == values ? keys : "K " + keys + ", V " + values;
}

// Rows that were written before rows said it have none.
std::optional<double> copy_of(const Json& row) {
  if (!row.contains("copy_gb_per_second")) return std::nullopt;
  return row.at("copy_gb_per_second").get<double>();
}

}  // namespace

GenerationSpeeds generation_speeds(const Json& document, const std::string& source) {
  GenerationSpeeds speeds;
  try {
    const Json& plan = document.at("plan");
    plan.at("model").get_to(speeds.model);
    plan.at("dtype").get_to(speeds.dtype);
    plan.at("threads").get_to(speeds.threads);
    speeds.caches_on_gpu = plan.contains("cache_device");
    speeds.packed_sums = plan.contains("packed_sums");
    speeds.device = document.at("provenance").at("device").get<std::string>();
    for (const Json& row : document.at("cells")) {
      speeds.rows.push_back(
          {label_of(row), row.at("context").get<std::size_t>(), row.at("batch").get<std::size_t>(),
           row.at("first_token_seconds").get<double>(), row.at("tokens_per_second").get<double>(),
           row.at("tokens_per_cpu_second").get<double>(), row.at("live_bytes").get<double>(),
           row.at("bf16_bytes").get<double>(), row.at("peak_live_bytes").get<double>(),
           row.at("peak_process_bytes").get<double>(), copy_of(row)});
    }
    for (const Json& row : document.at("fits")) {
      speeds.fits.push_back({label_of(row), row.at("context").get<std::size_t>(),
                             row.at("batch").get<std::size_t>(), row.at("live_bytes").get<double>(),
                             row.at("limit_bytes").get<double>()});
    }
  } catch (const Json::exception& wrong) {
    throw CorruptStream(source + ": not what kakeya-bench generate writes: " + wrong.what());
  }
  return speeds;
}

}  // namespace kakeya
