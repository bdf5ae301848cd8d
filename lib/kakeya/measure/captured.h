// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "kakeya/measure/source.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

/// All keys or all values (`part`) of a dump: every passage, every layer, the first and last ones
/// too, every head, every token, rounded to bf16 as the cache would hold them. A slab is a layer of
/// a passage, a frame one head of it, as kakeya-sweep codes them; a batch is a passage. `name`
/// tells dumps apart: the source is called NAME/k or NAME/v. `dump` must outlive the source. Throws
/// InputError on queries.
std::unique_ptr<VectorSource> make_captured(const DumpReader& dump, const std::string& name,
                                            Part part);

}  // namespace kakeya
