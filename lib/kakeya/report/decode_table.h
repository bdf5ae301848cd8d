// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// Of a group of mode decode: where and why it differs from mode inforward, and what its samples left
/// in bf16 at the end of a passage (sinks, residual window, open pages in tokens). "" of other modes.
std::string decode_note(const ResultGroup& group);

/// Of a group of mode decode beside one of mode inforward, of its folder or of another with the same plan: a row a
/// setting that both have, over the passages that both have. How many of these have losses equal to the last bit, KL
/// divergence and NLL of both, the tokens that are coded in both and those in the open page, coded
/// in mode inforward and bf16 here, and whole-cache bits. Without rows elsewhere.
Table decode_table(const ResultGroup& group, std::span<const ResultGroup> groups);

}  // namespace kakeya
