// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/capture.h"

#include <cstddef>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

char letter(Part part) {
  switch (part) {
    case Part::key:
      return 'k';
    case Part::value:
      return 'v';
    case Part::query:
      return 'q';
  }
  throw InputError("capture: no such part");
}

/// Hands what the model shows to the writer, one passage long.
class RecordingTap : public KvTap {
 public:
  RecordingTap(DumpWriter& writer, const DumpFacts& facts, int passage)
      : writer_(writer),
        facts_(facts),
        passage_(passage),
        point_(parse_tap_point(facts.tap)),
        seen_(static_cast<std::size_t>(facts.layers) * 3, false) {}

  void visit(KvSite site, KvView view) override {
    if (site.layer < 0 || site.layer >= facts_.layers) {
      throw InputError("capture: the model shows layer " + std::to_string(site.layer) + " of " +
                       std::to_string(facts_.layers));
    }
    if (!wants(site)) throw InputError("capture: the model shows " + name(site) + " unasked");
    if (view.first_token != 0 || view.tokens != static_cast<std::size_t>(facts_.tokens)) {
      throw InputError("capture: the model shows " + std::to_string(view.tokens) + " tokens of " +
                       name(site) + " from " + std::to_string(view.first_token) +
                       " on, expected all " + std::to_string(facts_.tokens) + " at once");
    }
    if (seen_[index(site)]) throw InputError("capture: the model shows " + name(site) + " twice");
    writer_.write_part(passage_, site.layer, letter(site.part), view.data, view.tokens, view.heads,
                       view.dim);
    seen_[index(site)] = true;
  }

  bool wants(KvSite site) const override { return site.part != Part::query || facts_.queries; }
  bool writes(KvSite) const override { return false; }
  TapPoint tap_point() const override { return point_; }

  /// Throws unless every layer and part was shown.
  void require_all() const {
    for (int layer = 0; layer < facts_.layers; ++layer) {
      for (const Part part : {Part::key, Part::value, Part::query}) {
        const KvSite site{layer, part};
        if (wants(site) && !seen_[index(site)]) {
          throw InputError("capture: the model never showed " + name(site));
        }
      }
    }
  }

 private:
  static std::string name(KvSite site) {
    return std::string(1, letter(site.part)) + " of layer " + std::to_string(site.layer);
  }

  static std::size_t index(KvSite site) {
    return static_cast<std::size_t>(site.layer) * 3 + static_cast<std::size_t>(site.part);
  }

  DumpWriter& writer_;
  const DumpFacts& facts_;
  int passage_;
  TapPoint point_;
  std::vector<bool> seen_;
};

}  // namespace

TapPoint parse_tap_point(const std::string& text) {
  if (text == "pre-rope") return TapPoint::pre_rope;
  if (text == "post-rope") return TapPoint::post_rope;
  throw SpecError("tap \"" + text + "\": expected pre-rope or post-rope");
}

std::string to_text(TapPoint point) {
  return point == TapPoint::pre_rope ? "pre-rope" : "post-rope";
}

DumpFacts dump_facts(const ModelFacts& model, TapPoint tap, bool queries, int passages,
                     int tokens) {
  DumpFacts facts;
  facts.model_name = model.name;
  facts.architecture = model.architecture;
  facts.tap = to_text(tap);
  facts.layers = model.layers;
  facts.kv_heads = model.kv_heads;
  facts.query_heads = model.query_heads;
  facts.head_dim = model.head_dim;
  facts.passages = passages;
  facts.tokens = tokens;
  facts.rope_base = model.rope_base;
  facts.rope_layout = model.rope_layout;
  facts.queries = queries;
  return facts;
}

void capture_passage(Model& model, DumpWriter& writer, const DumpFacts& facts, int passage,
                     const std::vector<std::int32_t>& tokens, const std::string& origin) {
  writer.write_tokens(passage, tokens, origin);
  RecordingTap tap(writer, facts, passage);
  model.prefill(tokens, tap);
  tap.require_all();
}

}  // namespace kakeya
