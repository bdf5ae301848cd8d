// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/operation.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kakeya {
namespace {

// One sample of an operation lasts about this long: far above the clock's grain, short enough that
// a slow moment of the machine spoils few of them.
constexpr double kSampleSeconds = 0.015;
constexpr double kMostCalls = 1e5;

}  // namespace

Operation::Operation(std::function<void()> work) : work_(std::move(work)) {
  work_();
  const auto start = Clock::now();
  work_();
  const double wanted = kSampleSeconds / std::max(seconds_since(start), 1e-9);
  calls_ = static_cast<std::size_t>(std::clamp(std::ceil(wanted), 1.0, kMostCalls));
}

void Operation::sample() {
  const auto start = Clock::now();
  for (std::size_t call = 0; call < calls_; ++call) work_();
  seconds_.push_back(seconds_since(start) / static_cast<double>(calls_));
}

Speed Operation::speed(std::size_t vectors) const {
  std::vector<double> sorted = seconds_;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  const double median =
      sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
  const double count = static_cast<double>(vectors);
  return {count / sorted.back(), count / median, count / sorted.front()};
}

Parts::Parts(const Codec& codec, const BenchVectors& input, const BenchVectors& decoded,
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

template <typename Work>
void Parts::each(const Work& work) {
  if (parts_.size() == 1) return work(parts_.front());
  pool_.run(parts_.size(), [&](std::size_t i) { work(parts_[i]); });
}

void Parts::copy() {
  each([](Part& part) {
    std::memcpy(part.fused.data, part.in.data, part.in.values() * sizeof(float));
  });
}

void Parts::encode() {
  each([this](Part& part) { part.frame_bytes = codec_.encode(part.in, part.frame); });
}

void Parts::decode() {
  each([this](Part& part) {
    codec_.decode(std::span(part.frame).first(part.frame_bytes), part.decoded);
  });
}

bool Parts::reconstruct() {
  each([this](Part& part) { part.has_fused = codec_.reconstruct(part.in, part.fused); });
  return parts_.front().has_fused;
}

std::size_t Parts::bytes_written() const {
  std::size_t bytes = codec_.account().side_bytes();
  for (const Part& part : parts_) bytes += part.frame_bytes;
  return bytes;
}

}  // namespace kakeya
