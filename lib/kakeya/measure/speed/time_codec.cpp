// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/time_codec.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/token_codecs.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/speed/bench_vectors.h"
#include "kakeya/measure/speed/operation.h"
#include "kakeya/measure/speed/transform_beside.h"
#include "kakeya/model/reference.h"
#include "kakeya/model/torch_library.h"
#include "kakeya/stats/distortion.h"

namespace kakeya {
namespace {

constexpr KvSite kBenchSite{0, Part::key, 0};

// OpenMP's threads spin for a while after their last work: other threads wait until they sleep.
constexpr std::chrono::milliseconds kSpinning{25};

bool needs(std::string_view kind, const std::string& spec) {
  const CodecDescriptor* codec = find_descriptor(spec);
  return codec != nullptr && codec->profile == kind;
}

bool is_kvtc(const std::string& spec) { return needs(KvtcProfile::kKind, spec); }

std::string profile_named(const std::string& spec) {
  const Spec parsed = Spec::parse(spec);
  const std::string* name = parsed.find("profile");
  return name == nullptr ? "" : *name;
}

// What klt codes with; null: another codec.
std::shared_ptr<const Profile> profile_of(const std::string& spec, const ProfileSource* profiles) {
  if (!needs(Profile::kKind, spec)) return nullptr;
  return profiles->find<Profile>(profile_named(spec));
}

// Of klt for single heads; null: of another codec.
const SiteTransform* transform_of(const BenchCase& wanted) {
  if (scope_of(wanted.spec) == VectorScope::token) return nullptr;
  const auto profile = profile_of(wanted.spec, wanted.profiles);
  if (!profile) return nullptr;
  return &profile->transform(kBenchSite, TransformVariant());
}

BenchVectors vectors_for(const BenchCase& wanted) {
  if (const SiteTransform* transform = transform_of(wanted)) {
    return bench_vectors(wanted.vectors, *transform);
  }
  if (const auto profile = profile_of(wanted.spec, wanted.profiles)) {
    return bench_vectors(wanted.vectors, *profile);
  }
  if (!is_kvtc(wanted.spec)) return bench_vectors(wanted.vectors, wanted.dim);
  return bench_vectors(wanted.vectors,
                       *wanted.profiles->find<KvtcProfile>(profile_named(wanted.spec)));
}

double rel_mse(Rows<const float> original, Rows<const float> decoded) {
  Distortion distortion;
  distortion.add(original, decoded);
  return distortion.rel_mse();
}

// The published round trip that a codec stands beside.
std::optional<PublishedRoundTrip> published_of(const std::string& text) {
  const Spec spec = Spec::parse(text);
  const CodecDescriptor* codec = find_descriptor(spec);
  return codec->roundtrip == nullptr ? std::nullopt : codec->roundtrip(spec);
}

void require_same(const Codec& codec, Rows<const float> fused, Rows<const float> decoded) {
  for (std::size_t i = 0; i < fused.values(); ++i) {
    if (fused.data[i] == decoded.data[i]) continue;
    throw Error(codec.spec() + ": vector " + std::to_string(i / fused.dim) + ", coordinate " +
                std::to_string(i % fused.dim) + ": the fused round trip gives " +
                std::to_string(fused.data[i]) + ", encoding and decoding " +
                std::to_string(decoded.data[i]) + ": expected the same");
  }
}

}  // namespace

std::unique_ptr<Codec> make_bench_codec(const std::string& spec, std::size_t dim,
                                        const ProfileSource* profiles) {
  CodecInput input{dim, profiles, kBenchSite};
  if (is_kvtc(spec)) input.layers = all_layers(spec, *profiles);
  if (scope_of(spec) == VectorScope::token && is_calibrated(spec) && !is_kvtc(spec)) {
    if (whole_of(spec, "predict") > 0) {
      throw SpecError(spec +
                      ": one group of layers is timed, which none before it predicts: "
                      "expected predict=0");
    }
    input.layers = LayerRange{0, profile_of(spec, profiles)->layer_group};
  }
  return make_codec(spec, input);
}

BenchResult time_codec(const BenchCase& wanted, const BenchEffort& effort, bool reference,
                       const std::function<void(std::size_t rounds)>& told) {
  const auto codec = make_bench_codec(wanted.spec, wanted.dim, wanted.profiles);
  if (wanted.threads > wanted.vectors) {
    throw InputError("threads " + std::to_string(wanted.threads) + ": expected at most " +
                     std::to_string(wanted.vectors) + ", one for each vector");
  }
  const BenchVectors input = vectors_for(wanted);
  const BenchVectors decoded(wanted.vectors, wanted.dim), fused(wanted.vectors, wanted.dim);
  BenchResult result;
  result.codec = codec->spec();
  result.dim = wanted.dim;
  result.vectors = wanted.vectors;
  result.threads = wanted.threads;
  result.symbols_per_vector = codec->account().symbols_per_vector();

  Parts parts(*codec, input, decoded, fused, wanted.threads);
  parts.encode();
  parts.decode();
  result.bytes_written = parts.bytes_written();
  result.rel_mse = rel_mse(input.rows(), decoded.rows());
  const bool has_roundtrip = parts.reconstruct();
  if (has_roundtrip) require_same(*codec, fused.rows(), decoded.rows());

  std::unique_ptr<ReferenceCodec> published;
  if (const auto counterpart = reference ? published_of(codec->spec()) : std::nullopt) {
    published = make_reference_codec(Spec::parse(counterpart->spec).name(), wanted.dim,
                                     counterpart->levels);
    torch_library(wanted.spec).set_threads(static_cast<int>(wanted.threads));
    published->roundtrip(input.data(), wanted.vectors, fused.data());
    result.reference_codec = counterpart->spec;
    result.reference_rel_mse = rel_mse(input.rows(), fused.rows());
  }

  Operation copy([&] { parts.copy(); }), encode([&] { parts.encode(); }),
      decode([&] { parts.decode(); });
  std::optional<Operation> roundtrip, composed;
  if (has_roundtrip) roundtrip.emplace([&] { parts.reconstruct(); });
  if (published) {
    composed.emplace([&] { published->roundtrip(input.data(), wanted.vectors, fused.data()); });
  }
  std::optional<TransformBeside> beside;
  if (const SiteTransform* transform = transform_of(wanted)) {
    beside.emplace(*transform, wanted.vectors, wanted.threads);
  }
  const auto start = Clock::now();
  while (result.rounds < effort.rounds || seconds_since(start) < effort.seconds) {
    if (composed && wanted.threads > 1) std::this_thread::sleep_for(kSpinning);
    copy.sample();
    if (roundtrip) roundtrip->sample();
    encode.sample();
    decode.sample();
    if (beside) beside->sample();
    if (composed) composed->sample();
    told(++result.rounds);
  }
  result.memory_copy = copy.speed(wanted.vectors);
  result.encode = encode.speed(wanted.vectors);
  result.decode = decode.speed(wanted.vectors);
  if (roundtrip) result.roundtrip = roundtrip->speed(wanted.vectors);
  if (beside) result.beside = beside->speeds();
  if (composed) result.reference = composed->speed(wanted.vectors);
  return result;
}

}  // namespace kakeya
