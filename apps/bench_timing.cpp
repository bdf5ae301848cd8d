// SPDX-License-Identifier: Apache-2.0
#include "bench_timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "bench_data.h"
#include "kakeya/codec/codec.h"
#include "kakeya/codec/spec.h"
#include "kakeya/codec/token_codecs.h"
#include "kakeya/core/error.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/reference/reference.h"
#include "kakeya/stats/distortion.h"

namespace kakeya {
namespace {

constexpr CacheSite kBenchSite{0, true, 0};

using Clock = std::chrono::steady_clock;

// One sample of an operation lasts about this long: far above the clock's grain, short enough that
// a slow moment of the machine spoils few of them.
constexpr double kSampleSeconds = 0.015;
constexpr double kMostCalls = 1e5;
// OpenMP's threads spin for a while after their last work: other threads wait until they sleep.
constexpr std::chrono::milliseconds kSpinning{25};

bool is_kvtc(const std::string& spec) { return SpecArgs::parse(spec).name() == "kvtc"; }

BenchVectors vectors_for(const BenchCase& wanted) {
  if (!is_calibrated(wanted.spec)) return bench_vectors(wanted.vectors, wanted.dim);
  const std::string name = SpecArgs::parse(wanted.spec).text("profile");
  if (is_kvtc(wanted.spec)) {
    return bench_vectors(wanted.vectors, *wanted.profiles->find_kvtc(name));
  }
  return bench_vectors(wanted.vectors,
                       wanted.profiles->find(name)->transform(kBenchSite, TransformVariant()));
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// An operation on all vectors, called as often as a sample needs.
class Operation {
 public:
  // Calls `work` twice: the first call touches what it allocates and warms caches.
  explicit Operation(std::function<void()> work) : work_(std::move(work)) {
    work_();
    const auto start = Clock::now();
    work_();
    const double wanted = kSampleSeconds / std::max(seconds_since(start), 1e-9);
    calls_ = static_cast<std::size_t>(std::clamp(std::ceil(wanted), 1.0, kMostCalls));
  }

  void sample() {
    const auto start = Clock::now();
    for (std::size_t call = 0; call < calls_; ++call) work_();
    seconds_.push_back(seconds_since(start) / static_cast<double>(calls_));
  }

  Speed speed(std::size_t vectors) const {
    std::vector<double> sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    const double median =
        sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
    const double count = static_cast<double>(vectors);
    return {count / sorted.back(), count / median, count / sorted.front()};
  }

 private:
  std::function<void()> work_;
  std::size_t calls_ = 1;
  std::vector<double> seconds_;
};

// The vectors of one codec in equal parts, a thread each: its frames of them, and memory for what
// comes back from frames (`decoded`) and without (`fused`).
class Parts {
 public:
  Parts(const Codec& codec, const BenchVectors& input, const BenchVectors& decoded,
        const BenchVectors& fused, std::size_t threads)
      : codec_(codec), pool_(static_cast<int>(threads)), parts_(threads) {
    const std::size_t count = input.rows().count;
    for (std::size_t i = 0; i < threads; ++i) {
      const std::size_t first = count * i / threads, end = count * (i + 1) / threads;
      parts_[i].in = input.rows().slice(first, end - first);
      parts_[i].decoded = decoded.rows().slice(first, end - first);
      parts_[i].fused = fused.rows().slice(first, end - first);
      parts_[i].frame.resize(codec.encoded_bound(end - first));
    }
  }

  void copy() {
    each([](Part& part) {
      std::memcpy(part.fused.data, part.in.data, part.in.values() * sizeof(float));
    });
  }
  void encode() {
    each([this](Part& part) { part.frame_bytes = codec_.encode(part.in, part.frame); });
  }
  void decode() {
    each([this](Part& part) {
      codec_.decode(std::span(part.frame).first(part.frame_bytes), part.decoded);
    });
  }
  bool reconstruct() {
    each([this](Part& part) { part.has_fused = codec_.reconstruct(part.in, part.fused); });
    return parts_.front().has_fused;
  }
  std::size_t bytes_written() const {
    std::size_t bytes = codec_.side_bytes();
    for (const Part& part : parts_) bytes += part.frame_bytes;
    return bytes;
  }

 private:
  struct Part {
    Rows<const float> in;
    Rows<float> decoded, fused;
    std::vector<std::byte> frame;
    std::size_t frame_bytes = 0;
    bool has_fused = false;
  };

  template <typename Work>
  void each(const Work& work) {
    if (parts_.size() == 1) return work(parts_.front());
    pool_.run(parts_.size(), [&](std::size_t i) { work(parts_[i]); });
  }

  const Codec& codec_;
  WorkerPool pool_;
  std::vector<Part> parts_;
};

double rel_mse(Rows<const float> original, Rows<const float> decoded) {
  Distortion distortion;
  for (std::size_t row = 0; row < original.count; ++row)
    distortion.add(original[row], decoded[row]);
  return distortion.rel_mse();
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

std::optional<ReferenceCase> reference_of(const std::string& spec) {
  SpecArgs args = SpecArgs::parse(spec);
  const std::string name = args.name();
  if (name == "tq") {
    const int bits = args.required_whole("b", 2, 8);
    return ReferenceCase{name, (1 << (bits - 1)) - 1, args.canonical()};
  }
  if (name != "e8" && name != "d4") return std::nullopt;
  if (!args.text("ablate").empty()) return std::nullopt;  // the whole codec is the one composed
  const int levels = args.required_whole("q", 1, 1023);
  return ReferenceCase{name, levels, args.canonical() + ",rule=published"};
}

std::unique_ptr<Codec> make_bench_codec(const std::string& spec, std::size_t dim,
                                        const ProfileSource* profiles) {
  CodecInput input{dim, profiles, kBenchSite};
  if (is_kvtc(spec)) input.layers = all_layers(spec, *profiles);
  return make_codec(spec, input);
}

BenchResult measure(const BenchCase& wanted, const BenchEffort& effort, bool reference,
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
  result.symbols_per_vector = codec->symbols_per_vector();

  Parts parts(*codec, input, decoded, fused, wanted.threads);
  parts.encode();
  parts.decode();
  result.bytes_written = parts.bytes_written();
  result.rel_mse = rel_mse(input.rows(), decoded.rows());
  const bool has_roundtrip = parts.reconstruct();
  if (has_roundtrip) require_same(*codec, fused.rows(), decoded.rows());

  std::unique_ptr<ReferenceCodec> published;
  if (const auto counterpart = reference ? reference_of(codec->spec()) : std::nullopt) {
    set_reference_threads(static_cast<int>(wanted.threads));
    published =
        std::make_unique<ReferenceCodec>(counterpart->name, wanted.dim, counterpart->levels);
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
  const auto start = Clock::now();
  while (result.rounds < effort.rounds || seconds_since(start) < effort.seconds) {
    if (composed && wanted.threads > 1) std::this_thread::sleep_for(kSpinning);
    copy.sample();
    if (roundtrip) roundtrip->sample();
    encode.sample();
    decode.sample();
    if (composed) composed->sample();
    told(++result.rounds);
  }
  result.memory_copy = copy.speed(wanted.vectors);
  result.encode = encode.speed(wanted.vectors);
  result.decode = decode.speed(wanted.vectors);
  if (roundtrip) result.roundtrip = roundtrip->speed(wanted.vectors);
  if (composed) result.reference = composed->speed(wanted.vectors);
  return result;
}

}  // namespace kakeya
