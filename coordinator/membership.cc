#include "coordinator/membership.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/user_text.h"

namespace stagecoach {
namespace {

constexpr int kProtocol = 1;
constexpr int kMaxSlots = 256;

}  // namespace

absl::Status CheckHello(const Hello& hello) {
  if (hello.protocol != kProtocol) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the worker speaks protocol ", hello.protocol, ", the coordinator ",
        kProtocol, "; run the same version of both"));
  }
  if (const auto error = WorkerNameError(hello.name.value()); !error.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("worker name ", error));
  }
  if (hello.slots < 1 || hello.slots > kMaxSlots) {
    return absl::InvalidArgumentError(
        absl::StrCat("slots ", hello.slots, ": a worker has 1 to ", kMaxSlots));
  }
  if (hello.data_address.empty()) {
    return absl::InvalidArgumentError(
        "the worker does not say where its neighbours reach it; give "
        "--advertise HOST:PORT");
  }
  return absl::OkStatus();
}

Member& Membership::Join(const Hello& hello,
                         std::shared_ptr<WorkerControl> control) {
  Member& member = members_[hello.name];
  if (member.hello.incarnation != hello.incarnation) member = Member();
  last_session_ = last_session_.next();
  member.hello = hello;
  member.presence = Member::Presence::kHere;
  member.session = last_session_;
  member.control = std::move(control);
  member.outbox.Confirm(hello.last_order);
  Renew(member);
  return member;
}

Member* Membership::Find(const WorkerName& name) {
  const auto found = members_.find(name);
  return found == members_.end() ? nullptr : &found->second;
}

Member* Membership::FindSession(SessionId session) {
  for (auto& [name, member] : members_) {
    if (member.session == session && member.here()) return &member;
  }
  return nullptr;
}

void Membership::Renew(Member& member) {
  member.lease_ends = clock_.Now() + options_.lease;
}

void Membership::Suspect(Member& member) {
  member.presence = Member::Presence::kSuspected;
  member.grace_ends = clock_.Now() + options_.grace;
  member.control.reset();
}

void Membership::Lose(Member& member) {
  member.presence = Member::Presence::kLost;
  member.grace_ends = clock_.Now();
  member.control.reset();
  member.assignment.reset();
  member.outbox.Clear();
  ForgetOldestLost();
}

std::vector<Membership::Lapse> Membership::Lapsed() const {
  const absl::Duration now = clock_.Now();
  std::vector<Lapse> lapsed;
  for (const auto& [name, member] : members_) {
    if (member.presence == Member::Presence::kSuspected &&
        member.grace_ends <= now) {
      lapsed.push_back(
          {name, absl::StrCat("its connection broke and did not return within ",
                              absl::FormatDuration(options_.grace))});
    } else if (member.here() && member.lease_ends <= now) {
      lapsed.push_back(
          {name, absl::StrCat("it was silent for ",
                              absl::FormatDuration(options_.lease))});
    }
  }
  return lapsed;
}

void Membership::ForgetOldestLost() {
  size_t lost = 0;
  auto oldest = members_.end();
  for (auto entry = members_.begin(); entry != members_.end(); ++entry) {
    if (entry->second.presence != Member::Presence::kLost) continue;
    ++lost;
    if (oldest == members_.end() ||
        entry->second.grace_ends < oldest->second.grace_ends) {
      oldest = entry;
    }
  }
  if (lost > options_.max_lost) members_.erase(oldest);
}

}  // namespace stagecoach
