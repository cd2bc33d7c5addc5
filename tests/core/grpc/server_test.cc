#include "core/grpc/server.h"

#include "core/grpc/channel.h"
#include "core/grpc/status.h"
#include "gtest/gtest.h"
#include "stagecoach/v1/jobs.grpc.pb.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;

// Answers Cancel with an error and never answers Describe.
class TestService final : public v1::JobService::CallbackService {
 public:
  grpc::ServerUnaryReactor* Cancel(grpc::CallbackServerContext* context,
                                   const v1::CancelRequest* request,
                                   v1::CancelResponse*) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(ToGrpc(absl::NotFoundError("no job " + request->job())));
    return reactor;
  }

  grpc::ServerUnaryReactor* Describe(grpc::CallbackServerContext*,
                                     const v1::DescribeRequest*,
                                     v1::DescribeResponse*) override {
    class Silent final : public grpc::ServerUnaryReactor {
      void OnCancel() override { Finish(grpc::Status::CANCELLED); }
      void OnDone() override { delete this; }
    };
    return new Silent;
  }
};

class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    SC_ASSERT_OK_AND_ASSIGN(server_, Server::Start({}, {&service_}));
    channel_ = MakeChannel(JoinHostPort("127.0.0.1", server_->port()));
    stub_ = v1::JobService::NewStub(channel_);
  }

  TestService service_;
  std::unique_ptr<Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::JobService::Stub> stub_;
};

TEST_F(ServerTest, AnswersOnTheFreePortThatItTook) {
  ASSERT_GT(server_->port(), 0);
  ASSERT_THAT(WaitUntilConnected(*channel_, absl::Seconds(20), "server"),
              IsOk());

  grpc::ClientContext context;
  SetDeadline(context, absl::Seconds(20));
  v1::CancelRequest request;
  request.set_job("job-9");
  v1::CancelResponse response;
  const grpc::Status status = stub_->Cancel(&context, request, &response);

  EXPECT_THAT(FromGrpc(status, "server"),
              StatusIs(absl::StatusCode::kNotFound, "no job job-9"));
}

TEST_F(ServerTest, RefusesAPortThatIsTaken) {
  const auto second = Server::Start({.port = server_->port()}, {});

  EXPECT_THAT(second, StatusIs(absl::StatusCode::kUnavailable,
                               HasSubstr("is taken by another program")));
}

TEST_F(ServerTest, RefusesAnAddressThatIsNotHere) {
  const auto elsewhere = Server::Start({.host = "192.0.2.1"}, {});

  EXPECT_THAT(elsewhere, StatusIs(absl::StatusCode::kInvalidArgument,
                                  HasSubstr("no address 192.0.2.1")));
}

TEST_F(ServerTest, CancelsWhatStillRunsWhenItShutsDown) {
  ASSERT_THAT(WaitUntilConnected(*channel_, absl::Seconds(20), "server"),
              IsOk());
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  v1::DescribeResponse response;
  grpc::Status status;
  auto call = stub_->AsyncDescribe(&context, {}, &queue);
  call->Finish(&response, &status, nullptr);

  server_->Shutdown(absl::ZeroDuration());
  void* tag = nullptr;
  bool ok = false;
  ASSERT_TRUE(queue.Next(&tag, &ok));

  EXPECT_FALSE(status.ok());
  queue.Shutdown();
  EXPECT_FALSE(queue.Next(&tag, &ok));
}

TEST_F(ServerTest, LeavesItsPortWhenItIsGone) {
  const int port = server_->port();
  server_.reset();

  EXPECT_THAT(Server::Start({.port = port}, {}), IsOk());
}

TEST_F(ServerTest, ReportsInWordsThatNobodyListens) {
  const int port = server_->port();
  server_.reset();
  const auto channel = MakeChannel(JoinHostPort("127.0.0.1", port));

  EXPECT_THAT(WaitUntilConnected(*channel, absl::Milliseconds(50), "nobody"),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("nobody cannot be reached")));
}

TEST(JoinHostPortTest, PutsBracketsAroundIpv6) {
  EXPECT_EQ(JoinHostPort("127.0.0.1", 7070), "127.0.0.1:7070");
  EXPECT_EQ(JoinHostPort("::1", 7070), "[::1]:7070");
  EXPECT_EQ(JoinHostPort("[::1]", 7070), "[::1]:7070");
}

}  // namespace
}  // namespace stagecoach
