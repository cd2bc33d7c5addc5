#include "core/grpc/job_file.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "core/base/field_error.h"
#include "core/resolve/resolved_job.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/paths.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kGood[] = R"(# A comment
name: small
model: {resnet: {depth: 8}}
data:
  fashion_mnist: {path: /data}
  batch_size: 64
  augment: [{random_crop: {padding: 2}}, horizontal_flip]
method:
  dsp:
    staleness: [1, 0]
stages: 2
)";

TEST(ParseJobFileTest, ReadsEveryField) {
  SC_ASSERT_OK_AND_ASSIGN(const JobFile file, ParseJobFile(R"(
name: 'all of it'
seed: 18446744073709551615
model: {mlp: {sizes: [784, 10]}}
data:
  idx: {path: "/data", std: 0.5}
  batch_size: 64
  augment: [{random_crop: {padding: 2}}, horizontal_flip]
method: {dsp: {staleness: [1, 0]}}
stages: 3
partition: {cuts: [2, 5]}
optimizer: {sgd: {momentum: 0.8, nesterov: true, weight_decay: 5e-4}}
learning_rate: {base: 1e-2, schedule: {cosine: {warm_up: 5%}}}
epochs: 7
memory_format: contiguous
evaluate: {every: 2 epochs}
resources: {device: cpu, threads: 2}
)",
                                                           "job.yaml"));

  JobSpec expected;
  expected.name = "all of it";
  expected.seed = 18446744073709551615u;
  expected.model = {.name = "mlp", .parameters = {{"sizes", {784, 10}}}};
  expected.data.source = {.name = "idx",
                          .parameters = {{"path", "/data"}, {"std", 0.5}}};
  expected.data.batch_size = 64;
  expected.data.augment = {
      {.name = "random_crop", .parameters = Value::object({{"padding", 2}})},
      {.name = "horizontal_flip"}};
  expected.method = {.name = "dsp",
                     .parameters = Value::object({{"staleness", {1, 0}}})};
  expected.stages = 3;
  expected.partition.cuts = {2, 5};
  expected.optimizer = {
      .name = "sgd",
      .parameters = {
          {"momentum", 0.8}, {"nesterov", true}, {"weight_decay", 5e-4}}};
  expected.learning_rate = {
      .base = 0.01,
      .schedule = {.name = "cosine",
                   .parameters = Value::object({{"warm_up", "5%"}})}};
  expected.epochs = 7;
  expected.memory_format = "contiguous";
  expected.evaluate_every = "2 epochs";
  expected.resources = {.device = "cpu", .threads = 2};
  EXPECT_EQ(ToValue(file.spec), ToValue(expected));
  EXPECT_EQ(file.spec, expected);
}

TEST(ParseJobFileTest, GivesAbsentFieldsTheirDefaults) {
  SC_ASSERT_OK_AND_ASSIGN(const JobFile file, ParseJobFile("name: a", "f"));

  JobSpec expected;
  expected.name = "a";
  EXPECT_EQ(file.spec, expected);
}

TEST(ParseJobFileTest, TakesBareNamesNumbersAsTextsAndEmptyParameters) {
  SC_ASSERT_OK_AND_ASSIGN(const JobFile file, ParseJobFile(R"(
name: 2024
method: bp
optimizer: {sgd: }
learning_rate: {schedule: cosine}
evaluate: {every: 100}
partition: {method: balanced}
)",
                                                           "f"));

  EXPECT_EQ(file.spec.name, "2024");
  EXPECT_EQ(file.spec.method, (Choice{.name = "bp"}));
  EXPECT_EQ(file.spec.optimizer, (Choice{.name = "sgd"}));
  EXPECT_EQ(file.spec.learning_rate.schedule, (Choice{.name = "cosine"}));
  EXPECT_EQ(file.spec.evaluate_every, "100");
  EXPECT_EQ(file.spec.partition.method, "balanced");
}

