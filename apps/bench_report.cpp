// SPDX-License-Identifier: Apache-2.0
#include "bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/report/number.h"
#include "kakeya/report/table.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;
using Number = std::optional<double>;

constexpr char kLegend[] =
    R"(M/s: million vectors a second; GB/s: 10^9 bytes of float32 vectors a second; medians of {} rounds, of which
the fastest was at most {:.0f} % faster than the slowest. round trip: quantise and reconstruct in one pass, no bytes
(-: not offered). encode and decode: real frames with checksums. measured bits/value: 8 x bytes written / values.
)";
constexpr char kReferenceLegend[] =
    R"(published: the round trip of the same q or b (rule=published) composed of tensor operations, no bytes (-: none was
published); x: how many times faster ours is. {}.
)";

constexpr char kBesideLegend[] =
    R"(products: the two D x D products of klt's transform, with the same kernels (-: another codec); time x: time that klt takes
to encode and decode, over that of {} and of the products together.
)";

// What follows from the medians of a row.
struct Derived {
  double gb_of_a_vector;  // float32, in 10^9 bytes
  double measured_bits_per_value, both;
  Number roundtrip, reference, encode_symbols, decode_symbols;
  Number products, time_ratio;  // of klt
};

Number median(const std::optional<Speed>& speed) {
  return speed ? Number(speed->median) : std::nullopt;
}

Number ratio(const Number& speed, const Number& other) {
  return speed && other ? Number(*speed / *other) : std::nullopt;
}

Derived derive(const BenchResult& result) {
  Derived made{};
  const double dim = static_cast<double>(result.dim);
  made.gb_of_a_vector = dim * sizeof(float) * 1e-9;
  made.measured_bits_per_value =
      8.0 * static_cast<double>(result.bytes_written) / static_cast<double>(result.vectors) / dim;
  made.both = 1.0 / (1.0 / result.encode.median + 1.0 / result.decode.median);
  made.roundtrip = median(result.roundtrip);
  made.reference = median(result.reference);
  if (result.beside) {
    const BesideSpeeds& beside = *result.beside;
    made.products = beside.products.median;
    made.time_ratio =
        1.0 / made.both /
        (1.0 / beside.encode.median + 1.0 / beside.decode.median + 1.0 / beside.products.median);
  }
  if (result.symbols_per_vector > 0) {
    const double symbols = static_cast<double>(result.symbols_per_vector);
    made.encode_symbols = symbols * result.encode.median;
    made.decode_symbols = symbols * result.decode.median;
  }
  return made;
}

// By how much the best round of an operation was faster than its worst, percent; the largest of
// all.
double unrest_percent(const std::vector<BenchResult>& results) {
  double most = 1;
  for (const BenchResult& result : results) {
    for (const std::optional<Speed>& speed :
         {result.roundtrip, std::optional(result.encode), std::optional(result.decode),
          std::optional(result.memory_copy), result.reference}) {
      if (speed) most = std::max(most, speed->max / speed->min);
    }
    if (!result.beside) continue;
    for (const Speed& speed :
         {result.beside->encode, result.beside->decode, result.beside->products}) {
      most = std::max(most, speed.max / speed.min);
    }
  }
  return 100 * (most - 1);
}

Json json_of(const Number& number) { return number ? Json(*number) : Json(nullptr); }

Json json_of(const Speed& speed, double unit = 1.0) {
  return {{"min", unit * speed.min}, {"median", unit * speed.median}, {"max", unit * speed.max}};
}

Json json_of(const std::optional<Speed>& speed) { return speed ? json_of(*speed) : Json(nullptr); }

Json json_of(const std::optional<BesideSpeeds>& beside, const Number& time_ratio) {
  if (!beside) return nullptr;
  return {{"codec", beside->codec},
          {"encode_vectors_per_second", json_of(beside->encode)},
          {"decode_vectors_per_second", json_of(beside->decode)},
          {"products_vectors_per_second", json_of(beside->products)},
          {"time_ratio", json_of(time_ratio)}};
}

Json json_of(const BenchResult& result) {
  const Derived derived = derive(result);
  const double gb = derived.gb_of_a_vector;
  const double copy = result.memory_copy.median;
  const Number encode = result.encode.median, decode = result.decode.median;
  Json row;
  row["codec"] = result.codec;
  row["dim"] = result.dim;
  row["vectors"] = result.vectors;
  row["threads"] = result.threads;
  row["roundtrip_vectors_per_second"] = json_of(derived.roundtrip);
  row["encode_vectors_per_second"] = *encode;
  row["decode_vectors_per_second"] = *decode;
  row["encode_decode_vectors_per_second"] = derived.both;
  row["roundtrip_gb_per_second"] = json_of(ratio(derived.roundtrip, 1.0 / gb));
  row["encode_gb_per_second"] = *encode * gb;
  row["decode_gb_per_second"] = *decode * gb;
  row["memcpy_gb_per_second"] = copy * gb;
  row["encode_symbols_per_second"] = json_of(derived.encode_symbols);
  row["decode_symbols_per_second"] = json_of(derived.decode_symbols);
  row["reference_roundtrip_vectors_per_second"] = json_of(derived.reference);
  row["reference_codec"] =
      result.reference_codec.empty() ? Json(nullptr) : Json(result.reference_codec);
  row["bytes_written"] = result.bytes_written;
  row["measured_bits_per_value"] = row["real_bits_per_value"] = derived.measured_bits_per_value;
  row["rel_mse"] = result.rel_mse;
  row["reference_rel_mse"] = json_of(result.reference_rel_mse);
  row["ratios"] = {{"roundtrip_to_reference", json_of(ratio(derived.roundtrip, derived.reference))},
                   {"encode_to_reference", json_of(ratio(encode, derived.reference))},
                   {"decode_to_reference", json_of(ratio(decode, derived.reference))},
                   {"encode_decode_to_reference", json_of(ratio(derived.both, derived.reference))},
                   {"roundtrip_to_memcpy", json_of(ratio(derived.roundtrip, copy))},
                   {"encode_to_memcpy", *encode / copy},
                   {"decode_to_memcpy", *decode / copy}};
  row["transform"] = json_of(result.beside, derived.time_ratio);
  row["rounds"] = result.rounds;
  row["spread"] = {{"roundtrip_vectors_per_second", json_of(result.roundtrip)},
                   {"encode_vectors_per_second", json_of(result.encode)},
                   {"decode_vectors_per_second", json_of(result.decode)},
                   {"memcpy_gb_per_second", json_of(result.memory_copy, gb)},
                   {"reference_roundtrip_vectors_per_second", json_of(result.reference)}};
  return row;
}

