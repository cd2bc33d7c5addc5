#include "core/grpc/status.h"

#include <string>

#include "core/base/field_error.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kPeer[] = "the coordinator at 127.0.0.1:7070";

TEST(GrpcStatusTest, KeepsEveryCodeAndText) {
  for (int code = 0; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "why");

    EXPECT_EQ(FromGrpc(ToGrpc(status), kPeer), status) << code;
  }
}

TEST(GrpcStatusTest, KeepsTheFieldThatAnErrorIsAbout) {
  const absl::Status status = FieldError("optimizer.sgd.momentum", "is 2");

  const absl::Status received = FromGrpc(ToGrpc(status), kPeer);

  EXPECT_EQ(received, status);
  EXPECT_EQ(FieldOf(received), "optimizer.sgd.momentum");
}

TEST(GrpcStatusTest, SaysInWordsThatAPeerCannotBeReached) {
  const grpc::Status refused(grpc::StatusCode::UNAVAILABLE,
                             "failed to connect to all addresses");

  EXPECT_THAT(FromGrpc(refused, kPeer),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("the coordinator at 127.0.0.1:7070 cannot be "
                                 "reached")));
}

TEST(GrpcStatusTest, GivesTheReasonInTheSystemsWords) {
  const std::pair<const char*, const char*> cases[] = {
      {"failed to connect to all addresses; last error: UNKNOWN: "
       "ipv4:127.0.0.1:1: Failed to connect to remote host: Connection refused",
       "Connection refused"},
      {"DNS resolution failed for foo:1: C-ares status is not ARES_SUCCESS "
       "qtype=A name=foo is_balancer=0: Domain name not found",
       "Domain name not found"},
      {"failed to connect to all addresses; last error: UNAVAILABLE: "
       "ipv4:127.0.0.1:80: Failed parsing HTTP/2",
       "another program answers there"},
      {"recvmsg:Connection reset by peer", "Connection reset by peer"},
      {"Socket closed", "Socket closed"},
  };
  for (const auto& [text, reason] : cases) {
    EXPECT_EQ(
        FromGrpc(grpc::Status(grpc::StatusCode::UNAVAILABLE, text), kPeer),
        absl::UnavailableError("the coordinator at 127.0.0.1:7070 cannot be "
                               "reached (" +
                               std::string(reason) + ")"));
  }
}

TEST(GrpcStatusTest, SaysInWordsWhatElseGrpcReports) {
  const auto words = [](grpc::StatusCode code) {
    return std::string(
        FromGrpc(grpc::Status(code, "Deadline Exceeded"), kPeer).message());
  };

  EXPECT_THAT(words(grpc::StatusCode::DEADLINE_EXCEEDED),
              HasSubstr("did not answer in time"));
  EXPECT_THAT(words(grpc::StatusCode::UNIMPLEMENTED),
              HasSubstr("another version"));
  EXPECT_THAT(words(grpc::StatusCode::CANCELLED), HasSubstr("was cancelled"));
  EXPECT_THAT(words(grpc::StatusCode::INTERNAL), HasSubstr("failed"));
}

TEST(GrpcStatusTest, DoesNotMixUpAPeersUnavailableWithNoPeer) {
  const absl::Status draining = absl::UnavailableError("is draining");

  EXPECT_THAT(std::string(FromGrpc(ToGrpc(draining), kPeer).message()),
              Not(HasSubstr("cannot be reached")));
}

TEST(GrpcStatusTest, CutsTextsThatDoNotFitAHeader) {
  absl::Status status = FieldError("name", std::string(100'000, 'x'));
  status.SetPayload("large", absl::Cord(std::string(100'000, 'y')));

  const grpc::Status sent = ToGrpc(status);

  EXPECT_EQ(sent.error_message().size(), 2048u);
  EXPECT_LE(sent.error_details().size(), 4096u);
  EXPECT_EQ(FromGrpc(sent, kPeer).code(), absl::StatusCode::kInvalidArgument);
}

TEST(GrpcStatusTest, LosesNothingInsideAMessage) {
  absl::Status status = FieldError("name", std::string(100'000, 'x'));

  EXPECT_EQ(FromProto(ToProto(status)), status);
  EXPECT_EQ(FromProto(ToProto(absl::OkStatus())), absl::OkStatus());
}

}  // namespace
}  // namespace stagecoach
