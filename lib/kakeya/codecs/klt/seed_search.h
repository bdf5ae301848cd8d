// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/codecs/klt/chain_learner.h"
#include "kakeya/codecs/klt/chain_seeds.h"
#include "kakeya/codecs/klt/layer_chain.h"
#include "kakeya/core/rows.h"

namespace kakeya {

/// The mean of tokens `x`, and the directions, `count` at most, in which they are the most above a prior that counts as
/// `prior_tokens`, the strongest first: principal components of whole tokens in coordinates in which each
/// group's prior, and the noise of its step, is white. From 16384 tokens at most, evenly spaced; those that are far
/// from most others, as sinks are, do not count. Only an encoder asks: another machine may find others by a rounding.
ChainSeeds find_seeds(Rows<const float> x, const LayerChain& chain, const ChainPrior& prior,
                      double prior_tokens, std::size_t count);

}  // namespace kakeya
