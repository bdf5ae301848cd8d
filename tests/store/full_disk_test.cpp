// SPDX-License-Identifier: Apache-2.0
// Writers of HDF5 files whose writes fail, at every place where they can: a limit on the length of
// files stands in for a full disk.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include "kakeya/store/kvtc_profile_store.h"
#include "kakeya/store/profile_store.h"
#include "small_dump.h"
#include "support/made_kvtc.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::read_text;

/// No file of this process grows beyond `bytes` while this stands.
class LengthLimit {
 public:
  explicit LengthLimit(std::size_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &usual_);
    rlimit limit = usual_;
    limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) throw std::runtime_error("setrlimit");
  }
  ~LengthLimit() {
    setrlimit(RLIMIT_FSIZE, &usual_);
    std::signal(SIGXFSZ, before_);
  }
  LengthLimit(const LengthLimit&) = delete;
  LengthLimit& operator=(const LengthLimit&) = delete;

 private:
  rlimit usual_{};
  void (*before_)(int);
};

class FullDisk : public testing::KvStore {
 protected:
  // Writing fails after so many of all bytes, 0 to all but one; then the same process writes the
  // same bytes as if nothing had been.
  void check(std::size_t limits, const std::function<void(const std::string&)>& write) {
    const std::string whole = scratch_ / "whole.h5", path = scratch_ / "limited.h5";
    write(whole);
    const std::string bytes = read_text(whole);
    testing::write_text(path, "what stood there before");
    for (std::size_t i = 0; i <= limits; ++i) {
      const std::size_t length = i * (bytes.size() - 1) / limits;
      const std::string why = message_of<IoError>([&] {
        const LengthLimit limit(length);
        write(path);
      });
      EXPECT_EQ(why, path + ".part: File too large") << length << " of " << bytes.size();
      EXPECT_FALSE(std::filesystem::exists(path + ".part")) << length;
      EXPECT_EQ(read_text(path), "what stood there before") << length;
    }
    write(path);
    EXPECT_EQ(read_text(path), bytes);
  }

  testing::ScratchFolder scratch_;
};

TEST_F(FullDisk, DumpsSaySoAndLeaveNothing) {
  DumpHead facts = testing::facts("fp32", true);
  check(40, [&](const std::string& path) { testing::write_dump(path, facts); });
  facts.shape.layers = 40;  // more metadata than HDF5 keeps in memory
  facts.passages = 12;
  facts.provenance.host = std::string(60000, 'h');
  check(40, [&](const std::string& path) { testing::write_dump(path, facts); });
}

TEST_F(FullDisk, LargeDatasetsSaySoAndLeaveNothing) {
  DumpHead facts = testing::facts("fp32", false);
  facts.passages = facts.shape.layers = 1;
  facts.shape.kv_heads = 4;
  facts.shape.head_dim = 128;
  facts.tokens = 1600;  // several chunks
  check(8, [&](const std::string& path) { testing::write_dump(path, facts); });
}

TEST_F(FullDisk, ProfilesSaySoAndLeaveNothing) {
  const Profile profile = test::made_profile(64);
  check(40, [&](const std::string& path) { write_profile(path, profile); });
  const KvtcProfile kvtc = test::made_kvtc_profile(64, 2, 2, 128);
  check(40, [&](const std::string& path) { write_kvtc_profile(path, kvtc); });
}

}  // namespace
}  // namespace kakeya
