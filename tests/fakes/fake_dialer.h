#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "worker/coordinator_stream.h"

namespace stagecoach {

// Opens streams whose other end is the test: it sees what the worker says and
// plays the coordinator.
//
// Thread-confined.
class FakeDialer final : public CoordinatorDialer {
 public:
  struct Stream final : CoordinatorStream {
    void SayHello(const Hello& said) override {
      hello = said;
      last_order = said.last_order;
    }
    void Renew(int64_t last) override {
      ++renewals;
      last_order = last;
    }
    void Send(int64_t serial, const Report& report) override {
      reports.emplace_back(serial, report);
    }
    void Cancel() override { cancelled = true; }

    CoordinatorEvents events;
    Hello hello;
    int64_t last_order = 0;
    int renewals = 0;
    std::vector<std::pair<int64_t, Report>> reports;
    bool cancelled = false;
  };

  std::shared_ptr<CoordinatorStream> Open(CoordinatorEvents events) override {
    streams.push_back(std::make_shared<Stream>());
    streams.back()->events = std::move(events);
    return streams.back();
  }

  std::string peer() const override { return "the fake coordinator"; }

  std::vector<std::shared_ptr<Stream>> streams;  // in order of opening
};

}  // namespace stagecoach
