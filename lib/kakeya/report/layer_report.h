// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kakeya/report/document.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// What kakeya-sweep --layer-study measured of one pair of codecs in one mode: some layers coded, all
/// others bf16. Samples are of the passages that all of it has, in order.
struct LayerStudy {
  struct Coded {
    IndexSet layers;
    std::vector<const Sample*> samples;  ///< one a passage
  };
  std::string source, mode;
  std::string label;  ///< of keys and values: SpecPair::label()
  const StoredResults* results = nullptr;
  std::vector<Coded> singles;  ///< a layer each, in order
  std::vector<Coded> sets;     ///< two layers or more, fewest first
};

/// The studies in folders of results, in the order of their cells: plans of the name "layers", of
/// one codec for keys and one for values, whose other layers are skipped; and cells of these codecs
/// without a plan, which code what the folder's policy does. Of cells that code alike the first
/// sample of a passage is taken. Pairs without a layer alone or a larger set are left out.
/// Throws InputError where no folder has a study, and where one lacks the text of a plan.
std::vector<LayerStudy> layer_studies(std::span<const StoredResults> results);

/// Which layers hurt, the KL divergence against the number of coded layers, and the joint one less
/// the sum of the singles, each with paired 95 % intervals over passages; and a chart of both.
Document make_layer_report(std::span<const LayerStudy> studies, const Provenance& self);

}  // namespace kakeya
