#include "tests/simulation/simulated_coordinator.h"

#include "core/base/check.h"

namespace stagecoach {

SimulatedCoordinator::SimulatedCoordinator(const World& world)
    : executor_(std::make_unique<SimulatedExecutor>(world.common, world.clock,
                                                    world.chance, alive_)),
      journal_(std::make_unique<SimulatedExecutor>(world.common, world.clock,
                                                   world.chance, alive_)) {
  auto coordinator = Coordinator::Start(
      {}, {.clock = world.clock,
           .executor = *executor_,
           .store = world.store,
           .journal_executor = *journal_,
           .metrics = metrics_,
           .on_failure = [](const absl::Status& why) {
             SC_CHECK(why.ok(), "the simulated disk does not fail");
           }});
  SC_CHECK(coordinator.ok(), "the simulated store can be read");
  coordinator_ = *std::move(coordinator);
}

// The executors go before what their tasks use.
SimulatedCoordinator::~SimulatedCoordinator() {
  journal_.reset();
  executor_.reset();
}

}  // namespace stagecoach
