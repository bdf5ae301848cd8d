// SPDX-License-Identifier: Apache-2.0
#include "kakeya/plugin/plugin_codec.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kAlignment = 64;
// A function that writes a little more than it may is caught by these bytes behind its buffer. Nothing
// catches one that writes far more.
constexpr std::size_t kGuardBytes = 4096;
constexpr std::size_t kMostTable = 4096;  // bytes of a table, of any later header

// A buffer of its own, exactly as long as the function is told, with a guard behind it.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes)
      : bytes_(bytes),
        data_(static_cast<std::byte*>(
            ::operator new(bytes + kGuardBytes, std::align_val_t(kAlignment)))) {
    for (std::size_t i = 0; i < kGuardBytes; ++i) data_[bytes_ + i] = guard(i);
  }
  ~Guarded() { ::operator delete(data_, std::align_val_t(kAlignment)); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  std::byte* data() { return data_; }

  // Throws InputError where the guard was written to.
  void check(const char* function) const {
    for (std::size_t i = 0; i < kGuardBytes; ++i) {
      if (data_[bytes_ + i] == guard(i)) continue;
      throw InputError(std::string(function) + "() wrote behind the " + std::to_string(bytes_) +
                       " bytes that it was given, at byte " + std::to_string(bytes_ + i));
    }
  }

 private:
  static std::byte guard(std::size_t i) { return static_cast<std::byte>(0xa5 ^ (i * 31)); }

  const std::size_t bytes_;
  std::byte* const data_;
};

// The text that a function left.
class ErrorText {
 public:
  char* data() { return text_; }
  std::string of(const char* function, kakeya_plugin_status status) const {
    std::string said(text_, ::strnlen(text_, KAKEYA_PLUGIN_ERROR_BYTES));
    if (!said.empty()) return said;
    return std::string(function) + "() failed with status " + std::to_string(status) +
           " and no text";
  }

 private:
  char text_[KAKEYA_PLUGIN_ERROR_BYTES + 1] = "";
};

class PluginCoder final : public ForeignCoder {
 public:
  PluginCoder(const kakeya_plugin_codec& table, const Spec& spec, const CodecInput& input)
      : table_(&table), dim_(input.dim) {
    std::vector<kakeya_plugin_setting> settings;
    for (const SpecItem& item : spec.items()) {
      settings.push_back({item.key.c_str(), item.value.c_str()});
    }
    kakeya_plugin_input told = {};
    told.size = sizeof told;
    told.dim = dim_;
    told.settings = settings.data();
    told.setting_count = settings.size();
    if (input.site) {
      told.layer = input.site->layer;
      told.part = input.site->part == Part::key ? 0 : 1;
      told.head = input.site->head;
    }
    ErrorText error;
    const kakeya_plugin_status status = table_->create(&told, &coder_, error.data());
    if (status == KAKEYA_PLUGIN_OK) return;
    const std::string text = error.of("create", status);
    if (status == KAKEYA_PLUGIN_BAD_SETTING) throw SpecError(text);
    throw InputError(text);
  }

  ~PluginCoder() override {
    if (table_->destroy != nullptr) table_->destroy(coder_);
  }
  PluginCoder(const PluginCoder&) = delete;
  PluginCoder& operator=(const PluginCoder&) = delete;

  std::size_t bound(std::size_t count) const override { return table_->bound(coder_, count); }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    std::vector<float> dense;
    if (!x.contiguous()) {
      dense.reserve(x.values());
      for (std::size_t row = 0; row < x.count; ++row) {
        dense.insert(dense.end(), x[row].begin(), x[row].end());
      }
    }
    Guarded buffer(out.size());
    ErrorText error;
    std::size_t bytes = SIZE_MAX;  // seen below where it is not set
    const kakeya_plugin_status status =
        table_->encode(coder_, x.contiguous() ? x.data : dense.data(), x.count, buffer.data(),
                       &bytes, error.data());
    buffer.check("encode");
    if (status != KAKEYA_PLUGIN_OK) throw InputError(error.of("encode", status));
    if (bytes > out.size()) {
      throw InputError("encode() says that it wrote " +
                       (bytes == SIZE_MAX ? "nothing" : std::to_string(bytes) + " bytes") +
                       ", expected at most its bound, " + std::to_string(out.size()));
    }
    std::copy_n(buffer.data(), bytes, out.data());
    return bytes;
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    Guarded bytes(in.size()), buffer(out.values() * sizeof(float));
    if (!in.empty()) std::memcpy(bytes.data(), in.data(), in.size());
    auto* vectors = new (buffer.data()) float[out.values()];
    std::fill_n(vectors, out.values(), std::nanf(""));  // what is left out is seen by the caller
    ErrorText error;
    const kakeya_plugin_status status =
        table_->decode(coder_, bytes.data(), in.size(), vectors, out.count, error.data());
    buffer.check("decode");
    if (status != KAKEYA_PLUGIN_OK) throw CorruptStream(error.of("decode", status));
    for (std::size_t row = 0; row < out.count; ++row) {
      std::copy_n(vectors + row * out.dim, out.dim, out[row].begin());
    }
  }

  std::optional<double> nominal_bits_per_vector() const override {
    if (table_->nominal_bits == nullptr) return std::nullopt;
    const double bits = table_->nominal_bits(coder_);
    return std::isfinite(bits) ? std::optional(bits) : std::nullopt;
  }

 private:
  const kakeya_plugin_codec* table_;
  std::size_t dim_;
  void* coder_ = nullptr;
};

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

}  // namespace

ForeignDescriptor descriptor_of(const kakeya_plugin_codec& table) {
  // The first two fields are where they are in every version.
  if (table.abi != KAKEYA_PLUGIN_ABI) {
    throw SpecError("a plugin of version " + std::to_string(table.abi) + ", expected " +
                    std::to_string(KAKEYA_PLUGIN_ABI));
  }
  if (table.size < sizeof table || table.size > kMostTable) {
    throw SpecError("a table of " + std::to_string(table.size) + " bytes, expected " +
                    std::to_string(sizeof table) + ", the sizeof of kakeya_plugin_codec");
  }
  const std::string name = text_of(table.name);
  const std::pair<const char*, bool> needed[] = {{"create", table.create != nullptr},
                                                 {"bound", table.bound != nullptr},
                                                 {"encode", table.encode != nullptr},
                                                 {"decode", table.decode != nullptr}};
  for (const auto& [function, there] : needed) {
    if (!there) throw SpecError("codec '" + name + "': no function " + function);
  }
  if (table.key_count > 64 || (table.key_count != 0 && table.keys == nullptr)) {
    throw SpecError("codec '" + name + "': " + std::to_string(table.key_count) +
                    " keys, expected at most 64 and an array of them");
  }
  ForeignDescriptor codec;
  codec.name = name;
  codec.summary = text_of(table.summary);
  codec.example = text_of(table.example);
  codec.paper = text_of(table.paper);
  codec.scope = table.per_head != 0 ? VectorScope::head : VectorScope::any;
  for (std::size_t i = 0; i < table.key_count; ++i) {
    const kakeya_plugin_key& key = table.keys[i];
    codec.keys.push_back(
        {text_of(key.name), text_of(key.default_text), text_of(key.help), key.rate != 0});
  }
  codec.make = [&table](const Spec& spec, const CodecInput& input) {
    return std::make_unique<PluginCoder>(table, spec, input);
  };
  return codec;
}

}  // namespace kakeya
