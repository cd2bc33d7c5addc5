#include "tests/worker/worker_fixture.h"

#include <utility>

#include "core/resolve/resolved_job.h"
#include "tests/support/tiny_job.h"

namespace stagecoach {

TestWorker::TestWorker(const std::string& name, const World& world,
                       Worker::Options options, bool gives_nothing_up)
    : options_(std::move(options)), executor_(world.executor) {
  options_.name = WorkerName(name);
  options_.incarnation = Incarnation(1000 + name.size());
  network_ = world.hub.Join(address());
  data_ = std::make_unique<DataLoader>(DataLoader::Options{.root = "/"},
                                       executor_, executor_);
  Executor& slow =
      gives_nothing_up ? static_cast<Executor&>(stuck_executor_) : executor_;
  worker_ = std::make_unique<Worker>(
      options_,
      Worker::Seams{
          .cluster = cluster,
          .data = *data_,
          .run = {.stage = {.worker = executor_,
                            .slow = slow,
                            .clock = world.clock,
                            .factory = stages},
                  .network = *network_,
                  .make_thread =
                      [&world_executor = world.executor](const std::string&) {
                        return std::make_unique<ForwardingExecutor>(
                            world_executor);
                      }},
          .give_up = [this](const std::string& why) {
            given_up.push_back(why);
          }});
  cluster.Start(*worker_);
}

WorkerFixture::WorkerFixture() { WriteTinyData(folder_.path()); }

Plan WorkerFixture::PlanFor(const std::vector<TestWorker*>& workers,
                            int64_t generation, const std::string& job) {
  const JobSpec spec =
      TinySpec(folder_.path(), static_cast<int64_t>(workers.size()), 2);
  const auto resolved = ResolveJob(ResolveSpec(spec).value(), TinyFacts());
  Plan plan{.job = JobId(job),
            .generation = Generation(generation),
            .spec = resolved.value().spec,
            .facts = TinyFacts()};
  for (size_t stage = 0; stage < workers.size(); ++stage) {
    plan.places.push_back({.stage = StageIndex(static_cast<int>(stage)),
                           .worker = workers[stage]->name(),
                           .incarnation = workers[stage]->incarnation(),
                           .data_address = workers[stage]->address()});
  }
  return plan;
}

}  // namespace stagecoach
