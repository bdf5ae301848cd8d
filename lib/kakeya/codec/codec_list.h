// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kakeya {

/// Every codec with its keys, as JSON: an array of objects with name, summary, example, calibrated,
/// keys (name, default, help, kind; of numbers lowest and highest, of choices the options), source,
/// faithful, differs and sections. From the descriptors.
std::string codec_list_json();

}  // namespace kakeya
