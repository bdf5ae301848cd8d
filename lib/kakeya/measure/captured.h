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
/// InputError on queries, and on the values of
/// a stream, whose source is called NAME: they are its keys.
std::unique_ptr<VectorSource> make_captured(const DumpReader& dump, const std::string& name,
                                            Part part);

/// The vectors of an array file (store/arrays.h: .npy, or .f32 of vectors of `dim` scalars), rounded
/// to bf16, as one frame, like values of a cache. The source is called `name`. Throws as
/// read_array(), and InputError where there is no vector.
std::unique_ptr<VectorSource> make_stored(const std::string& path, std::size_t dim,
                                          const std::string& name);

}  // namespace kakeya
