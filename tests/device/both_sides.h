// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "kakeya/core/half.h"
#include "kakeya/core/random.h"
#include "kakeya/device/device_codec.h"

// Vectors that are on the device and on the host, for tests.

namespace kakeya::test {

enum class Data { normal, heavy, ties, mixed, extreme };
inline constexpr Data kAllData[] = {Data::normal, Data::heavy, Data::ties, Data::mixed,
                                    Data::extreme};

// Standard normal numbers to take pieces of: drawing each anew would take longer than the codecs.
inline std::span<const float> normal_numbers() {
  static const std::vector<float> numbers = [] {
    std::vector<float> made(1 << 17);
    const Random random(7919, 17);
    for (std::size_t i = 0; i < made.size(); ++i) {
      const double u = (static_cast<double>(random.bits(2 * i) >> 11) + 0.5) * 0x1p-53;
      const double w = static_cast<double>(random.bits(2 * i + 1) >> 11) * 0x1p-53;
      made[i] = static_cast<float>(std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * w));
    }
    return made;
  }();
  return numbers;
}

// Vector `row`: of `data`, the same for the same seed.
inline void draw(Data data, std::uint64_t seed, std::size_t row, std::span<float> x) {
  const Random random(seed, row);
  const std::uint64_t kind = random.bits(0) >> 7;
  const std::span<const float> all = normal_numbers();
  const float* numbers = &all[random.bits(1) % (all.size() - 3 * x.size())];
  const auto bits = [&](std::size_t i) { return bits_of(numbers[i]) >> 3 & 0xffff; };
  const float size = 1 + static_cast<float>(kind % 4096) / 1024;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float normal = numbers[i];
    switch (data) {
      case Data::normal:
        x[i] = normal * size;
        break;
      case Data::heavy: {  // Student's t, about three degrees of freedom
        const float a = numbers[x.size() + i], b = numbers[2 * x.size() + i];
        x[i] = size * normal / std::sqrt((a * a + b * b + 0.01f) / 2);
        break;
      }
      case Data::ties:  // whole and half steps, equal numbers, zeros of both signs
        x[i] = kind % 4 == 0   ? static_cast<float>(static_cast<int>(bits(i) % 9) - 4) * 0.5f
               : kind % 4 == 1 ? (bits(i) % 2 == 0 ? 1.5f : -1.5f)
               : kind % 4 == 2 ? (bits(i) % 3 == 0 ? 0.0f : (bits(i) % 3 == 1 ? -0.0f : 2.0f))
                               : (bits(i) % 2 == 0 ? 0.0f : -0.0f);
        break;
      case Data::mixed:  // one-hot, all equal, zero, a single giant, steps of 1 / 16
        x[i] = kind % 5 == 0   ? (i == bits(0) % x.size() ? -3.0f : 0.0f)
               : kind % 5 == 1 ? -0.75f
               : kind % 5 == 2 ? 0.0f
               : kind % 5 == 3 ? (i == 5 ? 900.0f : normal)
                               : static_cast<float>(static_cast<int>(bits(i) % 257) - 128) / 16;
        break;
      case Data::extreme: {  // every exponent, subnormal and huge
        constexpr float kScale[] = {1e-44f, 1e-40f,  1e-38f, 1e-30f, 6e-5f, 1e-5f,
                                    1.0f,   1100.0f, 7e4f,   1e10f,  1e30f, 1e37f};
        x[i] = std::clamp(normal * kScale[kind % 12], -3e38f, 3e38f);
        break;
      }
    }
  }
}

// A number as the scalar type has it.
inline std::uint32_t pattern_of(DeviceScalar type, float value) {
  return type == DeviceScalar::fp32   ? bits_of(value)
         : type == DeviceScalar::fp16 ? float_to_finite_half(value)
                                      : float_to_finite_bfloat16(value);
}
inline float value_of(DeviceScalar type, std::uint32_t pattern) {
  return type == DeviceScalar::fp32   ? float_of(pattern)
         : type == DeviceScalar::fp16 ? half_to_float(static_cast<std::uint16_t>(pattern))
                                      : bfloat16_to_float(static_cast<std::uint16_t>(pattern));
}
inline std::size_t bytes_of(DeviceScalar type) { return type == DeviceScalar::fp32 ? 4 : 2; }

// Vectors on both sides: [tokens, heads, dim] with gaps on the device, a row a vector of a head on
// the host.
class Vectors {
 public:
  Vectors(DeviceScalar type, std::size_t tokens, std::size_t heads, std::size_t dim)
      : view_{nullptr, type, tokens, heads, dim, heads * (dim + 8) + 16, dim + 8},
        image_(tokens * view_.token_stride * bytes_of(type), 0x5a),
        device_(image_.size()),
        host_(heads) {
    view_.data = device_.data();
    for (auto& rows : host_) rows.resize(tokens * dim);
  }

