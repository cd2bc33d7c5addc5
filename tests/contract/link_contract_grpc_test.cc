#include "tests/contract/grpc_link_world.h"
#include "tests/contract/link_contract.h"

namespace stagecoach {
namespace {

INSTANTIATE_TEST_SUITE_P(Grpc, LinkContract,
                         testing::Values(LinkBackend{
                             "Grpc",
                             [] { return std::make_unique<GrpcLinkWorld>(); }}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace stagecoach
