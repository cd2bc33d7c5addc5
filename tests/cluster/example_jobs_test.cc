#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/data/data_source.h"
#include "core/data/fashion_mnist.h"
#include "core/job/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/idx_bytes.h"
#include "tests/support/paths.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_process.h"

// The jobs that users start from, as they are but for a few images only.
namespace stagecoach {
namespace {

constexpr char kFolder[] = "/usr/share/datasets/fashion-mnist";
constexpr int kTraining = 192;
constexpr int kTest = 64;

void WriteFirst(const DataSource& data, Split split, int samples,
                const std::filesystem::path& folder, const std::string& name) {
  std::string pixels;
  std::string classes;
  for (int i = 0; i < samples; ++i) {
    const auto sample = data.Sample(split, i);
    pixels.append(sample.begin(), sample.end());
    classes.push_back(static_cast<char>(data.Target(split, i)));
  }
  WriteIdx(folder / absl::StrCat(name, "-images-idx3-ubyte"), {samples, 28, 28},
           pixels);
  WriteIdx(folder / absl::StrCat(name, "-labels-idx1-ubyte"), {samples},
           classes);
}

class ExampleJobTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kFolder)) GTEST_SKIP() << "no " << kFolder;
    SC_ASSERT_OK_AND_ASSIGN(
        const auto data,
        FashionMnistSource().Open(
            {{"path", kFolder}, {"mean", 0.2860}, {"std", 0.3530}},
            /*root=*/"", /*confined=*/false));
    WriteFirst(*data, Split::kTrain, kTraining, folder_.path(), "train");
    WriteFirst(*data, Split::kTest, kTest, folder_.path(), "t10k");
  }

  std::string Shortened(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(SourceDir() / "deploy/jobs" / name).rdbuf();
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path) << absl::StrReplaceAll(
        text.str(),
        {{kFolder, folder_.path().string()}, {"epochs: 20", "epochs: 2"}});
    return path.string();
  }

  Value Run(const std::string& job, const std::string& state,
            std::vector<std::string> more = {}) const {
    std::vector<std::string> command = {
        (ProgramDir() / "stagecoach").string(), "local", job, "--output=json",
        absl::StrCat("--state=", (folder_.path() / state).string())};
    command.insert(command.end(), more.begin(), more.end());
    TestProcess local({.command = command});
    EXPECT_EQ(local.AwaitExit(), 0) << local.err();
    return Value::parse(local.out(), nullptr, /*allow_exceptions=*/false);
  }

  TempFolder folder_;
};

TEST_P(ExampleJobTest, EndsWithTheSameWeightsOnOneProcessAndOnTwo) {
  const std::string job = Shortened(GetParam());

  const Value apart = Run(job, "apart");
  const Value together = Run(job, "together", {"--in-process"});

  EXPECT_EQ(apart["state"], "succeeded");
  EXPECT_EQ(apart["weights_digest"], together["weights_digest"]);
  EXPECT_EQ(apart["evaluation"]["last"], together["evaluation"]["last"]);
}

INSTANTIATE_TEST_SUITE_P(All, ExampleJobTest,
                         testing::Values("fashion-mnist.yaml",
                                         "fashion-mnist-resnet20.yaml",
                                         "mlp.yaml"));

}  // namespace
}  // namespace stagecoach
