#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "client/grpc/yaml_document.h"
#include "client/program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tiny_job.h"

// `stagecoach check` as a user calls it: one wrong file for each rule, and the
// one line that it gets for it.
namespace stagecoach {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kGood[] =
    "name: small\n"
    "model: {mlp: {sizes: [16, 8, 8, 4]}}\n"
    "data: {idx: {path: data}, batch_size: 8}\n"
    "stages: 2\n"
    "method: {dsp: {staleness: [1, 0]}}\n"
    "epochs: 2\n";

// With the line of that field in the place of the one that is there, or as the
// seventh.
std::string With(const std::string& line) {
  const std::string field = line.substr(0, line.find(':') + 1);
  std::vector<std::string> lines =
      absl::StrSplit(kGood, '\n', absl::SkipEmpty());
  bool replaced = false;
  for (std::string& each : lines) {
    if (!absl::StartsWith(each, field)) continue;
    each = line;
    replaced = true;
  }
  if (!replaced) lines.push_back(line);
  return absl::StrCat(absl::StrJoin(lines, "\n"), "\n");
}

struct Wrong {
  std::string line;   // in the place of the good one
  std::string error;  // all of it, behind "stagecoach: job.yaml:"
};

class CheckTest : public testing::Test {
 protected:
  CheckTest() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder_.path());
    std::filesystem::create_directory("data");
    WriteTinyData("data");
  }
  ~CheckTest() override { std::filesystem::current_path(before_); }

  int Check(const std::string& path, std::vector<std::string> more = {}) {
    std::ostringstream out;
    std::ostringstream err;
    Console console{.out = out, .err = err};
    Environment environment{
        .console = console,
        .interrupt = interrupt_,
        .clock = clock_,
        .job_documents = documents_,
        .connect = [](const std::string&) { return nullptr; },
        .program_folder = "/nowhere"};
    more.insert(more.begin(), {"check", path});
    const int exit_code = RunProgram(more, "1.2.3", environment);
    out_ = out.str();
    err_ = err.str();
    return exit_code;
  }

  int CheckText(const std::string& text) {
    std::ofstream("job.yaml", std::ios::binary) << text;
    return Check("job.yaml");
  }

  void ExpectErrors(const std::vector<Wrong>& cases) {
    for (const Wrong& wrong : cases) {
      EXPECT_EQ(CheckText(With(wrong.line)), 2) << wrong.line;
      EXPECT_EQ(err_, absl::StrCat("stagecoach: job.yaml:", wrong.error, "\n"))
          << wrong.line;
      EXPECT_THAT(out_, IsEmpty()) << wrong.line;
    }
  }

  // The data's folder as messages name it.
  std::string Data() const {
    return (std::filesystem::current_path() / "data").string();
  }

  TempFolder folder_;
  std::filesystem::path before_;
  Interrupt interrupt_;
  FakeClock clock_;
  YamlDocumentReader documents_;
  std::string out_;
  std::string err_;
};

TEST_F(CheckTest, SaysWhatAGoodFileMeans) {
  EXPECT_EQ(CheckText(kGood), 0) << err_;

  EXPECT_THAT(out_, StartsWith("job.yaml is valid\n"));
  EXPECT_THAT(out_, HasSubstr("64 training and 20 test samples of 1x4x4"));
  EXPECT_THAT(err_, IsEmpty());
}

TEST_F(CheckTest, SaysSoWhenTheDataIsNotHere) {
  EXPECT_EQ(CheckText(With("data: {idx: {path: elsewhere}}")), 0) << err_;

  EXPECT_THAT(out_, HasSubstr("not checked: the data and whether the model "
                              "fits it: elsewhere is not on this machine"));
}

