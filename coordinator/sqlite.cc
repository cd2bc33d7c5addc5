#include "coordinator/sqlite.h"

#include <sqlite3.h>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

void Bind(sqlite3_stmt* statement, int index,
          const Sqlite::Parameter& parameter) {
  if (const auto* number = std::get_if<int64_t>(&parameter)) {
    sqlite3_bind_int64(statement, index, *number);
  } else if (const auto* text = std::get_if<std::string>(&parameter)) {
    sqlite3_bind_text64(statement, index, text->data(), text->size(),
                        SQLITE_TRANSIENT, SQLITE_UTF8);
  } else {
    const std::string& bytes = std::get<Sqlite::Blob>(parameter).bytes;
    sqlite3_bind_blob64(statement, index, bytes.data(), bytes.size(),
                        SQLITE_TRANSIENT);
  }
}

}  // namespace

void Sqlite::Close::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

void Sqlite::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

int64_t Sqlite::Row::Integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

absl::string_view Sqlite::Row::Bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return {static_cast<const char*>(bytes), static_cast<size_t>(size)};
}

absl::StatusOr<Sqlite> Sqlite::Open(const std::string& path) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(
      path.c_str(), &opened,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE,
      nullptr);
  Sqlite database(path, std::unique_ptr<sqlite3, Close>(opened));
  if (code != SQLITE_OK) return database.Error(code);
  // One that is just stopping is waited for.
  sqlite3_busy_timeout(opened, 1000);
  return database;
}

absl::Status Sqlite::Error(int code) const {
  const std::string text =
      absl::StrCat(path_, ": ", sqlite3_errmsg(database_.get()));
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::UnavailableError(text);
    case SQLITE_FULL:
      return absl::ResourceExhaustedError(text);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return absl::DataLossError(text);
    default:
      return absl::InternalError(text);
  }
}

absl::StatusOr<sqlite3_stmt*> Sqlite::Prepare(const std::string& text) {
  for (const auto& [known, statement] : statements_) {
    if (known == text) return statement.get();
  }
  sqlite3_stmt* made = nullptr;
  const int code =
      sqlite3_prepare_v2(database_.get(), text.c_str(),
                         static_cast<int>(text.size()) + 1, &made, nullptr);
  if (code != SQLITE_OK) return Error(code);
  statements_.emplace_back(text, Statement(made));
  return made;
}

absl::Status Sqlite::Run(const std::string& statement,
                         const std::vector<Parameter>& parameters,
                         const OnRow& on_row) {
  SC_ASSIGN_OR_RETURN(sqlite3_stmt * prepared, Prepare(statement));
  for (size_t index = 0; index < parameters.size(); ++index) {
    Bind(prepared, static_cast<int>(index) + 1, parameters[index]);
  }
  absl::Status status = Step(prepared, on_row);
  sqlite3_reset(prepared);
  sqlite3_clear_bindings(prepared);
  return status;
}

absl::Status Sqlite::Step(sqlite3_stmt* statement, const OnRow& on_row) {
  while (true) {
    const int code = sqlite3_step(statement);
    if (code == SQLITE_DONE) return absl::OkStatus();
    if (code != SQLITE_ROW) return Error(code);
    if (on_row) SC_RETURN_IF_ERROR(on_row(Row(statement)));
  }
}

absl::StatusOr<int64_t> Sqlite::Ask(const std::string& query) {
  int64_t answer = 0;
  SC_RETURN_IF_ERROR(Run(query, {}, [&](const Row& row) {
    answer = row.Integer(0);
    return absl::OkStatus();
  }));
  return answer;
}

absl::StatusOr<std::string> Sqlite::AskText(const std::string& query) {
  std::string answer;
  SC_RETURN_IF_ERROR(Run(query, {}, [&](const Row& row) {
    answer = std::string(row.Bytes(0));
    return absl::OkStatus();
  }));
  return answer;
}

}  // namespace stagecoach
