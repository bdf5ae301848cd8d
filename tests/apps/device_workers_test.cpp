// SPDX-License-Identifier: Apache-2.0
#include "device_workers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <string>

#include "kakeya/core/error.h"
#include "stop_signals.h"

namespace kakeya {
namespace {

using Work = std::function<SweepOutcome(const DeviceWorker&)>;

WorkersOutcome run(int count, const Work& work) {
  const std::vector<std::string> devices(static_cast<std::size_t>(count), "cpu");
  return run_workers(workers_of(devices, {}), "/nowhere", work);
}

SweepOutcome cells(std::size_t total, std::size_t finished) {
  SweepOutcome outcome;
  outcome.total = total;
  outcome.finished = finished;
  return outcome;
}

std::set<std::string> open_pipes() {
  std::set<std::string> pipes;
  for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string what = std::filesystem::read_symlink(file.path(), gone).string();
    if (what.starts_with("pipe:")) pipes.insert(what);
  }
  return pipes;
}

TEST(DeviceWorkers, AddUpWhatTheyDid) {
  const WorkersOutcome all = run(3, [](const DeviceWorker& worker) {
    SweepOutcome outcome = cells(10, 4);
    outcome.already = 5;
    outcome.cell_seconds = 0.5;
    outcome.references_read = 2;
    outcome.failed.push_back({{"k", "v", worker.shard.index, "prefix"}, "why\nso"});
    return outcome;
  });
  EXPECT_EQ(all.sum.total, 30U);
  EXPECT_EQ(all.sum.already, 15U);
  EXPECT_EQ(all.sum.finished, 12U);
  EXPECT_EQ(all.sum.cell_seconds, 1.5);
  EXPECT_EQ(all.sum.references_read, 6U);
  EXPECT_FALSE(all.sum.stopped);
  EXPECT_TRUE(all.counted);
  ASSERT_EQ(all.sum.failed.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    const Failure& failed = all.sum.failed[static_cast<std::size_t>(i)];
    EXPECT_EQ(failed.key, (CellKey{"k", "v", i + 1, "prefix"}));
    EXPECT_EQ(failed.reason, "why so");
  }
}

TEST(DeviceWorkers, EndWhereTheirEndsWereIgnored) {
  ::alarm(60);  // not for ever
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const WorkersOutcome all = run(2, [](const DeviceWorker&) {
    if (std::signal(SIGCHLD, SIG_DFL) != SIG_DFL) throw Error("SIGCHLD is ignored in a worker");
    return cells(1, 1);
  });
  EXPECT_EQ(all.sum.finished, 2U);
  EXPECT_EQ(std::signal(SIGCHLD, before), SIG_IGN);
  ::alarm(0);
}

TEST(DeviceWorkers, LinesArePassedOnOnceAndTheLastOneToo) {
  testing::internal::CaptureStderr();
  run(3, [](const DeviceWorker& worker) {
    const std::string text = "the same\nlast of " + std::to_string(worker.shard.index);
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) throw Error("nothing written");
    return cells(1, 1);
  });
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("the same\n"), said.rfind("the same\n"));
  for (const char* last : {"last of 1\n", "last of 2\n", "last of 3\n"})
    EXPECT_NE(said.find(last), std::string::npos) << said;
}

TEST(DeviceWorkers, HoldNoPipesOfOneAnother) {
  const std::set<std::string> before = open_pipes();
  run(4, [&](const DeviceWorker& worker) {
    std::size_t mine = 0;
    for (const std::string& pipe : open_pipes()) mine += before.contains(pipe) ? 0 : 1;
    if (mine != 2)  // stderr, and what it did
      throw Error("worker " + worker.shard.text() + " has " + std::to_string(mine) + " pipes");
    return cells(1, 1);
  });
  EXPECT_EQ(open_pipes(), before);
}

TEST(DeviceWorkers, WhatTheyStartedIsNotWaitedFor) {
  const auto begin = std::chrono::steady_clock::now();
  run(2, [](const DeviceWorker&) {
    if (::fork() == 0) {  // has stderr of the worker
      ::sleep(6);
      ::_exit(0);
    }
    return cells(1, 1);
  });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(DeviceWorkers, SayWhichSignalStoppedOne) {
  const WorkersOutcome all = run(2, [](const DeviceWorker& worker) {
    SweepOutcome outcome = cells(3, 2);
    if (worker.shard.index == 1) return outcome;
    stop_on_signals();
    std::raise(SIGUSR1);
    outcome.stopped = stop_asked();
    return outcome;
  });
  EXPECT_TRUE(all.sum.stopped);
  EXPECT_EQ(all.stop_signal, "SIGUSR1");
  EXPECT_TRUE(all.counted);
  EXPECT_EQ(all.sum.total, 6U);
}

TEST(DeviceWorkers, SayThatOneDidNotCountItsCells) {
  const WorkersOutcome all = run(2, [](const DeviceWorker& worker) {
    if (worker.shard.index == 1) return cells(3, 3);
    stop_on_signals();
    std::raise(SIGTERM);
    throw Stopped("while it loaded the model");
  });
  EXPECT_TRUE(all.sum.stopped);
  EXPECT_EQ(all.stop_signal, "SIGTERM");
  EXPECT_FALSE(all.counted);
}

std::string error_of(const Work& work) {
  try {
    run(2, work);
  } catch (const SpecError& error) {
    return std::string("usage: ") + error.what();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceWorkers, ErrorsNameTheDeviceUnlessAllSayTheSame) {
  EXPECT_EQ(error_of([](const DeviceWorker&) -> SweepOutcome { throw SpecError("e9: unknown"); }),
            "usage: e9: unknown");
  EXPECT_EQ(error_of([](const DeviceWorker& worker) {
              if (worker.shard.index == 2) throw Error("no memory");
              return cells(1, 1);
            }),
            "worker on cpu: no memory");
  EXPECT_EQ(error_of([](const DeviceWorker& worker) {
              if (worker.shard.index == 1) std::raise(SIGKILL);
              return cells(1, 1);
            }),
            "worker on cpu: ended by signal 9");
  EXPECT_EQ(error_of([](const DeviceWorker& worker) {
              if (worker.shard.index == 1) ::_exit(0);
              return cells(1, 1);
            }),
            "worker on cpu: ended with code 0");
}

}  // namespace
}  // namespace kakeya
