#include "core/flags/flags.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_folder.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

// Sets a variable for the length of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), /*overwrite=*/1);
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
};

class FlagsTest : public testing::Test {
 protected:
  FlagsTest() {
    AddFlag(app_, "data-root", root_, "A folder");
    AddFlag(app_, "slots", slots_, "A number")->check(CLI::Range(1, 64));
    AddLogLevelFlag(app_, level_);
    AddParentFlag(app_, parent_);
    app_.set_version_flag("--version", "version 1");
  }

  absl::StatusOr<std::optional<int>> Parse(
      const std::vector<std::string>& arguments) {
    return ParseFlags(app_, arguments);
  }

  std::string WriteConfig(const std::string& text) const {
    return folder_.Write("config.yaml", text);
  }

  // Why a file of these lines is refused.
  std::string Refusal(const std::string& text) {
    const auto parsed = Parse({"--config", WriteConfig(text)});
    EXPECT_THAT(parsed, StatusIs(absl::StatusCode::kInvalidArgument));
    return std::string(parsed.status().message());
  }

  TempFolder folder_;
  CLI::App app_;
  std::string root_ = "/";
  int slots_ = 1;
  std::string level_ = "info";
  int parent_ = -1;
};

TEST_F(FlagsTest, KeepTheirDefaults) {
  EXPECT_THAT(Parse({}), IsOkAndHolds(std::nullopt));

  EXPECT_EQ(root_, "/");
  EXPECT_EQ(slots_, 1);
  EXPECT_EQ(level_, "info");
  EXPECT_EQ(parent_, -1);
}

TEST_F(FlagsTest, ComeFromTheArgumentsThenTheEnvironmentThenTheFile) {
  const Variable level("STAGECOACH_LOG_LEVEL", "error");
  const Variable root("STAGECOACH_DATA_ROOT", "/variable");
  const std::string config =
      WriteConfig("data-root: /file\nlog-level: debug\nslots: 3\n");

  EXPECT_THAT(Parse({"--config", config, "--data-root=/argument"}),
              IsOkAndHolds(std::nullopt));

  EXPECT_EQ(root_, "/argument");
  EXPECT_EQ(level_, "error");
  EXPECT_EQ(slots_, 3);
}

TEST_F(FlagsTest, TheFileMayBeNamedByTheEnvironment) {
  const Variable config("STAGECOACH_CONFIG", WriteConfig("slots: 5\n"));

  EXPECT_THAT(Parse({}), IsOk());

  EXPECT_EQ(slots_, 5);
}

TEST_F(FlagsTest, AnEmptyFileSaysNothing) {
  EXPECT_THAT(Parse({"--config", WriteConfig("# nothing\n")}), IsOk());

  EXPECT_EQ(slots_, 1);
}

TEST_F(FlagsTest, AFileThatDoesNotExistIsRefused) {
  EXPECT_THAT(
      Parse({"--config=/no/such.yaml"}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("/no/such.yaml")));

  CLI::App another;
  const Variable config("STAGECOACH_CONFIG", "/no/such/either.yaml");
  EXPECT_THAT(ParseFlags(another, {}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("/no/such/either.yaml")));
}

TEST_F(FlagsTest, AnUnknownKeyIsRefusedWithItsLine) {
  EXPECT_THAT(Refusal("slots: 2\nlog-levle: debug\n"),
              EndsWith("config.yaml:2: there is no flag \"log-levle\"; did you "
                       "mean 'log-level'?"));
}

TEST_F(FlagsTest, AKeyThatIsGivenTwiceIsRefused) {
  EXPECT_THAT(Refusal("slots: 2\nslots: 3\n"),
              EndsWith("config.yaml:2: slots is given twice"));
}

TEST_F(FlagsTest, AValueThatIsAListIsRefused) {
  EXPECT_THAT(Refusal("slots: [2]\n"),
              EndsWith("config.yaml:1: slots takes one value"));
}

TEST_F(FlagsTest, AFileThatIsNoYamlIsRefusedWithItsLine) {
  EXPECT_THAT(Refusal("slots: 2\n'\n"), HasSubstr("config.yaml:"));
}

TEST_F(FlagsTest, AValueOutOfRangeIsRefusedOnOneLine) {
  EXPECT_THAT(Refusal("slots: 65\n"), AllOf(HasSubstr("slots"), HasSubstr("65"),
                                            testing::Not(HasSubstr("\n"))));
}

TEST_F(FlagsTest, SuggestTheFlagThatWasMeant) {
  EXPECT_THAT(Parse({"--slost=1"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "there is no flag --slost; did you mean '--slots'?"));
}

TEST_F(FlagsTest, HelpAndVersionLeaveNothingMoreToDo) {
  EXPECT_THAT(Parse({"--version"}), IsOkAndHolds(0));

  CLI::App another;
  EXPECT_THAT(ParseFlags(another, {"--help"}), IsOkAndHolds(0));
}

TEST(IsLoopbackTest, KnowsWhatOnlyThisMachineReaches) {
  for (const char* here : {"127.0.0.1", "127.1.2.3", "::1", "localhost"}) {
    EXPECT_TRUE(IsLoopback(here)) << here;
  }
  for (const char* beyond : {"0.0.0.0", "::", "10.0.0.1", "host"}) {
    EXPECT_FALSE(IsLoopback(beyond)) << beyond;
  }
}

}  // namespace
}  // namespace stagecoach
