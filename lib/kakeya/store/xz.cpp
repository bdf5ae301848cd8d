// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/xz.h"

#include <lzma.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"

namespace kakeya {
namespace {

struct Decoder {
  Decoder() {
    if (lzma_stream_decoder(&stream, std::numeric_limits<std::uint64_t>::max(),
                            LZMA_CONCATENATED) != LZMA_OK) {
      throw IoError("liblzma: no memory for a decoder");
    }
  }
  ~Decoder() { lzma_end(&stream); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  lzma_stream stream = LZMA_STREAM_INIT;
};

}  // namespace

std::string read_xz(const std::string& path) {
  const std::vector<std::byte> packed = read_file(path);
  Decoder decoder;
  decoder.stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  decoder.stream.avail_in = packed.size();
  std::string text;
  std::vector<std::uint8_t> piece(std::size_t{1} << 20);
  for (lzma_ret state = LZMA_OK; state != LZMA_STREAM_END;) {
    decoder.stream.next_out = piece.data();
    decoder.stream.avail_out = piece.size();
    state = lzma_code(&decoder.stream, LZMA_FINISH);
    if (state != LZMA_OK && state != LZMA_STREAM_END) {
      throw CorruptStream(path + ": damaged at byte " + std::to_string(decoder.stream.total_in) +
                          " of " + std::to_string(packed.size()) + ", expected an .xz file");
    }
    text.append(reinterpret_cast<const char*>(piece.data()),
                piece.size() - decoder.stream.avail_out);
  }
  return text;
}

}  // namespace kakeya