Cell cell(const Number& number, double unit = 1.0) {
  if (!number) return text_cell("-");
  const double shown = *number / unit;
  return number_cell(*number, shown < 1000 ? significant(shown) : fmt::format("{:.0f}", shown));
}

// Which columns there are besides.
struct Columns {
  bool symbols = false, reference = false, transform = false;
};

std::vector<Cell> cells(const BenchResult& result, const Columns& columns) {
  const Derived derived = derive(result);
  const Number encode = result.encode.median, decode = result.decode.median;
  const auto whole = [](std::size_t count) {
    return number_cell(static_cast<double>(count), grouped(count));
  };
  std::vector<Cell> row = {text_cell(result.codec),
                           whole(result.dim),
                           whole(result.vectors),
                           whole(result.threads),
                           number_cell(derived.measured_bits_per_value,
                                       fmt::format("{:.3f}", derived.measured_bits_per_value)),
                           cell(derived.roundtrip, 1e6),
                           cell(encode, 1e6),
                           cell(decode, 1e6),
                           cell(*encode * derived.gb_of_a_vector),
                           cell(*decode * derived.gb_of_a_vector),
                           cell(result.memory_copy.median * derived.gb_of_a_vector)};
  if (columns.symbols) {
    row.push_back(cell(derived.encode_symbols, 1e6));
    row.push_back(cell(derived.decode_symbols, 1e6));
  }
  if (columns.transform) {
    row.push_back(cell(derived.products, 1e6));
    row.push_back(cell(derived.time_ratio));
  }
  if (columns.reference) {
    row.push_back(cell(derived.reference, 1e6));
    row.push_back(cell(ratio(derived.roundtrip, derived.reference)));
    row.push_back(cell(ratio(derived.both, derived.reference)));
  }
  return row;
}

}  // namespace

void print_bench_json(const BenchSetting& setting, const std::vector<BenchResult>& results) {
  Json document;
  if (results.size() == 1) {
    document = json_of(results.front());
  } else {
    document["results"] = Json::array();
    for (const BenchResult& result : results) document["results"].push_back(json_of(result));
  }
  document["simd_target"] = setting.simd_target;
  document["memory"] = setting.memory;
  document["reference_library"] =
      setting.reference_library.empty() ? Json(nullptr) : Json(setting.reference_library);
  document["provenance"] = Json::parse(to_json(setting.provenance));
  fmt::print("{}\n", document.dump(1));
}

void print_bench_table(const BenchSetting& setting, const std::vector<BenchResult>& results) {
  Columns columns;
  columns.reference = !setting.reference_library.empty();
  std::string beside;
  for (const BenchResult& result : results) {
    columns.symbols |= result.symbols_per_vector > 0;
    if (!result.beside) continue;
    columns.transform = true;
    beside = result.beside->codec;
  }
  Table table;
  table.name = "bench";
  for (const char* heading :
       {"codec", "dim", "vectors", "threads", "measured bits/value", "round trip M/s", "encode M/s",
        "decode M/s", "encode GB/s", "decode GB/s", "memcpy GB/s"}) {
    table.columns.push_back({heading, heading, !table.columns.empty()});
  }
  if (columns.symbols) {
    for (const char* heading : {"encode Msymbol/s", "decode Msymbol/s"})
      table.columns.push_back({heading, heading});
  }
  if (columns.transform) {
    for (const char* heading : {"products M/s", "time x"})
      table.columns.push_back({heading, heading});
  }
  if (columns.reference) {
    for (const char* heading : {"published M/s", "round trip x", "encode + decode x"})
      table.columns.push_back({heading, heading});
  }
  std::size_t fewest = results.front().rounds, most = fewest;
  for (const BenchResult& result : results) {
    table.rows.push_back(cells(result, columns));
    fewest = std::min(fewest, result.rounds);
    most = std::max(most, result.rounds);
  }
  const std::string rounds =
      fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
  fmt::print("{}\n", to_markdown(table));
  fmt::print(kLegend, rounds, unrest_percent(results));
  if (columns.transform) fmt::print(kBesideLegend, beside);
  if (columns.reference) fmt::print(kReferenceLegend, setting.reference_library);
  const Provenance& made = setting.provenance;
  fmt::print("{}; {}; kakeya {} ({}); instruction set {}; memory {}; {}\n", made.host,
             made.compiler, made.version, made.commit, setting.simd_target, setting.memory,
             made.started_utc);
}

}  // namespace kakeya
