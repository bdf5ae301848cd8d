// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/store/h5.h"

namespace kakeya::h5 {

/// An HDF5 file that appears under its name when it is whole: until then it is `path`.part, which
/// is removed where publish() was not reached.
class Draft {
 public:
  /// Throws IoError.
  explicit Draft(const std::string& path);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  File& file() { return file_; }

  /// Closes the file, has it on the disk and gives it its name. Throws IoError, for example on a
  /// full disk: what stood under the name before is still there.
  void publish();

 private:
  std::string path_, unfinished_;
  File file_;
  bool published_ = false;
};

}  // namespace kakeya::h5
