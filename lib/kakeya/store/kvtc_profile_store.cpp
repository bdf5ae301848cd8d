// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/kvtc_profile_store.h"

#include <array>
#include <cstdint>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/store/h5.h"
#include "kakeya/store/h5_draft.h"
#include "kakeya/store/kept_digest.h"
#include "kakeya/store/profile_fields.h"

namespace kakeya {
namespace {

constexpr std::int64_t kSchema = 2;
constexpr const char* kParts[] = {"/keys", "/values"};

// Calls field(name, scalar type, shape, array) for the arrays of one part.
template <typename Part, typename Visit>
void visit_arrays(const KvtcProfile& profile, Part& part, const Visit& field) {
  const std::uint64_t n = profile.width(), rank = profile.rank;
  field("/mean", h5::Scalar::fp32, {n}, part.mean);
  field("/basis", h5::Scalar::fp16, {rank, n}, part.basis);
  field("/single_errors", h5::Scalar::fp64, {rank, kKvtcTypes}, part.single_errors);
  field("/group_errors", h5::Scalar::fp64,
        {profile.group_starts(), kKvtcLargerSizes, kKvtcStoredTypes}, part.group_errors);
}

}  // namespace

void write_kvtc_profile(const std::string& path, const KvtcProfile& profile, Digest digest) {
  check_kvtc_profile(profile, path);
  h5::Draft draft(path);
  h5::File& file = draft.file();
  file.set_text("/", "format", kKvtcProfileFormat);
  file.set_integer("/", "schema", kSchema);
  visit_head(profile, PutField{file});
  file.set_unsigned("/", "rank", profile.rank);
  for (std::size_t p = 0; p < 2; ++p) {
    visit_arrays(profile, profile.parts[p], PutArray{file, kParts[p]});
  }
  if (digest == Digest::kept) keep_digest(file, profile);
  draft.publish();
}

KvtcProfile read_kvtc_profile(const std::string& path) {
  const h5::File file = h5::File::open(path);
  require_profile_format(file, path, kKvtcProfileFormat, kSchema);
  KvtcProfile profile;
  visit_head(profile, GetField{file, path});
  require_sane_shape(profile.shape, path);
  const std::uint64_t rank = file.unsigned_integer("/", "rank");
  if (rank < 1 || rank > profile.width()) {
    throw CorruptStream(path + ": rank " + std::to_string(rank) + ", expected 1 to " +
                        std::to_string(profile.width()));
  }
  profile.rank = rank;
  for (std::size_t p = 0; p < 2; ++p) {
    visit_arrays(profile, profile.parts[p], GetArray{file, kParts[p]});
  }
  check_kvtc_profile(profile, path);
  read_digest(file, path, profile);
  return profile;
}

}  // namespace kakeya
