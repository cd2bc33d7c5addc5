#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

struct sqlite3;
struct sqlite3_stmt;

namespace stagecoach {

// One connection to a SQLite file: statements with parameters, rows, and errors
// as statuses: kUnavailable when another process has the file,
// kResourceExhausted when the disk is full, kDataLoss when the file is damaged,
// else kInternal; with the file and SQLite's words.
//
// Thread-confined: whoever holds it.
class Sqlite {
 public:
  struct Blob {
    std::string bytes;
  };
  using Parameter = std::variant<int64_t, std::string, Blob>;

  // The current row of a query; values live until the next row.
  class Row {
   public:
    explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
    int64_t Integer(int column) const;
    absl::string_view Bytes(int column) const;

   private:
    sqlite3_stmt* statement_;
  };
  using OnRow = std::function<absl::Status(const Row&)>;

  static absl::StatusOr<Sqlite> Open(const std::string& path);

  // Runs one statement to its end. Statements are kept for the next time.
  absl::Status Run(const std::string& statement,
                   const std::vector<Parameter>& parameters = {},
                   const OnRow& on_row = nullptr);

  // The one value that a query gives.
  absl::StatusOr<int64_t> Ask(const std::string& query);
  absl::StatusOr<std::string> AskText(const std::string& query);

  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

  Sqlite(std::string path, std::unique_ptr<sqlite3, Close> database)
      : path_(std::move(path)), database_(std::move(database)) {}

  absl::Status Error(int code) const;
  absl::StatusOr<sqlite3_stmt*> Prepare(const std::string& text);
  absl::Status Step(sqlite3_stmt* statement, const OnRow& on_row);

  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
  std::vector<std::pair<std::string, Statement>> statements_;  // by text
};

}  // namespace stagecoach
