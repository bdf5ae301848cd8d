// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/npy_header.h"

#include <cstring>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

//   offset  0          6       7       8               10 (v1) or 12 (v2, v3)
//           +----------+-------+-------+---------------+--------------------------------+
//           | \x93NUMPY | major | minor | header length | header, spaces, a line's end   |
//           |          | u8    | u8    | u16 or u32    |                                |
//           +----------+-------+-------+---------------+--------------------------------+
//
//   header  {'descr': '<f4', 'fortran_order': False, 'shape': (3, 64), }
constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicBytes = 6;

/// Reads the one Python literal that NumPy writes: a dict of the three known keys, in any order.
class DictParser {
 public:
  DictParser(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !descr) {
        descr = true;
        header.scalar_bytes = scalar_bytes(quoted());
      } else if (key == "fortran_order" && !order) {
        order = true;
        if (!take_word("False")) fail("fortran_order must be False: expected C order");
      } else if (key == "shape" && !shape) {
        shape = true;
        read_shape(header);
      } else {
        fail("unexpected or repeated key '" + std::string(key) + "'");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (at_ != text_.size()) fail("text after the dictionary");
    if (!descr || !order || !shape) fail("expected the keys descr, fortran_order and shape");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(path_ + ": .npy header: " + why);
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    skip_blanks();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(std::string("expected '") + c + "' at offset " + std::to_string(at_));
  }

  std::string_view quoted() {
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) {
      fail("expected a quoted word at offset " + std::to_string(at_));
    }
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) fail("a quoted word that does not end");
    const std::string_view word = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return word;
  }

  std::size_t scalar_bytes(std::string_view descr) const {
    if (descr == "<f4") return 4;
    if (descr == "<f2") return 2;
    if (descr == "<f8") return 8;
    fail("descr '" + std::string(descr) + "', expected '<f4', '<f2' or '<f8'");
  }

  std::size_t number() {
    skip_blanks();
    constexpr std::size_t kMax = std::numeric_limits<std::size_t>::max() / 16;
    const std::size_t begin = at_;
    std::size_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      value = value * 10 + static_cast<std::size_t>(text_[at_] - '0');
      if (value > kMax) fail("an axis beyond any file");
    }
    if (at_ == begin) fail("expected a whole number at offset " + std::to_string(at_));
    return value;
  }

  void read_shape(NpyHeader& header) {
    skip_blanks();
    const std::size_t begin = at_;
    expect('(');
    std::vector<std::size_t> axes;
    bool comma = true;
    while (!take(')')) {
      if (!comma) fail("expected ',' between axes");
      axes.push_back(number());
      comma = take(',');
    }
    header.shape_text = text_.substr(begin, at_ - begin);
    if (axes.empty()) fail("a scalar: expected at least one axis");
    if (axes.size() == 1 && !comma) fail("a shape of one axis without its comma");
    header.dim = axes.back();
    if (header.dim == 0) fail("last axis 0: expected at least 1");
    header.count = 1;
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
      if (axes[i] != 0 && header.count > std::numeric_limits<std::size_t>::max() / axes[i]) {
        fail("a shape beyond any file: " + header.shape_text);
      }
      header.count *= axes[i];
    }
    header.axes = std::move(axes);
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(const std::string& path, std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.size() < kMagicBytes + 4 || text.compare(0, kMagicBytes, kMagic) != 0) {
    throw InputError(path + ": not a .npy file: expected it to begin with \\x93NUMPY");
  }
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(file[i]); };
  const std::size_t major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0) {
    throw InputError(path + ": .npy version " + std::to_string(major) + "." +
                     std::to_string(minor) + ", expected 1.0, 2.0 or 3.0");
  }
  const std::size_t begin = major == 1 ? 10 : 12;
  if (text.size() < begin) throw InputError(path + ": .npy header cut short");
  std::size_t length = byte(8) | byte(9) << 8;
  if (major > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > text.size() - begin) throw InputError(path + ": .npy header cut short");
  NpyHeader header = DictParser(path, text.substr(begin, length)).parse();
  header.data_offset = begin + length;
  return header;
}

std::span<const std::byte> npy_data(const std::string& path, const NpyHeader& header,
                                    std::span<const std::byte> file) {
  const auto data = file.subspan(header.data_offset);
  // Divided, not multiplied: a hostile shape must not overflow.
  const std::size_t scalars = data.size() / header.scalar_bytes;
  if (data.size() % header.scalar_bytes != 0 || scalars % header.dim != 0 ||
      scalars / header.dim != header.count) {
    throw InputError(path + ": " + std::to_string(data.size()) +
                     " bytes of data, which is not what the shape " + header.shape_text + " of " +
                     std::to_string(header.scalar_bytes) + "-byte floats takes");
  }
  return data;
}

void npy_values(std::span<const std::byte> data, std::size_t scalar_bytes, std::span<float> out) {
  if (scalar_bytes == 4) {
    if (!out.empty()) std::memcpy(out.data(), data.data(), out.size_bytes());
  } else if (scalar_bytes == 8) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      double value;
      std::memcpy(&value, data.data() + 8 * i, sizeof value);
      out[i] = static_cast<float>(value);
    }
  } else {
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::uint16_t half;
      std::memcpy(&half, data.data() + 2 * i, sizeof half);
      out[i] = half_to_float(half);
    }
  }
}

std::string make_npy_header(std::size_t count, std::size_t dim) {
  std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(count) +
                     ", " + std::to_string(dim) + "), }";
  while ((10 + dict.size() + 1) % 64 != 0) dict += ' ';
  dict += '\n';
  std::string header(kMagic, kMagicBytes);
  header +=
      {'\x01', '\x00', static_cast<char>(dict.size() & 255), static_cast<char>(dict.size() >> 8)};
  return header + dict;
}

}  // namespace kakeya
