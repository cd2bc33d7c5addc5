#pragma once

#include <vector>

#include "core/session/order.h"
#include "core/session/report.h"

namespace stagecoach {

// What the coordinator's end of the session asks of a worker. Called on the
// worker's executor, never from inside a call on Cluster.
class ClusterListener {
 public:
  virtual ~ClusterListener() = default;

  // The stages at work now; asked for whenever the worker says hello.
  virtual std::vector<RunningStage> Running() const = 0;

  virtual void OnOrder(const Order& order) = 0;
};

// What a worker needs of its coordinator: a session that comes back by itself
// for as long as the process lives. A coordinator that is away is no error:
// training goes on, and reports wait.
//
// Thread-confined to the worker's executor, but for connected().
class Cluster {
 public:
  virtual ~Cluster() = default;

  // Begins to connect, for ever. Once; `listener` outlives the cluster.
  virtual void Start(ClusterListener& listener) = 0;

  // Sends the report as soon as there is a session, and again after a lost
  // one until the coordinator has acknowledged it. Progress that waits is
  // replaced by newer progress of its stage.
  virtual void Send(Report report) = 0;

  // Whether the coordinator has answered the hello of the present session.
  // Thread-safe.
  virtual bool connected() const = 0;
};

}  // namespace stagecoach
