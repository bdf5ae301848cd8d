// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/dump_sweep.h"

#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/measure/packed/packed_cache.h"
#include "kakeya/measure/token_coder.h"

namespace kakeya {

DumpSubject::DumpSubject(const DumpReader& dump, std::string file, int passages, CachePolicy policy,
                         WorkerPool& pool)
    : dump_(dump),
      file_(std::move(file)),
      passages_(passages),
      policy_(std::move(policy)),
      pool_(pool) {
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
  passage_ = passage;
  read_.assign(static_cast<std::size_t>(policy_.layers), false);
  clean_.emplace(dump_.head().shape, static_cast<std::size_t>(dump_.head().tokens));
}

// A plan may code layers that other cells do not.
void DumpSubject::read_layers(const CachePolicy& policy) {
  for (int layer = 0; layer < policy.layers; ++layer) {
    if (!policy.codes(layer) || read_[static_cast<std::size_t>(layer)]) continue;
    for (const KvSite site : {KvSite{layer, Part::key}, KvSite{layer, Part::value}}) {
      clean_->store(site, dump_.part(passage_, site));
    }
    read_[static_cast<std::size_t>(layer)] = true;
  }
}

void DumpSubject::check(const GridCell& cell) const {
  if (!dump_.head().stream) return;
  const std::string stream = file_ + ": stream " + dump_.head().stream->name;
  if (cell.specs.keys != cell.specs.values) {
    throw SpecError(stream + " has one vector for key and value: expected one codec, " +
                    cell.specs.label() + " given");
  }
  if (cell.plan) {
    throw SpecError(stream + ": " + cell.specs.label() +
                    " is a plan, for keys and for values: expected a codec");
  }
  if (cell.tokens) {
    throw SpecError(stream + ": " + cell.specs.label() +
                    " codes keys and values of whole tokens: expected a codec of single heads");
  }
}

Sample DumpSubject::measure(const GridCell& cell, const std::string&) {
  if (!clean_) throw InputError("sweep: expected start_passage before a cell");
  const std::size_t tokens = clean_->tokens(), heads = clean_->heads(), dim = clean_->dim();
  const CachePolicy policy = cell.policy_of(policy_);
  read_layers(policy);
  Sample sample;
  if (cell.tokens) {
    KvCache decoded(policy.layers, tokens, heads, dim);
    TokenCoder coder(*cell.tokens, policy, pool_);
    try {
      coder.code(*clean_, tokens, decoded);
    } catch (const InputError& error) {
      throw InputError(file_ + ": " + error.what());
    }
    fill_coding(sample, cell, coder.record(), policy, tokens, heads, dim);
    return sample;
  }
  PartCoder coder(*cell.keys, *cell.values, policy, pool_);
  std::vector<float> part(tokens * heads * dim);
  const auto parts = stored_parts(dump_.head()).first(dump_.head().stream ? 1 : 2);
  for (int layer = 0; layer < policy.layers; ++layer) {
    if (!policy.codes(layer)) continue;
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
  fill_coding(sample, cell, coder.record(), policy, tokens, heads, dim, parts.size());
  return sample;
}

}  // namespace kakeya
