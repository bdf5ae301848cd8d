// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace kakeya {

/// Everything the library throws. A message names the offending text or file and what was expected.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A request that makes no sense: an unknown codec, a misspelt key, a value out of range.
class SpecError : public Error {
 public:
  using Error::Error;
};

/// Data of the caller that cannot be worked on: NaN, a wrong shape, a dim that a codec cannot take.
class InputError : public Error {
 public:
  using Error::Error;
};

/// Bytes from outside that are not what they claim to be: truncated, damaged, of another version.
class CorruptStream : public Error {
 public:
  using Error::Error;
};

/// The operating system refused: no such file, no space, no permission.
class IoError : public Error {
 public:
  using Error::Error;
};

}  // namespace kakeya
