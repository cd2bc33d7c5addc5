#include "client/follow.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_job_client.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;

class RecordingView final : public JobView {
 public:
  void OnEvent(const JobEvent& event) override { seen.push_back(event.text); }
  void OnStatus(const JobStatus& status) override {
    seen.push_back(absl::StrCat("step ", status.step));
  }
  void OnEnd(const JobStatus&) override { seen.push_back("end"); }

  std::vector<std::string> seen;
};

JobEvent Event(int64_t sequence, const std::string& text) {
  return {.sequence = sequence, .kind = "state", .text = text};
}

JobStatus At(int64_t step, JobState state = JobState::kRunning) {
  return {.id = JobId("job-1"), .state = state, .step = step};
}

TEST(FollowTest, ReturnsTheLastStatusOfAJobThatEnds) {
  FakeJobClient client;
  client.connections = {
      {.messages = {Event(1, "begun"), At(5), At(9, JobState::kSucceeded)}}};
  RecordingView view;
  Interrupt interrupt;

  SC_ASSERT_OK_AND_ASSIGN(const JobStatus last,
                          Follow(client, JobId("job-1"), view, interrupt));

  EXPECT_EQ(last.step, 9);
  EXPECT_THAT(view.seen, ElementsAre("begun", "step 5", "step 9", "end"));
}

TEST(FollowTest, GoesOnWhereALostConnectionEnded) {
  FakeJobClient client;
  client.connections = {
      {.messages = {Event(1, "begun"), Event(2, "running"), At(5)},
       .end = absl::UnavailableError("gone")},
      {.messages = {Event(3, "done"), At(9, JobState::kFailed)}}};
  RecordingView view;
  Interrupt interrupt;

  SC_ASSERT_OK_AND_ASSIGN(const JobStatus last,
                          Follow(client, JobId("job-1"), view, interrupt));

  EXPECT_EQ(last.state, JobState::kFailed);
  EXPECT_THAT(client.watched_after, ElementsAre(0, 2));
}

TEST(FollowTest, GoesOnWhenTheCoordinatorCancelsTheCall) {
  FakeJobClient client;
  client.connections = {
      {.messages = {At(5)}, .end = absl::CancelledError("stopping")},
      {.messages = {At(9, JobState::kSucceeded)}}};
  RecordingView view;
  Interrupt interrupt;

  EXPECT_THAT(Follow(client, JobId("job-1"), view, interrupt), IsOk());
}

TEST(FollowTest, DoesNotTryAgainWhenThereIsNoSuchJob) {
  FakeJobClient client;
  client.connections = {{.end = absl::NotFoundError("no job-1")}};
  RecordingView view;
  Interrupt interrupt;

  EXPECT_THAT(Follow(client, JobId("job-1"), view, interrupt),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST(FollowTest, EndsWhenTheUserInterrupts) {
  FakeJobClient client;
  client.connections = {
      {.messages = {At(5)}, .end = absl::CancelledError("cancelled")}};
  RecordingView view;
  Interrupt interrupt;
  interrupt.Trigger();

  EXPECT_THAT(Follow(client, JobId("job-1"), view, interrupt),
              StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace stagecoach