TEST_F(CheckTest, RefusesWhatIsNoJobFile) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "job.yaml:1:1: is empty; a job needs at least name, model and data"},
      {"words",
       "job.yaml:1:1: must be a map of fields, not \"words\"; known: "
       "name, ..."},
      {"- a\n",
       "job.yaml:1:1: must be a map of fields, not a list; known: "
       "name, ..."},
      {std::string("\x7f\x45\x4c\x46\0\1\1", 7),
       "job.yaml:1:1: not YAML: this byte is no text in UTF-8"},
      {"\xff\xfen\0a\0",
       "job.yaml:1:1: not YAML: this byte is no text in "
       "UTF-8"},
      {"name: [a, b\n",
       "job.yaml:2:1: not YAML: end of sequence flow not "
       "found"},
      {"a: &a [x, x]\nb: [*a, *a]\n",
       "job.yaml:1:4: a: anchors are not used in job files; leave it out"},
      {absl::StrCat(kGood, "---\n", kGood),
       "job.yaml:7:1: a second document starts here; one job a file"},
      {std::string(3'000'000, '#'),
       "job.yaml: is too long; a job file has at most 1000000 bytes"},
  };
  for (const auto& [text, error] : cases) {
    EXPECT_EQ(CheckText(text), 2);
    EXPECT_EQ(err_, absl::StrCat("stagecoach: ", error, "\n"));
  }
}

TEST_F(CheckTest, RefusesWhatIsNoFile) {
  EXPECT_EQ(Check("none.yaml"), 2);
  EXPECT_EQ(err_,
            "stagecoach: cannot open none.yaml: No such file or directory\n");
  EXPECT_EQ(Check("data"), 2);
  EXPECT_EQ(err_, "stagecoach: data is a folder\n");
}

TEST_F(CheckTest, RefusesWrongFields) {
  ExpectErrors({
      {"epoch: 2", "7:1: epoch: no such field; did you mean 'epochs'?"},
      {"colour: 2",
       "7:1: colour: no such field; known: name, seed, model, data, method, "
       "stages, partition, optimizer, learning_rate, epochs, memory_format, "
       "evaluate, resources"},
      {"epochs: 2\nepochs: 3",
       "7:1: epochs: is given twice, first in line 6; leave one out"},
      {"epochs:", "6:1: epochs: has no value; give one or leave the field out"},
      {"name: Small!",
       "1:1: name: 'Small!' must be lower-case letters, digits, '-', '_', '.' "
       "and spaces; e.g. fashion-dsp"},
      {"name: \"na\xc3\xafve\\e[31m\"",
       "1:1: name: 'na\xc3\xafve\\x1b[31m' must be lower-case letters, digits, "
       "'-', '_', '.' and spaces; e.g. fashion-dsp"},
      {"seed: -1", "7:1: seed: must be an integer from 0 to 2^64 - 1, not -1"},
      {"seed: 18446744073709551616",
       "7:1: seed: must be an integer from 0 to 2^64 - 1, not "
       "18446744073709551616"},
      {"stages: two", "4:1: stages: must be an integer, not \"two\""},
      {"stages: 2.0", "4:1: stages: must be an integer, not 2.0"},
      {"stages: 0", "4:1: stages: must be 1 to 64, not 0; e.g. 2"},
      {"stages: 65", "4:1: stages: must be 1 to 64, not 65; e.g. 2"},
      {"epochs: 0", "6:1: epochs: must be 1 to 1000000, not 0; e.g. 10"},
      {"epochs: 1e400", "6:1: epochs: must be an integer, not 1e400"},
      {"epochs: .inf", "6:1: epochs: must be an integer, not .inf"},
      {"memory_format: nhwc",
       "7:1: memory_format: 'nhwc' is not known; known: auto, contiguous, "
       "channels_last"},
      {"resources: {device: gpu}",
       "7:13: resources.device: 'gpu' is not known; did you mean 'cpu'?"},
      {"resources: {threads: 0}",
       "7:13: resources.threads: must be 1 to 256, not 0; e.g. 1"},
  });
}

