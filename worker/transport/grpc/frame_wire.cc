#include "worker/transport/grpc/frame_wire.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

using ::google::protobuf::internal::WireFormatLite;
using ::google::protobuf::io::CodedOutputStream;

constexpr uint32_t kPayloadTag = WireFormatLite::MakeTag(
    v1::Frame::kPayloadFieldNumber, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);

// Smaller payloads are copied beside the head: a slice of its own costs more.
constexpr int64_t kInlinePayloadBytes = 4096;

std::string EncodeHead(const v1::Frame& head, int64_t payload_bytes) {
  std::string bytes = head.SerializeAsString();
  if (payload_bytes == 0) return bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);  // appends
  CodedOutputStream out(&stream);
  out.WriteVarint32(kPayloadTag);
  out.WriteVarint64(static_cast<uint64_t>(payload_bytes));
  return bytes;
}

grpc::Slice ShareSlice(const FrameCutter::Piece& piece) {
  // Deleted by gRPC, on any thread, once the kernel has the bytes.
  auto owner = std::make_unique<std::shared_ptr<std::byte>>(piece.data);
  return grpc::Slice(
      piece.data.get(), static_cast<size_t>(piece.size),
      [](void* shared) {
        delete static_cast<std::shared_ptr<std::byte>*>(shared);
      },
      owner.release());
}

// Reads from a row of slices without joining them.
class SliceReader {
 public:
  explicit SliceReader(const std::vector<grpc::Slice>& slices)
      : slices_(slices) {
    for (const grpc::Slice& slice : slices) left_ += slice.size();
  }

  size_t left() const { return left_; }

  std::optional<uint64_t> ReadVarint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && left_ > 0; shift += 7) {
      SkipEmpty();
      const uint8_t byte = slices_[slice_].begin()[offset_];
      Advance(1);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  // The next `size` bytes, of which there are that many.
  std::string ReadString(size_t size) {
    std::string bytes;
    while (bytes.size() < size) {
      SkipEmpty();
      const size_t part = std::min(size - bytes.size(), RestOfSlice());
      bytes.append(
          reinterpret_cast<const char*>(slices_[slice_].begin()) + offset_,
          part);
      Advance(part);
    }
    return bytes;
  }

  // All that is left, sharing the slices' memory.
  std::vector<grpc::Slice> ReadRest() {
    std::vector<grpc::Slice> rest;
    while (left_ > 0) {
      SkipEmpty();
      const size_t part = RestOfSlice();
      rest.push_back(slices_[slice_].sub(offset_, offset_ + part));
      Advance(part);
    }
    return rest;
  }

 private:
  size_t RestOfSlice() const { return slices_[slice_].size() - offset_; }
  void SkipEmpty() {
    while (RestOfSlice() == 0) {
      ++slice_;
      offset_ = 0;
    }
  }
  void Advance(size_t bytes) {
    offset_ += bytes;
    left_ -= bytes;
  }

  const std::vector<grpc::Slice>& slices_;
  size_t left_ = 0;
  size_t slice_ = 0;
  size_t offset_ = 0;
};

absl::Status Malformed(absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("not a frame of a link: ", what));
}

// Field by field, as long as each is a message and the payload comes last: the
// order in which every library writes. Nothing, when it is another one.
std::optional<WireFrame> DecodeInOrder(const std::vector<grpc::Slice>& slices) {
  SliceReader reader(slices);
  std::string head;
  WireFrame frame;
  while (reader.left() > 0) {
    const std::optional<uint64_t> tag = reader.ReadVarint();
    if (!tag.has_value() || (*tag & 7) != (kPayloadTag & 7)) return {};
    const std::optional<uint64_t> size = reader.ReadVarint();
    if (!size.has_value() || *size > reader.left()) return {};
    if (*tag == kPayloadTag) {
      if (*size != reader.left()) return {};
      frame.payload = reader.ReadRest();
      break;
    }
    if (*size + head.size() > static_cast<uint64_t>(kMaxHeadBytes)) return {};
    {
      google::protobuf::io::StringOutputStream stream(&head);
      CodedOutputStream out(&stream);
      out.WriteVarint64(*tag);
      out.WriteVarint64(*size);
    }
    head += reader.ReadString(static_cast<size_t>(*size));
  }
  if (!frame.head.ParseFromString(head)) return {};
  return frame;
}

absl::StatusOr<WireFrame> DecodeAny(const std::vector<grpc::Slice>& slices) {
  SliceReader reader(slices);
  WireFrame frame;
  if (!frame.head.ParseFromString(reader.ReadString(reader.left()))) {
    return Malformed("the bytes do not parse");
  }
  if (!frame.head.payload().empty()) {
    frame.payload.emplace_back(frame.head.payload());
    frame.head.clear_payload();
  }
  if (frame.head.ByteSizeLong() > static_cast<size_t>(kMaxHeadBytes)) {
    return Malformed("its head is too long");
  }
  return frame;
}

}  // namespace

grpc::ByteBuffer EncodeFrame(const v1::Frame& head,
                             const std::vector<FrameCutter::Piece>& pieces) {
  int64_t payload_bytes = 0;
  for (const FrameCutter::Piece& piece : pieces) payload_bytes += piece.size;
  std::string first = EncodeHead(head, payload_bytes);
  std::vector<grpc::Slice> slices;
  if (payload_bytes <= kInlinePayloadBytes) {
    for (const FrameCutter::Piece& piece : pieces) {
      first.append(reinterpret_cast<const char*>(piece.data.get()),
                   static_cast<size_t>(piece.size));
    }
    slices.emplace_back(first);
  } else {
    slices.emplace_back(first);
    for (const FrameCutter::Piece& piece : pieces) {
      slices.push_back(ShareSlice(piece));
    }
  }
  return grpc::ByteBuffer(slices.data(), slices.size());
}

absl::StatusOr<WireFrame> DecodeFrame(const grpc::ByteBuffer& bytes) {
  if (bytes.Length() > static_cast<size_t>(kMaxWireFrameBytes)) {
    return Malformed(absl::StrCat("it has ", bytes.Length(), " bytes"));
  }
  std::vector<grpc::Slice> slices;
  if (!bytes.Dump(&slices).ok()) return Malformed("it cannot be read");
  if (std::optional<WireFrame> frame = DecodeInOrder(slices)) {
    return *std::move(frame);
  }
  return DecodeAny(slices);
}

}  // namespace stagecoach
