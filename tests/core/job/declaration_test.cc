#include "core/job/declaration.h"

#include <limits>

#include "core/base/field_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;

const Declaration& Coach() {
  static const auto& coach =
      *new Declaration{.name = "coach",
                       .help = "Something with a parameter of each kind",
                       .parameters = {
                           {.name = "horses",
                            .kind = ParameterKind::kInteger,
                            .default_value = 4,
                            .minimum = 1,
                            .maximum = 8},
                           {.name = "speed",
                            .kind = ParameterKind::kNumber,
                            .default_value = 0.5,
                            .minimum = 0,
                            .maximum = 1,
                            .above_minimum = true,
                            .below_maximum = true},
                           {.name = "covered",
                            .kind = ParameterKind::kBoolean,
                            .default_value = false},
                           {.name = "road",
                            .kind = ParameterKind::kText,
                            .default_value = "flat",
                            .one_of = {"flat", "steep"}},
                           {.name = "stops",
                            .kind = ParameterKind::kIntegers,
                            .minimum = 0,
                            .maximum = 9},
                           {.name = "rest",
                            .kind = ParameterKind::kAmount,
                            .default_value = "5%"},
                           {.name = "pace",
                            .kind = ParameterKind::kInteger,
                            .default_value = 1,
                            .excludes = "stops"},
                           {.name = "drivers",
                            .kind = ParameterKind::kInteger,
                            .needs = "stops"},
                       }};
  return coach;
}

TEST(DeclarationTest, FillsInTheDefaults) {
  const Value defaults = {{"horses", 4},    {"speed", 0.5}, {"covered", false},
                          {"road", "flat"}, {"rest", "5%"}, {"pace", 1}};

  EXPECT_THAT(Resolve(Coach(), Value::object()), IsOkAndHolds(defaults));
  EXPECT_THAT(Resolve(Coach(), Value()), IsOkAndHolds(defaults));
  EXPECT_THAT(Resolve(Coach(), defaults), IsOkAndHolds(defaults));
}

TEST(DeclarationTest, GivesEqualValuesOneForm) {
  Value written = Value::object();
  written["horses"] = 2.0;
  written["speed"] = 0.25;
  written["stops"] = Value::array({1.0, 2});
  written["rest"] = 1;

  SC_ASSERT_OK_AND_ASSIGN(const Value resolved, Resolve(Coach(), written));

  EXPECT_EQ(resolved.dump(),
            R"({"covered":false,"horses":2,"rest":"1 step","road":"flat",)"
            R"("speed":0.25,"stops":[1,2]})");
  EXPECT_EQ(IntegerOf(resolved, "horses"), 2);
  EXPECT_EQ(NumberOf(resolved, "speed"), 0.25);
  EXPECT_FALSE(BooleanOf(resolved, "covered"));
  EXPECT_EQ(TextOf(resolved, "road"), "flat");
  EXPECT_THAT(IntegersOf(resolved, "stops"), testing::ElementsAre(1, 2));
  EXPECT_FALSE(Has(resolved, "pace"));
}

struct BadParameter {
  const char* written;  // JSON
  const char* field;
  const char* message;
};

TEST(DeclarationTest, SaysWhichParameterBreaksWhichRule) {
  const BadParameter cases[] = {
      {R"({"horse": 2})", "horse",
       "is no parameter of coach; did you mean 'horses'?"},
      {R"({"wheels": 2})", "wheels", "known: horses, speed"},
      {R"({"horses": "two"})", "horses",
       "must be an integer, not \"two\"; e.g. 4"},
      {R"({"horses": 2.5})", "horses", "must be an integer, not 2.5; e.g. 4"},
      {R"({"horses": true})", "horses", "must be an integer, not true"},
      {R"({"horses": 0})", "horses",
       "must be at least 1 and at most 8, not 0; e.g. 4"},
      {R"({"horses": 1e300})", "horses", "at most 8"},
      {R"({"speed": 0})", "speed",
       "must be above 0 and below 1, not 0; e.g. 0.5"},
      {R"({"speed": 1})", "speed", "must be above 0 and below 1, not 1"},
      {R"({"speed": "fast"})", "speed", "must be a number, not \"fast\""},
      {R"({"covered": 1})", "covered", "must be true or false, not 1"},
      {R"({"road": "step"})", "road",
       "'step' is not known; did you mean 'steep'?"},
      {R"({"road": 3})", "road", "must be a text, not 3"},
      {R"({"road": "a\u0000b"})", "road", "has control characters"},
      {R"({"stops": 3})", "stops", "must be a list of integers"},
      {R"({"stops": [1, 2.5]})", "stops[1]", "must be an integer, not 2.5"},
      {R"({"road": ""})", "road", "is empty; it must be a text"},
      {R"({"stops": [1, 10]})", "stops[1]",
       "must be at least 0 and at most 9, not 10"},
      {R"({"stops": [1, "x"]})", "stops[1]", "must be an integer, not \"x\""},
      {R"({"rest": "soon"})", "rest", "\"soon\" is no amount"},
      {R"({"pace": 2, "stops": []})", "pace", "cannot stand beside stops"},
      {R"({"drivers": 2})", "drivers", "means nothing without stops"},
      {R"([1])", "", "must be named parameters, not [1]; e.g. coach: {}"},
  };
  for (const BadParameter& bad : cases) {
    const auto resolved = Resolve(Coach(), Value::parse(bad.written));

    EXPECT_THAT(resolved, StatusIs(absl::StatusCode::kInvalidArgument,
                                   HasSubstr(bad.message)))
        << bad.written;
    EXPECT_EQ(FieldOf(resolved.status()), bad.field) << bad.written;
  }
}

TEST(DeclarationTest, RefusesWhatIsNotFinite) {
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity()};
  for (const double number : bad) {
    for (const char* name : {"speed", "horses"}) {
      Value written = Value::object();
      written[name] = number;
      EXPECT_THAT(Resolve(Coach(), written),
                  StatusIs(absl::StatusCode::kInvalidArgument,
                           HasSubstr("must be a finite number, not ")));
    }
  }
}

TEST(DeclarationTest, AsksForWhatIsRequired) {
  const Declaration ticket = {.name = "ticket",
                              .parameters = {{.name = "class",
                                              .kind = ParameterKind::kInteger,
                                              .required = true}}};

  EXPECT_THAT(Resolve(ticket, Value::object()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "is missing; ticket needs an integer"));
}

TEST(DeclarationTest, ShowsTheExampleOfWhatHasNoDefault) {
  const Declaration tour = {.name = "tour",
                            .parameters = {{.name = "stops",
                                            .kind = ParameterKind::kIntegers,
                                            .example = {3, 1},
                                            .required = true},
                                           {.name = "map",
                                            .kind = ParameterKind::kText,
                                            .example = "/maps/alps",
                                            .maximum = 1048576}}};

  EXPECT_THAT(Resolve(tour, Value::object()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "is missing; tour needs a list of integers, e.g. "
                       "[3, 1]"));
  EXPECT_THAT(Resolve(tour, Value{{"stops", {1}}, {"map", 7}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "must be a text, e.g. /maps/alps, not 7"));
}

TEST(DeclarationTest, ShowsLongAndBrokenValuesOnOneLine) {
  EXPECT_EQ(Shown(Value("a\nb")), R"("a\nb")");
  EXPECT_EQ(Shown(Value("\xff")), R"("\ufffd")");
  EXPECT_LT(Shown(Value(std::string(1000, 'a'))).size(), 70);
}

}  // namespace
}  // namespace stagecoach
