// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/capture.h"

#include <cstddef>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// Hands what the model shows to the writer, one passage long.
class RecordingTap : public KvTap {
 public:
  RecordingTap(DumpWriter& writer, const DumpHead& head, int passage)
      : writer_(writer),
        head_(head),
        passage_(passage),
        point_(head.tap),
        seen_(static_cast<std::size_t>(head.shape.layers) * 3, false) {}

  void visit(KvSite site, KvView view) override {
    if (site.layer < 0 || site.layer >= head_.shape.layers) {
      throw InputError("capture: the model shows layer " + std::to_string(site.layer) + " of " +
                       std::to_string(head_.shape.layers));
    }
    if (!wants(site)) throw InputError("capture: the model shows " + name(site) + " unasked");
    if (view.first_token != 0 || view.tokens != static_cast<std::size_t>(head_.tokens)) {
      throw InputError("capture: the model shows " + std::to_string(view.tokens) + " tokens of " +
                       name(site) + " from " + std::to_string(view.first_token) +
                       " on, expected all " + std::to_string(head_.tokens) + " at once");
    }
    if (seen_[index(site)]) throw InputError("capture: the model shows " + name(site) + " twice");
    writer_.write_part(passage_, site, view.data, view.tokens, view.heads, view.dim);
    seen_[index(site)] = true;
  }

  bool wants(KvSite site) const override {
    return head_.has_layer(site.layer) && (site.part != Part::query || head_.queries);
  }
  bool writes(KvSite) const override { return false; }
  TapPoint tap_point() const override { return point_; }

  /// Throws unless every layer and part was shown.
  void require_all() const {
    for (int layer = 0; layer < head_.shape.layers; ++layer) {
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
    return std::string(1, part_letter(site.part)) + " of layer " + std::to_string(site.layer);
  }

  static std::size_t index(KvSite site) {
    return static_cast<std::size_t>(site.layer) * 3 + static_cast<std::size_t>(site.part);
  }

  DumpWriter& writer_;
  const DumpHead& head_;
  int passage_;
  TapPoint point_;
  std::vector<bool> seen_;
};

}  // namespace

DumpHead dump_head(const ModelFacts& model, TapPoint tap, bool queries, int passages, int tokens) {
  DumpHead head;
  head.origin.model.name = model.name;
  head.origin.architecture = model.architecture;
  head.shape = model.shape;
  head.tap = tap;
  head.passages = passages;
  head.tokens = tokens;
  head.rope_base = model.rope_base;
  head.rope_layout = model.rope_layout;
  head.queries = queries;
  if (queries) head.attention = {model.attention_scale, model.windows};
  return head;
}

void capture_passage(Model& model, DumpWriter& writer, const DumpHead& head, int passage,
                     const std::vector<std::int32_t>& tokens, const std::string& origin) {
  writer.write_tokens(passage, tokens, origin);
  RecordingTap tap(writer, head, passage);
  model.prefill(tokens, tap);
  tap.require_all();
}

}  // namespace kakeya
