// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kakeya/model/model.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

/// The head of a dump: what a model knows of itself (name, architecture, shape, RoPE; with queries how
/// they look at keys) and what is given here. Left for the caller: digests, tokenizer, text, storage, provenance.
DumpHead dump_head(const ModelFacts& model, TapPoint tap, bool queries, int passages, int tokens);

/// Runs one prefill over `tokens` and writes them, and the K and V (and Q, where the head has queries)
/// of every layer, as passage `passage` of the dump. The model's own values are only read. `head` is
/// what the writer was made with.
///
/// Throws InputError naming layer and part when the model shows one twice, not at all, in pieces or
/// in another shape than the head says: a dump with a hole would look like data. Whatever the
/// writer throws passes through.
void capture_passage(Model& model, DumpWriter& writer, const DumpHead& head, int passage,
                     const std::vector<std::int32_t>& tokens, const std::string& origin);

}  // namespace kakeya
