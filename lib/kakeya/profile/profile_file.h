// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/profile/kvtc_profile.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// A profile in one flat file (.kkp), which needs no library to be read. Little-endian; offsets in
/// bytes:
///
///      0                 4                 8                 12                16
///      +-----------------+--------+--------+-----------------+-----------------+
///      | "KKVP"          | version| kind   | file bytes u64: all of this       |
///      |                 | u16    | u16    |                                   |
///      +-----------------+--------+--------+-----------------+-----------------+
///   16 | layers u32      | KV heads u32    | head_dim u32    | passages u32    |
///      +-----------------+-----------------+-----------------+-----------------+
///   32 | context u32     | sinks u32       | tap u32         | 0 u32           |
///      +-----------------+-----------------+-----------------+-----------------+
///   48 | digest: 32 bytes                                                      |
///      |                                                                       |
///      +-----------------------------------------------------------------------+
///   80 | texts: bytes u16, UTF-8; each                                         |
///      +-----------------------------------------------------------------------+
///      | what its kind holds (below)                                           |
///      +-----------------------------------------------------------------------+
///      | version 2: windows of tokens, u64 [passages * (context / 32)]         |
///      +-----------------------------------------------------------------------+
///      | CRC-32C u32 of every byte before it                                   |
///      +-----------------------------------------------------------------------+
///
/// kind: 0 of klt, 1 of kvtc, and so on as profile_file.cpp lists them. tap: 0 pre-rope, 1 post-rope. The texts: model name and SHA-256, text
/// name and SHA-256, SHA-256 of the token ids, dtype. The digest says which profile this is,
/// whatever file it is in: frames name it. It is the SHA-256 of the first file that the profile was
/// written to: of an HDF5 file all bytes; of a flat one all bytes up to the checksum, the digest's
/// own taken as zeros and corrections left out; windows of tokens (token_windows.h) are in neither.
/// A conversion keeps it. Version 1 is a file without windows, as they all were. Nothing else:
/// lengths add up exactly, no gaps.
///
///   klt:    matrices u16 (0 binary16, 1 int8), variants u16, sensitivity passages u32, sensitivity
///           bits f64, prefix sensitivity bits f64
///           sensitivity, then prefix sensitivity: f64 [parts], keys, values of layer 0, keys, ...
///           of each variant: weighted u16, centred u16
///             of each part and KV head: mean f32 [dim]; matrix [dim, dim]; classes u8 [dim];
///             corrections u32, each place u32 and f32: where the inverse differs from
///             plain_inverse() of the matrix
///           orders u32 of transforms of whole layers, 0 to 3; if there are some:
///             layer group u32, steps u32 (0 prefix, 1 inforward), shaping f64, octaves f64 [parts]
///             of each order o and group g from o on, n = layer group * 2 KV heads * dim: predictor,
///             a matrix [o * n, n], from o = 1 on; rotation, a matrix [n, n]; deviations i8 [n];
///             classes u8 [rates, n]
///   kvtc:   rank u32, 0 u32
///           of keys, then of values: mean f32 [n], basis binary16 [rank, n], single errors f64
///           [rank, types], group errors f64 [starts, larger sizes, types but none]
///   key-bias (2): biases f32 [layers, KV heads, dim]
///
/// A matrix [rows, columns] is binary16 or, where matrices says int8, the scale of each column,
/// f32, and then an int8 a value (Int8Matrix).
inline constexpr std::uint16_t kProfileFileVersion = 2;

/// A profile of any kind that came from a file.
struct StoredProfile {
  std::string path;       ///< of the file; empty: none
  std::string_view kind;  ///< kKind of what `profile` points to
  std::shared_ptr<const ProfileHead> profile;

  /// As what it is; null where it is of another kind.
  template <typename Kind>
  std::shared_ptr<const Kind> as() const {
    return kind == Kind::kKind ? std::static_pointer_cast<const Kind>(profile) : nullptr;
  }
};

/// The bytes of a flat file, which keeps profile.digest, of every kind that profile_file.cpp lists.
/// Throws InputError when the parts of a profile do not fit one another (check_profile(),
/// check_kvtc_profile()), or its digest is not 64 lower-case hexadecimal digits.
template <typename Kind>
std::vector<std::byte> flat_profile(const Kind& profile);

/// Reads one back, every value to the bit. Throws CorruptStream unless lengths, checksum and all
/// that is in it are those of a profile. Asks for at most 32 bytes of memory for a byte of the file
/// and 64 KiB.
StoredProfile parse_profile(std::span<const std::byte> file);

/// Reads the flat file `path`. Throws IoError, CorruptStream naming the path.
StoredProfile load_profile(const std::string& path);

/// Writes the flat file `path`, which appears when it is whole. Throws as flat_profile(), IoError.
template <typename Kind>
void save_profile(const std::string& path, const Kind& profile);

/// Whether the file `path` begins as a flat profile does. Throws IoError.
bool is_flat_profile(const std::string& path);

}  // namespace kakeya
