// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/kv_store.h"

#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/store/h5.h"
#include "kakeya/store/h5_draft.h"

namespace kakeya {
namespace {

constexpr char kFormat[] = "kakeya-kv-dump";
constexpr std::int64_t kSchema = 1;
constexpr int kMostOfAnything = 1 << 24;  // layers, heads, scalars, passages, tokens

// Every fact is an attribute of the root, under its own name.
template <typename Facts, typename Visit>
void describe(Facts& facts, Visit&& field) {
  field("model_name", facts.model_name);
  field("model_sha256", facts.model_sha256);
  field("architecture", facts.architecture);
  field("tokenizer", facts.tokenizer);
  field("tokenizer_sha256", facts.tokenizer_sha256);
  field("text_name", facts.text_name);
  field("text_sha256", facts.text_sha256);
  field("tap", facts.tap);
  field("storage", facts.storage);
  field("layers", facts.layers);
  field("kv_heads", facts.kv_heads);
  field("query_heads", facts.query_heads);
  field("head_dim", facts.head_dim);
  field("passages", facts.passages);
  field("tokens", facts.tokens);
  field("rope_base", facts.rope_base);
  field("rope_layout", facts.rope_layout);
  field("seed", facts.seed);
  field("queries", facts.queries);
}

std::optional<h5::Scalar> storage_scalar(const std::string& storage) {
  if (storage == "fp16") return h5::Scalar::fp16;
  if (storage == "bf16") return h5::Scalar::bf16;
  if (storage == "fp32") return h5::Scalar::fp32;
  return std::nullopt;
}

/// What is wrong with the facts of a dump; nothing if they can be one.
std::optional<std::string> fault(const DumpFacts& facts) {
  if (!storage_scalar(facts.storage)) {
    return "storage \"" + facts.storage + "\", expected fp16, bf16 or fp32";
  }
  if (facts.tap != "pre-rope" && facts.tap != "post-rope") {
    return "tap \"" + facts.tap + "\", expected pre-rope or post-rope";
  }
  const std::pair<const char*, int> counts[] = {
      {"layers", facts.layers},           {"kv_heads", facts.kv_heads},
      {"query_heads", facts.query_heads}, {"head_dim", facts.head_dim},
      {"passages", facts.passages},       {"tokens", facts.tokens}};
  for (const auto& [name, count] : counts) {
    if (count < 1 || count > kMostOfAnything) {
      return std::string(name) + " " + std::to_string(count) + ", expected 1 to " +
             std::to_string(kMostOfAnything);
    }
  }
  if (!std::isfinite(facts.rope_base)) return "rope_base is not finite";
  return std::nullopt;
}

std::string passage_path(int passage) { return "/passages/" + std::to_string(passage); }

std::string tokens_path(int passage) { return passage_path(passage) + "/tokens"; }

std::string part_path(int passage, int layer, char part) {
  return passage_path(passage) + "/layers/" + std::to_string(layer) + "/" + part;
}

std::string parts_of(const DumpFacts& facts) { return facts.queries ? "kvq" : "kv"; }

std::array<std::uint64_t, 3> part_shape(const DumpFacts& facts, char part) {
  const int heads = part == 'q' ? facts.query_heads : facts.kv_heads;
  return {static_cast<std::uint64_t>(facts.tokens), static_cast<std::uint64_t>(heads),
          static_cast<std::uint64_t>(facts.head_dim)};
}

std::array<std::uint64_t, 1> tokens_shape(const DumpFacts& facts) {
  return {static_cast<std::uint64_t>(facts.tokens)};
}

void require_place(const std::string& path, const DumpFacts& facts, int passage, int layer,
                   char part) {
  const bool known = parts_of(facts).find(part) != std::string::npos;
  if (!known || passage < 0 || passage >= facts.passages || layer < 0 || layer >= facts.layers) {
    throw InputError(path + ": no " + part_path(passage, layer, part) + ": the dump has " +
                     std::to_string(facts.passages) + " passages, " + std::to_string(facts.layers) +
                     " layers and the parts " + parts_of(facts));
  }
}

}  // namespace

struct DumpWriter::Impl {
  std::string path;
  DumpFacts facts;
  h5::Draft draft;
  h5::File& file;
  std::vector<bool> tokens_written, parts_written;
  std::vector<std::uint16_t> halves;
  bool committed = false;

  Impl(const std::string& target, const DumpFacts& given)
      : path(target),
        facts(given),
        draft(target),
        file(draft.file()),
        tokens_written(static_cast<std::size_t>(given.passages)),
        parts_written(tokens_written.size() * static_cast<std::size_t>(given.layers) * 3) {}

  /// Where the flag of a part lies in parts_written.
  std::size_t index(int passage, int layer, char part) const {
    const auto place = static_cast<std::size_t>(passage) * static_cast<std::size_t>(facts.layers) +
                       static_cast<std::size_t>(layer);
    return place * 3 + (part == 'k' ? 0 : part == 'v' ? 1 : 2);
  }
};

DumpWriter::DumpWriter(const std::string& path, const DumpFacts& facts) {
  if (const auto wrong = fault(facts)) throw InputError(path + ": " + *wrong);
  impl_ = std::make_unique<Impl>(path, facts);
  h5::File& file = impl_->file;
  file.set_text("/", "format", kFormat);
  file.set_integer("/", "schema", kSchema);
  file.set_text("/", "axes", "tokens, heads, dim");
  describe(facts, [&](const char* name, const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, std::string>) {
      file.set_text("/", name, value);
    } else if constexpr (std::is_same_v<T, double>) {
      file.set_real("/", name, value);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      file.set_unsigned("/", name, value);
    } else {
      file.set_integer("/", name, value);
    }
  });
  file.set_text("/", "provenance", to_json(facts.provenance));
}

