// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "codecs/vectors_for_test.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/codecs/entropy_coded/step_rule.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

struct Point {
  double bits, rel_mse;
  double gap_db() const { return 10 * std::log10(rel_mse) + 20 * bits * std::log10(2.0); }
};

Point measure(const std::string& spec, const std::vector<float>& x, std::size_t dim) {
  const std::size_t count = x.size() / dim;
  const auto codec = make_codec(spec, {dim});
  const auto frame = encode(*codec, dense_rows(x.data(), count, dim));
  return {8.0 * static_cast<double>(frame.size()) / static_cast<double>(x.size()),
          rel_mse(x, decode(*codec, frame, count))};
}

std::vector<float> million_normals() { return normals(7812 * 128, 81); }

// D4 and Z behave as their second moments say: 1.177 and 1.533 dB (an independent simulation has
// D4 with a Wiener factor at 1.177, without at 1.20).
TEST(EntropyCoded, OtherLattices) {
  const auto x = million_normals();
  const Point d4 = measure("ecd4:bits=4,per=head-page", x, 128);
  EXPECT_NEAR(d4.gap_db(), 1.22, 0.04);
  const Point z = measure("ecz:bits=4,per=head-page", x, 128);
  EXPECT_NEAR(z.gap_db(), 1.57, 0.04);
}

TEST(EntropyCoded, WienerReconstructionLowersTheErrorOfNormalData) {
  const auto x = million_normals();
  for (const int bits : {2, 3}) {
    const std::string spec = "ece8:per=head-page,bits=" + std::to_string(bits);
    const Point point = measure(spec, x, 128),
                wiener = measure(spec + ",reconstruct=wiener", x, 128);
    EXPECT_NEAR(point.bits, wiener.bits, 1e-3);  // the spec's text
    // S / (S + G): at 2 bits 0.929, so the error falls by that factor.
    const double step = step_of_bits(Lattice::e8, bits);
    const double factor = 1 / (1 + cell_second_moment(Lattice::e8) * step * step);
    EXPECT_NEAR(wiener.rel_mse / point.rel_mse, factor, 0.004) << bits;
  }
}

// The rate follows the budget, any real number of bits, on data of any shape; heavier tails cost
// less, never more.
TEST(EntropyCoded, TargetRateIsMet) {
  const std::size_t dim = 64, count = 4096;
  const auto normal = normals(dim * count, 82);
  for (const double bits : {1.7, 2.25, 3.5, 4.1, 5.0, 7.3, 9.0}) {
    const std::string spec = "ece8:bits=" + std::to_string(bits);
    const Point point = measure(spec, normal, dim);
    EXPECT_NEAR(point.bits, bits + 8.0 / dim + 0.01, bits < 3 ? 0.1 : 0.02) << spec;
  }
}

TEST(EntropyCoded, StepOfBitsInvertsTheRateOfANormalSource) {
  // Published table of the step in deviations, b = 1 ... 6 (E8).
  const double table[] = {2.06637, 1.03318, 0.51659, 0.25830, 0.12915, 0.06457};
  for (int b = 1; b <= 6; ++b) EXPECT_NEAR(step_of_bits(Lattice::e8, b), table[b - 1], 6e-6);
  EXPECT_NEAR(step_of_bits(Lattice::e8, 2.5), 0.73057, 1e-5);
  EXPECT_NEAR(step_of_bits(Lattice::d4, 4) / step_of_bits(Lattice::z, 4), std::exp2(-0.25), 1e-12);
}

