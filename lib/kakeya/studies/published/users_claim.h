// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kakeya/capacity/decoder.h"
#include "kakeya/report/table.h"
#include "kakeya/studies/published/record.h"
#include "kakeya/studies/published/tables.h"

namespace kakeya {

/// The published "22 % more users, 126 to 150" of DeepSeek-V4: the table `users` of the published
/// record with its verdicts and arithmetic, and below it the same gain by the bytes of the whole
/// cache of each deepseek_v4 among `decoders`, at 131,072 and 1,048,576 tokens. Throws InputError
/// where `tables` lack that table.
Table users_claim_table(std::span<const PublishedTable> tables, const PublishedRecord& record,
                        std::span<const Decoder> decoders);

}  // namespace kakeya