  void draw_all(Data data, std::uint64_t seed) {
    set_all([&](std::size_t head, std::size_t t, std::span<float> x) {
      draw(data, seed, t * view_.heads + head, x);
    });
  }
  // set(head, token, x) writes a vector, which is then rounded to the scalars of the view.
  template <typename Set>
  void set_all(const Set& set) {
    in_parallel(view_.heads, [&](std::size_t head) {
      for (std::size_t t = 0; t < view_.tokens; ++t) {
        const std::span<float> x(&host_[head][t * view_.dim], view_.dim);
        set(head, t, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
          const std::uint32_t pattern = pattern_of(view_.type, x[i]);
          x[i] = value_of(view_.type, pattern);
          std::memcpy(at(t, head, i), &pattern, bytes_of(view_.type));
        }
      }
    });
    upload();
  }
  void upload() { device_.copy_in(image_.data(), image_.size()); }
  void download() { device_.copy_out(image_.data(), image_.size()); }
  void poison() { device_.fill(0x5a, nullptr); }

  std::uint32_t pattern(std::size_t token, std::size_t head, std::size_t i) const {
    std::uint32_t pattern = 0;
    std::memcpy(&pattern, const_cast<Vectors*>(this)->at(token, head, i), bytes_of(view_.type));
    return pattern;
  }
  // Whether the gaps between vectors are as they were.
  bool gaps_are_whole() const {
    const auto whole = [&](std::size_t from, std::size_t to) {
      return std::all_of(&image_[from], &image_[0] + to,
                         [](std::uint8_t byte) { return byte == 0x5a; });
    };
    const std::size_t scalar = bytes_of(view_.type);
    std::size_t end = 0;  // of the vector before
    for (std::size_t t = 0; t < view_.tokens; ++t) {
      for (std::size_t h = 0; h < view_.heads; ++h) {
        const std::size_t from = (t * view_.token_stride + h * view_.head_stride) * scalar;
        if (!whole(end, from)) return false;
        end = from + view_.dim * scalar;
      }
    }
    return whole(end, image_.size());
  }
  const DeviceVectors& view() const { return view_; }
  Rows<float> rows(std::size_t head) {
    return dense_rows(host_[head].data(), view_.tokens, view_.dim);
  }
  std::uint8_t* at(std::size_t token, std::size_t head, std::size_t i) {
    return &image_[(token * view_.token_stride + head * view_.head_stride + i) *
                   bytes_of(view_.type)];
  }

  template <typename Work>
  static void in_parallel(std::size_t heads, const Work& work) {
    std::vector<std::thread> threads;
    for (std::size_t head = 1; head < heads; ++head)
      threads.emplace_back([&, head] { work(head); });
    work(0);
    for (std::thread& thread : threads) thread.join();
  }

 private:
  DeviceVectors view_;
  std::vector<std::uint8_t> image_;
  DeviceBuffer device_;
  std::vector<std::vector<float>> host_;
};

// Flags, sections and workspace of one call.
struct Store {
  explicit Store(const DeviceLayout& layout)
      : sections(layout.bytes),
        flags(4 * layout.heads),
        workspace(layout.workspace_bytes),
        image(layout.bytes),
        words(layout.heads) {
    sections.fill(0xa5, nullptr);
    workspace.fill(0xa5, nullptr);
    flags.fill(0, nullptr);
  }
  void download() {
    device_wait(nullptr);
    sections.copy_out(image.data(), image.size());
    flags.copy_out(words.data(), 4 * words.size());
  }
  std::uint32_t* flag_data() { return static_cast<std::uint32_t*>(flags.data()); }
  std::uint32_t any_flag() {
    download();
    std::uint32_t any = 0;
    for (const std::uint32_t word : words) any |= word;
    return any;
  }

  DeviceBuffer sections, flags, workspace;
  std::vector<std::byte> image;
  std::vector<std::uint32_t> words;
};

// How many values of `got` are not what the CPU decoded, rounded to its type.
inline std::size_t differences(const Vectors& got,
                               const std::vector<std::vector<float>>& expected) {
  std::atomic<std::size_t> wrong{0};
  const DeviceVectors& view = got.view();
  Vectors::in_parallel(view.heads, [&](std::size_t head) {
    std::size_t mine = 0;
    for (std::size_t t = 0; t < view.tokens; ++t) {
      for (std::size_t i = 0; i < view.dim; ++i) {
        const std::uint32_t want = pattern_of(view.type, expected[head][t * view.dim + i]);
        mine += got.pattern(t, head, i) != want;
      }
    }
    wrong += mine;
  });
  return wrong;
}

}  // namespace kakeya::test