// What is decoded of a token is the same whether or not more tokens follow.
TEST(EntropyCoded, NoScaleDependsOnLaterTokens) {
  const std::size_t dim = 64, count = 200;
  auto x = normals(dim * count, 83);
  for (std::size_t row = 0; row < count; ++row) {
    const float scale = row == 0 ? 30.0f : 1.0f + 0.01f * static_cast<float>(row % 37);
    for (std::size_t i = 0; i < dim; ++i) x[row * dim + i] *= scale;
  }
  for (const std::string spec : {"ece8:bits=4,per=head-page,page=64", "ece8:bits=4,page=64",
                                 "ecz:bits=3,per=head-page,scales=one,page=32"}) {
    const auto codec = make_codec(spec, {dim});
    const auto whole = roundtrip(*codec, x);
    for (std::size_t rows = 1; rows <= count; rows += rows < 70 ? 1 : 13) {
      const std::vector<float> part(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(rows * dim));
      const auto y = roundtrip(*codec, part);
      ASSERT_TRUE(std::equal(y.begin(), y.end(), whole.begin())) << spec << ", " << rows;
    }
  }
}

TEST(EntropyCoded, TokensFarBeyondTheirPageAreKeptExactly) {
  const std::size_t dim = 64, count = 40;
  auto x = normals(dim * count, 85, 1e-3);
  for (std::size_t i = 0; i < dim; ++i) {
    x[20 * dim + i] *= 1e12f;
    x[33 * dim + i] *= 1e30f;
  }
  const auto codec = make_codec("ece8:bits=4,per=head-page", {dim});
  const auto y = roundtrip(*codec, x);
  for (const std::size_t row : {20u, 33u}) {
    for (std::size_t i = 0; i < dim; ++i) EXPECT_EQ(y[row * dim + i], x[row * dim + i]);
  }
  const std::vector<float> a(x.begin(), x.begin() + 20 * dim), b(y.begin(), y.begin() + 20 * dim);
  EXPECT_LT(rel_mse(a, b), 0.02);
}

// Outliers cost an escape and are neither clipped nor wrong.
TEST(EntropyCoded, OutliersAreEscaped) {
  const std::size_t dim = 128, count = 64;
  auto x = normals(dim * count, 86);
  x[5 * dim + 3] = 2e4f;
  x[17 * dim + 100] = -5e5f;
  const auto codec = make_codec("ece8:bits=4,per=head-page,rotate=none", {dim});
  const auto y = roundtrip(*codec, x);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(y[i], x[i], 0.5 + 1e-6 * std::fabs(x[i]));
}

TEST(EntropyCoded, EitherBitsOrStep) {
  for (const std::string spec :
       {"ece8", "ece8:bits=4,step=1", "ece8:bits=0.1", "ece8:bits=12.01", "ecd4:bits=12.01",
        "ece8:bits=nan", "ece8:step=0", "ece8:step=1,per=head-page", "ece8:step=1,scales=one",
        "ece8:step=1,reconstruct=wiener", "ece8:bits=4,page=33", "ece8:bits=4,page=8192",
        "ece8:bits=4,rotate=none,seed=1", "ece8:bits=4,scales=two"}) {
    EXPECT_THROW(make_codec(spec, {64}), SpecError) << spec;
  }
  EXPECT_EQ(make_codec("ece8:rotate=signed,bits=4.10,page=1024", {64})->spec(), "ece8:bits=4.1");
  EXPECT_EQ(make_codec("ecz:step=0.0625,seed=3", {64})->spec(), "ecz:step=0.0625,seed=3");
}

// At high rate the error is that of the lattice, G step^2, up to the most bits there are, and more
// are a usage error that says so.
TEST(EntropyCoded, TheMostBitsWorkForEveryLatticeAndDim) {
  const std::pair<const char*, Lattice> lattices[] = {
      {"ecz", Lattice::z}, {"ecd4", Lattice::d4}, {"ece8", Lattice::e8}};
  for (const auto& [name, lattice] : lattices) {
    for (const char* options :
         {"", ",scales=one", ",per=head-page", ",classes=channel,rotate=none"}) {
      const std::string spec = std::string(name) + ":bits=12" + options;
      for (const std::size_t dim : {8u, 64u, 1024u}) {
        const Point point = measure(spec, normals(dim * (16384 / dim), 90), dim);
        const double step = step_of_bits(lattice, 12);
        const double error = cell_second_moment(lattice) * step * step;
        // A step of log8 is up to 2.2 % off, that of a head-page what a few vectors before say.
        EXPECT_NEAR(std::sqrt(point.rel_mse / error), 1.0, dim == 8 ? 0.4 : 0.1) << spec << dim;
      }
    }
    try {
      make_codec(std::string(name) + ":bits=12.5", {64});
      ADD_FAILURE() << name << ":bits=12.5 was taken";
    } catch (const SpecError& error) {
      EXPECT_EQ(error.what(), std::string(name) + ": bits=12.5: expected a number in [0.25, 12]");
    }
  }
}

