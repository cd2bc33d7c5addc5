#include "coordinator/preflight.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/base/suggest.h"

namespace stagecoach {
namespace {

// One name that a worker's registry must hold.
struct Need {
  std::string registry;
  std::string name;
};

std::vector<Need> NeedsOf(const JobSpec& spec) {
  return {{"method", spec.method.name},
          {"optimizer", spec.optimizer.name},
          {"learning_rate", spec.learning_rate.schedule.name}};
}

std::vector<Need> DataNeedsOf(const JobSpec& spec) {
  std::vector<Need> needs = {{"data", spec.data.source.name}};
  for (const Choice& augmentation : spec.data.augment) {
    needs.push_back({"augmentation", augmentation.name});
  }
  return needs;
}

void AddLayers(absl::Span<const PlacedLayer> layers,
               std::set<std::string>& to) {
  for (const PlacedLayer& layer : layers) {
    to.insert(layer.type);
    AddLayers(layer.body, to);
    AddLayers(layer.shortcut, to);
  }
}

Cause Invalid(int stage, const std::string& text) {
  return {.kind = "invalid", .stage = stage, .text = text};
}

std::optional<Cause> CheckNeed(const Need& need, const Hello& worker,
                               int stage) {
  const auto registry = worker.registries.find(need.registry);
  const std::vector<std::string> known = registry == worker.registries.end()
                                             ? std::vector<std::string>()
                                             : registry->second;
  if (std::find(known.begin(), known.end(), need.name) != known.end()) {
    return std::nullopt;
  }
  return Invalid(
      stage, absl::StrCat(need.registry, " \"", need.name,
                          "\" is not built into worker ", worker.name.value(),
                          Suggestion(need.name, known)));
}

std::optional<Cause> CheckDevice(const std::string& device, const Hello& worker,
                                 int stage) {
  // Every worker has a CPU.
  if (device == "cpu" || device == worker.device) return std::nullopt;
  return Invalid(stage, absl::StrCat("resources.device: ", device, ": worker ",
                                     worker.name.value(), " has ",
                                     worker.device, "; use cpu"));
}

std::optional<Cause> CheckBuild(const Hello& first, const Hello& worker,
                                int stage) {
  if (worker.build == first.build) return std::nullopt;
  return Invalid(
      stage,
      absl::StrCat("worker ", worker.name.value(), " is of build ",
                   worker.build, ", worker ", first.name.value(), " of build ",
                   first.build, "; a job runs on workers of one build"));
}

std::string MiB(int64_t bytes) {
  return absl::StrCat((bytes + (1 << 20) - 1) >> 20, " MiB");
}

}  // namespace

std::optional<Cause> CheckNames(const JobSpec& spec,
                                absl::Span<const Hello* const> workers) {
  for (size_t stage = 0; stage < workers.size(); ++stage) {
    const Hello& worker = *workers[stage];
    const int index = static_cast<int>(stage);
    std::vector<Need> needs = NeedsOf(spec);
    if (stage == 0) {
      const std::vector<Need> data = DataNeedsOf(spec);
      needs.insert(needs.end(), data.begin(), data.end());
    }
    for (const Need& need : needs) {
      if (auto cause = CheckNeed(need, worker, index)) return cause;
    }
    if (auto cause = CheckDevice(spec.resources.device, worker, index)) {
      return cause;
    }
    if (auto cause = CheckBuild(*workers[0], worker, index)) return cause;
  }
  return std::nullopt;
}

std::optional<Cause> CheckStages(const ResolvedJob& job,
                                 absl::Span<const Hello* const> workers) {
  std::map<const Hello*, int64_t> needed;
  for (int stage = 0; stage < job.num_stages(); ++stage) {
    const Hello& worker = *workers[static_cast<size_t>(stage)];
    std::set<std::string> layers;
    AddLayers(job.UnitsOf(stage), layers);
    for (const std::string& layer : layers) {
      if (auto cause = CheckNeed({"layer", layer}, worker, stage)) return cause;
    }
    int64_t& bytes = needed[&worker];
    bytes += MemoryOf(job, stage).total();
    if (bytes <= worker.memory_bytes) continue;
    return Cause{
        .kind = "memory",
        .stage = stage,
        .text = absl::StrCat(
            "worker ", worker.name.value(), " has ", MiB(worker.memory_bytes),
            " for stages, and stage ", stage, " brings its need to ",
            MiB(bytes), "; use more stages, a smaller data.batch_size or a ",
            "larger --memory-limit")};
  }
  return std::nullopt;
}

}  // namespace stagecoach
