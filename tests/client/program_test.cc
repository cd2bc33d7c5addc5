#include "client/program.h"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/field_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_job_client.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// One job file, job.yaml, whose every field stands in line 3.
class OneDocument final : public JobDocumentReader {
 public:
  absl::StatusOr<std::unique_ptr<JobDocument>> Read(
      const std::string& path) const override {
    if (path != "job.yaml") {
      return absl::InvalidArgumentError(path + ": no such file");
    }
    return std::make_unique<Document>();
  }

 private:
  class Document final : public JobDocument {
   public:
    const JobSpec& spec() const override { return spec_; }
    absl::Status Locate(const absl::Status& error) const override {
      if (FieldOf(error).empty()) return error;
      return absl::Status(error.code(), "job.yaml:3: " + FieldOf(error) + ": " +
                                            std::string(error.message()));
    }

   private:
    const JobSpec spec_ = {.name = "a job"};
  };
};

// Hands out the test's client.
class Borrowed final : public JobClient {
 public:
  explicit Borrowed(JobClient& client) : client_(client) {}

  absl::StatusOr<JobStatus> Submit(const JobSpec& spec,
                                   const std::string& key) override {
    return client_.Submit(spec, key);
  }
  absl::StatusOr<std::vector<JobStatus>> List() override {
    return client_.List();
  }
  absl::StatusOr<JobDescription> Describe(const JobId& job) override {
    return client_.Describe(job);
  }
  absl::Status Watch(const JobId& job, int64_t after, JobObserver& observer,
                     Interrupt& interrupt) override {
    return client_.Watch(job, after, observer, interrupt);
  }
  absl::StatusOr<JobStatus> Cancel(const JobId& job) override {
    return client_.Cancel(job);
  }
  absl::StatusOr<std::vector<WorkerStatus>> Workers() override {
    return client_.Workers();
  }
  absl::StatusOr<std::vector<FlightRecord>> FlightRecords(
      const WorkerName& worker) override {
    return client_.FlightRecords(worker);
  }

 private:
  JobClient& client_;
};

class ProgramTest : public testing::Test {
 protected:
  int Run(const std::vector<std::string>& arguments) {
    Console console{.out = out_, .err = err_};
    Environment environment{.console = console,
                            .interrupt = interrupt_,
                            .clock = clock_,
                            .job_documents = documents_,
                            .connect =
                                [this](const std::string& address) {
                                  address_ = address;
                                  return std::make_unique<Borrowed>(client_);
                                },
                            .program_folder = "/nowhere"};
    return RunProgram(arguments, "1.2.3 abc", environment);
  }

  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }

  std::ostringstream out_;
  std::ostringstream err_;
  FakeClock clock_;
  Interrupt interrupt_;
  OneDocument documents_;
  FakeJobClient client_;
  std::string address_;
};

JobStatus Job(JobState state) {
  return {.id = JobId("job-7"),
          .name = "a job",
          .state = state,
          .submitted = absl::FromUnixSeconds(0),
          .started = absl::FromUnixSeconds(0),
          .finished = absl::FromUnixSeconds(2)};
}

TEST_F(ProgramTest, SuggestsACommandForOneThatIsMisspelt) {
  EXPECT_EQ(Run({"submti", "job.yaml"}), 2);

  EXPECT_EQ(err(),
            "stagecoach: there is no command 'submti'; did you mean "
            "'submit'?\n");
}

TEST_F(ProgramTest, SuggestsAFlagForOneThatIsMisspelt) {
  EXPECT_EQ(Run({"submit", "job.yaml", "--cordinator=a:1"}), 2);

  EXPECT_EQ(err(),
            "stagecoach: 'submit' has no flag --cordinator; did you mean "
            "'--coordinator'?\n");
}

TEST_F(ProgramTest, RefusesAnArgumentTooMany) {
  EXPECT_EQ(Run({"cancel", "job-1", "job-2"}), 2);

  EXPECT_EQ(err(),
            "stagecoach: 'job-2' is one argument too many for 'cancel'\n");
}

TEST_F(ProgramTest, RefusesAnArgumentTooFewInOneLine) {
  EXPECT_EQ(Run({"cancel"}), 2);

  EXPECT_EQ(err(), "stagecoach: JOB is required\n");
}

