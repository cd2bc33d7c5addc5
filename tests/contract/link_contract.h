#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/fakes/link_maker.h"
#include "tests/fakes/recording_receiver.h"
#include "worker/transport/link_network.h"

namespace stagecoach {

// Two workers, each with its network, and what lies between them.
class LinkWorld {
 public:
  virtual ~LinkWorld() = default;
  virtual LinkNetwork& lower() = 0;
  virtual LinkNetwork& upper() = 0;
  virtual std::string upper_address() const = 0;

  // The upper worker dies with its links open.
  virtual void KillUpper() = 0;
};

struct LinkBackend {
  std::string name;
  std::function<std::unique_ptr<LinkWorld>()> make;
};

// What every LinkNetwork and its Links do. To add a backend, compile
// link_contract.cc into a test that instantiates this suite with it.
class LinkContract : public testing::TestWithParam<LinkBackend> {
 protected:
  struct Ends {
    std::unique_ptr<Link> lower;
    std::unique_ptr<Link> upper;
  };

  // Joins at_lower_ and at_upper_; a failure fails the test and gives nulls.
  Ends Connect(const LinkSpec& spec = SampleLinkSpec());

  // What a connecting end hears that offers `offered`.
  absl::Status ConnectWith(const LinkSpec& offered, absl::Duration timeout);

  // Declared first: receivers outlive links, which outlive their network.
  RecordingReceiver at_lower_;
  RecordingReceiver at_upper_;
  std::unique_ptr<LinkWorld> world_ = GetParam().make();
};

}  // namespace stagecoach
