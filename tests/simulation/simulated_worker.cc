#include "tests/simulation/simulated_worker.h"

#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/model/layer.h"
#include "core/model/zoo.h"
#include "core/optimizer/learning_rate.h"
#include "core/optimizer/optimizer.h"

namespace stagecoach {
namespace {

Hello HelloOf(const std::string& name, const std::string& address,
              Random& random) {
  return {.name = WorkerName(name),
          .incarnation = Incarnation(random.Next()),
          .build = "simulated",
          .slots = 2,
          .memory_bytes = int64_t{1} << 30,
          .device = "cpu",
          .data_address = address,
          .registries = {{"method", Methods().Names()},
                         {"optimizer", Optimizers().Names()},
                         {"layer", LayerTypes().Names()},
                         {"model", ZooModels().Names()},
                         {"data", DataSources().Names()},
                         {"learning_rate", LearningRates().Names()}}};
}

}  // namespace

SimulatedWorker::SimulatedWorker(const std::string& name, const World& world)
    : world_(world),
      // Another life listens at another port.
      address_(absl::StrCat(name, ":", world.chance.random.Next() % 50000)),
      network_(world.hub.Join(address_)),
      dialer_({.common = world.common,
               .clock = world.clock,
               .chance = world.chance,
               .coordinator = world.coordinator}),
      executor_(NewThread()),
      slow_(NewThread()),
      data_({.root = "/"}, *executor_, *slow_) {
  const Hello hello = HelloOf(name, address_, world.chance.random);
  session_ = std::make_unique<WorkerSession>(
      WorkerSession::Options{.hello = hello}, dialer_, *executor_,
      world.chance.random, [](const absl::Status& why) {
        SC_CHECK(why.ok(), "the coordinator refuses no simulated worker");
      });
  worker_ = std::make_unique<Worker>(
      Worker::Options{.name = hello.name,
                      .incarnation = hello.incarnation,
                      .slots = hello.slots,
                      .memory_bytes = hello.memory_bytes},
      Worker::Seams{
          .cluster = *session_,
          .data = data_,
          .run = {.stage = {.worker = *executor_,
                            .slow = *slow_,
                            .clock = world.clock,
                            .factory = stages_},
                  .network = *network_,
                  .make_thread =
                      [this](const std::string&) { return NewThread(); }},
          .give_up = [](const std::string&) {
            SC_CHECK(false, "every stage stops in time");
          }});
  executor_->Post([this] { session_->Start(*worker_); });
}

// The executors go before what their tasks use.
SimulatedWorker::~SimulatedWorker() {
  session_->Close();
  slow_.reset();
  executor_.reset();
}

std::unique_ptr<SimulatedExecutor> SimulatedWorker::NewThread() const {
  return std::make_unique<SimulatedExecutor>(world_.common, world_.clock,
                                             world_.chance, alive_);
}

void SimulatedWorker::Kill() {
  *alive_ = false;
  dialer_.Break(absl::UnavailableError("the process was killed"));
  world_.hub.Sever(address_);
}

void SimulatedWorker::BreakSession() {
  dialer_.Break(absl::UnavailableError("the cable was pulled"));
}

}  // namespace stagecoach
