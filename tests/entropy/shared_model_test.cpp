// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/shared_model.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

TEST(SharedModel, IsOneForAllWhoAsk) {
  const auto model = shared_point_model(Lattice::d4, 2.5);
  EXPECT_EQ(model->lattice(), Lattice::d4);
  EXPECT_EQ(model->class_count(), class_grid(2.5).size());
  EXPECT_EQ(model->shape(kNominalClass).deviation, 2.5);
  EXPECT_EQ(shared_point_model(Lattice::d4, 2.5), model);
  EXPECT_NE(shared_point_model(Lattice::e8, 2.5), model);
  EXPECT_NE(shared_point_model(Lattice::d4, 2.25), model);
  EXPECT_EQ(shared_point_model(Lattice::d4, 2.5), model);
}

// Whoever asks for ever new ones holds no more than a few in memory.
TEST(SharedModel, ThoseAskedForLastAreKept) {
  std::vector<std::weak_ptr<const PointModel>> models;
  for (std::size_t i = 0; i < 3 * kModelsKept; ++i) {
    shared_point_model(Lattice::z, 7.0);  // stays among the last
    models.push_back(shared_point_model(Lattice::z, 8.0 + static_cast<double>(i)));
  }
  const std::weak_ptr<const PointModel> often = shared_point_model(Lattice::z, 7.0);
  EXPECT_FALSE(often.expired());
  for (std::size_t i = 0; i < models.size(); ++i) {
    EXPECT_EQ(models[i].expired(), i + kModelsKept - 1 < models.size()) << i;
  }
}

TEST(SharedModel, ADeviationThatNoModelTakesIsRefusedAndNotKept) {
  for (int time = 0; time < 2; ++time) {
    EXPECT_THROW(shared_point_model(Lattice::e8, 16384.0), InputError);
  }
}

TEST(SharedModel, ManyThreadsMakeAClassOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (std::size_t index = 0; index < 40; ++index) {
        shared_point_model(Lattice::d4, 3.75)->tables(index);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(shared_point_model(Lattice::d4, 3.75)->classes_made(), 40u);
}

}  // namespace
}  // namespace kakeya
