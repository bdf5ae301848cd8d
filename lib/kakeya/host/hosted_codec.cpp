// SPDX-License-Identifier: Apache-2.0
#include "kakeya/host/hosted_codec.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "kakeya/codec/foreign_codec.h"
#include "kakeya/core/error.h"
#include "kakeya/host/start_host.h"

namespace kakeya {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;  // of a vector, or of a frame's own

/// The key "site" of a request: [layer, "key" or "value", head], or null.
Json site_of(const std::optional<KvSite>& site) {
  if (!site) return nullptr;
  return {site->layer, site->part == Part::key ? "key" : "value", site->head};
}

class HostedCoder final : public ForeignCoder {
 public:
  HostedCoder(Host& host, const Spec& spec, const CodecInput& input)
      : host_(host), dim_(input.dim) {
    const Json request = {
        {"do", "codec"}, {"spec", spec.text()}, {"dim", dim_}, {"site", site_of(input.site)}};
    host_.ask(request, {}, [this](const HostMessage& reply) {
      handle_ = reply.whole("handle", 0, kMostBytes);
      bound_vector_ = static_cast<std::size_t>(reply.whole("bound_vector", 0, kMostBytes));
      bound_frame_ = static_cast<std::size_t>(reply.whole("bound_frame", 0, kMostBytes));
      if (reply.has("nominal")) nominal_ = reply.real("nominal", 0);
    });
  }

  ~HostedCoder() override {
    try {
      host_.ask({{"do", "codec_close"}, {"handle", handle_}}, {}, {});
    } catch (const std::exception&) {  // it has ended, and the coder with it
    }
  }

  std::size_t bound(std::size_t count) const override {
    return bound_frame_ + count * bound_vector_;
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    std::vector<float> dense;
    dense.reserve(x.count * x.dim);
    for (std::size_t row = 0; row < x.count; ++row) {
      dense.insert(dense.end(), x[row].begin(), x[row].end());
    }
    std::size_t length = 0;
    code("codec_encode", x.count, std::as_bytes(std::span(std::as_const(dense))),
         [&](const HostMessage& reply) {
           const std::span<const std::byte> made = reply.bytes("at");
           if (made.size() > out.size()) {
             reply.refuse("at", "at most " + std::to_string(out.size()) +
                                    " bytes, which the codec's bounds are for these vectors");
           }
           length = made.size();
           if (length > 0) std::memcpy(out.data(), made.data(), length);
         });
    return length;
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    code("codec_decode", out.count, in, [&](const HostMessage& reply) {
      const std::span<const float> made = reply.floats("at", out.count * dim_);
      for (std::size_t row = 0; row < out.count; ++row) {
        std::memcpy(out[row].data(), made.data() + row * dim_, dim_ * sizeof(float));
      }
    });
  }

  std::optional<double> nominal_bits_per_vector() const override { return nominal_; }

 private:
  void code(const char* what, std::size_t count, std::span<const std::byte> bytes,
            const Host::Read& read) const {
    const HostArray arrays[] = {{"at", bytes}};
    host_.ask({{"do", what}, {"handle", handle_}, {"count", count}}, arrays, read);
  }

  Host& host_;
  std::size_t dim_, bound_vector_ = 0, bound_frame_ = 0;
  std::int64_t handle_ = 0;
  std::optional<double> nominal_;
};

ForeignDescriptor descriptor_of(Host& host, const HostMessage& codec) {
  ForeignDescriptor made;
  const auto text = [&](const char* key) { return codec.has(key) ? codec.text(key) : ""; };
  made.name = codec.text("name");
  made.summary = text("summary");
  made.example = text("example");
  made.paper = text("paper");
  if (codec.has("scope")) {
    const std::string scope = codec.text("scope");
    if (scope != "any" && scope != "head") codec.refuse("scope", "any or head");
    made.scope = scope == "head" ? VectorScope::head : VectorScope::any;
  }
  codec.each("keys", [&](const HostMessage& key) {
    made.keys.push_back({key.text("name"), key.text("default"),
                         key.has("help") ? key.text("help") : "",
                         key.has("rate") && key.truth("rate")});
  });
  made.make = [&host](const Spec& spec, const CodecInput& input) -> std::unique_ptr<ForeignCoder> {
    return std::make_unique<HostedCoder>(host, spec, input);
  };
  return made;
}

}  // namespace

std::vector<std::string> register_hosted_codecs(Host& host, const std::string& path) {
  std::vector<ForeignDescriptor> codecs;
  host.ask({{"do", "plugin"}, {"file", std::filesystem::absolute(path).string()}}, {},
           [&](const HostMessage& reply) {
             reply.each("codecs", [&](const HostMessage& codec) {
               codecs.push_back(descriptor_of(host, codec));
             });
           });
  if (codecs.empty()) {
    throw SpecError(path + ": no codec, expected a file of Python that registers at least one");
  }
  std::vector<std::string> names;
  for (const ForeignDescriptor& codec : codecs) names.push_back(codec.name);
  try {
    register_codecs(std::move(codecs));
  } catch (const SpecError& error) {
    throw SpecError(path + ": " + error.what());
  }
  return names;
}

std::vector<std::string> register_hosted_codecs(const std::string& path) {
  return register_hosted_codecs(host(), path);
}

}  // namespace kakeya