TEST(EntropyCoded, WithoutRotationAnyMultipleOfEight) {
  for (const std::size_t dim : {80u, 96u, 576u}) {
    const auto x = normals(dim * 100, 87);
    for (const std::string spec :
         {"ece8:bits=4,rotate=none", "e8:q=10,rotate=none", "tq:b=4,rotate=none,pack=joint"}) {
      EXPECT_LT(rel_mse(x, roundtrip(*make_codec(spec, {dim}), x)), 0.02) << spec << " " << dim;
    }
    EXPECT_THROW(make_codec("ece8:bits=4", {dim}), InputError);
  }
  EXPECT_THROW(make_codec("ece8:bits=4,rotate=none", {84}), InputError);
}

// A class for each channel costs a byte each and pays when channels differ.
TEST(EntropyCoded, ClassesPayWhereChannelsDiffer) {
  const std::size_t dim = 64, count = 2048;
  auto x = normals(dim * count, 88);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] *= static_cast<float>(std::exp2(-static_cast<double>(i % dim) / 8.0));
  const Point one = measure("ece8:bits=4,rotate=none", x, dim),
              each = measure("ece8:bits=4,rotate=none,classes=channel", x, dim);
  EXPECT_NEAR(one.rel_mse / each.rel_mse, 1.0, 1e-9);
  EXPECT_LT(each.bits, one.bits - 0.5);
}

TEST(Ledger, AddsUpToTheBytesOfEveryCodec) {
  const std::size_t dim = 64, count = 101;
  auto x = normals(dim * count, 89);
  x[3] = 1e7f;
  const auto rows = dense_rows<const float>(x.data(), count, dim);
  for (const std::string& spec : specs_of_build()) {
    const auto codec = make(spec, dim);
    const auto frame = encode(*codec, rows);
    const RateLedger ledger = ledger_of(*codec, rows, frame);
    EXPECT_EQ(ledger.written_bits(), 8 * frame.size()) << spec;
    EXPECT_EQ(ledger.values, x.size());
    const bool budget = spec.find("budget=") != std::string::npos;  // pages are filled up
    EXPECT_EQ(ledger.padding_bits < 16u, !budget) << spec;
    EXPECT_GT(ledger.payload_bits, 0u);
    EXPECT_EQ(ledger.nominal_bits.has_value(),
              codec->account().rates().nominal_bits_per_vector.has_value());
    if (ledger.entropy_bits) {
      // The symbols alone, not their tables: less than was written.
      EXPECT_LT(*ledger.entropy_bits, static_cast<double>(ledger.payload_bits) * 1.02) << spec;
    }
    RateLedger twice = ledger;
    twice.merge(ledger);
    EXPECT_EQ(twice.written_bits(), 16 * frame.size());
  }
  // Zeros are padded to a byte for 32 values, and booked as that.
  const std::vector<float> zeros(dim * 4096, 0.0f);
  const auto zero_rows = dense_rows(zeros.data(), 4096, dim);
  const auto codec = make_codec("ece8:bits=4,per=head-page", {dim});
  const RateLedger ledger = ledger_of(*codec, zero_rows, encode(*codec, zero_rows));
  EXPECT_GT(ledger.padding_bits, 1000u);
}

}  // namespace
}  // namespace kakeya