TEST_F(CheckTest, RefusesWrongModelsAndCuts) {
  ExpectErrors({
      {"model: {mpl: {}}",
       "2:9: model.mpl: no model is called 'mpl'; did you mean 'mlp'?"},
      {"model: mlp",
       "2:1: model.mlp.sizes: is missing; mlp needs a list of integers, e.g. "
       "[784, 256, 10]"},
      {"model: {mlp: {sizes: [16, 0, 4]}}",
       "2:27: model.mlp.sizes[1]: must be at least 1 and at most 1048576, not "
       "0"},
      {"model: {mlp: {sizes: [16, 8.5, 4]}}",
       "2:27: model.mlp.sizes[1]: must be an integer, not 8.5"},
      {"model: {mlp: {sizes: [15, 8, 4]}}",
       "2:23: model.mlp.sizes[0]: 15 does not fit a sample of 1x4x4; it must "
       "be 16"},
      {"model: {mlp: {sizes: [16, 8, 5]}}",
       "2:30: model.mlp.sizes[2]: must be the 4 classes of the data, not 5; "
       "e.g. 4"},
      {"model: {resnet: {depth: 9}}",
       "2:18: model.resnet.depth: must be 6n + 2, not 9; e.g. 8 or 14"},
      {"model: {mlp: {sizes: [16, 4]}}",
       "4:1: stages: must be at most the 1 units of mlp, not 2"},
      {"partition: {cuts: [1, 2]}",
       "7:13: partition.cuts: has 2 cuts for 2 stages; one less than stages, "
       "the first unit of each stage but the first"},
      {"partition: {cuts: [0]}",
       "7:20: partition.cuts[0]: must be at least 1, not 0"},
      {"partition: {cuts: [3]}",
       "7:20: partition.cuts[0]: must be at least 1 and below the 3 units of "
       "the model, not 3"},
      {"partition: {cuts: [1], method: uniform}",
       "7:24: partition.method: cannot stand beside cuts, which say it all; "
       "leave one out"},
      {"partition: {method: even}",
       "7:13: partition.method: 'even' is not known; known: balanced, "
       "uniform"},
  });
}

TEST_F(CheckTest, RefusesWrongStaleness) {
  ExpectErrors({
      {"method: dps",
       "5:1: method.dps: no method is called 'dps'; did you mean 'dsp'?"},
      {"method: {bp: {slack: 1}}",
       "5:15: method.bp.slack: is no parameter of bp; bp takes no parameters"},
      {"method: {dsp: {staleness: [1]}}",
       "5:16: method.dsp.staleness: has 1 values for 2 stages; one for each "
       "stage, e.g. [2, 0]"},
      {"method: {dsp: {staleness: [1, 2]}}",
       "5:31: method.dsp.staleness[1]: staleness must not rise along the "
       "pipeline: stage 1 has 2, stage 0 has 1; e.g. [1, 0]"},
      {"method: {dsp: {staleness: [1, 1]}}",
       "5:31: method.dsp.staleness[1]: the last stage must have staleness 0, "
       "not 1: it waits for no gradient; e.g. [1, 0]"},
      {"method: {dsp: {staleness: [-1, 0]}}",
       "5:28: method.dsp.staleness[0]: must be at least 0 and at most 4096, "
       "not -1"},
      {"method: {dsp: {staleness: 1}}",
       "5:16: method.dsp.staleness: must be a list of integers, e.g. [2, 0], "
       "not 1"},
      {"method: {dsp: {slack: 1, staleness: [1, 0]}}",
       "5:16: method.dsp.slack: cannot stand beside staleness, which says the "
       "same; leave one out"},
      {"method: {dsp: {staleness: [2, 0], activation_queues: [5, 0]}}",
       "5:55: method.dsp.activation_queues[0]: the link between stages 0 and 1 "
       "has room for 2 - 0 = 2 in both queues, not for 5; at most 2"},
      {"method: {dsp: {activation_queues: [1, 0]}}",
       "5:16: method.dsp.activation_queues: means nothing without staleness; "
       "give both or leave it out"},
  });
}

