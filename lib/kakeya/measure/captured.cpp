// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/captured.h"

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

class Captured : public VectorSource {
 public:
  Captured(const DumpReader& dump, const std::string& name, char part) : dump_(dump), part_(part) {
    const DumpFacts& facts = dump.facts();
    const std::string letter = part == 'k' ? "K" : "V";
    facts_.name = name + "/" + part;
    facts_.title = letter + " of " + facts.model_name;
    facts_.description = letter + " of " + facts.model_name + " on " + facts.text_name +
                         (part == 'k' ? ", tapped " + facts.tap : "") + ": " +
                         std::to_string(facts.passages) + " passages of " +
                         std::to_string(facts.tokens) + " tokens, all " +
                         std::to_string(facts.layers) + " layers (boundary layers too), " +
                         std::to_string(facts.kv_heads) +
                         " KV heads each, rounded to bf16; a frame for each head of a layer of a "
                         "passage";
    facts_.dim = static_cast<std::size_t>(facts.head_dim);
    facts_.slabs = static_cast<std::size_t>(facts.passages) * layers();
    facts_.batches = static_cast<std::size_t>(facts.passages);
    facts_.keys = part == 'k';
    facts_.places = layers() * static_cast<std::size_t>(facts.kv_heads);
  }

  const SourceFacts& facts() const override { return facts_; }

  Slab slab(std::size_t index) const override {
    const std::size_t passage = index / layers(), layer = index % layers();
    Slab slab;
    slab.vectors = static_cast<std::size_t>(dump_.facts().tokens);
    slab.heads = static_cast<std::size_t>(dump_.facts().kv_heads);
    slab.dim = facts_.dim;
    slab.first_place = layer * slab.heads;
    slab.batch = passage;
    slab.values = dump_.part(static_cast<int>(passage), static_cast<int>(layer), part_);
    for (float& value : slab.values) value = bfloat16_to_float(float_to_bfloat16(value));
    return slab;
  }

 private:
  std::size_t layers() const { return static_cast<std::size_t>(dump_.facts().layers); }

  const DumpReader& dump_;
  char part_;
  SourceFacts facts_;
};

}  // namespace

std::unique_ptr<VectorSource> make_captured(const DumpReader& dump, const std::string& name,
                                            char part) {
  if (part != 'k' && part != 'v') {
    throw InputError(std::string("captured part '") + part + "': expected k or v");
  }
  return std::make_unique<Captured>(dump, name, part);
}

}  // namespace kakeya