TEST_F(ProgramTest, RefusesToDoNothing) {
  EXPECT_EQ(Run({}), 2);

  EXPECT_EQ(err(),
            "stagecoach: name a command: local, check, submit, watch, list, "
            "describe, result, cancel, workers, debug; --help says what they "
            "do\n");
}

TEST_F(ProgramTest, PrintsHelpAndVersionToStdout) {
  EXPECT_EQ(Run({"--version"}), 0);
  EXPECT_EQ(out(), "1.2.3 abc\n");

  EXPECT_EQ(Run({"submit", "--help"}), 0);
  EXPECT_THAT(out(), AllOf(HasSubstr("Usage: stagecoach submit [OPTIONS]"),
                           HasSubstr("--key"), HasSubstr("JOB.yaml"),
                           HasSubstr("stagecoach submit job.yaml --watch")));
  EXPECT_THAT(err(), IsEmpty());
}

TEST_F(ProgramTest, SubmitPrintsTheIdAlone) {
  client_.job = Job(JobState::kQueued);

  EXPECT_EQ(Run({"submit", "job.yaml", "--key=k1", "--coordinator=host:9"}), 0);

  EXPECT_EQ(out(), "job-7\n");
  EXPECT_EQ(address_, "host:9");
  ASSERT_EQ(client_.submitted.size(), 1u);
  EXPECT_EQ(client_.submitted[0].first.name, "a job");
  EXPECT_EQ(client_.submitted[0].second, "k1");
}

TEST_F(ProgramTest, AnErrorAboutAFieldNamesItsLine) {
  client_.error = FieldError("method.dsp.slack", "is -1; must be at least 0");

  EXPECT_EQ(Run({"submit", "job.yaml"}), 2);

  EXPECT_EQ(err(),
            "stagecoach: job.yaml:3: method.dsp.slack: is -1; must be at least "
            "0\n");
}

TEST_F(ProgramTest, AJobFileThatCannotBeReadIsAUsageError) {
  EXPECT_EQ(Run({"submit", "other.yaml"}), 2);

  EXPECT_EQ(err(), "stagecoach: other.yaml: no such file\n");
}

TEST_F(ProgramTest, ExitsWithThreeWhenNobodyAnswers) {
  client_.error = absl::UnavailableError(
      "the coordinator at 127.0.0.1:7070 cannot be reached");

  EXPECT_EQ(Run({"list"}), 3);

  EXPECT_EQ(err(),
            "stagecoach: the coordinator at 127.0.0.1:7070 cannot be "
            "reached\n");
}

TEST_F(ProgramTest, ExitsWithThreeWhenWhoAnswersIsNoCoordinator) {
  client_.error = absl::UnimplementedError("it does not know this call");

  EXPECT_EQ(Run({"list"}), 3);
}

TEST_F(ProgramTest, WatchDoesNotWaitForACoordinatorThatIsNotThere) {
  client_.error = absl::UnavailableError("it cannot be reached");

  EXPECT_EQ(Run({"watch", "job-7"}), 3);

  EXPECT_THAT(client_.watched_after, IsEmpty());
}

TEST_F(ProgramTest, RefusesAnAddressThatIsNone) {
  EXPECT_EQ(Run({"list", "--coordinator=foo"}), 2);

  EXPECT_EQ(err(),
            "stagecoach: --coordinator: 'foo' must be HOST:PORT, the port 1 to "
            "65535; e.g. 127.0.0.1:7070\n");
}

TEST_F(ProgramTest, ExitsWithFiveWhenThereIsNoSuchJob) {
  client_.error = absl::NotFoundError("there is no job 'job-9'");

  EXPECT_EQ(Run({"describe", "job-9"}), 5);
}

TEST_F(ProgramTest, ListsJobsAsATable) {
  client_.jobs = {Job(JobState::kRunning)};

  EXPECT_EQ(Run({"list"}), 0);

  EXPECT_THAT(out(), AllOf(HasSubstr("job    state    step"),
                           HasSubstr("job-7  running  0/0 ")));
}

