// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

#include "kakeya/measure/text_sweep.h"
#include "kakeya/model/model.h"
#include "perplexity_coded.h"

namespace kakeya {

/// What kakeya-perplexity answers of one codec.
nlohmann::json score_json(const TextScore& score);

/// Of forwards with nothing coded: the same without bits, by name as `control`.
nlohmann::json controls_json(const std::vector<TextScore>& controls);

/// Prints model, text and a line a codec; of controls, where there are any, a line each.
void print_scores(const ModelFacts& facts, const ScoredText& text, const ScoringTask& task,
                  const std::vector<TextScore>& scores, std::size_t scored, double seconds);
void print_controls(const std::vector<TextScore>& controls);

}  // namespace kakeya
