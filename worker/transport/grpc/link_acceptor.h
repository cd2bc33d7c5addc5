#pragma once

#include <grpcpp/completion_queue.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "worker/transport/frame_memory.h"
#include "worker/transport/grpc/data_plane_thread.h"
#include "worker/transport/grpc/exchange_call.h"
#include "worker/transport/rendezvous.h"

namespace stagecoach {

// Answers DataPlaneService.Exchange: takes offers of links and hands those that
// are expected to whoever expects them.
//
// Thread-confined: the data plane thread. Held by shared_ptr, for the calls
// whose offer has not come yet.
class LinkAcceptor : public std::enable_shared_from_this<LinkAcceptor> {
 public:
  struct Options {
    std::string address;  // where ends of this worker expect
    // A caller that has not made its offer by then is sent away.
    absl::Duration offer_timeout;
    // Callers that have not made their offer yet; more are refused.
    int max_waiting_callers = 64;
    absl::Duration flush_timeout;
  };

  // `service` and `memory` outlive it.
  LinkAcceptor(Options options, RawDataPlaneService& service,
               grpc::ServerCompletionQueue& queue,
               std::shared_ptr<DataPlaneThread> thread,
               std::shared_ptr<Rendezvous> rendezvous, FrameMemory& memory);

  // Takes callers from now on, until the server stops. The first time before
  // the thread starts.
  void AcceptNext();

 private:
  struct Caller;

  void OnCaller(const std::shared_ptr<Caller>& caller);
  void OnOffer(const std::shared_ptr<Caller>& caller, bool ok);
  void Take(const std::shared_ptr<Caller>& caller, Rendezvous::End end);
  void Refuse(const std::shared_ptr<Caller>& caller, const absl::Status& why);

  const Options options_;
  RawDataPlaneService& service_;
  grpc::ServerCompletionQueue& queue_;
  const std::shared_ptr<DataPlaneThread> thread_;
  const std::shared_ptr<Rendezvous> rendezvous_;
  FrameMemory& memory_;
  int waiting_callers_ = 0;
};

}  // namespace stagecoach