TEST_F(ProgramTest, ListSaysWhyAJobWaitsOrFailed) {
  client_.jobs = {Job(JobState::kQueued), Job(JobState::kFailed)};
  client_.jobs[0].reason = "needs 3 slots, no worker is here";
  client_.jobs[1].cause = Cause{.kind = "data", .text = "no file"};

  EXPECT_EQ(Run({"list"}), 0);

  EXPECT_THAT(out(), AllOf(HasSubstr("  needs 3 slots, no worker is here\n"),
                           HasSubstr("  no file\n")));
}

TEST_F(ProgramTest, CancelSaysHowFarItIs) {
  client_.job = Job(JobState::kRunning);
  EXPECT_EQ(Run({"cancel", "job-7"}), 0);
  EXPECT_EQ(err(), "job-7 is being cancelled\n");

  client_.job = Job(JobState::kCancelled);
  EXPECT_EQ(Run({"cancel", "job-7", "--output=json"}), 0);
  EXPECT_EQ(Value::parse(out())["state"], "cancelled");
}

TEST_F(ProgramTest, ListsJobsAsOneJsonObject) {
  client_.jobs = {Job(JobState::kRunning)};

  EXPECT_EQ(Run({"list", "--output=json"}), 0);

  const Value parsed = Value::parse(out());
  EXPECT_EQ(parsed["jobs"].size(), 1u);
  EXPECT_EQ(parsed["jobs"][0]["state"], "running");
}

TEST_F(ProgramTest, ResultOfARunningJobSaysHowToWait) {
  client_.job = Job(JobState::kRunning);

  EXPECT_EQ(Run({"result", "job-7"}), 1);

  EXPECT_THAT(err(), HasSubstr("stagecoach watch job-7"));
}

TEST_F(ProgramTest, ResultExitsAsTheJobDid) {
  client_.job = Job(JobState::kSucceeded);
  EXPECT_EQ(Run({"result", "job-7", "--output=json"}), 0);
  EXPECT_EQ(Value::parse(out())["state"], "succeeded");

  client_.job = Job(JobState::kFailed);
  EXPECT_EQ(Run({"result", "job-7"}), 1);
}

TEST_F(ProgramTest, WatchShowsEventsAndEndsAsTheJob) {
  client_.connections = {
      {.messages = {JobEvent{.sequence = 1, .kind = "state", .text = "begun"},
                    Job(JobState::kCancelled)}}};

  EXPECT_EQ(Run({"watch", "job-7"}), 1);

  EXPECT_THAT(out(), AllOf(HasSubstr("begun\n"),
                           HasSubstr("job-7 cancelled after 2.0 s")));
}

TEST_F(ProgramTest, WatchInJsonPrintsOneObjectALine) {
  client_.connections = {
      {.messages = {JobEvent{.sequence = 1, .kind = "state", .text = "begun"},
                    Job(JobState::kSucceeded)}}};

  EXPECT_EQ(Run({"watch", "job-7", "--output=json"}), 0);

  std::istringstream lines(out());
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(Value::parse(line)["event"]["text"], "begun");
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(Value::parse(line)["status"]["state"], "succeeded");
  EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(ProgramTest, AnInterruptedWatchSaysThatTheJobGoesOn) {
  interrupt_.Trigger();
  client_.connections = {{.end = absl::CancelledError("cancelled")}};

  EXPECT_EQ(Run({"watch", "job-7"}), 130);

  EXPECT_THAT(err(), HasSubstr("job-7 goes on"));
}

TEST_F(ProgramTest, DebugPrintsTheMovesOfEachStage) {
  client_.records = {{.job = JobId("job-7"),
                      .generation = Generation(2),
                      .stage = StageIndex(1),
                      .moves = {"forward item 3", "waits for gradient"}}};

  EXPECT_EQ(Run({"debug", "worker-1"}), 0);

  EXPECT_EQ(out(),
            "job-7 stage 1 (generation 2)\n  forward item 3\n  waits for "
            "gradient\n");
}

TEST_F(ProgramTest, ShowsTheWorkers) {
  client_.workers = {{.name = WorkerName("worker-0"),
                      .state = "busy",
                      .address = "127.0.0.1:7071",
                      .device = "cpu",
                      .slots = 2,
                      .free_slots = 1,
                      .jobs = "job-7 stage 0"}};

  EXPECT_EQ(Run({"workers"}), 0);

  EXPECT_THAT(out(), HasSubstr("worker-0  busy   1/2"));
}

}  // namespace
}  // namespace stagecoach
