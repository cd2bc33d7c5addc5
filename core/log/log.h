#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace stagecoach {

// What a program tells its operator, one line each on stderr. What a user must
// know travels as a status or an event instead.
//
// Everything here is thread-safe.

enum class LogLevel { kDebug, kInfo, kWarning, kError };

enum class LogFormat {
  kText,  // 2026-03-01T12:00:00.000Z info the text
  kJson,  // {"level":"info","text":"the text","time":"2026-..."}
};

// "debug", "info", "warning" or "error"; kInvalidArgument lists them.
absl::StatusOr<LogLevel> LogLevelFromName(absl::string_view name);
// "text" or "json".
absl::StatusOr<LogFormat> LogFormatFromName(absl::string_view name);

// Both have effect from the next line on. At first: kInfo and kText.
void SetLogLevel(LogLevel level);
void SetLogFormat(LogFormat format);

bool LogEnabled(LogLevel level);
void WriteLog(LogLevel level, absl::string_view text);

// The parts are joined as by absl::StrCat, if the level is enabled.
template <typename... Parts>
void LogDebug(const Parts&... parts) {
  if (LogEnabled(LogLevel::kDebug)) {
    WriteLog(LogLevel::kDebug, absl::StrCat(parts...));
  }
}

template <typename... Parts>
void LogInfo(const Parts&... parts) {
  if (LogEnabled(LogLevel::kInfo)) {
    WriteLog(LogLevel::kInfo, absl::StrCat(parts...));
  }
}

template <typename... Parts>
void LogWarning(const Parts&... parts) {
  if (LogEnabled(LogLevel::kWarning)) {
    WriteLog(LogLevel::kWarning, absl::StrCat(parts...));
  }
}

template <typename... Parts>
void LogError(const Parts&... parts) {
  WriteLog(LogLevel::kError, absl::StrCat(parts...));
}

}  // namespace stagecoach
