// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "kakeya/core/error.h"

namespace kakeya {

/// Somebody asked for the end while a process waited for a lock or for another's work.
class StoppedWaiting : public Error {
 public:
  using Error::Error;
};

/// What a lock file says of the process that holds it.
struct LeaseOwner {
  std::string token;    ///< of this one holding, different from every other
  std::string host;     ///< the machine's name
  std::string machine;  ///< its boot and process numbering: within it `pid` means something
  std::int64_t pid = 0;
  std::uint64_t pid_started = 0;  ///< as the kernel counts, so that a number used again is another
  double seconds = 0;             ///< after which silence means death
  std::uint64_t beat = 0;         ///< grows while the process lives
  std::string now;                ///< what it does
  std::size_t done = 0, total = 0;

  /// "host, process 123", or who cannot be told.
  std::string who() const;
};

/// How a lock is waited for.
struct LeaseWait {
  double seconds = 30;            ///< of this process's leases, see Lease
  std::function<bool()> stopped;  ///< asked while waiting; where it says yes, StoppedWaiting
};

/// A lock that is a file, for folders on file systems where flock() and clocks are not to be trusted (NFS):
/// it is made by O_EXCL, and its holder writes into it a sixth of `seconds` apart that it lives.
///
/// A lock is stale, and anybody may take it, when its holder is known to be gone (a process of this
/// boot of this machine that is no more), or when nothing was written to it for `seconds` of the
/// holder's, watched by the clock of the one who wants it. Then it is replaced by rename(), and held
/// once it is still there a moment later. Whoever lost a lock all the same (a process that
/// was stopped and woken) finds out by require_held(), before it writes.
class Lease {
 public:
  /// Nothing where a living process holds it, which `holder` then tells. Of a process on another
  /// machine that takes until its next sign of life, or its silence. Throws IoError, StoppedWaiting.
  static std::unique_ptr<Lease> try_take(const std::string& path, const LeaseWait& how,
                                         LeaseOwner* holder = nullptr);
  /// Waits for as long as a living process holds it.
  static std::unique_ptr<Lease> take(const std::string& path, const LeaseWait& how);

  /// The living process that holds it; a stale lock is removed.
  static std::optional<LeaseOwner> holder_of(const std::string& path, const LeaseWait& how);

  /// What the file says, whoever that is and if it lives; nothing where there is none. One that cannot be
  /// read has no token.
  static std::optional<LeaseOwner> read(const std::string& path);

  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// Throws IoError, naming who has it, where the lock was lost.
  void require_held() const;

  /// Writes what is done now, for those who look (kakeya-sweep status).
  void tell(const std::string& now, std::size_t done, std::size_t total);

 private:
  Lease(std::string path, int file, LeaseOwner self);
  void write();  // under mutex_
  void beat();

  std::string path_;
  int file_;
  LeaseOwner self_;
  std::mutex mutex_;
  std::jthread heart_;
};

/// Whether the process of a lock is of this boot of this machine, and if so, whether it lives.
enum class Alive { yes, no, elsewhere };
Alive alive(const LeaseOwner& owner);

}  // namespace kakeya
