#pragma once

#include <memory>
#include <string>

#include "coordinator/job_codec.h"
#include "coordinator/job_store.h"
#include "coordinator/sqlite.h"

namespace stagecoach {

// Jobs in one SQLite file that no other process may open meanwhile. Every
// commit is on the disk when it returns (write-ahead log, full sync).
class SqliteJobStore final : public JobStore {
 public:
  // Version of the tables; a file of a newer one is refused.
  static constexpr int kVersion = 1;

  // Opens or makes the file. `codec` outlives the store.
  //   kUnavailable: another coordinator has it open; kFailedPrecondition: a
  //   newer coordinator made it, or something else, or no write-ahead log can
  //   be there; kDataLoss: it is damaged; kInternal: the system's words.
  static absl::StatusOr<std::unique_ptr<SqliteJobStore>> Open(
      const std::string& path, const JobCodec& codec);

  absl::StatusOr<std::vector<JobRecord>> LoadJobs() override;
  absl::StatusOr<std::vector<JobEvent>> LoadEvents(const JobId& job,
                                                   int64_t after,
                                                   int limit) override;
  absl::Status Commit(absl::Span<const Mutation> mutations) override;

 private:
  SqliteJobStore(Sqlite database, const JobCodec& codec)
      : database_(std::move(database)), codec_(codec) {}

  absl::Status Prepare();
  absl::Status CheckOrMakeTables();
  absl::Status Apply(const Mutation& mutation);
  absl::Status PutRecord(const JobRecord& record);
  absl::Status AddEvents(const Mutation& mutation);
  absl::Status Forget(const JobId& job);

  Sqlite database_;
  const JobCodec& codec_;
};

}  // namespace stagecoach