DumpWriter::~DumpWriter() = default;

void DumpWriter::write_tokens(int passage, const std::vector<std::int32_t>& tokens,
                              const std::string& origin) {
  Impl& dump = *impl_;
  require_place(dump.path, dump.facts, passage, 0, 'k');
  const auto shape = tokens_shape(dump.facts);
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

void DumpWriter::write_part(int passage, int layer, char part, const float* data,
                            std::size_t tokens, std::size_t heads, std::size_t dim) {
  Impl& dump = *impl_;
  require_place(dump.path, dump.facts, passage, layer, part);
  const std::string name = part_path(passage, layer, part);
  const auto shape = part_shape(dump.facts, part);
  if (tokens != shape[0] || heads != shape[1] || dim != shape[2]) {
    throw InputError(dump.path + ": " + name + " of [" + std::to_string(tokens) + ", " +
                     std::to_string(heads) + ", " + std::to_string(dim) + "], expected [" +
                     std::to_string(shape[0]) + ", " + std::to_string(shape[1]) + ", " +
                     std::to_string(shape[2]) + "]");
  }
  const std::size_t index = dump.index(passage, layer, part);
  if (dump.parts_written[index]) {
    throw InputError(dump.path + ": " + name + " was written before");
  }
  const h5::Scalar scalar = *storage_scalar(dump.facts.storage);
  const std::size_t scalars = tokens * heads * dim;
  const void* stored = data;
  const auto refuse = [&](std::size_t i) {
    throw InputError(dump.path + ": " + name + " holds " + std::to_string(data[i]) + ", which " +
                     dump.facts.storage + " cannot store as a finite number");
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
  for (int passage = 0; passage < dump.facts.passages; ++passage) {
    if (!dump.tokens_written[static_cast<std::size_t>(passage)]) {
      throw InputError(dump.path + ": " + tokens_path(passage) + " was never written");
    }
    for (int layer = 0; layer < dump.facts.layers; ++layer) {
      for (const char part : parts_of(dump.facts)) {
        if (!dump.parts_written[dump.index(passage, layer, part)]) {
          throw InputError(dump.path + ": " + part_path(passage, layer, part) +
                           " was never written");
        }
      }
    }
  }
  dump.draft.publish();
  dump.committed = true;
}

struct DumpReader::Impl {
  std::string path;
  DumpFacts facts;
  h5::File file;
};

DumpReader::DumpReader(const std::string& path)
    : impl_(std::make_unique<Impl>(Impl{path, {}, h5::File::open(path)})) {
  const h5::File& file = impl_->file;
  DumpFacts& facts = impl_->facts;
  if (const std::string format = file.text("/", "format"); format != kFormat) {
    throw CorruptStream(path + ": format \"" + format + "\", expected " + kFormat);
  }
  if (const std::int64_t schema = file.integer("/", "schema"); schema != kSchema) {
    throw CorruptStream(path + ": schema " + std::to_string(schema) + ", expected " +
                        std::to_string(kSchema));
  }
  describe(facts, [&](const char* name, auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, std::string>) {
      value = file.text("/", name);
    } else if constexpr (std::is_same_v<T, double>) {
      value = file.real("/", name);
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      value = file.unsigned_integer("/", name);
    } else {
      const std::int64_t number = file.integer("/", name);
      constexpr std::int64_t kMost = std::is_same_v<T, bool> ? 1 : kMostOfAnything;
      if (number < 0 || number > kMost) {
        throw CorruptStream(path + ": " + name + " " + std::to_string(number) + ", expected 0 to " +
                            std::to_string(kMost));
      }
      value = static_cast<T>(number);
    }
  });
  if (const auto wrong = fault(facts)) throw CorruptStream(path + ": " + *wrong);
  try {
    facts.provenance = provenance_from_json(file.text("/", "provenance"));
  } catch (const Error& e) {
    throw CorruptStream(path + ": " + e.what());
  }
  const h5::Scalar scalar = *storage_scalar(facts.storage);
  for (int passage = 0; passage < facts.passages; ++passage) {
    file.check(tokens_path(passage), h5::Scalar::int32, tokens_shape(facts));
    for (int layer = 0; layer < facts.layers; ++layer) {
      for (const char part : parts_of(facts)) {
        file.check(part_path(passage, layer, part), scalar, part_shape(facts, part));
      }
    }
  }
}

DumpReader::~DumpReader() = default;

const DumpFacts& DumpReader::facts() const { return impl_->facts; }

std::vector<std::int32_t> DumpReader::tokens(int passage) const {
  require_place(impl_->path, impl_->facts, passage, 0, 'k');
  const auto shape = tokens_shape(impl_->facts);
  std::vector<std::int32_t> tokens(shape[0]);
  impl_->file.read(tokens_path(passage), h5::Scalar::int32, shape, tokens.data());
  return tokens;
}

std::string DumpReader::origin(int passage) const {
  require_place(impl_->path, impl_->facts, passage, 0, 'k');
  return impl_->file.text(passage_path(passage), "origin");
}

std::vector<float> DumpReader::part(int passage, int layer, char part) const {
  require_place(impl_->path, impl_->facts, passage, layer, part);
  const std::string name = part_path(passage, layer, part);
  const auto shape = part_shape(impl_->facts, part);
  const h5::Scalar scalar = *storage_scalar(impl_->facts.storage);
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