TEST(ParseJobFileTest, ReadsScalarsByTheCoreSchema) {
  SC_ASSERT_OK_AND_ASSIGN(
      const JobFile file,
      ParseJobFile("model: {mlp: {a: 010, b: 0o10, c: 0x1f, d: yes, e: True, "
                   "f: 1_000, g: -.5e1, h: '7', i: 1e, j: 12:30, k: +4, "
                   "l: .nan, m: -.inf, n: off, o: 0x-1, p: 1., q: \"true\"}}",
                   "f"));

  const Value& read = file.spec.model.parameters;
  EXPECT_EQ(read["a"], 10);
  EXPECT_EQ(read["b"], 8);
  EXPECT_EQ(read["c"], 31);
  EXPECT_EQ(read["d"], "yes");
  EXPECT_EQ(read["e"], true);
  EXPECT_EQ(read["f"], "1_000");
  EXPECT_EQ(read["g"], -5);
  EXPECT_EQ(read["h"], "7");
  EXPECT_EQ(read["i"], "1e");
  EXPECT_EQ(read["j"], "12:30");
  EXPECT_EQ(read["k"], 4);
  EXPECT_TRUE(std::isnan(read["l"].get<double>()));
  EXPECT_TRUE(std::isinf(read["m"].get<double>()));
  EXPECT_EQ(read["n"], "off");
  EXPECT_EQ(read["o"], "0x-1");
  EXPECT_EQ(read["p"], 1);
  EXPECT_EQ(read["q"], "true");
}

TEST(JobFileTest, KnowsWhereFieldsAre) {
  SC_ASSERT_OK_AND_ASSIGN(const JobFile file, ParseJobFile(kGood, "job.yaml"));

  EXPECT_EQ(file.Where("name"), "job.yaml:2:1");
  EXPECT_EQ(file.Where("model.resnet.depth"), "job.yaml:3:18");
  EXPECT_EQ(file.Where("data.fashion_mnist"), "job.yaml:5:3");
  EXPECT_EQ(file.Where("data.augment[1]"), "job.yaml:7:42");
  EXPECT_EQ(file.Where("method.dsp.staleness[1]"), "job.yaml:10:20");
  // The nearest that the file has.
  EXPECT_EQ(file.Where("data.augment[1].horizontal_flip.angle"),
            "job.yaml:7:42");
  EXPECT_EQ(file.Where("model.resnet.width"), "job.yaml:3:9");
  EXPECT_EQ(file.Where("optimizer.sgd.momentum"), "job.yaml:2:1");
}

TEST(ExplainTest, PutsTheLineInFrontOfAFieldsError) {
  SC_ASSERT_OK_AND_ASSIGN(const JobFile file, ParseJobFile(kGood, "job.yaml"));

  EXPECT_EQ(Explain(FieldError("stages", "must be 1 to 64, not 0"), file),
            "job.yaml:11:1: stages: must be 1 to 64, not 0");
  EXPECT_EQ(Explain(absl::NotFoundError("/data/f is\nnot here"), file),
            "/data/f is not here");
}

struct BadFile {
  std::string text;
  const char* error;  // behind "job.yaml:"
};

