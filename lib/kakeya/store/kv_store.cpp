// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/kv_store.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/store/h5.h"
#include "kakeya/store/h5_draft.h"
#include "kakeya/store/h5_fields.h"

namespace kakeya {
namespace {

constexpr char kFormat[] = "kakeya-kv-dump";
constexpr std::int64_t kSchema = 1;
constexpr char kDumpedLayers[] = "dumped_layers";  // of a dump that has not all of them
constexpr int kMostOfAnything = 1 << 24;           // layers, heads, scalars, passages, tokens

// Every field is an attribute of the root, under its own name.
template <typename Head, typename Visit>
void describe(Head& head, Visit&& field) {
  field("model_name", head.origin.model.name);
  field("model_sha256", head.origin.model.sha256);
  field("architecture", head.origin.architecture);
  field("tokenizer", head.origin.tokenizer.name);
  field("tokenizer_sha256", head.origin.tokenizer.sha256);
  field("text_name", head.origin.text.name);
  field("text_sha256", head.origin.text.sha256);
  field("tap", head.tap);
  field("storage", head.storage);
  field("layers", head.shape.layers);
  field("kv_heads", head.shape.kv_heads);
  field("query_heads", head.shape.query_heads);
  field("head_dim", head.shape.head_dim);
  field("passages", head.passages);
  field("tokens", head.tokens);
  field("rope_base", head.rope_base);
  field("rope_layout", head.rope_layout);
  field("seed", head.seed);
  field("queries", head.queries);
}

const char* fault_of_stream(const DumpHead& head) {
  if (!head.stream) return nullptr;
  if (head.queries) return "queries of a stream, expected none";
  const StreamFacts& facts = *head.stream;
  if (facts.name.empty() || facts.ratio < 1 || facts.source_tokens < 1 || facts.window < 0)
    return "a stream without name, ratio or source tokens";
  if (!(facts.byte_share >= 0 && facts.byte_share <= 1)) return "stream_byte_share is no share";
  return nullptr;
}

std::optional<h5::Scalar> storage_scalar(const std::string& storage) {
  if (storage == "fp16") return h5::Scalar::fp16;
  if (storage == "bf16") return h5::Scalar::bf16;
  if (storage == "fp32") return h5::Scalar::fp32;
  return std::nullopt;
}

/// What is wrong with the head of a dump; nothing if it can be one.
std::optional<std::string> fault(const DumpHead& head) {
  if (!storage_scalar(head.storage)) {
    return "storage \"" + head.storage + "\", expected fp16, bf16 or fp32";
  }
  const std::pair<const char*, int> counts[] = {{"layers", head.shape.layers},
                                                {"kv_heads", head.shape.kv_heads},
                                                {"query_heads", head.shape.query_heads},
                                                {"head_dim", head.shape.head_dim},
                                                {"passages", head.passages},
                                                {"tokens", head.tokens}};
  for (const auto& [name, count] : counts) {
    if (count < 1 || count > kMostOfAnything) {
      return std::string(name) + " " + std::to_string(count) + ", expected 1 to " +
             std::to_string(kMostOfAnything);
    }
  }
  if (!head.dumped.empty() && head.dumped.last() >= head.shape.layers) {
    return std::string(kDumpedLayers) + " " + head.dumped.text() + ", expected some of the " +
           std::to_string(head.shape.layers) + " layers";
  }
  if (!std::isfinite(head.rope_base)) return "rope_base is not finite";
  if (const char* wrong = fault_of_stream(head)) return wrong;
  return std::nullopt;
}

std::string passage_path(int passage) { return "/passages/" + std::to_string(passage); }

std::string tokens_path(int passage) { return passage_path(passage) + "/tokens"; }

std::string part_path(int passage, KvSite site) {
  return passage_path(passage) + "/layers/" + std::to_string(site.layer) + "/" +
         part_letter(site.part);
}

std::array<std::uint64_t, 3> part_shape(const DumpHead& head, Part part) {
  return {static_cast<std::uint64_t>(head.tokens), head.shape.heads(part), head.shape.dim()};
}

std::array<std::uint64_t, 1> tokens_shape(const DumpHead& head) {
  return {static_cast<std::uint64_t>(head.tokens)};
}

KvSite first_site(const DumpHead& head) {
  return {head.dumped.empty() ? 0 : head.dumped.first(), Part::key};
}

void require_place(const std::string& path, const DumpHead& head, int passage, KvSite site) {
  const auto parts = stored_parts(head);
  const bool known = std::find(parts.begin(), parts.end(), site.part) != parts.end();
  if (known && passage >= 0 && passage < head.passages && !head.has_layer(site.layer)) {
    throw InputError(path + ": no " + part_path(passage, site) + ": only layers " +
                     head.dumped.text() + " were dumped");
  }
  if (!known || passage < 0 || passage >= head.passages || site.layer < 0 ||
      site.layer >= head.shape.layers) {
    throw InputError(path + ": no " + part_path(passage, site) + ": the dump has " +
                     std::to_string(head.passages) + " passages, " +
                     std::to_string(head.shape.layers) + " layers and the parts " +
                     (head.stream ? "k" : (head.queries ? "kvq" : "kv")));
  }
}

}  // namespace

std::span<const Part> stored_parts(const DumpHead& head) {
  static constexpr Part kParts[] = {Part::key, Part::value, Part::query};
  return std::span(kParts).first(head.stream ? 1 : (head.queries ? 3 : 2));
}

struct DumpWriter::Impl {
  std::string path;
  DumpHead head;
  h5::Draft draft;
  h5::File& file;
  std::vector<bool> tokens_written, parts_written;
  std::vector<std::uint16_t> halves;
  bool committed = false;

