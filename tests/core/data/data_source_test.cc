#include "core/data/data_source.h"

#include <filesystem>
#include <numeric>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/idx_bytes.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_folder.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kTrainImages[] = "train-images-idx3-ubyte";
constexpr char kTrainTargets[] = "train-labels-idx1-ubyte";
constexpr char kTestImages[] = "t10k-images-idx3-ubyte";
constexpr char kTestTargets[] = "t10k-labels-idx1-ubyte";

// A folder with three training and two test samples of 2x2.
class DataSourceTest : public testing::Test {
 protected:
  DataSourceTest() {
    folder_.Write(kTrainImages, IdxBytes({3, 2, 2}, "abcdefghijkl"));
    folder_.Write(std::string(kTrainTargets) + ".gz",
                  Gzip(IdxBytes({3}, absl::string_view("\0\2\1", 3))));
    folder_.Write(kTestImages, IdxBytes({2, 2, 2}, "ABCDEFGH"));
    folder_.Write(kTestTargets, IdxBytes({2}, absl::string_view("\3\0", 2)));
  }

  absl::StatusOr<std::unique_ptr<const DataSource>> Open(
      const char* name, Value parameters = Value::object()) const {
    parameters["path"] = folder_.path().string();
    const DataSourceType& type = **DataSources().Find(name);
    const absl::StatusOr<Value> resolved =
        Resolve(type.declaration(), parameters);
    if (!resolved.ok()) return resolved.status();
    return type.Open(*resolved, /*root=*/"", /*confined=*/false);
  }

  const TempFolder folder_;
};

TEST_F(DataSourceTest, IdxGivesSamplesTargetsAndFacts) {
  SC_ASSERT_OK_AND_ASSIGN(const auto source, Open("idx"));

  EXPECT_EQ(source->facts(), (DataFacts{.sample = {1, 2, 2},
                                        .train_samples = 3,
                                        .test_samples = 2,
                                        .classes = 4}));
  EXPECT_THAT(source->Sample(Split::kTrain, 1),
              ElementsAre('e', 'f', 'g', 'h'));
  EXPECT_EQ(source->Target(Split::kTrain, 1), 2);
  EXPECT_THAT(source->Sample(Split::kTest, 1), ElementsAre('E', 'F', 'G', 'H'));
  EXPECT_EQ(source->Target(Split::kTest, 0), 3);
  EXPECT_EQ(source->mean(), 0);
  EXPECT_EQ(source->standard_deviation(), 1);
}

TEST_F(DataSourceTest, IdxTakesChannelsAndFileNames) {
  folder_.Write("colours", IdxBytes({3, 2, 1, 2}, "abcdefghijkl"));
  folder_.Write(kTestImages, IdxBytes({2, 2, 1, 2}, "ABCDEFGH"));

  SC_ASSERT_OK_AND_ASSIGN(const auto source,
                          Open("idx", {{"train_images", "colours"},
                                       {"classes", 7},
                                       {"mean", 0.5},
                                       {"std", 0.25}}));

  EXPECT_EQ(source->facts().sample, (Shape{2, 1, 2}));
  EXPECT_EQ(source->facts().classes, 7);
  EXPECT_EQ(source->mean(), 0.5);
  EXPECT_EQ(source->standard_deviation(), 0.25);
}

TEST_F(DataSourceTest, FashionMnistHasTenClasses) {
  SC_ASSERT_OK_AND_ASSIGN(const auto source, Open("fashion_mnist"));

  EXPECT_EQ(source->facts().classes, 10);
  EXPECT_EQ(source->mean(), 0.2860);
  EXPECT_EQ(source->standard_deviation(), 0.3530);
}

TEST_F(DataSourceTest, SaysWhichTargetIsOutOfRange) {
  const std::string path =
      folder_.Write(kTestTargets, IdxBytes({2}, absl::string_view("\0\12", 2)));

  EXPECT_THAT(Open("fashion_mnist"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       path + ": byte 9: the target of sample 1 is 10; targets "
                              "of 10 classes are 0 to 9"));
  EXPECT_THAT(Open("idx", {{"classes", 3}, {"std", 1}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("targets of 3 classes are 0 to 2")));
  SC_ASSERT_OK_AND_ASSIGN(const auto any, Open("idx"));
  EXPECT_EQ(any->facts().classes, 11);
}

TEST_F(DataSourceTest, SaysWhenCountsDiffer) {
  const std::string path = folder_.Write(kTestTargets, IdxBytes({3}, "abc"));

  EXPECT_THAT(Open("idx"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr(path + ": byte 4: 3 targets for the 2 images "
                                        "of ")));
}

TEST_F(DataSourceTest, SaysWhenTestSamplesHaveAnotherShape) {
  folder_.Write(kTestImages, IdxBytes({2, 2, 3}, "ABCDEFGHIJKL"));

  EXPECT_THAT(Open("idx"), StatusIs(absl::StatusCode::kInvalidArgument,
                                    HasSubstr("byte 8: samples are 1x2x3")));
}

TEST_F(DataSourceTest, NamesTheFileThatIsMissing) {
  std::filesystem::remove(folder_.path() / kTestImages);
  const std::string path = (folder_.path() / kTestImages).string();

  EXPECT_THAT(Open("fashion_mnist"),
              StatusIs(absl::StatusCode::kNotFound,
                       "neither " + path + " nor " + path + ".gz is here"));
}

TEST_F(DataSourceTest, EveryTypeKeepsToItsRoot) {
  for (const std::string& name : DataSources().Names()) {
    const DataSourceType& type = **DataSources().Find(name);
    EXPECT_EQ(type.declaration().name, name);
    SC_ASSERT_OK_AND_ASSIGN(
        const Value parameters,
        Resolve(type.declaration(), {{"path", ".."}, {"std", 1}}));
    EXPECT_EQ(type.Path(parameters), "..");
    EXPECT_THAT(type.Open(parameters, folder_.path().string(),
                          /*confined=*/true),
                StatusIs(absl::StatusCode::kPermissionDenied));
  }
}

// The real files, where they are installed.
TEST(FashionMnistTest, ReadsTheRealFiles) {
  const DataSourceType& type = **DataSources().Find("fashion_mnist");
  SC_ASSERT_OK_AND_ASSIGN(const Value parameters,
                          Resolve(type.declaration(), Value::object()));
  if (!std::filesystem::exists(type.Path(parameters))) {
    GTEST_SKIP() << "dataset-fashion-mnist is not installed";
  }
  SC_ASSERT_OK_AND_ASSIGN(const auto source,
                          type.Open(parameters, "/usr/share/datasets",
                                    /*confined=*/true));

  EXPECT_EQ(source->facts(), (DataFacts{.sample = {1, 28, 28},
                                        .train_samples = 60000,
                                        .test_samples = 10000,
                                        .classes = 10}));
  std::vector<int64_t> count(10);
  double sum = 0;
  for (int64_t i = 0; i < 60000; ++i) {
    ++count[static_cast<size_t>(source->Target(Split::kTrain, i))];
    const auto sample = source->Sample(Split::kTrain, i);
    sum += std::accumulate(sample.begin(), sample.end(), 0.0);
  }
  EXPECT_THAT(count, testing::Each(6000));
  EXPECT_NEAR(sum / 60000 / 784 / 255, source->mean(), 5e-5);
}

}  // namespace
}  // namespace stagecoach
