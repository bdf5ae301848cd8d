// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/dump_sweep.h"

#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/measure/packed/packed_cache.h"
#include "kakeya/measure/token_coder.h"

namespace kakeya {

DumpSubject::DumpSubject(const DumpReader& dump, std::string file, int passages, CachePolicy policy,
                         WorkerPool& pool)
    : dump_(dump), file_(std::move(file)), passages_(passages), policy_(policy), pool_(pool) {
  const DumpHead& head = dump.head();
  if (passages_ == 0) passages_ = head.passages;
  if (passages_ < 1 || passages_ > head.passages) {
    throw InputError("passages " + std::to_string(passages) + ": expected 1 to " +
                     std::to_string(head.passages) + ", as many as the dump has");
  }
  policy_.layers = head.shape.layers;
  policy_.check(static_cast<std::size_t>(head.tokens));
}

void DumpSubject::start_passage(int passage, const std::vector<std::string>&) {
  clean_ = read_cache(dump_, passage, {policy_.skipped_layers, policy_.coded_layers()});
}

void DumpSubject::check(const GridCell& cell) const {
  if (!dump_.head().stream) return;
  const std::string stream = file_ + ": stream " + dump_.head().stream->name;
  if (cell.specs.keys != cell.specs.values) {
    throw SpecError(stream + " has one vector for key and value: expected one codec, " +
                    cell.specs.label() + " given");
  }
  if (cell.tokens) {
    throw SpecError(stream + ": " + cell.specs.label() +
                    " codes keys and values of whole tokens: expected a codec of single heads");
  }
}

Sample DumpSubject::measure(const GridCell& cell, const std::string&) {
  if (!clean_) throw InputError("sweep: expected start_passage before a cell");
  const std::size_t tokens = clean_->tokens(), heads = clean_->heads(), dim = clean_->dim();
  Sample sample;
  if (cell.tokens) {
    KvCache decoded(policy_.layers, tokens, heads, dim);
    TokenCoder coder(*cell.tokens, policy_, pool_);
    try {
      coder.code(*clean_, tokens, decoded);
    } catch (const InputError& error) {
      throw InputError(file_ + ": " + error.what());
    }
    fill_coding(sample, cell, coder.record(), policy_, tokens, heads, dim);
    return sample;
  }
  PartCoder coder(*cell.keys, *cell.values, policy_, pool_);
  std::vector<float> part(tokens * heads * dim);
  const auto parts = stored_parts(dump_.head()).first(dump_.head().stream ? 1 : 2);
  for (int layer = 0; layer < policy_.layers; ++layer) {
    if (!policy_.codes(layer)) continue;
    for (const Part each : parts) {
      const KvSite site{layer, each};
      clean_->load(site, tokens, part);
      try {
        coder.code(site, {part.data(), tokens, heads, dim, 0}, tokens);
      } catch (const InputError& error) {
        throw InputError(file_ + ": " + error.what());
      }
    }
  }
  fill_coding(sample, cell, coder.record(), policy_, tokens, heads, dim, parts.size());
  return sample;
}

}  // namespace kakeya
