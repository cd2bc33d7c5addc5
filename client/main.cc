#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/debugging/failure_signal_handler.h"
#include "absl/debugging/symbolize.h"
#include "client/grpc/grpc_job_client.h"
#include "client/grpc/yaml_document.h"
#include "client/program.h"
#include "core/base/clock.h"
#include "core/base/version.h"
#include "core/grpc/log.h"
#include "core/log/log.h"
#include "core/process/termination.h"

namespace stagecoach {
namespace {

bool IsTerminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 &&
         (kind == nullptr || std::string(kind) != "dumb");
}

bool NoColour() {
  const char* no = std::getenv("NO_COLOR");
  return no != nullptr && *no != '\0';
}

int TerminalWidth() {
  constexpr int kDefault = 80;
  constexpr int kLeast = 40;
  constexpr int kMost = 120;
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return kDefault;
  }
  return std::clamp<int>(size.ws_col, kLeast, kMost);
}

// The programs lie together; how this one was called does not matter.
std::filesystem::path ProgramFolder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::current_path() : program.parent_path();
}

int Run(const std::vector<std::string>& arguments, Termination& termination) {
  const SystemClock clock;
  const YamlDocumentReader documents;
  Interrupt interrupt;
  // Whoever wants no colours wants no other escapes either.
  const bool terminal = IsTerminal() && !NoColour();
  Console console{.out = std::cout,
                  .err = std::cerr,
                  .terminal = terminal,
                  .colours = terminal,
                  .width = TerminalWidth()};
  Environment environment{.console = console,
                          .interrupt = interrupt,
                          .clock = clock,
                          .job_documents = documents,
                          .connect =
                              [](const std::string& address) {
                                return std::make_unique<GrpcJobClient>(address);
                              },
                          .program_folder = ProgramFolder()};

  // After the first signal this thread stays, and only here a second one is not
  // blocked: it ends the process.
  Interrupt done;
  std::thread signals([&] {
    termination.Wait(/*parent_fd=*/-1);
    interrupt.Trigger();
    done.WaitFor(absl::InfiniteDuration());
  });
  const int exit_code = RunProgram(arguments, BuildId(), environment);
  termination.Request("the command is done");
  done.Trigger();
  signals.join();
  return exit_code;
}

}  // namespace
}  // namespace stagecoach

int main(int argc, char** argv) {
  absl::InitializeSymbolizer(argv[0]);
  absl::InstallFailureSignalHandler({});
  stagecoach::Termination termination;
  stagecoach::SetLogLevel(stagecoach::LogLevel::kWarning);
  stagecoach::RouteGrpcLog();
  return stagecoach::Run({argv + 1, argv + argc}, termination);
}
