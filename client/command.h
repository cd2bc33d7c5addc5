#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client/console.h"
#include "client/interrupt.h"
#include "client/job_client.h"
#include "client/job_document.h"
#include "core/base/clock.h"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace stagecoach {

// What a command may touch of the world. All outlive it.
struct Environment {
  Console& console;
  Interrupt& interrupt;
  const Clock& clock;
  const JobDocumentReader& job_documents;
  // A client of the coordinator at "host:port"; does not connect yet.
  std::function<std::unique_ptr<JobClient>(const std::string& address)> connect;
  std::filesystem::path program_folder;  // where the other programs lie
};

// One subcommand of `stagecoach`. To add one: a file in commands/ and a line in
// commands/registry.cc.
//
// Thread-confined.
class Command {
 public:
  virtual ~Command() = default;

  // Flags, positionals and help. `app` is the subcommand's own and keeps
  // references into this object.
  virtual void Declare(CLI::App& app) = 0;

  // Runs with what was parsed. The exit code, or the error that is printed in
  // one line and whose code gives it.
  virtual absl::StatusOr<int> Run(Environment& environment) = 0;
};

}  // namespace stagecoach