std::string Repeated(const std::string& text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(ParseJobFileTest, SaysWhatIsWrongAndWhere) {
  const BadFile cases[] = {
      {"", "1:1: is empty; a job needs at least name, model and data"},
      {"# nothing\n", "1:1: is empty; a job needs at least name, model"},
      {"just words", "1:1: must be a map of fields, not \"just words\""},
      {"[1, 2]", "1:1: must be a map of fields, not a list"},
      {"name: [a", "not YAML: "},
      {"name: 'a''b\n", "1:7: name: not YAML: the quote is not closed"},
      {R"(name: "a\")", "1:11: not YAML: illegal EOF in scalar"},
      {"name: \"a\n", "1:7: name: not YAML: the quote is not closed"},
      {"name: a: b\n", "1:8: not YAML: illegal map value"},
      {"name: a\n  stages: 2\n", "2:9: not YAML: illegal map value"},
      {"name: a\n\tstages: 2\n", "2:1: a tab cannot indent a line; use spaces"},
      {"name: a\xff\n", "1:8: not YAML: this byte is no text in UTF-8"},
      {std::string("name: a\0b\n", 10),
       "1:8: not YAML: this byte is no text in UTF-8"},
      {"name: a\n---\nname: b\n",
       "2:1: a second document starts here; one job a file"},
      {"name: a\nname: b\n",
       "2:1: name: is given twice, first in line 1; leave one out"},
      {"data:\n  batch_size: 1\n  batch_size: 2\n",
       "3:3: data.batch_size: is given twice, first in line 2; leave one out"},
      {"method: {dsp: {slack: 1, slack: 2}}",
       "1:26: method.dsp.slack: is given twice, first in line 1"},
      {"name: &a x\n", "1:7: name: anchors are not used in job files"},
      {"seed: &a 1\nstages: *a\n", "1:7: seed: anchors are not used"},
      {"name: *a\n", "1:7: not YAML: the referenced anchor is not defined"},
      {"seed: !!int 1\n", "1:7: seed: tags are not used in job files"},
      {"[a]: 1\n", "1:1: a name is expected in front of the colon"},
      {"stage: 2\n", "1:1: stage: no such field; did you mean 'stages'?"},
      {"colour: 2\n", "1:1: colour: no such field; known: name, seed, model"},
      {"data:\n  fashion_mnist: {}\n  batchsize: 4\n",
       "3:3: data.batchsize: no such field; did you mean 'batch_size'?"},
      {"data: {fashon_mnist: {}}",
       "1:8: data.fashon_mnist: no such field; did you mean 'fashion_mnist'?"},
      {"data: {source: idx}", "1:8: data.source: no such field"},
      {"data: {fashion_mnist: {}, idx: {}}",
       "1:27: data.idx: stands beside fashion_mnist; leave one out"},
      {"model: {resnet: {}, mlp: {}}",
       "1:21: model.mlp: stands beside resnet; leave one out"},
      {"model: {}", "1:1: model: must be a name, or a name with parameters"},
      {"model: [resnet]",
       "1:1: model: must be a name, or a name with parameters, {name: {...}}, "
       "not a list"},
      {"model: {resnet: 20}",
       "1:9: model.resnet: must be a map of parameters, not 20; e.g. {resnet: "
       "{}}"},
      {"model: {resnet: {depth: }}",
       "1:18: model.resnet.depth: has no value; give one or leave it out"},
      {"stages: two", "1:1: stages: must be an integer, not \"two\""},
      {"stages: 2.5", "1:1: stages: must be an integer, not 2.5"},
      {"stages: 2.0", "1:1: stages: must be an integer, not 2.0"},
      {"stages: 1e3", "1:1: stages: must be an integer, not 1e3"},
      {"stages: '2'", "1:1: stages: must be an integer, not \"2\""},
      {"stages: true", "1:1: stages: must be an integer, not true"},
      {"stages: [2]", "1:1: stages: must be a single value, not a list"},
      {"stages:", "1:1: stages: has no value; give one or leave the field out"},
      {"stages: 99999999999999999999",
       "1:1: stages: must be an integer, not 99999999999999999999"},
      {"seed: -1", "1:1: seed: must be an integer from 0 to 2^64 - 1, not -1"},
      {"learning_rate: {base: fast}",
       "1:17: learning_rate.base: must be a number, not \"fast\""},
      {"learning_rate: 0.1",
       "1:1: learning_rate: must be a map of fields, not 0.1; known: base"},
      {"partition: {cuts: 4}", "1:13: partition.cuts: must be a list, not 4"},
      {"partition: {cuts: [4, x]}",
       "1:23: partition.cuts[1]: must be an integer, not \"x\""},
      {"data: {augment: horizontal_flip}",
       "1:8: data.augment: must be a list, not \"horizontal_flip\""},
      {Repeated("a", 1000001),
       "1:1: has 1000001 bytes; a job file has at most"},
      {"model: " + Repeated("[", 64) + Repeated("]", 64),
       "1:71: more than 64 levels of lists and maps"},
      {Repeated("[", 1000000), ""},
      {Repeated("- ", 500000), "1:129: more than 64 levels"},
      {Repeated("? ", 500000), ""},
  };
  for (const BadFile& bad : cases) {
    const auto file = ParseJobFile(bad.text, "job.yaml");

    const std::string shown = bad.text.substr(0, 80);
    EXPECT_THAT(file, StatusIs(absl::StatusCode::kInvalidArgument,
                               StartsWith("job.yaml:")))
        << shown;
    if (file.ok()) continue;
    const std::string message(file.status().message());
    EXPECT_THAT(message, HasSubstr(bad.error)) << shown;
    EXPECT_THAT(message, Not(HasSubstr("\n"))) << shown;
  }
}

// Errors that the schema cannot know, seen as a user sees them.
TEST(ExplainTest, GivesTheLineOfWhatTheResolverRefuses) {
  const BadFile cases[] = {
      {"name: small", "5:3: data.batch_size: 64 is larger than the data of 50"},
      {"stages: 9", "7:1: stages: must be at most the 5 units of resnet"},
      {"stages: -1", "7:1: stages: must be 1 to 64, not -1; e.g. 2"},
      {"epochs: 0", "7:1: epochs: must be 1 to 1000000, not 0; e.g. 10"},
      {"learning_rate: {base: .nan}",
       "7:17: learning_rate.base: must be a number above 0, not NaN"},
      {"learning_rate: {base: -1}",
       "7:17: learning_rate.base: must be above 0 and at most 1e6, not -1"},
      {"method: {dsp: {staleness: [2, 3]}}",
       "7:31: method.dsp.staleness[1]: staleness must not rise along the "
       "pipeline: stage 1 has 3, stage 0 has 2; e.g. [2, 0]"},
      {"method: {dsp: {stalenes: [1, 0]}}",
       "7:16: method.dsp.stalenes: is no parameter of dsp; did you mean "
       "'staleness'?"},
      {"method: dps", "7:1: method.dps: no method is called 'dps'; did you"},
      {"optimizer: {sgd: {momentum: .nan}}",
       "7:19: optimizer.sgd.momentum: must be a finite number, not NaN"},
      {"optimizer: {sgd: {momentum: 0.9, momentun: 1}}",
       "7:34: optimizer.sgd.momentun: is no parameter of sgd; did you mean "
       "'momentum'?"},
  };
  for (const BadFile& bad : cases) {
    const std::string text =
        "name: small\nmodel: {resnet: {depth: 8}}\ndata:\n"
        "  fashion_mnist: {}\n  batch_size: 64\n\n" +
        (bad.text == "name: small" ? "" : bad.text);
    SC_ASSERT_OK_AND_ASSIGN(const JobFile file, ParseJobFile(text, "job.yaml"));

    const auto job = ResolveJob(
        file.spec, {.sample = {1, 28, 28},
                    .train_samples = bad.text == "name: small" ? 50 : 1000,
                    .test_samples = 100,
                    .classes = 10});

    ASSERT_FALSE(job.ok()) << bad.text;
    EXPECT_THAT(Explain(job.status(), file),
                StartsWith(std::string("job.yaml:") + bad.error));
  }
}

// Whatever happens to a file on its way: an answer, never a crash, and an error
// of one line.
TEST(ParseJobFileTest, SurvivesAnyDamage) {
  std::mt19937 numbers(5);
  const std::string pieces = "{}[]:,-?#&*!|>'\"%@ \n\tax0.~";
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = kGood;
    for (int i = numbers() % 4; i >= 0; --i) {
      const size_t place = numbers() % text.size();
      const char piece = pieces[numbers() % pieces.size()];
      if (numbers() % 2 == 0) text[place] = piece;
      if (numbers() % 2 == 0) text.insert(place, 1, piece);
      if (numbers() % 8 == 0) text.erase(place, numbers() % 20);
      if (text.empty()) text = " ";
    }
    const auto file = ParseJobFile(text, "job.yaml");
    if (file.ok()) continue;
    ASSERT_THAT(std::string(file.status().message()),
                testing::AllOf(StartsWith("job.yaml:"), Not(HasSubstr("\n"))))
        << text;
  }
}

