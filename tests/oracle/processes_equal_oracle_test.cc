#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/job/value.h"
#include "core/resolve/resolved_job.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/twin.h"
#include "tests/support/idx_bytes.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_process.h"

// A coordinator and workers as processes, tensors over gRPC, data from files:
// the weights are still the oracle's.
namespace stagecoach {
namespace {

void WriteImages(const oracle::Images& images,
                 const std::filesystem::path& folder, const std::string& name) {
  WriteIdx(folder / absl::StrCat(name, "-images-idx3-ubyte"),
           {images.samples(), images.height, images.width},
           std::string(images.pixels.begin(), images.pixels.end()));
  WriteIdx(folder / absl::StrCat(name, "-labels-idx1-ubyte"),
           {images.samples()},
           std::string(images.labels.begin(), images.labels.end()));
}

class ProcessesEqualOracleTest : public testing::Test {
 protected:
  // The twin's job as a file, with its images beside it.
  std::string WriteJob(Twin twin) const {
    WriteImages(twin.oracle.training, folder_.path(), "train");
    WriteImages(twin.oracle.test, folder_.path(), "t10k");
    twin.spec.data.source = {
        .name = "idx",
        .parameters = {{"path", folder_.path().string()},
                       {"mean", twin.oracle.normalisation.mean.front()},
                       {"std", twin.oracle.normalisation.std.front()}}};
    const std::filesystem::path path = folder_.path() / "job.yaml";
    std::ofstream(path) << ToValue(twin.spec).dump();  // JSON is YAML
    return path.string();
  }

  void ExpectEqual(const Twin& twin) {
    const oracle::OracleResult expected = oracle::RunOracle(twin.oracle);
    const std::filesystem::path state =
        folder_.path() / absl::StrCat("state-", ++runs_);
    TestProcess local(
        {.command = {(ProgramDir() / "stagecoach").string(), "local",
                     WriteJob(twin), absl::StrCat("--state=", state.string()),
                     "--output=json"}});
    ASSERT_EQ(local.AwaitExit(), 0) << local.err();

    const Value result = Value::parse(local.out());
    EXPECT_EQ(result["weights_digest"], expected.weights_digest);
    const oracle::Evaluation& last = expected.evaluations.back();
    EXPECT_EQ(result["evaluation"]["last"]["step"], last.version);
    EXPECT_EQ(result["evaluation"]["last"]["loss"],
              last.loss_sum / static_cast<double>(last.samples));
    for (size_t k = 0; k < expected.staleness.size(); ++k) {
      EXPECT_EQ(result["stages"][k]["staleness"]["max"],
                expected.staleness[k].back());
    }
  }

  TempFolder folder_;
  int runs_ = 0;
};

TEST_F(ProcessesEqualOracleTest, WithBackpropagation) {
  ExpectEqual(WithBp(GreyResNetTwin(), {1, 3}));
}

TEST_F(ProcessesEqualOracleTest, WithTwoStagesThatAreStale) {
  ExpectEqual(WithDsp(GreyResNetTwin(), {2}, {1, 0}));
  ExpectEqual(WithAugmentation(WithDsp(GreyResNetTwin(), {3}, {2, 0})));
}

TEST_F(ProcessesEqualOracleTest, WithFourStagesAndMomentumOverSums) {
  ExpectEqual(WithOptimizer(WithDsp(GreyResNetTwin(), {1, 2, 4}, {6, 3, 1, 0}),
                            {.kind = oracle::Optimizer::Kind::kSum,
                             .momentum = 0.9f,
                             .s = 5,
                             .weight_decay = 5e-4f}));
}

}  // namespace
}  // namespace stagecoach
