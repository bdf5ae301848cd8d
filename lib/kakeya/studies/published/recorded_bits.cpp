// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/recorded_bits.h"

#include "kakeya/core/error.h"
#include "kakeya/studies/published/cache_shape.h"
#include "kakeya/studies/published/equal_nominal.h"

namespace kakeya {
namespace {

/// Of the vectors of a needle run, by what bf16 takes there.
std::size_t needle_dim(const PublishedRecord& record, const PublishedRow& row) {
  const RowSelector plain{
      "needle",
      {{"release", name_of(row, "release")}, {"model", name_of(row, "model")}, {"codec", "bf16"}}};
  const double bits = number_of(record.at(plain), "bits");
  for (const std::size_t dim : {64, 128, 256, 512}) {
    if (bits == 16.0 * static_cast<double>(dim)) return dim;
  }
  throw InputError(to_text(plain) + ": " + std::to_string(bits) +
                   " bits, expected 16 for each of 64, 128, 256 or 512 values");
}

}  // namespace

RecordedBits recorded_bits(const PublishedRecord& record, const std::string& spec) {
  RecordedBits found;
  const auto add = [&](const PublishedRow& row, const char* bits, std::size_t dim) {
    ++found.rows;
    found.equal += number_of(row, bits) == nominal_bits_of(spec, dim) ? 1 : 0;
  };
  for (const PublishedRow* row : record.all({"ppl", {{"codec", spec}}})) {
    if (name_of(*row, "part") == "v") continue;  // these state the bits of bf16 keys
    const PublishedRow& run = record.at({"run", {{"run", name_of(*row, "run")}}});
    add(*row, "bits_k", PublishedCacheShape(run).head_dim(0));
  }
  for (const PublishedRow* row : record.all({"needle", {{"codec", spec}}})) {
    add(*row, "bits", needle_dim(record, *row));
  }
  for (const char* kind : {"v4", "v4_sweep"}) {
    for (const PublishedRow* row : record.all({kind, {{"codec", spec}}})) add(*row, "bits", 512);
  }
  return found;
}

}  // namespace kakeya
