#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/job/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/metrics/http_get.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_process.h"
#include "tests/support/tiny_job.h"

// stagecoach-coordinator by itself, and clients of it.
namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::Duration kSoon = absl::Seconds(30);

class CoordinatorProgramTest : public testing::Test {
 protected:
  CoordinatorProgramTest() { WriteTinyData(folder_.path()); }

  // Flags in `more` replace those of the same name.
  TestProcess::Options Coordinator(const std::vector<std::string>& more = {}) {
    std::vector<std::string> command = {
        (ProgramDir() / "stagecoach-coordinator").string()};
    for (const std::string& flag :
         {std::string("--port=0"), std::string("--metrics-port=0"),
          "--state=" + State(), "--port-file=" + PortFile()}) {
      const std::string name = flag.substr(0, flag.find('=') + 1);
      const bool replaced =
          std::any_of(more.begin(), more.end(), [&](const std::string& other) {
            return absl::StartsWith(other, name);
          });
      if (!replaced) command.push_back(flag);
    }
    command.insert(command.end(), more.begin(), more.end());
    return {.command = command};
  }

  TestProcess::Options Client(const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {(ProgramDir() / "stagecoach").string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.push_back(absl::StrCat("--coordinator=127.0.0.1:", Port()));
    return {.command = command};
  }

  // What a client prints that succeeds.
  std::string Ask(const std::vector<std::string>& arguments) {
    TestProcess client(Client(arguments));
    EXPECT_EQ(client.AwaitExit(), 0) << client.err();
    return client.out();
  }

  std::string WriteJob() const {
    std::string path = (folder_.path() / "job.yaml").string();
    std::ofstream(path) << TinyYaml(folder_.path(), /*stages=*/2, 3);
    return path;
  }

  static bool Listens(TestProcess& coordinator) {
    return coordinator.AwaitOutput("the coordinator listens at", kSoon);
  }

  // The number after `text` in the program's log.
  static int NumberAfter(const std::string& text,
                         const TestProcess& coordinator) {
    const std::string log = coordinator.out() + coordinator.err();
    int number = 0;
    const size_t begin = log.find(text) + text.size();
    const size_t end = log.find_first_not_of("0123456789", begin);
    EXPECT_TRUE(absl::SimpleAtoi(log.substr(begin, end - begin), &number));
    return number;
  }

  // Starts one that cannot run, and returns its one line.
  std::string Refusal(const std::vector<std::string>& flags) {
    TestProcess coordinator(Coordinator(flags));
    EXPECT_EQ(coordinator.AwaitExit(kSoon), 2);
    std::string line = coordinator.err();
    EXPECT_THAT(line, StartsWith("stagecoach-coordinator: "));
    EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
    return line;
  }

  std::string State() const { return (folder_.path() / "state").string(); }
  std::string PortFile() const { return (folder_.path() / "port").string(); }

  std::string Port() const {
    std::string port;
    std::ifstream(PortFile()) >> port;
    return port;
  }

  TempFolder folder_;
};

TEST_F(CoordinatorProgramTest, EndsInOrderWhenItIsTold) {
  for (const int signal : {SIGTERM, SIGINT}) {
    TestProcess coordinator(Coordinator());
    ASSERT_TRUE(Listens(coordinator)) << coordinator.err();

    coordinator.Signal(signal);

    EXPECT_EQ(coordinator.AwaitExit(kSoon), 0) << coordinator.err();
  }
}

TEST_F(CoordinatorProgramTest, EndsWithTheProcessThatStartedIt) {
  std::array<int, 2> pipe = {};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  fcntl(pipe[1], F_SETFD, FD_CLOEXEC);
  TestProcess coordinator(
      Coordinator({absl::StrCat("--watch-parent-fd=", pipe[0])}));
  close(pipe[0]);
  ASSERT_TRUE(Listens(coordinator)) << coordinator.err();

  close(pipe[1]);

  EXPECT_EQ(coordinator.AwaitExit(kSoon), 0) << coordinator.err();
}

TEST_F(CoordinatorProgramTest, DoesNotShareItsStateNorItsPorts) {
  TestProcess first(Coordinator());
  ASSERT_TRUE(Listens(first)) << first.err();
  const std::string metrics_port =
      absl::StrCat(NumberAfter("metrics at port ", first));
  const std::string elsewhere =
      absl::StrCat("--state=", (folder_.path() / "elsewhere").string());

  EXPECT_THAT(Refusal({}), AllOf(HasSubstr(State()),
                                 HasSubstr("in use by another coordinator")));
  EXPECT_THAT(Refusal({elsewhere, absl::StrCat("--port=", Port())}),
              AllOf(HasSubstr(Port()), HasSubstr("is taken")));
  EXPECT_THAT(Refusal({elsewhere, "--metrics-port=" + metrics_port}),
              HasSubstr(metrics_port));
}

TEST_F(CoordinatorProgramTest, SaysWhatIsWrongWithItsFlags) {
  std::ofstream(State()) << "a file";
  std::ofstream(folder_.path() / "config.yaml") << "prot: 7070\n";

  EXPECT_THAT(Refusal({}), HasSubstr(State()));
  EXPECT_THAT(Refusal({"--listen=192.0.2.1", "--state=" + State() + "2"}),
              HasSubstr("192.0.2.1"));
  EXPECT_THAT(Refusal({"--port=65536"}), HasSubstr("65536"));
  EXPECT_THAT(
      Refusal({"--config", (folder_.path() / "config.yaml").string()}),
      AllOf(HasSubstr("config.yaml:1:"), HasSubstr("did you mean 'port'")));
}

TEST_F(CoordinatorProgramTest, ShowsItsMetricsAndThatItIsReady) {
  TestProcess coordinator(Coordinator());
  ASSERT_TRUE(Listens(coordinator)) << coordinator.err();
  const int port = NumberAfter("metrics at port ", coordinator);

  EXPECT_THAT(HttpGet(port, "/healthz"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(HttpGet(port, "/readyz"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(HttpGet(port, "/metrics"),
              AllOf(HasSubstr("stagecoach_build_info{"),
                    HasSubstr("stagecoach_coordinator_jobs{")));
}

// Prometheus's own check, where it is installed.
TEST_F(CoordinatorProgramTest, ShowsMetricsThatPrometheusFindsNoFaultWith) {
  TestProcess coordinator(Coordinator());
  ASSERT_TRUE(Listens(coordinator)) << coordinator.err();
  Ask({"submit", WriteJob()});
  const std::string answer =
      HttpGet(NumberAfter("metrics at port ", coordinator), "/metrics");
  const std::string path = (folder_.path() / "metrics").string();
  std::ofstream(path) << answer.substr(answer.find("\r\n\r\n") + 4);

  TestProcess check({.command = {"/bin/sh", "-c",
                                 "command -v promtool > /dev/null || exit 77; "
                                 "promtool check metrics < " +
                                     path}});

  const auto code = check.AwaitExit(kSoon);
  if (code == 77) GTEST_SKIP() << "promtool is not installed";
  EXPECT_EQ(code, 0) << check.out() << check.err();
  EXPECT_EQ(check.out() + check.err(), "");
}

TEST_F(CoordinatorProgramTest, KeepsItsJobsWhenItIsKilled) {
  std::string id;
  {
    TestProcess coordinator(Coordinator());
    ASSERT_TRUE(Listens(coordinator)) << coordinator.err();
    id = Ask({"submit", WriteJob(), "--key=once"});
    Ask({"submit", WriteJob()});
    coordinator.Signal(SIGKILL);
    ASSERT_EQ(coordinator.AwaitExit(kSoon), -SIGKILL);
  }

  TestProcess coordinator(Coordinator());
  ASSERT_TRUE(Listens(coordinator)) << coordinator.err();

  EXPECT_EQ(Ask({"submit", WriteJob(), "--key=once"}), id);
  EXPECT_THAT(Ask({"list"}), AllOf(HasSubstr("job-1"), HasSubstr("job-2"),
                                   HasSubstr("queued")));
}

TEST_F(CoordinatorProgramTest, KeepsWhatItAnsweredJustBeforeItEnds) {
  {
    TestProcess coordinator(Coordinator());
    ASSERT_TRUE(Listens(coordinator)) << coordinator.err();
    Ask({"submit", WriteJob()});
    Ask({"cancel", "job-1"});
    coordinator.Signal(SIGTERM);
    ASSERT_EQ(coordinator.AwaitExit(kSoon), 0);
  }

  TestProcess coordinator(Coordinator());
  ASSERT_TRUE(Listens(coordinator)) << coordinator.err();

  const Value status =
      Value::parse(Ask({"describe", "job-1", "--output=json"}));
  EXPECT_EQ(status["status"]["state"], "cancelled") << status.dump();
}

TEST_F(CoordinatorProgramTest, AWatchDoesNotHoldItUp) {
  TestProcess coordinator(Coordinator());
  ASSERT_TRUE(Listens(coordinator)) << coordinator.err();
  Ask({"submit", WriteJob()});
  TestProcess watch(Client({"watch", "job-1"}));
  ASSERT_TRUE(watch.AwaitOutput("queued", kSoon)) << watch.err();

  coordinator.Signal(SIGTERM);

  EXPECT_EQ(coordinator.AwaitExit(absl::Seconds(9)), 0) << coordinator.err();
}

}  // namespace
}  // namespace stagecoach
