// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/weights/weight_source.h"

#include <algorithm>

#include "kakeya/core/error.h"

namespace kakeya {

std::size_t WeightInfo::values() const {
  std::size_t product = 1;
  for (const std::size_t length : shape) product *= length;
  return product;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

const WeightInfo* WeightSource::find(const std::string& name) const {
  const auto& all = tensors();
  const auto found =
      std::lower_bound(all.begin(), all.end(), name,
                       [](const WeightInfo& each, const std::string& n) { return each.name < n; });
  return found == all.end() || found->name != name ? nullptr : &*found;
}

std::size_t WeightSource::require(const std::string& name) const {
  const WeightInfo* info = find(name);
  if (info == nullptr) throw InputError(path() + ": tensor " + name + " is missing");
  return static_cast<std::size_t>(info - tensors().data());
}

std::size_t WeightSource::require(const std::string& name, std::size_t values) const {
  const std::size_t index = require(name);
  const WeightInfo& info = tensors()[index];
  if (info.values() != values) {
    throw InputError(path() + ": tensor " + name + ": " + shape_text(info.shape) + " given, " +
                     std::to_string(values) + " values expected");
  }
  return index;
}

}  // namespace kakeya
