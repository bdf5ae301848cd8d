// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "kakeya/codec/spec.h"
#include "kakeya/core/error.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/report/number.h"
#include "kakeya/studies/published/ablation_table.h"
#include "kakeya/studies/published/codec_arithmetic.h"
#include "kakeya/studies/published/equal_nominal.h"
#include "kakeya/studies/published/equal_nominal_report.h"
#include "kakeya/studies/published/recorded_bits.h"

namespace kakeya {
namespace {

double decibels(double ratio) { return 10 * std::log10(ratio); }

Table nominal_table(const PublishedRecord& record) {
  Table table = named_table("charges", "Nominal bits of every published setting");
  table.columns = {{"setting", "setting", false},
                   {"points, log2 a block", "log2 of the points (bits a block)"},
                   {"nominal a block", "charged (bits a block)"},
                   {"reachable, log2 a block", "log2 of what the round trip gives (bits a block)"}};
  for (const char* dim : {"64", "128", "256", "512"}) {
    table.columns.push_back({std::string("dim ") + dim, std::string("charged, dim ") + dim});
  }
  table.columns.push_back({"record agrees", "rows of the record with the same charge"});
  const auto add = [&](const std::string& spec, std::vector<Cell> row) {
    for (std::size_t dim : {64, 128, 256, 512})
      row.push_back(fixed_cell(nominal_bits_of(spec, dim), 0));
    const RecordedBits recorded = recorded_bits(record, spec);
    const std::string agree = fmt::format("{} of {}", recorded.equal, recorded.rows);
    row.push_back(number_cell(recorded.equal, recorded.rows > 0 ? agree : "-"));
    table.rows.push_back(std::move(row));
  };
  for (const OperatingCost& cost : operating_costs()) {
    const bool too_many = cost.written_block_bits > cost.nominal_block_bits;
    std::string reachable = fmt::format("{:.3f}", cost.written_block_bits);
    if (too_many) reachable = fmt::format("**{}**", reachable);
    add(cost.spec,
        {text_cell(cost.spec), fixed_cell(cost.codebook_block_bits, 3),
         fixed_cell(cost.nominal_block_bits, 0), number_cell(cost.written_block_bits, reachable)});
  }
  for (int bits = 2; bits <= 8; ++bits) {
    const std::string spec = fmt::format("tq:b={}", bits);
    add(spec, {text_cell(spec), fixed_cell(std::log2((1 << bits) - 1), 3), fixed_cell(bits, 0),
               text_cell("")});
  }
  add("fp8", {text_cell("fp8"), text_cell(""), fixed_cell(8, 0), text_cell("")});
  table.note =
      "A block is 4 coordinates of D4, 8 of E8, 1 of TQ. Nominal, published formulas: D4 (D/4) "
      "ceil(4 log2(2Q+1) - 1) + 32, E8 (D/8) ceil(8 log2(2Q+1)) + 32, TQ D b + 32, FP8 8 D + 16 "
      "D/64. Points: the points of the lattice with every coordinate within Q, which our bounded "
      "codecs number. Reachable: what the published round trip, which clamps after the search, can "
      "give; bold where no code of the nominal length holds it. Record: channels of the perplexity "
      "runs, of the needle runs, and of the V4 streams and sweeps (dim 512), with our nominal "
      "bits, of all that state any.";
  return table;
}

Table free_table() {
  Table table =
      named_table("free", "Bits that the published Q waste, and the better ones for nothing");
  table.columns = {{"setting", "setting", false},
                   {"nominal bits, dim 128", "charged (bits a vector)"},
                   {"unused", "charged minus log2 of the points (bits a vector)"},
                   {"largest Q of as many bits", "free Q"},
                   {"gain for nothing, dB", "gain of the free Q (dB)"},
                   {"a bit a block less", "largest Q one bit a block below"},
                   {"loss, dB", "loss of that (dB)"}};
  for (const OperatingCost& cost : operating_costs()) {
    const double blocks = 128.0 / cost.block;
    const Spec spec = Spec::parse(cost.spec);
    const int q = std::stoi(*spec.find("q"));
    const int below = largest_q(spec.name(), nominal_bits_of(cost.spec, 128) - blocks, 128);
    std::vector<Cell> row = {
        text_cell(cost.spec), fixed_cell(nominal_bits_of(cost.spec, 128), 0),
        fixed_cell(blocks * (cost.nominal_block_bits - cost.codebook_block_bits), 1),
        number_cell(cost.free_q, std::to_string(cost.free_q)),
        fixed_cell(2 * decibels(static_cast<double>(cost.free_q) / q), 2)};
    if (below > 0) {
      row.push_back(number_cell(below, std::to_string(below)));
      row.push_back(fixed_cell(2 * decibels(static_cast<double>(q) / below), 2));
    } else {
      row.insert(row.end(), {text_cell("-"), text_cell("-")});
    }
    table.rows.push_back(std::move(row));
  }
  table.note =
      "At fine rates the error goes with 1/Q^2. Q = 10 costs 17 bits a block where Q = 9 costs 16 "
      "(the 544 bits of TQ b=4), Q = 38 costs 25 where 37 costs 24 (TQ b=6), Q = 152 costs 33 "
      "where 151 costs 32 (TQ b=8): each published Q lies just above a step of the nominal bits. "
      "It pays a bit a block, worth 1.5 dB, and gets 0.92, 0.23 and 0.06 dB for it. The 832 bits "
      "of Q = 38 would carry Q = 44.";
  return table;
}

double recorded_mse(const PublishedRecord& record, const std::string& run, const std::string& codec,
                    const std::string& field) {
  const PublishedRow& row = record.at({"ppl", {{"run", run}, {"codec", codec}, {"part", "kv"}}});
  const std::vector<double>& mse = numbers_of(row, field);
  return std::accumulate(mse.begin(), mse.end(), 0.0) / static_cast<double>(mse.size());
}

Table ratios_table(const PublishedRecord& record) {
  Table table =
      named_table("ratios", "MSE of D4 over MSE of TQ: predicted without any data, and recorded");
  table.columns = {{"pair", "pair", false}, {"predicted", "predicted"}};
  constexpr std::pair<const char*, const char*> kModels[] = {{"Qwen3-4B", "qwen3"},
                                                             {"GLM-4-9B", "glm"},
                                                             {"Gemma-4-E4B", "gemma"},
                                                             {"DeepSeek-1.5B", "deepseek"}};
  for (const auto& [name, model] : kModels) {
    for (const char* part : {"K", "V"})
      table.columns.push_back({fmt::format("{} {}", name, part), ""});
  }
  for (Column& column : table.columns) {
    if (column.quantity.empty()) column.quantity = column.heading;
  }
  constexpr std::pair<int, int> kPairs[] = {{10, 4}, {38, 6}, {152, 8}};
  for (const auto& [q, bits] : kPairs) {
    const std::string d4 = fmt::format("d4:q={}", q), tq = fmt::format("tq:b={}", bits);
    std::vector<Cell> row = {text_cell(d4 + ", " + tq),
                             fixed_cell(predicted_mse_ratio(q, bits), 3)};
    for (const auto& [name, model] : kModels) {
      const std::string run = std::string("isobit-") + model;
      for (const char* field : {"k_mse", "v_mse"}) {
        row.push_back(fixed_cell(
            recorded_mse(record, run, d4, field) / recorded_mse(record, run, tq, field), 3));
      }
    }
    table.rows.push_back(std::move(row));
  }
  table.note =
      "Both codecs scale the rotated unit vector by its own maximum: the step is maximum/Q for D4 "
      "and maximum/(2^(b-1) - 1) for TQ. A point uniform in its cell is off by 13/120 squared "
      "steps a coordinate in D4 and by 1/12 in the integers. So the ratio is ((2^(b-1) - 1)/Q)^2 x "
      "(13/120)/(1/12) = (7/10)^2 x 1.3, (31/38)^2 x 1.3 and (127/152)^2 x 1.3, whatever the "
      "model: \"12 of 12 on four architectures\" counts one fact of arithmetic twelve times.";
  return table;
}

Table gain_table(const PublishedRecord& record, const GaussianVectors& vectors) {
  Table table = named_table("e8-gain", "E8 against D4 at the same Q: where 1.8 dB come from");
  table.columns = {{" ", "", false}, {"Q=4, dB", "Q=4 (dB)"}, {"Q=10, dB", "Q=10 (dB)"}};
  const auto add = [&](const std::string& label, double at_4, double at_10) {
    table.rows.push_back({text_cell(label), fixed_cell(at_4, 2), fixed_cell(at_10, 2)});
  };
  const double bits = decibels(std::pow(4.0, 0.25));
  const double d4 = cell_second_moment(Lattice::d4) / std::sqrt(2.0),
               e8 = cell_second_moment(Lattice::e8);
  const double cell = decibels(d4 / e8);
  add("a quarter of a bit more a value (6.02 dB a bit)", bits, bits);
  add("the cell: G(D4)/G(E8)", cell, cell);
  add("together", bits + cell, bits + cell);
  const auto measured = [&](int q) {
    return decibels(codec_rel_mse(fmt::format("d4:q={},rule=published", q), vectors) /
                    codec_rel_mse(fmt::format("e8:q={},rule=published", q), vectors));
  };
  add("measured, Gaussian vectors", measured(4), measured(10));
  constexpr std::pair<const char*, const char*> kModels[] = {{"Qwen3-4B", "qwen3"},
                                                             {"GLM-4-9B", "glm"},
                                                             {"Gemma-4-E4B", "gemma"},
                                                             {"DeepSeek-1.5B", "deepseek"}};
  for (const auto& [name, model] : kModels) {
    const std::string run = std::string("e8-") + model;
    const auto recorded = [&](int q) {
      return decibels(recorded_mse(record, run, fmt::format("d4:q={}", q), "k_mse") /
                      recorded_mse(record, run, fmt::format("e8:q={}", q), "k_mse"));
    };
    add(fmt::format("recorded, {}, keys of layer 0", name), recorded(4), recorded(10));
  }
  table.note = fmt::format(
      "D4 keeps every second point of the integers: its cell has volume 2 in 4 dimensions, E8's "
      "has volume 1 in 8. At the same step E8 therefore spends log2(2)/4 = 0.25 bit a value more "
      "(32 bits a vector of 128), which is {:.2f} dB; its rounder cell is worth {:.2f} dB. The "
      "published reports call the 32 bits an overhead and the sum \"larger than the theoretical "
      "0.29 dB\".",
      bits, cell);
  return table;
}

}  // namespace

Document make_codec_arithmetic(const PublishedRecord& record, const GaussianVectors& vectors) {
  Document document;
  const std::vector<std::string> head = {
      "# Codec arithmetic of the published figures",
      fmt::format("What the published codecs cost and lose follows from a few lines of arithmetic, "
                  "and is checked here "
                  "against our own codecs: nominal bits are those of `Codec::rates()`, errors are "
                  "measured on {} vectors of {} "
                  "normal values, written to bytes and read back. `kakeya-report published --out "
                  "R` makes this report; no "
                  "model is in it but for what the published record says.",
                  grouped(vectors.count), vectors.dim)};
  for (const std::string& text : head) document.paragraph(text);
  document.table(nominal_table(record), "##");
  document.table(free_table(), "##");
  document.table(ratios_table(record), "##");
  document.table(gain_table(record, vectors), "##");
  document.table(ablation_table(record, vectors), "##");
  add_equal_nominal_bits(document, at_equal_nominal_bits(vectors), vectors.dim);
  document.put_behind({head, document.charts.front().name, {}, ratios_table(record), ""});
  return document;
}

}  // namespace kakeya
