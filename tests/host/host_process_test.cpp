// SPDX-License-Identifier: Apache-2.0
#include "kakeya/host/host_process.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "kakeya/host/start_host.h"
#include "kakeya/model/model.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;

std::string said_by(const std::string& script) {
  return message_of<IoError>([&] {
    auto process = std::make_unique<HostProcess>(std::vector<std::string>{"sh", "-c", script});
    auto channel = process->take_channel();
    Host("sh", std::move(channel), std::move(process));
  });
}

TEST(HostProcess, SaysHowItEnded) {
  EXPECT_NE(said_by("exit 3").find("sh: the host has ended with exit status 3 before"),
            std::string::npos);
  EXPECT_NE(said_by("kill -9 $$").find("by signal 9"), std::string::npos);
  EXPECT_NE(message_of<IoError>([] {
              HostProcess({"/no/such/python", "-m", "x"});
            }).find("/no/such/python: cannot be started: No such file"),
            std::string::npos);
}

// The child gets its descriptors as the last arguments, and nothing of the program's input.
TEST(HostProcess, TalksToItsChild) {
  const char* const script = R"(
import os, signal, socket, struct, sys
for asks in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):
    os.kill(os.getpid(), asks)  # as Slurm does, and the program goes on with its cell
assert sys.stdin.read() == ""
assert os.environ["OMP_WAIT_POLICY"] == "passive"
line = socket.socket(fileno=int(sys.argv[1]))
os.ftruncate(int(sys.argv[2]), 4 << 20)
def get():
    length, = struct.unpack("<I", line.recv(4))
    return line.recv(length)
def put(data):
    line.sendall(struct.pack("<I", len(data)) + data)
assert b'"hello"' in get()
put(b'{"protocol":1,"host":"python"}')
get()
print("on the program's stderr")
os.pwrite(int(sys.argv[2]), b"abcd", 128)
put(b'{"at":[128,4]}')
get() if line.recv(1) else sys.exit(5)
)";
  const testing::ScratchFolder scratch;
  testing::write_text(scratch / "child.py", script);
  auto process =
      std::make_unique<HostProcess>(std::vector<std::string>{"python3", scratch / "child.py"});
  auto channel = process->take_channel();
  Host host("python3", std::move(channel), std::move(process));
  EXPECT_EQ(host.description(), "python");
  std::string bytes;
  host.ask({{"do", "x"}}, {}, [&](const HostMessage& reply) {
    const auto at = reply.bytes("at");
    bytes.assign(reinterpret_cast<const char*>(at.data()), at.size());
  });
  EXPECT_EQ(bytes, "abcd");
}

struct Environment {
  Environment(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { unsetenv(name_); }
  const char* name_;
};

TEST(StartHost, IsWhatTheEnvironmentNames) {
  {
    const Environment python("KAKEYA_PYTHON", "/no/such/python");
    EXPECT_NE(message_of<IoError>([] { load_model("transformers:x", {}); }).find("/no/such/python"),
              std::string::npos);
  }
  for (const char* text :
       {"", "3", "3,", ",4", "3,4,5", "0,3", "4,4", "-1,5", "x,y", "3,99999999"}) {
    const Environment given("KAKEYA_HOST", text);
    EXPECT_NE(message_of<SpecError>([] { host(); }).find("two descriptors"), std::string::npos)
        << text;
  }
  const Environment given("KAKEYA_HOST", "900,901");
  EXPECT_EQ(message_of<IoError>([] { host(); }), "KAKEYA_HOST 900,901: descriptor 900 is not open");
  EXPECT_EQ(message_of<SpecError>([] { load_model("transformers:", {}); }),
            "transformers:: expected transformers:FOLDER or transformers:NAME");
}

TEST(StartHost, TakesOverDescriptors) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const int memory = memfd_create("test", MFD_ALLOW_SEALING);
  const std::string hello = R"({"protocol":1,"host":"inherited"})";
  const auto length = static_cast<std::uint32_t>(hello.size());
  ASSERT_EQ(write(ends[1], &length, 4), 4);
  ASSERT_GT(write(ends[1], hello.data(), hello.size()), 0);
  const Environment given("KAKEYA_HOST", std::to_string(ends[0]) + "," + std::to_string(memory));
  EXPECT_EQ(host().description(), "inherited");
  EXPECT_EQ(&host(), &host());
  close(ends[1]);
  EXPECT_EQ(message_of<IoError>([] { load_model("transformers:x", {}); }),
            "host of KAKEYA_HOST: the host has ended");
}

}  // namespace
}  // namespace kakeya
