// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/kvtc/deflate.h"

#include <zlib.h>

#include <limits>
#include <type_traits>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr int kLevel = 9, kRawWindow = -15, kMemory = 9;

Bytef* input_of(std::span<const std::byte> bytes) {
  // zlib does not write to its input; its interface is older than const.
  return reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
}

uInt length_of(std::size_t bytes) {
  if (bytes > std::numeric_limits<uInt>::max()) {
    throw InputError("deflate: " + std::to_string(bytes) + " bytes, expected less than 2^32");
  }
  return static_cast<uInt>(bytes);
}

// A z_stream that is released whatever happens.
template <int (*kEnd)(z_streamp)>
struct Stream : z_stream {
  Stream() : z_stream{} {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { kEnd(this); }
};

}  // namespace

bool has_deflate() { return true; }

void require_deflate(const std::string&) {}

std::size_t deflate_bound(std::size_t bytes, std::size_t parts) {
  // zlib's bound for any settings, and what an empty block at the end of each part takes.
  return bytes + bytes / 8 + bytes / 64 + 64 + 8 * parts;
}

std::vector<std::byte> deflate(std::span<const std::vector<std::byte>> parts) {
  std::size_t bytes = 0;
  for (const auto& part : parts) bytes += part.size();
  if (bytes == 0) return {};
  std::vector<std::byte> out(deflate_bound(bytes, parts.size()));
  Stream<deflateEnd> stream;
  // Z_FILTERED keeps to matches of six bytes and more: shorter ones in noise cost more than they
  // save.
  int state = deflateInit2(&stream, kLevel, Z_DEFLATED, kRawWindow, kMemory, Z_FILTERED);
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = length_of(out.size());
  for (std::size_t i = 0; state == Z_OK && i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    stream.next_in = input_of(parts[i]);
    stream.avail_in = length_of(parts[i].size());
    state = ::deflate(&stream, Z_BLOCK);
  }
  if (state == Z_OK) state = ::deflate(&stream, Z_FINISH);
  if (state != Z_STREAM_END) throw Error("deflate: zlib failed with " + std::to_string(state));
  out.resize(out.size() - stream.avail_out);
  return out;
}

void inflate(std::span<const std::byte> in, std::span<std::byte> out, const std::string& codec) {
  const auto refuse = [&](const char* what) { throw CorruptStream(codec + ": deflate: " + what); };
  if (out.empty() && in.empty()) return;
  if (out.empty() != in.empty()) refuse("bytes where there is nothing, or the other way round");
  if (in.size() > std::numeric_limits<uInt>::max()) refuse("a stream of 4 GiB or more");
  Stream<inflateEnd> stream;
  if (inflateInit2(&stream, kRawWindow) != Z_OK) throw Error("deflate: zlib cannot start");
  stream.next_in = input_of(in);
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = length_of(out.size());
  int state = ::inflate(&stream, Z_SYNC_FLUSH);
  if (state != Z_STREAM_END && stream.avail_out == 0) {
    // The end of the last block may still be to be read: a byte more room, which must stay empty.
    Bytef spare = 0;
    stream.next_out = &spare;
    stream.avail_out = 1;
    state = ::inflate(&stream, Z_SYNC_FLUSH);
    if (stream.avail_out == 0) refuse("longer than expected");
    stream.avail_out = 0;
  }
  if (state != Z_STREAM_END) refuse("damaged");
  if (stream.avail_out != 0) refuse("shorter than expected");
  if (stream.avail_in != 0) refuse("bytes after its end");
}

}  // namespace kakeya
