#include "coordinator/sqlite_job_store.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

// "Stco": tells our files from others.
constexpr int64_t kApplicationId = 0x5374636f;

// Id, name and state stand beside the record for whoever looks into the file.
constexpr const char* kTables[] = {
    "CREATE TABLE jobs(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " name TEXT NOT NULL, state TEXT NOT NULL, record BLOB NOT NULL)",
    "CREATE TABLE events(job TEXT NOT NULL, sequence INTEGER NOT NULL,"
    " time_ns INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY(job, sequence)) WITHOUT ROWID",
};

absl::Status Explain(const absl::Status& status, const std::string& path) {
  if (!absl::IsUnavailable(status)) return status;
  return absl::UnavailableError(
      absl::StrCat(path, " is in use by another coordinator; stop that one, ",
                   "or give this one another folder with --state"));
}

std::string ToString(absl::string_view text) { return std::string(text); }

}  // namespace

absl::StatusOr<std::unique_ptr<SqliteJobStore>> SqliteJobStore::Open(
    const std::string& path, const JobCodec& codec) {
  absl::StatusOr<Sqlite> database = Sqlite::Open(path);
  if (!database.ok()) return Explain(database.status(), path);
  std::unique_ptr<SqliteJobStore> store(
      new SqliteJobStore(*std::move(database), codec));
  const absl::Status prepared = store->Prepare(path);
  if (!prepared.ok()) return Explain(prepared, path);
  return store;
}

absl::Status SqliteJobStore::Prepare(const std::string& path) {
  // The lock is taken with the first access and held until the end.
  for (const char* pragma :
       {"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL", "BEGIN EXCLUSIVE"}) {
    SC_RETURN_IF_ERROR(database_.Run(pragma));
  }
  SC_ASSIGN_OR_RETURN(const int64_t application,
                      database_.Ask("PRAGMA application_id"));
  SC_ASSIGN_OR_RETURN(const int64_t version,
                      database_.Ask("PRAGMA user_version"));
  SC_ASSIGN_OR_RETURN(const int64_t tables,
                      database_.Ask("SELECT count(*) FROM sqlite_master"));
  if (version > kVersion || (tables > 0 && application != kApplicationId)) {
    return absl::FailedPreconditionError(absl::StrCat(
        path, " is of version ", version, ", this coordinator knows ", kVersion,
        "; use the coordinator that made it, or another folder with --state"));
  }
  if (tables == 0) {
    for (const char* table : kTables) SC_RETURN_IF_ERROR(database_.Run(table));
    SC_RETURN_IF_ERROR(database_.Run(
        absl::StrCat("PRAGMA application_id = ", kApplicationId)));
    SC_RETURN_IF_ERROR(
        database_.Run(absl::StrCat("PRAGMA user_version = ", kVersion)));
  }
  return database_.Run("COMMIT");
}

absl::StatusOr<std::vector<JobRecord>> SqliteJobStore::LoadJobs() {
  std::vector<JobRecord> records;
  SC_RETURN_IF_ERROR(database_.Run(
      "SELECT number, record FROM jobs ORDER BY number", {},
      [&](const Sqlite::Row& row) {
        SC_ASSIGN_OR_RETURN(JobRecord record, codec_.Decode(row.Bytes(1)));
        record.number = row.Integer(0);
        records.push_back(std::move(record));
        return absl::OkStatus();
      }));
  return records;
}

absl::StatusOr<std::vector<JobEvent>> SqliteJobStore::LoadEvents(
    const JobId& job, int64_t after, int limit) {
  std::vector<JobEvent> events;
  SC_RETURN_IF_ERROR(database_.Run(
      "SELECT sequence, time_ns, kind, text FROM events"
      " WHERE job = ? AND sequence > ? ORDER BY sequence LIMIT ?",
      {job.value(), after, int64_t{limit}}, [&](const Sqlite::Row& row) {
        events.push_back({.sequence = row.Integer(0),
                          .time = absl::FromUnixNanos(row.Integer(1)),
                          .kind = ToString(row.Bytes(2)),
                          .text = ToString(row.Bytes(3))});
        return absl::OkStatus();
      }));
  return events;
}

absl::Status SqliteJobStore::Commit(absl::Span<const Mutation> mutations) {
  SC_RETURN_IF_ERROR(database_.Run("BEGIN"));
  for (const Mutation& mutation : mutations) {
    const absl::Status applied = Apply(mutation);
    if (applied.ok()) continue;
    // The first error is the one that matters.
    database_.Run("ROLLBACK").IgnoreError();
    return applied;
  }
  const absl::Status committed = database_.Run("COMMIT");
  if (!committed.ok()) database_.Run("ROLLBACK").IgnoreError();
  return committed;
}

absl::Status SqliteJobStore::Apply(const Mutation& mutation) {
  if (mutation.forget) return Forget(mutation.job);
  if (mutation.record.has_value()) {
    SC_RETURN_IF_ERROR(PutRecord(*mutation.record));
  }
  return AddEvents(mutation);
}

absl::Status SqliteJobStore::PutRecord(const JobRecord& record) {
  return database_.Run(
      "INSERT OR REPLACE INTO jobs(number, id, name, state, record)"
      " VALUES(?, ?, ?, ?, ?)",
      {record.number, record.status.id.value(), record.status.name,
       ToString(NameOf(record.status.state)),
       Sqlite::Blob{codec_.Encode(record)}});
}

absl::Status SqliteJobStore::AddEvents(const Mutation& mutation) {
  for (const JobEvent& event : mutation.events) {
    SC_RETURN_IF_ERROR(
        database_.Run("INSERT INTO events(job, sequence, time_ns, kind, text)"
                      " VALUES(?, ?, ?, ?, ?)",
                      {mutation.job.value(), event.sequence,
                       absl::ToUnixNanos(event.time), event.kind, event.text}));
  }
  return absl::OkStatus();
}

absl::Status SqliteJobStore::Forget(const JobId& job) {
  SC_RETURN_IF_ERROR(
      database_.Run("DELETE FROM events WHERE job = ?", {job.value()}));
  return database_.Run("DELETE FROM jobs WHERE id = ?", {job.value()});
}

}  // namespace stagecoach
