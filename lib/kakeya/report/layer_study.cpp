// SPDX-License-Identifier: Apache-2.0
// The studies of layers in folders of results.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "kakeya/codec/cache_codecs.h"
#include "kakeya/codec/codec_plan.h"
#include "kakeya/core/error.h"
#include "kakeya/report/layer_report.h"
#include "kakeya/report/plans_table.h"
#include "kakeya/report/result_group.h"

namespace kakeya {
namespace {

/// The codecs of a sample and the layers that they code; nothing where a plan has several codecs.
struct CodedLayers {
  CodecPair pair;
  IndexSet layers;
};

std::optional<CodedLayers> coded_layers(const CellKey& key, const StoredResults& results,
                                        const std::map<std::string, std::string>& plans) {
  const SweepPlan& sweep = results.plan;
  if (!is_plan_label(key.codec_k)) {
    return CodedLayers{{key.codec_k, key.codec_v},
                       sweep.policy.all_skipped().others(sweep.shape.layers)};
  }
  const auto text = plans.find(key.codec_k);
  if (text == plans.end()) {
    throw InputError(results.folder + ": no text of " + key.codec_k +
                     " in provenance.json: expected the plans of its runs there");
  }
  const CodecPlan plan = CodecPlan::parse(text->second, results.folder + ": " + key.codec_k);
  CodedLayers coded{{}, plan.skip.others(sweep.shape.layers)};
  for (const PlanEntry& entry : plan.entries) {
    for (const Part part : {Part::key, Part::value}) {
      if (entry.part && *entry.part != part) continue;
      std::string& codec = part == Part::key ? coded.pair.keys : coded.pair.values;
      if (!entry.heads.empty() || (!codec.empty() && codec != entry.codec)) return std::nullopt;
      codec = entry.codec;
    }
  }
  return coded;
}

/// Leaves of each cell the samples of passages that all of them have.
void keep_common_passages(LayerStudy& study) {
  std::map<int, std::size_t> seen;
  const auto each = [&](auto&& visit) {
    for (std::vector<LayerStudy::Coded>* cells : {&study.singles, &study.sets}) {
      for (LayerStudy::Coded& cell : *cells) visit(cell);
    }
  };
  each([&](const LayerStudy::Coded& cell) {
    for (const Sample* sample : cell.samples) ++seen[sample->key.passage];
  });
  const std::size_t cells = study.singles.size() + study.sets.size();
  each([&](LayerStudy::Coded& cell) {
    std::erase_if(cell.samples,
                  [&](const Sample* sample) { return seen[sample->key.passage] < cells; });
    std::sort(cell.samples.begin(), cell.samples.end(),
              [](const Sample* a, const Sample* b) { return a->key.passage < b->key.passage; });
  });
}

/// Of samples that code the same layers of one passage alike, the first.
void add_sample(LayerStudy& study, const IndexSet& layers, const Sample& sample) {
  auto& cells = layers.count() == 1 ? study.singles : study.sets;
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const LayerStudy::Coded& cell) {
    return cell.layers == layers;
  });
  if (found == cells.end()) {
    cells.push_back({layers, {&sample}});
    return;
  }
  const bool there =
      std::any_of(found->samples.begin(), found->samples.end(),
                  [&](const Sample* other) { return other->key.passage == sample.key.passage; });
  if (!there) found->samples.push_back(&sample);
}

void sort_cells(LayerStudy& study) {
  const auto place = [](const LayerStudy::Coded& cell) {
    return std::pair(cell.layers.count(), cell.layers.first());
  };
  for (auto* cells : {&study.singles, &study.sets}) {
    std::sort(cells->begin(), cells->end(),
              [&](const auto& a, const auto& b) { return place(a) < place(b); });
  }
}

}  // namespace

std::vector<LayerStudy> layer_studies(std::span<const StoredResults> results) {
  std::vector<LayerStudy> studies;
  for (const StoredResults& stored : results) {
    std::map<std::string, std::string> plans;
    for (const PlanRecord& plan : plan_records(stored)) plans.emplace(plan.label, plan.text);
    const std::string source = display_name(stored.folder, results);
    for (const Sample& sample : stored.samples) {
      const CellKey& key = sample.key;
      if (!sample.kld_mean || (key.codec_k == "identity" && key.codec_v == "identity")) continue;
      // What somebody's own plan codes is no part of a study, even where it codes as a cell does.
      if (is_plan_label(key.codec_k) && !is_layer_study_label(key.codec_k)) continue;
      const std::optional<CodedLayers> coded = coded_layers(key, stored, plans);
      if (!coded) continue;
      const std::string label = coded->pair.label();
      auto study = std::find_if(studies.begin(), studies.end(), [&](const LayerStudy& each) {
        return each.results == &stored && each.mode == key.mode && each.label == label;
      });
      if (study == studies.end()) {
        study = studies.insert(study, {source, key.mode, label, &stored, {}, {}});
      }
      add_sample(*study, coded->layers, sample);
    }
  }
  std::erase_if(
      studies, [](const LayerStudy& study) { return study.singles.empty() || study.sets.empty(); });
  if (studies.empty()) {
    throw InputError(
        "layers: no codec with a layer coded alone and a set of layers: expected a folder of "
        "kakeya-sweep --layer-study");
  }
  for (LayerStudy& study : studies) {
    keep_common_passages(study);
    sort_cells(study);
    if (study.singles.front().samples.empty()) {
      throw InputError(study.source + ": " + study.label +
                       ": no passage on which all of its cells are finished");
    }
  }
  return studies;
}

}  // namespace kakeya
