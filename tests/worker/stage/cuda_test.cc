#include <torch/csrc/autograd/autograd.h>
#include <torch/cuda.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_data_source.h"
#include "tests/support/small_job.h"
#include "tests/support/status_matchers.h"
#include "tests/worker/model/placed_models.h"
#include "worker/in_process_run.h"
#include "worker/optimizer/optimizer.h"
#include "worker/stage/device.h"
#include "worker/stage/torch_stage.h"

// What the CPU computes, on a GPU: the same to rounding, and the same bits each
// time.
namespace stagecoach {
namespace {

using ::testing::SizeIs;

class CudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
    MakeCudaReproducible();
  }
};

Model SmallResNetModel() {
  return PlacedZooModel("resnet", {{"depth", 8}, {"width", 4}, {"classes", 4}},
                        {3, 8, 8});
}

torch::Tensor Waves(at::IntArrayRef shape) {
  return at::sin(at::arange(c10::multiply_integers(shape), torch::kFloat32))
      .reshape(shape);
}

void ExpectNear(const torch::Tensor& cuda, const torch::Tensor& cpu) {
  EXPECT_TRUE(cuda.is_cuda());
  EXPECT_TRUE(torch::allclose(cuda.cpu(), cpu, /*rtol=*/1e-4, /*atol=*/1e-5))
      << (cuda.cpu() - cpu).abs().max().item<double>();
}

// One pass with a graph, and the statistics folded.
struct PassResult {
  torch::Tensor output;
  std::vector<torch::Tensor> gradients;
  torch::Tensor evaluated;  // afterwards, in evaluation mode
};

PassResult TrainOnce(Network& network, torch::Device device) {
  const torch::Tensor images = Waves({6, 3, 8, 8}).to(device);
  BatchStatistics statistics;
  PassResult result;
  result.output = network.Forward(images, ForwardMode::kTrain, &statistics);
  result.gradients = torch::autograd::grad(
      {result.output}, network.parameters(), {at::ones_like(result.output)});
  network.Fold(statistics);
  const at::NoGradGuard no_graph;
  result.evaluated = network.Forward(images, ForwardMode::kEvaluate, nullptr);
  return result;
}

TEST_F(CudaTest, LayersComputeWhatTheyDoOnTheCpu) {
  const Model model = SmallResNetModel();
  for (const bool channels_last : {false, true}) {
    const auto cpu = NetworkOf(model, {.channels_last = channels_last});
    const auto cuda = NetworkOf(
        model, {.channels_last = channels_last, .device = torch::kCUDA});

    const PassResult expected = TrainOnce(*cpu, torch::kCPU);
    const PassResult result = TrainOnce(*cuda, torch::kCUDA);

    ExpectNear(result.output, expected.output);
    ExpectNear(result.evaluated, expected.evaluated);
    ASSERT_THAT(result.gradients, SizeIs(expected.gradients.size()));
    for (size_t i = 0; i < expected.gradients.size(); ++i) {
      ExpectNear(result.gradients[i], expected.gradients[i]);
    }
  }
}

TEST_F(CudaTest, SgdStepsAsItDoesOnTheCpu) {
  const Model model = SmallResNetModel();
  for (const Value& parameters : std::vector<Value>{
           {{"momentum", 0.0}, {"weight_decay", 0.0}, {"nesterov", false}},
           {{"momentum", 0.9}, {"weight_decay", 5e-4}, {"nesterov", false}},
           {{"momentum", 0.9}, {"weight_decay", 5e-4}, {"nesterov", true}},
           {{"momentum", 0.9},
            {"weight_decay", 5e-4},
            {"nesterov", false},
            {"sum", 5.0}}}) {
    SCOPED_TRACE(parameters.dump());
    const auto cpu = NetworkOf(model);
    const auto cuda = NetworkOf(model, {.device = torch::kCUDA});
    const MakeOptimizer make = *OptimizerMakers().Find("sgd");
    const auto on_cpu = make(parameters, *cpu);
    const auto on_cuda = make(parameters, *cuda);

    for (int step = 0; step < 4; ++step) {
      std::vector<torch::Tensor> gradients;
      std::vector<torch::Tensor> on_device;
      for (const torch::Tensor& parameter : cpu->parameters()) {
        gradients.push_back(Waves(parameter.sizes()));
        on_device.push_back(gradients.back().to(torch::kCUDA));
      }
      on_cpu->Step(*cpu, gradients, /*rate=*/0.05);
      on_cuda->Step(*cuda, on_device, /*rate=*/0.05);
    }

    ExpectNear(cuda->flat(), cpu->flat());
  }
}

// DSP on two stages.
absl::StatusOr<InProcessResult> Train(const std::string& device) {
  JobSpec spec = Resolved(SmallResNet({2}, {2, 0}))->spec;
  spec.resources.device = device;
  SC_ASSIGN_OR_RETURN(ResolvedJob job, ResolveJob(spec, SmallFacts()));
  TorchStageFactory factory;
  return RunInProcess(
      factory, {.job = std::make_shared<const ResolvedJob>(std::move(job)),
                .data = std::make_shared<FakeDataSource>(SmallFacts()),
                .timeout = absl::Minutes(2)});
}

TEST_F(CudaTest, DspOnTwoStagesGivesTheSameBitsEachTime) {
  SC_ASSERT_OK_AND_ASSIGN(const InProcessResult first, Train("cuda"));
  SC_ASSERT_OK_AND_ASSIGN(const InProcessResult second, Train("cuda"));
  SC_ASSERT_OK_AND_ASSIGN(const InProcessResult cpu, Train("cpu"));

  EXPECT_EQ(first.digest_lines, second.digest_lines);
  EXPECT_EQ(first.evaluations, second.evaluations);
  ASSERT_THAT(first.updates, SizeIs(2));
  for (size_t stage = 0; stage < 2; ++stage) {
    ASSERT_THAT(first.updates[stage], SizeIs(12));
    EXPECT_EQ(first.updates[stage].back().staleness,
              cpu.updates[stage].back().staleness);
  }
  for (size_t item = 0; item < 12; ++item) {
    const double expected = cpu.updates[1][item].loss_sum;
    EXPECT_NEAR(first.updates[1][item].loss_sum, expected, 1e-2 * expected);
  }
}

}  // namespace
}  // namespace stagecoach