TEST_F(CheckTest, RefusesWrongRatesAndMomenta) {
  ExpectErrors({
      {"learning_rate: 0.1",
       "7:1: learning_rate: must be a map of fields, not 0.1; known: base, "
       "..."},
      {"learning_rate: {base: 0}",
       "7:17: learning_rate.base: must be above 0 and at most 1e6, not 0; e.g. "
       "0.05"},
      {"learning_rate: {base: .nan}",
       "7:17: learning_rate.base: must be a number above 0, not NaN; e.g. "
       "0.05"},
      {"learning_rate: {base: 1e400}",
       "7:17: learning_rate.base: must be above 0 and at most 1e6, not inf; "
       "e.g. 0.05"},
      {"learning_rate: {schedule: cosin}",
       "7:17: learning_rate.schedule.cosin: no schedule is called 'cosin'; did "
       "you mean 'cosine'?"},
      {"learning_rate: {schedule: {cosine: {warm_up: 101%}}}",
       "7:37: learning_rate.schedule.cosine.warm_up: \"101%\" is more than the "
       "whole job; a percentage is within 0% to 100%"},
      {"learning_rate: {schedule: {cosine: {warm_up: 3 epochs}}}",
       "7:37: learning_rate.schedule.cosine.warm_up: 3 epochs is 24 of the "
       "job's 16 steps and leaves none at the full rate; e.g. 5%"},
      {"optimizer: adam",
       "7:1: optimizer.adam: no optimizer is called 'adam'; known: sgd"},
      {"optimizer: {sgd: {momentum: 1}}",
       "7:19: optimizer.sgd.momentum: must be at least 0 and below 1, not 1; "
       "e.g. 0.9"},
      {"optimizer: {sgd: {momentum: .inf}}",
       "7:19: optimizer.sgd.momentum: must be a finite number, not infinity; "
       "e.g. 0.9"},
      {"optimizer: {sgd: {weight_decay: 1e9}}",
       "7:19: optimizer.sgd.weight_decay: must be at least 0 and at most "
       "1000000, not 1000000000; e.g. 0"},
      {"optimizer: {sgd: {momentum: 0.9, nesterov: 1}}",
       "7:34: optimizer.sgd.nesterov: must be true or false, not 1; e.g. "
       "false"},
      {"evaluate: {every: often}",
       "7:12: evaluate.every: \"often\" is no amount; write \"5%\", \"1 "
       "epoch\", \"100 steps\" or a number of steps, or never"},
      {"evaluate: {every: 0 epochs}",
       "7:12: evaluate.every: must be at least one step, not 0 epochs; e.g. 1 "
       "epoch, or never"},
      {"evaluate: {every: 1%}",
       "7:12: evaluate.every: 1% of the job's 16 steps is less than one; e.g. "
       "1 epoch"},
  });
}

TEST_F(CheckTest, RefusesWrongDataFields) {
  ExpectErrors({
      {"data: {batch_size: 8}",
       "3:1: data: names no data source; one of fashion_mnist, idx"},
      {"data: {imagenet: {}}",
       "3:8: data.imagenet: no such field; known: batch_size, augment, "
       "fashion_mnist, idx"},
      {"data: {idx: {}}",
       "3:8: data.idx.path: is missing; idx needs a text, e.g. "
       "/usr/share/datasets/fashion-mnist"},
      {"data: {idx: {path: ''}}",
       "3:14: data.idx.path: is empty; it must be a text, e.g. "
       "/usr/share/datasets/fashion-mnist"},
      {"data: {idx: {path: data, std: 0}}",
       "3:26: data.idx.std: must be above 0, not 0; e.g. 1"},
      {"data: {idx: {path: data}, batch_size: 0}",
       "3:27: data.batch_size: must be 1 to 16777216, not 0; e.g. 128"},
      {"data: {idx: {path: data}, batch_size: 65}",
       "3:27: data.batch_size: 65 is larger than the data of 64 training "
       "samples; e.g. 64"},
      {"data: {idx: {path: data}, augment: [crop]}",
       "3:37: data.augment[0].crop: no augmentation is called 'crop'; known: "
       "random_crop, horizontal_flip"},
  });
}

