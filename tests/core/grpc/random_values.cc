#include "tests/core/grpc/random_values.h"

namespace stagecoach {

Value RandomValues::AnyValue(int depth) {
  switch (Below(depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return Boolean();
    case 2:
      return Integer() * (Boolean() ? 1 : -1);
    case 3:
      return Number();
    case 4:
      return Text();
    case 5: {
      Value list = Value::array();
      while (Boolean()) list.push_back(AnyValue(depth - 1));
      return list;
    }
    default: {
      Value map = Value::object();
      while (Boolean()) map[Text()] = AnyValue(depth - 1);
      return map;
    }
  }
}

Choice RandomValues::AnyChoice() {
  Choice choice = {.name = Text()};
  while (Boolean()) choice.parameters[Text()] = AnyValue();
  return choice;
}

JobSpec RandomValues::AnySpec() {
  JobSpec spec = {.name = Text(),
                  .seed = static_cast<uint64_t>(Integer()) << 11,
                  .model = AnyChoice(),
                  .data = {.source = AnyChoice(), .batch_size = Integer()},
                  .method = AnyChoice(),
                  .stages = Integer(),
                  .partition = {.method = Text()},
                  .optimizer = AnyChoice(),
                  .learning_rate = {.base = Number(), .schedule = AnyChoice()},
                  .epochs = Integer(),
                  .memory_format = Text(),
                  .evaluate_every = Text(),
                  .resources = {.device = Text(), .threads = Integer()}};
  while (Boolean()) spec.data.augment.push_back(AnyChoice());
  while (Boolean()) spec.partition.cuts.push_back(Integer());
  return spec;
}

DataFacts RandomValues::AnyFacts() {
  return {.sample = {Integer(), Integer(), Integer()},
          .train_samples = Integer(),
          .test_samples = Integer(),
          .classes = Integer()};
}

Plan RandomValues::AnyPlan() {
  Plan plan = {.job = Job(),
               .generation = AnyGeneration(),
               .spec = AnySpec(),
               .facts = AnyFacts()};
  while (Boolean()) {
    plan.places.push_back(
        {.stage = StageIndex(static_cast<int>(Below(100))),
         .worker = WorkerName(Text()),
         .incarnation = Incarnation(static_cast<uint64_t>(Integer()) << 11),
         .data_address = Text()});
  }
  return plan;
}

Cause RandomValues::AnyCause() {
  return {.kind = Text(),
          .stage = Boolean() ? -1 : static_cast<int>(Below(100)),
          .step = Boolean() ? -1 : Integer(),
          .item = Boolean() ? -1 : Integer(),
          .text = Text()};
}

StageStatus RandomValues::AnyStage() {
  return {.stage = StageIndex(static_cast<int>(Below(100))),
          .worker = WorkerName(Text()),
          .first_unit = Integer(),
          .end_unit = Integer(),
          .parameters = Integer(),
          .version = Integer(),
          .applied = Integer(),
          .staleness = {.minimum = Integer(),
                        .maximum = Integer(),
                        .last = Integer(),
                        .after_fill = Integer(),
                        .violations = Integer()},
          .stored_inputs_peak = Integer(),
          .seconds = Number(),
          .busy = Number(),
          .waiting_input = Number(),
          .waiting_gradient = Number(),
          .waiting_credit = Number(),
          .waiting_data = Number(),
          .waiting_for = Text(),
          .peak_memory_bytes = Integer()};
}

TrainingFigures RandomValues::AnyFigures() {
  return {.samples = Integer(),
          .epoch_loss = Number(),
          .last_loss = Number(),
          .accuracy = Number(),
          .samples_per_second = Number(),
          .training_seconds = Number()};
}

Evaluation RandomValues::AnyEvaluation() {
  return {.version = Integer(),
          .loss = Number(),
          .accuracy = Number(),
          .samples = Integer()};
}

JobStatus RandomValues::AnyJobStatus() {
  JobStatus status = {.id = Job(),
                      .name = Text(),
                      .state = static_cast<JobState>(Below(7)),
                      .reason = Text(),
                      .submitted = Time(),
                      .generation = AnyGeneration(),
                      .step = Integer(),
                      .steps = Integer(),
                      .steps_per_epoch = Integer(),
                      .recoveries = Integer(),
                      .training = AnyFigures(),
                      .weights_digest = Text(),
                      .spec_digest = Text(),
                      .build = Text()};
  if (Boolean()) status.cause = AnyCause();
  if (Boolean()) status.started = Time();
  if (Boolean()) status.finished = Time();
  if (Boolean()) status.last_evaluation = AnyEvaluation();
  if (Boolean()) status.best_evaluation = AnyEvaluation();
  while (Boolean()) status.stages.push_back(AnyStage());
  return status;
}

JobEvent RandomValues::AnyEvent() {
  return {
      .sequence = Integer(), .time = Time(), .kind = Text(), .text = Text()};
}

WorkerStatus RandomValues::AnyWorkerStatus() {
  return {.name = WorkerName(Text()),
          .state = Text(),
          .address = Text(),
          .device = Text(),
          .build = Text(),
          .slots = static_cast<int>(Below(100)),
          .free_slots = static_cast<int>(Below(100)),
          .memory_bytes = Integer(),
          .jobs = Text()};
}

Hello RandomValues::AnyHello() {
  Hello hello = {
      .name = WorkerName(Text()),
      .incarnation = Incarnation(static_cast<uint64_t>(Integer()) << 11),
      .protocol = static_cast<int>(Below(100)),
      .build = Text(),
      .slots = static_cast<int>(Below(100)),
      .memory_bytes = Integer(),
      .device = Text(),
      .data_address = Text(),
      .last_order = Integer()};
  while (Boolean()) hello.registries[Text()] = {Text(), Text()};
  while (Boolean()) {
    hello.running.push_back({.job = Job(),
                             .generation = AnyGeneration(),
                             .stage = StageIndex(static_cast<int>(Below(100))),
                             .version = Integer()});
  }
  return hello;
}

}  // namespace stagecoach
