#include "worker/stage/torch_guard.h"

#include <c10/util/Exception.h>

#include <exception>
#include <new>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace stagecoach {
namespace {

std::string FirstLine(absl::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

absl::Status OutOfMemory(absl::string_view why) {
  return absl::ResourceExhaustedError(
      absl::StrCat("out of memory: ", FirstLine(why)));
}

}  // namespace

absl::Status GuardTorch(absl::FunctionRef<absl::Status()> body) {
  try {
    return body();
  } catch (const c10::OutOfMemoryError& error) {
    return OutOfMemory(error.what_without_backtrace());
  } catch (const c10::Error& error) {
    const absl::string_view why = error.what_without_backtrace();
    // What the CPU's allocator throws has no type of its own.
    if (absl::StrContains(why, "DefaultCPUAllocator")) return OutOfMemory(why);
    return absl::UnknownError(absl::StrCat("torch: ", FirstLine(why)));
  } catch (const std::bad_alloc& error) {
    return OutOfMemory(error.what());
  } catch (const std::exception& error) {
    return absl::UnknownError(absl::StrCat("torch: ", FirstLine(error.what())));
  }
}

}  // namespace stagecoach
