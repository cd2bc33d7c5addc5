#include "core/log/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace stagecoach {
namespace {

std::atomic<LogFormat> log_format = LogFormat::kText;

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

absl::string_view NameOf(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "error";
}

// Never destroyed: threads may log until the process ends.
spdlog::logger& Logger() {
  static spdlog::logger* const logger = [] {
    auto* made = new spdlog::logger(
        "stagecoach", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%v");
    made->set_level(spdlog::level::info);
    made->flush_on(spdlog::level::debug);
    return made;
  }();
  return *logger;
}

std::string Line(LogLevel level, absl::string_view text) {
  const std::string time = absl::FormatTime("%Y-%m-%d%ET%H:%M:%E3SZ",
                                            absl::Now(), absl::UTCTimeZone());
  if (log_format == LogFormat::kText) {
    return absl::StrCat(time, " ", NameOf(level), " ", text);
  }
  const nlohmann::json line = {{"time", time},
                               {"level", std::string(NameOf(level))},
                               {"text", std::string(text)}};
  return line.dump(/*indent=*/-1, ' ', /*ensure_ascii=*/false,
                   nlohmann::json::error_handler_t::replace);
}

}  // namespace

absl::StatusOr<LogLevel> LogLevelFromName(absl::string_view name) {
  for (const LogLevel level : {LogLevel::kDebug, LogLevel::kInfo,
                               LogLevel::kWarning, LogLevel::kError}) {
    if (name == NameOf(level)) return level;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "log level \"", name, "\": use debug, info, warning or error"));
}

absl::StatusOr<LogFormat> LogFormatFromName(absl::string_view name) {
  if (name == "text") return LogFormat::kText;
  if (name == "json") return LogFormat::kJson;
  return absl::InvalidArgumentError(
      absl::StrCat("log format \"", name, "\": use text or json"));
}

void SetLogLevel(LogLevel level) { Logger().set_level(ToSpdlog(level)); }

void SetLogFormat(LogFormat format) { log_format = format; }

bool LogEnabled(LogLevel level) { return Logger().should_log(ToSpdlog(level)); }

void WriteLog(LogLevel level, absl::string_view text) {
  const std::string line = Line(level, text);
  Logger().log(ToSpdlog(level), spdlog::string_view_t(line));
}

}  // namespace stagecoach