  Impl(const std::string& target, const DumpHead& given)
      : path(target),
        head(given),
        draft(target),
        file(draft.file()),
        tokens_written(static_cast<std::size_t>(given.passages)),
        parts_written(tokens_written.size() * static_cast<std::size_t>(given.shape.layers) * 3) {}

  /// Where the flag of a part lies in parts_written.
  std::size_t index(int passage, KvSite site) const {
    const auto layer =
        static_cast<std::size_t>(passage) * static_cast<std::size_t>(head.shape.layers) +
        static_cast<std::size_t>(site.layer);
    return layer * 3 + static_cast<std::size_t>(site.part);
  }
};

DumpWriter::DumpWriter(const std::string& path, const DumpHead& head) {
  if (const auto wrong = fault(head)) throw InputError(path + ": " + *wrong);
  impl_ = std::make_unique<Impl>(path, head);
  h5::File& file = impl_->file;
  file.set_text("/", "format", kFormat);
  file.set_integer("/", "schema", kSchema);
  file.set_text("/", "axes", "tokens, heads, dim");
  describe(head, PutField{file});
  if (!head.dumped.empty()) file.set_text("/", kDumpedLayers, head.dumped.text());
  if (head.stream) describe_stream(*head.stream, PutField{file});
  put_attention(file, path, head.attention, head.shape.layers);
  file.set_text("/", "provenance", to_json(head.provenance));
}

DumpWriter::~DumpWriter() = default;

void DumpWriter::write_tokens(int passage, const std::vector<std::int32_t>& tokens,
                              const std::string& origin) {
  Impl& dump = *impl_;
  require_place(dump.path, dump.head, passage, first_site(dump.head));
  const auto shape = tokens_shape(dump.head);
  if (tokens.size() != shape[0]) {
    throw InputError(dump.path + ": passage " + std::to_string(passage) + " of " +
                     std::to_string(tokens.size()) + " tokens, expected " +
                     std::to_string(shape[0]));
  }
  if (dump.tokens_written[static_cast<std::size_t>(passage)]) {
    throw InputError(dump.path + ": " + tokens_path(passage) + " was written before");
  }
  dump.file.write(tokens_path(passage), h5::Scalar::int32, shape, tokens.data());
  dump.file.set_text(passage_path(passage), "origin", origin);
  dump.tokens_written[static_cast<std::size_t>(passage)] = true;
}

void DumpWriter::write_part(int passage, KvSite site, const float* data, std::size_t tokens,
                            std::size_t heads, std::size_t dim) {
  Impl& dump = *impl_;
  require_place(dump.path, dump.head, passage, site);
  const std::string name = part_path(passage, site);
  const auto shape = part_shape(dump.head, site.part);
  if (tokens != shape[0] || heads != shape[1] || dim != shape[2]) {
    throw InputError(dump.path + ": " + name + " of [" + std::to_string(tokens) + ", " +
                     std::to_string(heads) + ", " + std::to_string(dim) + "], expected [" +
                     std::to_string(shape[0]) + ", " + std::to_string(shape[1]) + ", " +
                     std::to_string(shape[2]) + "]");
  }
  const std::size_t index = dump.index(passage, site);
  if (dump.parts_written[index]) {
    throw InputError(dump.path + ": " + name + " was written before");
  }
  const h5::Scalar scalar = *storage_scalar(dump.head.storage);
  const std::size_t scalars = tokens * heads * dim;
  const void* stored = data;
  const auto refuse = [&](std::size_t i) {
    throw InputError(dump.path + ": " + name + " holds " + std::to_string(data[i]) + ", which " +
                     dump.head.storage + " cannot store as a finite number");
  };
  if (scalar == h5::Scalar::fp32) {
    for (std::size_t i = 0; i < scalars; ++i) {
      if (!std::isfinite(data[i])) refuse(i);
    }
  } else {
    dump.halves.resize(scalars);
    const bool fp16 = scalar == h5::Scalar::fp16;
    const unsigned infinity = fp16 ? 0x7c00u : 0x7f80u;
    for (std::size_t i = 0; i < scalars; ++i) {
      dump.halves[i] = fp16 ? float_to_half(data[i]) : float_to_bfloat16(data[i]);
      if ((dump.halves[i] & infinity) == infinity) refuse(i);
    }
    stored = dump.halves.data();
  }
  dump.file.write(name, scalar, shape, stored);
  dump.parts_written[index] = true;
}

void DumpWriter::commit() {
  Impl& dump = *impl_;
  if (dump.committed) throw InputError(dump.path + ": was committed before");
  for (int passage = 0; passage < dump.head.passages; ++passage) {
    if (!dump.tokens_written[static_cast<std::size_t>(passage)]) {
      throw InputError(dump.path + ": " + tokens_path(passage) + " was never written");
    }
    for (int layer = 0; layer < dump.head.shape.layers; ++layer) {
      if (!dump.head.has_layer(layer)) continue;
      for (const Part part : stored_parts(dump.head)) {
        if (!dump.parts_written[dump.index(passage, {layer, part})]) {
          throw InputError(dump.path + ": " + part_path(passage, {layer, part}) +
                           " was never written");
        }
      }
    }
  }
  dump.draft.publish();
  dump.committed = true;
}

namespace {

bool says_shape(std::string_view name) {
  constexpr std::array<std::string_view, 5> kShape = {"layers", "kv_heads", "head_dim", "passages",
                                                      "tokens"};
  return std::find(kShape.begin(), kShape.end(), name) != kShape.end();
}

// All that are missing at once, for who writes a dump with other programs.
void require_shape(const std::string& path, const h5::File& file) {
  std::string missing;
  const DumpHead any;
  describe(any, [&](const char* name, const auto&) {
    if (!says_shape(name) || file.has("/", name)) return;
    missing += (missing.empty() ? "" : ", ") + std::string(name);
  });
  if (missing.empty()) return;
  throw CorruptStream(
      path + ": no attribute " + missing +
      ": expected the shape of a dump: layers, kv_heads, head_dim, passages, tokens "
      "(kakeya-capture --help says what else it may have)");
}

// Which layers it has. Throws CorruptStream.
IndexSet dumped_layers(const std::string& path, const h5::File& file) {
  if (!file.has("/", kDumpedLayers)) return {};
  try {
    return IndexSet::parse(file.text("/", kDumpedLayers), kDumpedLayers);
  } catch (const SpecError& error) {
    throw CorruptStream(path + ": " + error.what());
  }
}

/// How the file stores the keys of the first layer, where no attribute says.
std::string stored_as(const h5::File& file, const DumpHead& head) {
  const KvSite first = first_site(head);
  std::string reason;
  for (const char* storage : {"fp32", "fp16", "bf16"}) {
    try {
      file.check(part_path(0, first), *storage_scalar(storage), part_shape(head, Part::key));
      return storage;
    } catch (const CorruptStream& other) {
      if (reason.empty()) reason = other.what();
    }
  }
  throw CorruptStream(reason + " (nor as fp16 or bf16)");
}

}  // namespace

struct DumpReader::Impl {
  std::string path;
  DumpHead head;
  h5::File file;
};

DumpReader::DumpReader(const std::string& path)
    : impl_(std::make_unique<Impl>(Impl{path, {}, h5::File::open(path)})) {
  const h5::File& file = impl_->file;
  DumpHead& head = impl_->head;
  if (const std::string format = file.has("/", "format") ? file.text("/", "format") : kFormat;
      format != kFormat) {
    throw CorruptStream(path + ": format \"" + format + "\", expected " + kFormat);
  }
  require_shape(path, file);
  const std::int64_t schema = file.has("/", "schema") ? file.integer("/", "schema") : kSchema;
  if (schema != kSchema) {
    throw CorruptStream(path + ": schema " + std::to_string(schema) + ", expected " +
                        std::to_string(kSchema));
  }
  head.origin.model.name = head.origin.text.name = "unknown";
  const GetField get{file, path, kMostOfAnything};
  describe(head, [&](const char* name, auto& field) {
    if (file.has("/", name)) get(name, field);
  });
  if (file.has("/", "stream")) describe_stream(head.stream.emplace(), get);
  if (!file.has("/", "query_heads")) head.shape.query_heads = head.shape.kv_heads;
  if (!file.has("/", "storage")) head.storage = "fp32";
  head.dumped = dumped_layers(path, file);
  head.attention = get_attention(file, path, head.shape.layers);
  if (const auto wrong = fault(head)) throw CorruptStream(path + ": " + *wrong);
  if (!file.has("/", "storage")) head.storage = stored_as(file, head);
  try {
    if (file.has("/", "provenance"))
      head.provenance = provenance_from_json(file.text("/", "provenance"));
  } catch (const Error& e) {
    throw CorruptStream(path + ": " + e.what());
  }
  const h5::Scalar scalar = *storage_scalar(head.storage);
  for (int passage = 0; passage < head.passages; ++passage) {
    file.check(tokens_path(passage), h5::Scalar::int32, tokens_shape(head));
    for (int layer = 0; layer < head.shape.layers; ++layer) {
      if (!head.has_layer(layer)) continue;
      for (const Part part : stored_parts(head)) {
        file.check(part_path(passage, {layer, part}), scalar, part_shape(head, part));
      }
    }
  }
}

DumpReader::~DumpReader() = default;

const DumpHead& DumpReader::head() const { return impl_->head; }

std::vector<std::int32_t> DumpReader::tokens(int passage) const {
  require_place(impl_->path, impl_->head, passage, first_site(impl_->head));
  const auto shape = tokens_shape(impl_->head);
  std::vector<std::int32_t> tokens(shape[0]);
  impl_->file.read(tokens_path(passage), h5::Scalar::int32, shape, tokens.data());
  return tokens;
}

std::string DumpReader::origin(int passage) const {
  require_place(impl_->path, impl_->head, passage, first_site(impl_->head));
  if (!impl_->file.has(passage_path(passage), "origin"))
    return "passage " + std::to_string(passage);
  return impl_->file.text(passage_path(passage), "origin");
}

std::vector<float> DumpReader::part(int passage, KvSite site) const {
  if (impl_->head.stream && site.part == Part::value) site.part = Part::key;
  require_place(impl_->path, impl_->head, passage, site);
  const std::string name = part_path(passage, site);
  const auto shape = part_shape(impl_->head, site.part);
  const h5::Scalar scalar = *storage_scalar(impl_->head.storage);
  std::vector<float> values(shape[0] * shape[1] * shape[2]);
  if (scalar == h5::Scalar::fp32) {
    impl_->file.read(name, scalar, shape, values.data());
    return values;
  }
  std::vector<std::uint16_t> halves(values.size());
  impl_->file.read(name, scalar, shape, halves.data());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] =
        scalar == h5::Scalar::fp16 ? half_to_float(halves[i]) : bfloat16_to_float(halves[i]);
  }
  return values;
}

}  // namespace kakeya
