#pragma once

#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "coordinator/job_codec.h"

namespace stagecoach {

// Keeps the records and writes down which: what it encoded it decodes for as
// long as it lives, however often a store is closed meanwhile.
//
// Thread-confined.
class FakeJobCodec final : public JobCodec {
 public:
  std::string Encode(const JobRecord& record) const override {
    records_.push_back(record);
    return absl::StrCat(records_.size() - 1);
  }

  absl::StatusOr<JobRecord> Decode(absl::string_view bytes) const override {
    size_t index = 0;
    if (!absl::SimpleAtoi(bytes, &index) || index >= records_.size()) {
      return absl::DataLossError("it is no record");
    }
    return records_[index];
  }

 private:
  mutable std::vector<JobRecord> records_;
};

}  // namespace stagecoach
