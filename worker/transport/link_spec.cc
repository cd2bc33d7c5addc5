#include "worker/transport/link_spec.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

constexpr std::array<Lane, kNumLanes> kLanes = {Lane::kTraining,
                                                Lane::kEvaluation};
constexpr std::array<Direction, 2> kDirections = {Direction::kUpward,
                                                  Direction::kDownward};

std::string ItemsText(const LinkSpec& spec) {
  std::string text;
  for (const Direction direction : kDirections) {
    for (const Lane lane : kLanes) {
      absl::StrAppend(&text, text.empty() ? "" : ", ", NameOf(lane), " ",
                      NameOf(direction), " ", ItemsOf(spec, direction, lane));
    }
  }
  return text;
}

absl::Status Disagree(const LinkSpec& spec, absl::string_view subject,
                      absl::string_view upper, absl::string_view lower) {
  return absl::InvalidArgumentError(absl::StrCat(
      "stages ", spec.lower.value(), " and ", spec.lower.value() + 1,
      " of job ", spec.job.value(), " disagree about ", subject,
      ": the upper one has [", upper, "], the lower one [", lower, "]"));
}

absl::Status CheckGeneration(const LinkSpec& expected,
                             const LinkSpec& offered) {
  if (offered.generation > expected.generation) {
    return absl::NotFoundError(
        absl::StrCat("generation ", offered.generation.value(), " of job ",
                     offered.job.value(), " is not expected here yet, only ",
                     expected.generation.value()));
  }
  if (offered.generation < expected.generation) {
    return absl::FailedPreconditionError(
        absl::StrCat("generation ", offered.generation.value(), " of job ",
                     offered.job.value(), " is over; ",
                     expected.generation.value(), " is expected here"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::string_view NameOf(Lane lane) {
  return lane == Lane::kTraining ? "training" : "evaluation";
}

absl::string_view NameOf(Direction direction) {
  return direction == Direction::kUpward ? "upward" : "downward";
}

int64_t ItemsOf(const LinkSpec& spec, Direction direction, Lane lane) {
  const auto& items =
      direction == Direction::kUpward ? spec.upward_items : spec.downward_items;
  return items[static_cast<size_t>(lane)];
}

absl::Status Validate(const LinkSpec& spec) {
  if (spec.job.empty() || spec.job.value().size() > 256) {
    return absl::InvalidArgumentError(
        "a link needs a job id of 1 to 256 characters");
  }
  if (spec.lower < StageIndex(0) || spec.generation < Generation(0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a link cannot be of stage ", spec.lower.value(),
                     ", generation ", spec.generation.value()));
  }
  if (spec.boundary_digest.empty() ||
      spec.boundary_digest.size() > kMaxDigestBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a link needs a boundary digest of 1 to ", kMaxDigestBytes,
        " characters; this one has ", spec.boundary_digest.size()));
  }
  for (const Direction direction : kDirections) {
    for (const Lane lane : kLanes) {
      const int64_t items = ItemsOf(spec, direction, lane);
      if (items < 0 || items > kMaxItemsPerLane) {
        return absl::InvalidArgumentError(absl::StrCat(
            "a link cannot have room for ", items, " items (", NameOf(lane),
            ", ", NameOf(direction), "); 0 to ", kMaxItemsPerLane));
      }
    }
  }
  if (spec.max_item_bytes < 0 || spec.max_item_bytes > kMaxItemBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a link cannot have items of ", spec.max_item_bytes,
                     " bytes; 0 to ", kMaxItemBytes));
  }
  return absl::OkStatus();
}

absl::Status CheckOffer(const LinkSpec& expected, const LinkSpec& offered) {
  if (offered.job != expected.job || offered.lower != expected.lower) {
    return absl::NotFoundError(
        absl::StrCat("no link from stage ", offered.lower.value(), " of job ",
                     offered.job.value(), " is expected here"));
  }
  SC_RETURN_IF_ERROR(CheckGeneration(expected, offered));
  if (offered.boundary_digest != expected.boundary_digest) {
    return Disagree(expected, "the tensors between them",
                    expected.boundary_digest, offered.boundary_digest);
  }
  if (offered.upward_items != expected.upward_items ||
      offered.downward_items != expected.downward_items) {
    return Disagree(expected, "the link's room in items", ItemsText(expected),
                    ItemsText(offered));
  }
  if (offered.max_item_bytes != expected.max_item_bytes) {
    return Disagree(expected, "the most bytes of an item",
                    absl::StrCat(expected.max_item_bytes),
                    absl::StrCat(offered.max_item_bytes));
  }
  return absl::OkStatus();
}

absl::Status CheckFrame(const LinkSpec& spec, Direction direction,
                        const Frame& frame) {
  if (frame.generation != spec.generation) {
    return absl::InvalidArgumentError(
        absl::StrCat("a frame of generation ", frame.generation.value(),
                     " on a link of generation ", spec.generation.value()));
  }
  if (ItemsOf(spec, direction, frame.lane) == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the link carries no ", NameOf(frame.lane), " items ",
                     NameOf(direction)));
  }
  if (frame.item < ItemId(0) || frame.samples < 0 || frame.counted < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a frame of item ", frame.item.value(), " with ", frame.samples,
        " samples and ", frame.counted, " counted elements"));
  }
  if (frame.tensors.size() > kMaxTensorsPerFrame) {
    return absl::InvalidArgumentError(
        absl::StrCat("a frame of ", frame.tensors.size(), " tensors; at most ",
                     kMaxTensorsPerFrame));
  }
  int64_t room = spec.max_item_bytes;
  for (const TensorBytes& tensor : frame.tensors) {
    SC_RETURN_IF_ERROR(Validate(tensor.type, room));
    room -= tensor.size();
  }
  return absl::OkStatus();
}

}  // namespace stagecoach
