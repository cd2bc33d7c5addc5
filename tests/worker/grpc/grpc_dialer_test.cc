#include "worker/grpc/grpc_dialer.h"

#include <grpcpp/support/server_callback.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "core/base/mutex.h"
#include "core/grpc/convert_session.h"
#include "core/grpc/server.h"
#include "core/grpc/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "stagecoach/v1/session.grpc.pb.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::HasSubstr;

// The coordinator's end of one stream: answers the hello with a welcome and
// each report with an acknowledgement and an order to stop; ends when a log
// line says "end".
class Reactor final : public grpc::ServerBidiReactor<v1::WorkerMessage,
                                                     v1::CoordinatorMessage> {
 public:
  Reactor() { StartRead(&incoming_); }

  void OnReadDone(bool ok) override {
    if (!ok) return Finish(grpc::Status::OK);
    outgoing_.Clear();
    if (incoming_.has_hello()) {
      outgoing_.mutable_welcome()->set_last_report(
          incoming_.hello().last_order());
    } else if (incoming_.has_renewal()) {
      outgoing_.mutable_acknowledgement()->set_last_report(
          incoming_.renewal().last_order());
    } else if (incoming_.report().log_line().text() == "end") {
      return Finish(ToGrpc(absl::AbortedError("a newer process has the name")));
    } else {
      const StopStages order{JobId(incoming_.report().log_line().job()),
                             Generation(3), "as told"};
      *outgoing_.mutable_order() =
          ToProto(Order(order), incoming_.report().serial());
    }
    StartWrite(&outgoing_);
  }
  void OnWriteDone(bool ok) override {
    if (ok) StartRead(&incoming_);
  }
  void OnDone() override { delete this; }

 private:
  v1::WorkerMessage incoming_;
  v1::CoordinatorMessage outgoing_;
};

class Service final : public v1::SessionService::CallbackService {
 public:
  grpc::ServerBidiReactor<v1::WorkerMessage, v1::CoordinatorMessage>* Session(
      grpc::CallbackServerContext*) override {
    return new Reactor;
  }
};

class GrpcDialerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto server = Server::Start({}, {&service_});
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
    address_ = absl::StrCat("127.0.0.1:", server_->port());
    stream_ = GrpcDialer(address_).Open(
        {.welcomed =
             [this](int64_t last) { Say(absl::StrCat("welcome ", last)); },
         .acknowledged =
             [this](int64_t last) { Say(absl::StrCat("acknowledged ", last)); },
         .ordered =
             [this](int64_t serial, const absl::StatusOr<Order>& order) {
               const auto& stop = std::get<StopStages>(order.value());
               Say(absl::StrCat("order ", serial, ": stop ", stop.job.value()));
             },
         .ended = [this](absl::Status why) { Say(why.ToString()); }});
  }

  // The server goes first: the stream then has ended.
  void TearDown() override {
    stream_->Cancel();
    server_->Shutdown(absl::Seconds(5));
    server_.reset();
    while (!ended_) Next();
  }

  void Say(std::string word) {
    const MutexLock lock(mutex_);
    words_.push_back(std::move(word));
  }

  // What the stream brought next.
  std::string Next() {
    const MutexLock lock(mutex_);
    const auto some = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return !words_.empty();
    };
    if (!mutex_.AwaitWithTimeout(absl::Condition(&some), absl::Minutes(1))) {
      ADD_FAILURE() << "the stream brings nothing more";
      ended_ = true;
      return "nothing";
    }
    std::string word = std::move(words_.front());
    words_.pop_front();
    ended_ = word.find(':') != std::string::npos &&
             word.find("order") == std::string::npos;
    return word;
  }

  Service service_;
  std::unique_ptr<Server> server_;
  std::string address_;
  Mutex mutex_;
  std::deque<std::string> words_ ABSL_GUARDED_BY(mutex_);
  bool ended_ = false;
  std::shared_ptr<CoordinatorStream> stream_;
};

TEST_F(GrpcDialerTest, CarriesHelloAndWelcome) {
  stream_->SayHello({.name = WorkerName("a"), .last_order = 17});

  EXPECT_EQ(Next(), "welcome 17");
}

TEST_F(GrpcDialerTest, CarriesRenewalsReportsAndOrdersInOrder) {
  stream_->SayHello({.name = WorkerName("a")});
  stream_->Renew(4);
  stream_->Send(9, LogLine{JobId("job-1"), "a line"});

  EXPECT_EQ(Next(), "welcome 0");
  EXPECT_EQ(Next(), "acknowledged 4");
  EXPECT_EQ(Next(), "order 9: stop job-1");
}

TEST_F(GrpcDialerTest, TellsWithWhichErrorTheCoordinatorEndsIt) {
  stream_->SayHello({.name = WorkerName("a")});
  stream_->Send(1, LogLine{JobId("job-1"), "end"});

  EXPECT_EQ(Next(), "welcome 0");
  EXPECT_EQ(Next(), "ABORTED: a newer process has the name");
}

TEST_F(GrpcDialerTest, TellsThatTheCoordinatorIsGone) {
  stream_->SayHello({.name = WorkerName("a")});
  EXPECT_EQ(Next(), "welcome 0");

  server_->Shutdown(absl::ZeroDuration());

  EXPECT_THAT(Next(), HasSubstr(address_));
}

TEST_F(GrpcDialerTest, DropsWhatIsSaidAfterItsEnd) {
  stream_->SayHello({.name = WorkerName("a")});
  EXPECT_EQ(Next(), "welcome 0");
  stream_->Cancel();
  EXPECT_THAT(Next(), HasSubstr("CANCELLED"));

  stream_->Send(1, LogLine{JobId("job-1"), "too late"});

  EXPECT_TRUE(ended_);
}

// The thread that tells of the end is gRPC's, and the last to hold the stream
// and with it the channel.
TEST(GrpcDialerLifeTest, TheStreamMayBeTheLastThatHoldsTheChannel) {
  absl::Notification ending;
  absl::Notification let_go;
  absl::Notification gone;
  const auto nothing = [](int64_t) {};
  std::shared_ptr<CoordinatorStream> stream =
      GrpcDialer("127.0.0.1:1")
          .Open({.welcomed = nothing,
                 .acknowledged = nothing,
                 .ordered = [](int64_t, const absl::StatusOr<Order>&) {},
                 .ended =
                     [&, life = std::shared_ptr<void>(nullptr, [&](void*) {
                           gone.Notify();
                         })](absl::Status) {
                       ending.Notify();
                       let_go.WaitForNotification();
                     }});
  ending.WaitForNotification();
  stream.reset();

  let_go.Notify();

  EXPECT_TRUE(gone.WaitForNotificationWithTimeout(absl::Minutes(1)));
  // A later one finds gRPC's threads at work.
  absl::Notification ended;
  const auto again =
      GrpcDialer("127.0.0.1:1")
          .Open({.welcomed = nothing,
                 .acknowledged = nothing,
                 .ordered = [](int64_t, const absl::StatusOr<Order>&) {},
                 .ended = [&](absl::Status) { ended.Notify(); }});
  EXPECT_TRUE(ended.WaitForNotificationWithTimeout(absl::Minutes(1)));
}

}  // namespace
}  // namespace stagecoach
