"""The checker of the includes finds what it should in small bad trees."""

import pathlib
import tempfile
import unittest

from check_includes import check


def check_tree(files):
    """Runs the checker over a tree of {path: included headers}."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, included in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f'#include "{h}"\n' for h in included))
        return check(root)


class CheckIncludesTest(unittest.TestCase):

    def expect_broken(self, files, *parts):
        broken = check_tree(files)
        self.assertEqual(len(broken), 1, broken)
        for part in parts:
            self.assertIn(part, broken[0])

    def test_accepts_a_tree_that_keeps_the_rules(self):
        self.assertEqual([], check_tree({
            "core/base/ids.h": ["cstdint", "absl/status/status.h"],
            "core/method/method.h": ["core/base/ids.h"],
            "worker/stage/stage.h": ["core/method/method.h"],
            "worker/stage/loss.h": ["torch/types.h", "worker/update/rule.h"],
            "worker/update/rule.h": ["torch/types.h"],
            "worker/worker.h": ["worker/stage/stage.h"],
            "worker/grpc/service.cc": ["grpcpp/grpcpp.h", "worker/worker.h"],
            "worker/main.cc": ["worker/grpc/service.cc", "torch/types.h"],
            "tests/worker/stage/loss_test.cc": ["worker/stage/loss.h"],
            "tests/support/tensor_matchers.h": ["torch/types.h"],
        }))

    def test_names_file_line_and_rule(self):
        self.assertEqual(
            ["core/base/ids.h:2: includes spdlog/spdlog.h: "
             "spdlog only in core/log"],
            check_tree({"core/base/ids.h": ["cstdint", "spdlog/spdlog.h"]}))

    def test_finds_grpc_outside_its_folders(self):
        self.expect_broken({"core/job/spec.h": ["grpcpp/grpcpp.h"]}, "gRPC")

    def test_finds_generated_headers_outside_their_folders(self):
        self.expect_broken(
            {"client/table.cc": ["stagecoach/v1/job.pb.h"]}, "gRPC")

    def test_finds_torch_outside_its_folders(self):
        self.expect_broken({"coordinator/job.h": ["torch/types.h"]}, "torch")

    def test_keeps_the_facade_of_the_stage_free_of_torch(self):
        self.expect_broken({"worker/stage/stage.h": ["torch/types.h"]}, "torch")

    def test_finds_torch_that_comes_in_by_the_back_door(self):
        self.expect_broken(
            {"worker/worker.h": ["worker/stage/runtime.h"],
             "worker/stage/runtime.h": ["worker/update/rule.h"],
             "worker/update/rule.h": ["torch/types.h"]},
            "worker/worker.h:1", "torch comes in by",
            "worker/stage/runtime.h -> worker/update/rule.h")

    def test_finds_an_include_from_a_grpc_folder(self):
        self.expect_broken(
            {"client/command.h": ["client/grpc/channel.h"],
             "client/grpc/channel.h": []},
            "client/command.h:1", "folder named grpc/")

    def test_finds_an_include_upward(self):
        self.expect_broken(
            {"core/base/ids.h": ["core/job/spec.h"], "core/job/spec.h": []},
            "core/base stands on the lines above it")

    def test_finds_an_include_of_a_neighbour(self):
        self.expect_broken(
            {"core/method/a.h": ["core/model/b.h"], "core/model/b.h": []},
            "core/model is not there")

    def test_finds_one_program_that_knows_another(self):
        self.expect_broken(
            {"worker/worker.h": ["coordinator/membership.h"]},
            "worker does not know coordinator")

    def test_finds_core_that_knows_a_program(self):
        self.expect_broken(
            {"core/grpc/server.h": ["worker/worker.h"]},
            "core does not know worker")

    def test_finds_tests_in_the_product(self):
        self.expect_broken(
            {"worker/worker.cc": ["tests/fakes/fake_clock.h"]},
            "does not include its tests")

    def test_finds_the_header_that_costs_twenty_seconds(self):
        self.expect_broken(
            {"worker/model/layers.cc": ["torch/torch.h"]}, "torch/types.h")


if __name__ == "__main__":
    unittest.main()