// Each spoils one file of the data.
struct Spoiled {
  const char* file;
  std::function<void(std::string&)> spoil;
  const char* error;  // behind the name of the folder
};

void Put(std::string& bytes, size_t place, char byte) { bytes[place] = byte; }

TEST_F(CheckTest, RefusesDataThatIsDamaged) {
  const std::string images = "data/train-images-idx3-ubyte";
  const std::string labels = "data/t10k-labels-idx1-ubyte";
  const Spoiled cases[] = {
      {images.c_str(), [](std::string& b) { b.resize(b.size() - 5); },
       "/train-images-idx3-ubyte: ends at byte 1035; its header promises 1040 "
       "bytes (64x4x4)"},
      {images.c_str(), [](std::string& b) { b.resize(7); },
       "/train-images-idx3-ubyte: ends at byte 7, within its header"},
      {images.c_str(), [](std::string& b) { b += "x"; },
       "/train-images-idx3-ubyte: byte 1040: more bytes follow than its header "
       "promises (64x4x4)"},
      {images.c_str(), [](std::string& b) { Put(b, 3, 1); },
       "/train-images-idx3-ubyte: byte 0: the magic number is 0x00000801; an "
       "IDX file of unsigned bytes with 3 dimensions starts with 0x00000803"},
      {images.c_str(), [](std::string& b) { Put(b, 7, 0); },
       "/train-images-idx3-ubyte: byte 4: dimension 0 is 0"},
      {images.c_str(), [](std::string& b) { b = "\x1f\x8b\x08 is no gzip"; },
       "/train-images-idx3-ubyte: compressed data is corrupt at byte 4"},
      {labels.c_str(), [](std::string& b) { Put(b, 27, 4); },
       "/t10k-labels-idx1-ubyte: byte 27: the target of sample 19 is 4; "
       "targets of 4 classes are 0 to 3"},
      {labels.c_str(),
       [](std::string& b) {
         Put(b, 7, 19);
         b.resize(27);
       },
       "/t10k-labels-idx1-ubyte: byte 4: 19 targets for the 20 images of "
       "@/t10k-images-idx3-ubyte"},
  };
  const std::string text = With("data: {idx: {path: data, classes: 4}}");
  for (const Spoiled& spoiled : cases) {
    WriteTinyData("data");
    std::stringstream bytes;
    bytes << std::ifstream(spoiled.file, std::ios::binary).rdbuf();
    std::string contents = bytes.str();
    spoiled.spoil(contents);
    std::ofstream(spoiled.file, std::ios::binary) << contents;

    EXPECT_EQ(CheckText(text), 2) << spoiled.error;
    EXPECT_EQ(err_,
              absl::StrCat("stagecoach: job.yaml:3:8: data.idx: ", Data(),
                           absl::StrReplaceAll(spoiled.error, {{"@", Data()}}),
                           "\n"));
  }
}

TEST_F(CheckTest, RefusesDataThatIsNoFile) {
  std::filesystem::remove("data/t10k-images-idx3-ubyte");
  EXPECT_EQ(CheckText(kGood), 2);
  EXPECT_EQ(err_, absl::StrCat("stagecoach: job.yaml:3:8: data.idx: neither ",
                               Data(), "/t10k-images-idx3-ubyte nor ", Data(),
                               "/t10k-images-idx3-ubyte.gz is here\n"));

  std::filesystem::create_symlink("/dev/zero", "data/t10k-images-idx3-ubyte");
  EXPECT_EQ(CheckText(kGood), 2);
  EXPECT_EQ(err_, absl::StrCat("stagecoach: job.yaml:3:8: data.idx: ", Data(),
                               "/t10k-images-idx3-ubyte: is a pipe or a "
                               "device; data lies in plain files\n"));
}

}  // namespace
}  // namespace stagecoach
