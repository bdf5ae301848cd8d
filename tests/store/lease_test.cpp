// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/lease.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::read_text;
using testing::ScratchFolder;
using testing::write_text;

LeaseWait within(double seconds) { return {seconds, {}}; }

/// The lock of a process that is no more.
std::string lock_of_the_dead(const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lease = Lease::try_take(path, within(30));
    ::_exit(lease ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  return read_text(path);
}

std::string elsewhere(const std::string& lock, double seconds) {
  auto owner = nlohmann::json::parse(lock);
  owner["host"] = owner["machine"] = "elsewhere";
  owner["seconds"] = seconds;
  return owner.dump();
}

TEST(Lease, IsHeldByOneAndReleased) {
  const ScratchFolder folder;
  const std::string path = folder / "lock";
  {
    const auto lease = Lease::try_take(path, within(30));
    ASSERT_TRUE(lease);
    lease->require_held();
    LeaseOwner holder;
    EXPECT_FALSE(Lease::try_take(path, within(30), &holder));
    EXPECT_EQ(holder.pid, ::getpid());
    EXPECT_NE(holder.who().find(std::to_string(::getpid())), std::string::npos);
    lease->tell("a \"cell\" of ü", 3, 7);
    const auto seen = Lease::holder_of(path, within(30));
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->now, "a \"cell\" of ü");
    EXPECT_EQ(seen->done, 3U);
    EXPECT_EQ(seen->total, 7U);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(Lease::holder_of(path, within(30)));
}

TEST(Lease, OfADeadProcessIsTakenAtOnce) {
  const ScratchFolder folder;
  const std::string path = folder / "lock";
  lock_of_the_dead(path);
  const auto started = Clock::now();
  EXPECT_TRUE(Lease::try_take(path, within(30)));
  EXPECT_LT(seconds_since(started), 5);
  lock_of_the_dead(path);
  EXPECT_FALSE(Lease::holder_of(path, within(30)));
  EXPECT_FALSE(std::filesystem::exists(path));
}

// A process number that was given again: the lock's process started at another time.
TEST(Lease, AProcessNumberUsedAgainIsAnotherProcess) {
  const ScratchFolder folder;
  const std::string path = folder / "lock";
  auto owner = nlohmann::json::parse(lock_of_the_dead(path));
  owner["pid"] = ::getpid();
  write_text(path, owner.dump());
  EXPECT_TRUE(Lease::try_take(path, within(30)));
}

TEST(Lease, OfAnotherMachineIsStaleAfterItsSilence) {
  const ScratchFolder folder;
  const std::string path = folder / "lock", dead = lock_of_the_dead(path);
  write_text(path, elsewhere(dead, 0.5));
  const auto started = Clock::now();
  EXPECT_TRUE(Lease::try_take(path, within(30)));
  EXPECT_GE(seconds_since(started), 0.5);

  // With signs of life it is not, however old it is.
  std::atomic<bool> ends = false;
  std::thread writer([&] {
    auto owner = nlohmann::json::parse(elsewhere(dead, 1.0));
    for (int beat = 0; !ends; ++beat) {
      owner["beat"] = beat;
      write_text(path, owner.dump());
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  while (!std::filesystem::exists(path)) std::this_thread::yield();
  LeaseOwner holder;
  EXPECT_FALSE(Lease::try_take(path, within(30), &holder));
  EXPECT_EQ(holder.host, "elsewhere");
  ends = true;
  writer.join();
}

TEST(Lease, OneThatCannotBeReadIsStaleAfterOurSeconds) {
  const ScratchFolder folder;
  for (const char* text : {"", "{\"token\": \"", "[]", "{\"token\": 3}"}) {
    write_text(folder / "lock", text);
    const auto started = Clock::now();
    EXPECT_TRUE(Lease::try_take(folder / "lock", within(0.3))) << text;
    EXPECT_GE(seconds_since(started), 0.3) << text;
  }
}

TEST(Lease, WhoeverLostItIsTold) {
  const ScratchFolder folder;
  const std::string path = folder / "lock", dead = lock_of_the_dead(folder / "other");
  {
    const auto lease = Lease::try_take(path, within(30));
    write_text(path, elsewhere(dead, 30));
    EXPECT_NE(message_of<IoError>([&] { lease->require_held(); }).find("elsewhere, process"),
              std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::exists(path));  // another's is left alone
  std::filesystem::remove(path);
  const auto lease = Lease::try_take(path, within(30));
  std::filesystem::remove(path);
  EXPECT_NE(message_of<IoError>([&] { lease->require_held(); }).find("its lock was removed"),
            std::string::npos);
}

TEST(Lease, LivesByItsBeats) {
  const ScratchFolder folder;
  const auto lease = Lease::try_take(folder / "lock", within(0.6));
  const auto first = Lease::read(folder / "lock");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto second = Lease::read(folder / "lock");
  ASSERT_TRUE(first && second);
  EXPECT_GE(second->beat, first->beat + 2);
}

TEST(Lease, WaitingCanBeStopped) {
  const ScratchFolder folder;
  const auto lease = Lease::try_take(folder / "lock", within(30));
  int asked = 0;
  EXPECT_THROW(Lease::take(folder / "lock", {30, [&] { return ++asked > 3; }}), StoppedWaiting);
}

// Many want a lock whose process is dead: it is never held by two.
TEST(Lease, ManyWantOneThatIsStale) {
  const ScratchFolder folder;
  for (int round = 0; round < 5; ++round) {
    const std::string path = folder / std::to_string(round);
    lock_of_the_dead(path);
    std::atomic<int> holders = 0, most = 0, turns = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&] {
        const auto lease = Lease::take(path, within(30));
        const int now = ++holders;
        for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
        }
        lease->require_held();
        --holders;
        ++turns;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(most, 1);
    EXPECT_EQ(turns, 6);
  }
}

}  // namespace
}  // namespace kakeya