// What `check --output json` prints is a job file, and the same job.
TEST(ParseJobFileTest, ReadsBackWhatIsPrinted) {
  SC_ASSERT_OK_AND_ASSIGN(const JobFile file, ParseJobFile(kGood, "f"));
  SC_ASSERT_OK_AND_ASSIGN(const JobSpec spec, ResolveSpec(file.spec));

  SC_ASSERT_OK_AND_ASSIGN(const JobFile again,
                          ParseJobFile(ToValue(spec).dump(2), "f"));

  EXPECT_THAT(ResolveSpec(again.spec), IsOkAndHolds(spec));
  SC_ASSERT_OK_AND_ASSIGN(const JobSpec resolved, ResolveSpec(again.spec));
  EXPECT_EQ(SpecDigest(resolved), SpecDigest(spec));
}

TEST(ExampleJobsTest, AreGoodJobs) {
  const DataFacts fashion_mnist = {.sample = {1, 28, 28},
                                   .train_samples = 60000,
                                   .test_samples = 10000,
                                   .classes = 10};
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(SourceDir() / "deploy/jobs")) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    names.push_back(entry.path().filename().string());
    const auto file = ParseJobFile(text.str(), names.back());
    ASSERT_THAT(file, IsOk());
    EXPECT_THAT(ResolveJob(file->spec, fashion_mnist), IsOk()) << names.back();
    EXPECT_EQ(file->spec.name + ".yaml", names.back());
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"fashion-mnist.yaml",
                                            "fashion-mnist-resnet20.yaml",
                                            "mlp.yaml"}));
}

}  // namespace
}  // namespace stagecoach
