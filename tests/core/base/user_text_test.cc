#include "core/base/user_text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::StartsWith;

TEST(UserTextTest, TakesHostsAndPorts) {
  for (const char* address :
       {"127.0.0.1:7070", "localhost:1", "coordinator.cluster.svc:65535",
        "my_host:80", "[::1]:7070", "[fe80::1%eth0]:7070"}) {
    EXPECT_EQ(HostPortError(address), "") << address;
  }
}

TEST(UserTextTest, RefusesWhatIsNoHostAndPort) {
  for (const char* address :
       {"", ":", "foo", "foo:", ":7070", "foo:0", "foo:65536", "foo:99999",
        "foo:-1", "foo:+1", "foo: 1", "foo:7a", "http://foo:7070", "::1:7070",
        "[]:7070", "a b:7070", "foo:7070/", "dns:///foo:7070"}) {
    EXPECT_THAT(HostPortError(address), StartsWith("'")) << address;
  }
  EXPECT_EQ(HostPortError("f\x1b:1"),
            "'f\\x1b:1' must be HOST:PORT, the port 1 to 65535; e.g. "
            "127.0.0.1:7070");
}

TEST(UserTextTest, KnowsNamesOfWorkers) {
  for (const std::string& name :
       {std::string("worker-0"), std::string("gpu_3.lab"), std::string("7"),
        std::string(100, 'a')}) {
    EXPECT_EQ(WorkerNameError(name), "") << name;
  }
  for (const std::string& name :
       {std::string(), std::string("a b"), std::string("../x"),
        std::string("a\n"), std::string("\xff"), std::string(101, 'a')}) {
    EXPECT_THAT(WorkerNameError(name), StartsWith("'")) << name;
  }
  EXPECT_EQ(WorkerNameError("a b"),
            "'a b' must be 1 to 100 letters, digits, '-', '_' and '.'; e.g. "
            "worker-0");
}

}  // namespace
}  // namespace stagecoach
