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

// What to do about an error of opening.
absl::Status Explain(const absl::Status& status, const std::string& path) {
  if (absl::IsUnavailable(status)) {
    return absl::UnavailableError(
        absl::StrCat(path, " is in use by another coordinator; stop that one, ",
                     "or name another folder with --state"));
  }
  if (absl::IsDataLoss(status)) {
    return absl::DataLossError(
        absl::StrCat(status.message(), "; put a backup in its place, or name ",
                     "another folder with --state"));
  }
  if (absl::IsInternal(status) || absl::IsResourceExhausted(status)) {
    return absl::Status(status.code(),
                        absl::StrCat(status.message(),
                                     "; make room and leave to write there, "
                                     "or name another folder with --state"));
  }
  return status;
}

std::string ToString(absl::string_view text) { return std::string(text); }

}  // namespace

absl::StatusOr<std::unique_ptr<SqliteJobStore>> SqliteJobStore::Open(
    const std::string& path, const JobCodec& codec) {
  absl::StatusOr<Sqlite> database = Sqlite::Open(path);
  if (!database.ok()) return Explain(database.status(), path);
  std::unique_ptr<SqliteJobStore> store(
      new SqliteJobStore(*std::move(database), codec));
  const absl::Status prepared = store->Prepare();
  if (!prepared.ok()) return Explain(prepared, path);
  return store;
}

absl::Status SqliteJobStore::Prepare() {
  // The lock is taken with the first access and held until the end. Nothing is
  // written to a file that is not ours.
  SC_RETURN_IF_ERROR(database_.Run("PRAGMA locking_mode = EXCLUSIVE"));
  SC_RETURN_IF_ERROR(database_.Run("BEGIN EXCLUSIVE"));
  const absl::Status made = CheckOrMakeTables();
  SC_RETURN_IF_ERROR(database_.Run(made.ok() ? "COMMIT" : "ROLLBACK"));
  SC_RETURN_IF_ERROR(made);
  SC_ASSIGN_OR_RETURN(const std::string mode,
                      database_.AskText("PRAGMA journal_mode = WAL"));
  if (mode != "wal") {
    return absl::FailedPreconditionError(absl::StrCat(
        database_.path(), " is where no write-ahead log can be; name a folder ",
        "on a local disk or a block volume with --state"));
  }
  return database_.Run("PRAGMA synchronous = FULL");
}

absl::Status SqliteJobStore::CheckOrMakeTables() {
  SC_ASSIGN_OR_RETURN(const int64_t application,
                      database_.Ask("PRAGMA application_id"));
  SC_ASSIGN_OR_RETURN(const int64_t version,
                      database_.Ask("PRAGMA user_version"));
  SC_ASSIGN_OR_RETURN(const int64_t tables,
                      database_.Ask("SELECT count(*) FROM sqlite_master"));
  if (tables > 0 && application != kApplicationId) {
    return absl::FailedPreconditionError(
        absl::StrCat(database_.path(), " is not a coordinator's; name another ",
                     "folder with --state"));
  }
  if (version > kVersion) {
    return absl::FailedPreconditionError(absl::StrCat(
        database_.path(), " has version ", version, ", which a newer ",
        "coordinator made; this one knows versions up to ", kVersion,
        ": run the newer one, or name another folder with --state"));
  }
  if (tables > 0) return absl::OkStatus();
  for (const char* table : kTables) SC_RETURN_IF_ERROR(database_.Run(table));
  SC_RETURN_IF_ERROR(
      database_.Run(absl::StrCat("PRAGMA application_id = ", kApplicationId)));
  return database_.Run(absl::StrCat("PRAGMA user_version = ", kVersion));
}

absl::StatusOr<std::vector<JobRecord>> SqliteJobStore::LoadJobs() {
  std::vector<JobRecord> records;
  SC_RETURN_IF_ERROR(database_.Run(
      "SELECT number, record FROM jobs ORDER BY number", {},
      [&](const Sqlite::Row& row) {
        absl::StatusOr<JobRecord> record = codec_.Decode(row.Bytes(1));
        if (!record.ok()) {
          return absl::DataLossError(
              absl::StrCat(database_.path(), ": job-", row.Integer(0),
                           " cannot be read: ", record.status().message()));
        }
        records.push_back(*std::move(record));
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
    absl::Status applied = Apply(mutation);
    if (applied.ok()) continue;
    // The first error is the one that matters.
    database_.Run("ROLLBACK").IgnoreError();
    return applied;
  }
  absl::Status committed = database_.Run("COMMIT");
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
