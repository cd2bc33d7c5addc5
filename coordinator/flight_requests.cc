#include "coordinator/flight_requests.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace stagecoach {

void FlightRequests::Add(const WorkerName& worker, const JobId& job,
                         const std::set<int>& stages, absl::Duration deadline,
                         Done done) {
  requests_.push_back({worker, job, stages, {}, deadline, std::move(done)});
}

FlightRequests::Ready FlightRequests::Take(const WorkerName& worker,
                                           const FlightRecord& record) {
  Ready ready;
  std::vector<Request> left;
  for (Request& request : requests_) {
    const bool wanted = request.worker == worker && request.job == record.job &&
                        request.missing.erase(record.stage.value()) > 0;
    if (wanted) request.records.push_back(record);
    if (wanted && request.missing.empty()) {
      ready.push_back(
          [done = std::move(request.done),
           records = std::move(request.records)] { done(records); });
    } else {
      left.push_back(std::move(request));
    }
  }
  requests_ = std::move(left);
  return ready;
}

FlightRequests::Ready FlightRequests::Expire(absl::Duration now) {
  Ready ready;
  std::vector<Request> left;
  for (Request& request : requests_) {
    if (request.deadline > now) {
      left.push_back(std::move(request));
      continue;
    }
    ready.push_back([done = std::move(request.done), worker = request.worker] {
      done(absl::DeadlineExceededError(absl::StrCat(
          "worker ", worker.value(), " did not send its flight record")));
    });
  }
  requests_ = std::move(left);
  return ready;
}

FlightRequests::Ready FlightRequests::Fail(const absl::Status& why) {
  Ready ready;
  for (Request& request : requests_) {
    ready.push_back([done = std::move(request.done), why] { done(why); });
  }
  requests_.clear();
  return ready;
}

}  // namespace stagecoach
