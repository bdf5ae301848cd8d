// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/shared_model.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace kakeya {
namespace {

struct Kept {
  Lattice lattice;
  double nominal_deviation;
  std::shared_ptr<const PointModel> model;
};

// Those asked for last, the latest first.
struct KeptModels {
  std::mutex mutex;
  std::vector<Kept> list;
};

KeptModels& kept_models() {
  static KeptModels models;
  return models;
}

}  // namespace

std::shared_ptr<const PointModel> shared_point_model(Lattice lattice, double nominal_deviation) {
  KeptModels& kept = kept_models();
  const std::lock_guard lock(kept.mutex);
  auto at = std::find_if(kept.list.begin(), kept.list.end(), [&](const Kept& each) {
    return each.lattice == lattice && each.nominal_deviation == nominal_deviation;
  });
  if (at == kept.list.end()) {
    // No class of it is made yet: nobody waits long for the lock.
    kept.list.push_back({lattice, nominal_deviation,
                         std::make_shared<PointModel>(lattice, class_grid(nominal_deviation))});
    at = kept.list.end() - 1;
  }
  std::rotate(kept.list.begin(), at, at + 1);
  if (kept.list.size() > kModelsKept) kept.list.pop_back();
  return kept.list.front().model;
}

}  // namespace kakeya
