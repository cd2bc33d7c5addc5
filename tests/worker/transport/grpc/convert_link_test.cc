#include "worker/transport/grpc/convert_link.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/link_maker.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::HasSubstr;

TEST(ConvertLinkTest, BringsEveryFieldOfASpecBack) {
  LinkSpec spec = SampleLinkSpec();
  spec.lower = StageIndex(5);
  spec.upward_items = {1, 2};
  spec.downward_items = {3, 4};

  EXPECT_THAT(FromProto(ToProto(spec)), IsOkAndHolds(spec));
}

TEST(ConvertLinkTest, RefusesAnotherProtocol) {
  v1::LinkOffer offer = ToProto(SampleLinkSpec());
  offer.set_protocol(7);

  EXPECT_THAT(FromProto(offer), StatusIs(absl::StatusCode::kInvalidArgument,
                                         HasSubstr("version 7")));
}

TEST(ConvertLinkTest, BringsEveryFieldOfAFrameBack) {
  Frame frame = SampleFrame(9, 4, Lane::kEvaluation);
  frame.samples = 5;
  frame.counted = 6;
  for (const DataType type :
       {DataType::kUint8, DataType::kInt64, DataType::kFloat64,
        DataType::kBfloat16, DataType::kBool}) {
    frame.tensors.push_back({{type, {2, 3}, {1, 0}}, nullptr});
  }
  v1::ItemChunk chunk;
  chunk.set_lane(v1::LANE_EVALUATION);
  chunk.set_sequence(3);
  chunk.set_offset(4);
  *chunk.mutable_header() = HeaderOf(frame);

  SC_ASSERT_OK_AND_ASSIGN(const ChunkHeader header, FromProto(chunk));

  EXPECT_EQ(header.lane, Lane::kEvaluation);
  EXPECT_EQ(header.sequence, 3);
  EXPECT_EQ(header.offset, 4);
  ASSERT_TRUE(header.frame.has_value());
  EXPECT_EQ(header.frame->lane, Lane::kEvaluation);
  EXPECT_EQ(header.frame->item, ItemId(9));
  EXPECT_EQ(header.frame->generation, Generation(3));
  EXPECT_EQ(header.frame->samples, 5);
  EXPECT_EQ(header.frame->counted, 6);
  ASSERT_EQ(header.frame->tensors.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(header.frame->tensors[i].type, frame.tensors[i].type);
  }
}

TEST(ConvertLinkTest, RefusesWhatItDoesNotKnow) {
  v1::ItemChunk laneless;
  v1::ItemChunk typeless;
  typeless.set_lane(v1::LANE_TRAINING);
  typeless.mutable_header()->add_tensors();
  v1::ItemChunk strange = typeless;
  strange.mutable_header()->mutable_tensors(0)->set_data_type(
      static_cast<v1::DataType>(99));

  for (const v1::ItemChunk& chunk : {laneless, typeless, strange}) {
    EXPECT_THAT(FromProto(chunk), StatusIs(absl::StatusCode::kInvalidArgument,
                                           HasSubstr("unknown")));
  }
}

}  // namespace
}  // namespace stagecoach
