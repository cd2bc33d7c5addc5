#include "core/grpc/status.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace stagecoach {
namespace {

// gRPC refuses a call's headers beyond 8 KB.
constexpr size_t kMaxMessageBytes = 2048;
constexpr size_t kMaxDetailBytes = 4096;

absl::StatusCode CodeOf(int code) {
  return absl::status_internal::MapToLocalCode(code);
}

// The system's own words at the end of gRPC's: "failed to connect to all
// addresses; last error: UNKNOWN: ipv4:127.0.0.1:1: Failed to connect to remote
// host: Connection refused".
absl::string_view Reason(absl::string_view text) {
  if (absl::EndsWith(text, "Failed parsing HTTP/2")) {
    return "another program answers there";
  }
  const size_t colon = text.rfind(": ");
  if (colon != absl::string_view::npos) text.remove_prefix(colon + 2);
  absl::ConsumePrefix(&text, "recvmsg:");
  return text;
}

// What gRPC says of a call that never reached our code, in a user's words.
std::string InWords(const grpc::Status& status, absl::string_view peer) {
  const std::string& text = status.error_message();
  switch (status.error_code()) {
    case grpc::StatusCode::UNAVAILABLE:
      return absl::StrCat(peer, " cannot be reached (", Reason(text), ")");
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return absl::StrCat(peer, " did not answer in time");
    case grpc::StatusCode::CANCELLED:
      return absl::StrCat("the call to ", peer, " was cancelled");
    case grpc::StatusCode::UNIMPLEMENTED:
      return absl::StrCat(peer, " does not know this call; it is of another ",
                          "version, or another program");
    default:
      return absl::StrCat("the call to ", peer, " failed (", text, ")");
  }
}

}  // namespace

v1::Status ToProto(const absl::Status& status) {
  v1::Status proto;
  proto.set_code(status.raw_code());
  proto.set_message(std::string(status.message()));
  status.ForEachPayload(
      [&](absl::string_view type_url, const absl::Cord& payload) {
        google::protobuf::Any& detail = *proto.add_details();
        detail.set_type_url(std::string(type_url));
        detail.set_value(std::string(payload));
      });
  return proto;
}

absl::Status FromProto(const v1::Status& proto) {
  absl::Status status(CodeOf(proto.code()), proto.message());
  for (const google::protobuf::Any& detail : proto.details()) {
    status.SetPayload(detail.type_url(), absl::Cord(detail.value()));
  }
  return status;
}

grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const std::string message(status.message().substr(0, kMaxMessageBytes));
  v1::Status proto = ToProto(status);
  proto.set_message("");
  if (proto.ByteSizeLong() > kMaxDetailBytes) proto.clear_details();
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), message,
                      proto.SerializeAsString());
}

absl::Status FromGrpc(const grpc::Status& status, absl::string_view peer) {
  if (status.ok()) return absl::OkStatus();
  v1::Status proto;
  const bool ours = !status.error_details().empty() &&
                    proto.ParseFromString(status.error_details());
  proto.set_code(status.error_code());
  proto.set_message(ours ? status.error_message() : InWords(status, peer));
  return FromProto(proto);
}

}  // namespace stagecoach
