// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/streams/hidden_states.h"

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"

namespace kakeya {

HiddenStates::HiddenStates(const std::string& path)
    : path_(path), file_(path), header_(parse_npy_header(path, file_.bytes())) {
  const std::vector<std::size_t>& axes = header_.axes;
  constexpr std::size_t kMost = 1 << 24;
  const bool possible = std::all_of(axes.begin(), axes.end(),
                                    [](std::size_t axis) { return axis >= 1 && axis <= kMost; });
  if (axes.size() < 2 || axes.size() > 4 || !possible) {
    throw InputError(path + ": shape " + header_.shape_text +
                     ", expected (tokens, hidden), (passages, tokens, hidden) or (passages, "
                     "layers, tokens, hidden)");
  }
  npy_data(path, header_, file_.bytes());
  tokens_ = static_cast<int>(axes[axes.size() - 2]);
  if (axes.size() > 2) passages_ = static_cast<int>(axes[0]);
  if (axes.size() > 3) layers_ = static_cast<int>(axes[1]);
}

std::vector<float> HiddenStates::read(int passage, int layer) const {
  if (passage < 0 || passage >= passages_ || (layers_ > 0 && (layer < 0 || layer >= layers_))) {
    throw InputError(path_ + ": no passage " + std::to_string(passage) + " of layer " +
                     std::to_string(layer) + " in " + header_.shape_text);
  }
  const auto block =
      static_cast<std::size_t>(passage) * static_cast<std::size_t>(std::max(layers_, 1)) +
      static_cast<std::size_t>(layers_ > 0 ? layer : 0);
  std::vector<float> values(static_cast<std::size_t>(tokens_) * header_.dim);
  const std::size_t bytes = values.size() * header_.scalar_bytes;
  npy_values(npy_data(path_, header_, file_.bytes()).subspan(block * bytes, bytes),
             header_.scalar_bytes, values);
  const auto wrong =
      std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  if (wrong != values.end()) {
    throw InputError(
        path_ + ": passage " + std::to_string(passage) + ", token " +
        std::to_string(static_cast<std::size_t>(wrong - values.begin()) / header_.dim) +
        ": a value is not finite");
  }
  return values;
}

}  // namespace kakeya
