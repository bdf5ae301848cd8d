// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/captured.h"

#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/store/arrays.h"

namespace kakeya {
namespace {

class Captured : public VectorSource {
 public:
  Captured(const DumpReader& dump, const std::string& name, Part part) : dump_(dump), part_(part) {
    const DumpHead& head = dump.head();
    const bool stream = head.stream.has_value();
    const std::string letter =
        stream ? "Stream " + head.stream->name : (part == Part::key ? "K" : "V");
    facts_.name = stream ? name : name + "/" + part_letter(part);
    facts_.title = letter + " of " + head.origin.model.name;
    facts_.description =
        letter + " of " + head.origin.model.name + " on " + head.origin.text.name +
        (part == Part::key ? ", tapped " + std::string(tap_name(head.tap)) : "") + ": " +
        std::to_string(head.passages) + " passages of " + std::to_string(head.tokens) +
        (stream ? " vectors, all " : " tokens, all ") + std::to_string(head.shape.layers) +
        " layers (skipped layers too), " + std::to_string(head.shape.kv_heads) +
        " KV heads each, rounded to bf16; a frame for each head of a layer of a "
        "passage";
    if (stream) facts_.byte_share = head.stream->byte_share;
    facts_.dim = head.shape.dim();
    facts_.slabs = static_cast<std::size_t>(head.passages) * layers();
    facts_.batches = static_cast<std::size_t>(head.passages);
    facts_.part = part;
    facts_.places = layers() * head.shape.heads();
  }

  const SourceFacts& facts() const override { return facts_; }

  Slab slab(std::size_t index) const override {
    const std::size_t passage = index / layers(), layer = index % layers();
    Slab slab;
    slab.vectors = static_cast<std::size_t>(dump_.head().tokens);
    slab.heads = dump_.head().shape.heads();
    slab.dim = facts_.dim;
    slab.first_place = layer * slab.heads;
    slab.batch = passage;
    slab.values = dump_.part(static_cast<int>(passage), {static_cast<int>(layer), part_});
    for (float& value : slab.values) value = bfloat16_to_float(float_to_bfloat16(value));
    return slab;
  }

 private:
  std::size_t layers() const { return static_cast<std::size_t>(dump_.head().shape.layers); }

  const DumpReader& dump_;
  Part part_;
  SourceFacts facts_;
};

class Stored : public VectorSource {
 public:
  Stored(const std::string& path, Array array, const std::string& name) : array_(std::move(array)) {
    if (array_.count == 0) throw InputError(path + ": no vectors: expected at least one");
    facts_.name = facts_.title = name;
    facts_.description = std::to_string(array_.count) + " vectors of " +
                         std::to_string(array_.dim) +
                         " values from a file, rounded to bf16, as one frame";
    facts_.dim = array_.dim;
    facts_.slabs = 1;
    for (float& value : array_.values) value = bfloat16_to_float(float_to_bfloat16(value));
  }

  const SourceFacts& facts() const override { return facts_; }
  Slab slab(std::size_t) const override { return {array_.values, array_.count, 1, array_.dim}; }

 private:
  Array array_;
  SourceFacts facts_;
};

}  // namespace

std::unique_ptr<VectorSource> make_stored(const std::string& path, std::size_t dim,
                                          const std::string& name) {
  return std::make_unique<Stored>(path, read_array(path, dim), name);
}

std::unique_ptr<VectorSource> make_captured(const DumpReader& dump, const std::string& name,
                                            Part part) {
  if (part == Part::query) throw InputError("captured queries: expected keys or values");
  if (dump.head().stream && part == Part::value)
    throw InputError("captured values of a stream: expected keys, which they are");
  return std::make_unique<Captured>(dump, name, part);
}

}  // namespace kakeya
