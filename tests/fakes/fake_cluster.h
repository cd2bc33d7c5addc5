#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "worker/cluster.h"

namespace stagecoach {

// A coordinator's end that keeps what it is sent and says what the test wants.
//
// Thread-confined, as Cluster is.
class FakeCluster final : public Cluster {
 public:
  void Start(ClusterListener& listener) override { listener_ = &listener; }
  void Send(Report report) override { reports_.push_back(std::move(report)); }
  bool connected() const override { return listener_ != nullptr; }

  // Gives the worker an order; from the executor's thread.
  void Give(const Order& order) { listener_->OnOrder(order); }

  // What a hello would say of the stages at work.
  std::vector<RunningStage> Running() const { return listener_->Running(); }

  // The reports of one kind so far, which are forgotten.
  template <typename Kind>
  std::vector<Kind> Take() {
    std::vector<Kind> taken;
    std::vector<Report> rest;
    for (Report& report : reports_) {
      if (auto* one = std::get_if<Kind>(&report)) {
        taken.push_back(std::move(*one));
      } else {
        rest.push_back(std::move(report));
      }
    }
    reports_ = std::move(rest);
    return taken;
  }

  // All reports so far, in order, which are forgotten.
  std::vector<Report> TakeAll() { return std::exchange(reports_, {}); }

 private:
  ClusterListener* listener_ = nullptr;
  std::vector<Report> reports_;
};

}  // namespace stagecoach
