#pragma once

#include <deque>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client/job_client.h"

namespace stagecoach {

// A coordinator as the test describes it: it answers with what the fields say.
//
// Thread-confined.
class FakeJobClient final : public JobClient {
 public:
  // What one connection of Watch() brings, and how it ends.
  struct Connection {
    std::vector<std::variant<JobEvent, JobStatus>> messages;
    absl::Status end;
  };

  absl::Status error;  // of every call but Watch(), unless OK
  JobStatus job;       // what calls about one job answer
  JobSpec spec;
  std::vector<JobStatus> jobs;
  std::vector<WorkerStatus> workers;
  std::vector<FlightRecord> records;
  std::deque<Connection> connections;  // one for each call of Watch()

  // What was asked.
  std::vector<std::pair<JobSpec, std::string>> submitted;  // with its key
  std::vector<JobId> cancelled;
  std::vector<int64_t> watched_after;

  absl::StatusOr<JobStatus> Submit(const JobSpec& submitted_spec,
                                   const std::string& key) override {
    submitted.emplace_back(submitted_spec, key);
    if (!error.ok()) return error;
    return job;
  }

  absl::StatusOr<std::vector<JobStatus>> List() override {
    if (!error.ok()) return error;
    return jobs;
  }

  absl::StatusOr<JobDescription> Describe(const JobId&) override {
    if (!error.ok()) return error;
    return JobDescription{job, spec};
  }

  absl::Status Watch(const JobId&, int64_t after_sequence,
                     JobObserver& observer, Interrupt&) override {
    watched_after.push_back(after_sequence);
    if (connections.empty()) return absl::InternalError("no more connections");
    const Connection connection = std::move(connections.front());
    connections.pop_front();
    for (const auto& message : connection.messages) {
      if (const auto* event = std::get_if<JobEvent>(&message)) {
        observer.OnEvent(*event);
      } else {
        observer.OnStatus(std::get<JobStatus>(message));
      }
    }
    return connection.end;
  }

  absl::StatusOr<JobStatus> Cancel(const JobId& id) override {
    cancelled.push_back(id);
    if (!error.ok()) return error;
    return job;
  }

  absl::StatusOr<std::vector<WorkerStatus>> Workers() override {
    if (!error.ok()) return error;
    return workers;
  }

  absl::StatusOr<std::vector<FlightRecord>> FlightRecords(
      const WorkerName&) override {
    if (!error.ok()) return error;
    return records;
  }
};

}  // namespace stagecoach
