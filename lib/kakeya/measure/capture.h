// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kakeya/model/model.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

/// "pre-rope" or "post-rope" and back. Throws SpecError on any other text.
TapPoint parse_tap_point(const std::string& text);
std::string to_text(TapPoint point);

/// The facts of a dump that a model knows of itself (name, architecture, layers, heads, dim, RoPE)
/// and those given here. Left for the caller: digests, tokenizer, text, storage, provenance.
DumpFacts dump_facts(const ModelFacts& model, TapPoint tap, bool queries, int passages, int tokens);

/// Runs one prefill over `tokens` and writes them, and the K and V (and Q, where writer's facts say
/// queries) of every layer, as passage `passage` of the dump. The model's own values are only read.
/// `facts` are those the writer was made with.
///
/// Throws InputError naming layer and part when the model shows one twice, not at all, in pieces or
/// in another shape than the facts say: a dump with a hole would look like data. Whatever the
/// writer throws passes through.
void capture_passage(Model& model, DumpWriter& writer, const DumpFacts& facts, int passage,
                     const std::vector<std::int32_t>& tokens, const std::string& origin);

}  // namespace kakeya
